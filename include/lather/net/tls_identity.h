/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_TLS_IDENTITY_H
#define LATHER_NET_TLS_IDENTITY_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"

struct ssl_ctx_st;
struct ossl_provider_st;

/* Where the client's certificate and key are. */
struct tls_identity_files {
    const char *certificate; /* PEM with the chain behind it, or PFX (recognised by its content) */
    const char *key;         /* PEM; NULL: in the certificate's file */
    const char *password;    /* of the key or the PFX; NULL: none is known */
};

/*
 * Gives the context a client certificate with its chain and key. Fails with a sentence that names
 * the file: unreadable, no certificate, no key, the key of another certificate, a password missing
 * or wrong, a PFX in algorithms OpenSSL 3 has put away. A certificate outside its dates is noted.
 *
 * *legacy gets OpenSSL's provider of old algorithms when an old PFX needed it, else NULL; it must
 * stay loaded as long as the context lives and be given to OSSL_PROVIDER_unload then.
 */
bool tls_identity_load(struct ssl_ctx_st *handle, const struct tls_identity_files *files,
                       struct ossl_provider_st **legacy, struct buf *notes,
                       struct err *err) MUST_USE;

#endif
