/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_TLS_CONTEXT_H
#define LATHER_NET_TLS_CONTEXT_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"

/*
 * What all TLS connections of a run have in common: whom to trust, who we are, which protocols and
 * ciphers. Built once before the first connection and frozen; all workers share it.
 */
struct tls_context;

/* How TLS is to be spoken; all texts are borrowed during tls_context_new. NULL: not given. */
struct tls_options {
    const char *host;             /* whom the certificate must name: a name or an IP literal */
    bool omit_server_name;        /* -I */
    bool insecure;                /* --insecure: neither certificates nor secure renegotiation */
    bool no_resume;               /* --no-resume: each handshake is a full one */
    const char *authority_file;   /* --cacert; instead of the system's authorities */
    const char *certificate_file; /* -E: PEM, or PFX with its key */
    const char *key_file;         /* --key: PEM; NULL: in the certificate's file */
    const char *key_password;     /* of the key or of the PFX */
    const char *ciphers;          /* -Z, as OpenSSL writes it, suites of TLS 1.3 among it */
    const char *protocol;         /* -f, as ab takes it: TLS1, TLS1.1, TLS1.2, TLS1.3, ALL */
};

/*
 * Reads certificates and keys and settles everything. What a tester should know (a client
 * certificate past its date, a cipher OpenSSL does not know) is appended to notes, one line each.
 * NULL with the reason in err: an option is wrong, a file unreadable or not what it should be, a
 * password wrong, no authorities to be found.
 */
struct tls_context *tls_context_new(const struct tls_options *options, struct buf *notes,
                                    struct err *err) MUST_USE;
void tls_context_free(struct tls_context *context);

/* The name sent to the server before its certificate comes (SNI); NULL when none is sent. */
const char *tls_context_server_name(const struct tls_context *context);

/* Whom the certificate must name. */
const char *tls_context_host(const struct tls_context *context);

/* Whether the server's certificate is verified, sessions are resumed, a certificate is ours. */
bool tls_context_verifies(const struct tls_context *context);
bool tls_context_resumes(const struct tls_context *context);
bool tls_context_has_certificate(const struct tls_context *context);

/* OpenSSL's, for the streams (net/tls_stream.h). Frozen: no stream may change it. */
struct ssl_ctx_st *tls_context_handle(const struct tls_context *context);

#endif
