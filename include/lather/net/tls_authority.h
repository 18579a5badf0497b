/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_TLS_AUTHORITY_H
#define LATHER_NET_TLS_AUTHORITY_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"

struct ssl_ctx_st;

/*
 * Trusts the certificates of a PEM file and nothing else. It may hold authorities, or the server's
 * own certificate.
 */
bool tls_authority_load_file(struct ssl_ctx_st *handle, const char *path, struct err *err) MUST_USE;

/*
 * Trusts what this system trusts: the file or folder that SSL_CERT_FILE and SSL_CERT_DIR name, else
 * the system's store (Windows), else the bundle of the distribution. Fails when there is none.
 */
bool tls_authority_load_system(struct ssl_ctx_st *handle, struct err *err) MUST_USE;

#endif
