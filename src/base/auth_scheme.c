/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of authentication schemes. What a scheme does is libcurl's business; whether it is compiled
 * in is asked of libcurl (net/curl_features). Here is only what floors that know nothing of each
 * other call the same thing.
 */
#include "lather/base/auth_scheme.h"

const char *auth_scheme_name(enum auth_scheme scheme)
{
    static const char *const names[AUTH_SCHEME_COUNT] = {
        [AUTH_SCHEME_NONE] = "",
        [AUTH_SCHEME_DIGEST] = "Digest",
        [AUTH_SCHEME_NTLM] = "NTLM",
        [AUTH_SCHEME_NEGOTIATE] = "Negotiate",
    };
    return names[scheme];
}

const char *auth_scheme_option(enum auth_scheme scheme)
{
    static const char *const options[AUTH_SCHEME_COUNT] = {
        [AUTH_SCHEME_NONE] = "",
        [AUTH_SCHEME_DIGEST] = "--digest",
        [AUTH_SCHEME_NTLM] = "--ntlm",
        [AUTH_SCHEME_NEGOTIATE] = "--negotiate",
    };
    return options[scheme];
}
