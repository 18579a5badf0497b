/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_AUTH_SCHEME_H
#define LATHER_BASE_AUTH_SCHEME_H

/*
 * The schemes that need a conversation with the server before it takes a request. Basic is none of
 * them: it is a field of the request.
 */
enum auth_scheme {
    AUTH_SCHEME_NONE = 0,
    AUTH_SCHEME_DIGEST,    /* RFC 7616 */
    AUTH_SCHEME_NTLM,      /* bound to the connection */
    AUTH_SCHEME_NEGOTIATE, /* RFC 4559: Kerberos, or NTLM inside SPNEGO */
    AUTH_SCHEME_COUNT
};

/* "Digest", "NTLM", "Negotiate" as HTTP writes them, "" for none; never NULL. */
const char *auth_scheme_name(enum auth_scheme scheme);

/* The option that asks for it, "--ntlm"; "" for none; never NULL. */
const char *auth_scheme_option(enum auth_scheme scheme);

#endif
