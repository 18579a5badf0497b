/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whom to trust when a server shows its certificate. OpenSSL's own default is a path compiled in,
 * which is right for the system it was built on and wrong for a static binary copied elsewhere: so
 * the system's own store is asked, and then the places where distributions keep their bundle. A run
 * without any authority would fail every handshake; that is said before it begins.
 */
#include "lather/net/tls_authority.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stddef.h>
#include <stdlib.h>

#include "lather/base/buf.h"
#include "lather/base/file.h"
#include "lather/base/platform.h"

/* A bundle of all authorities has some 250 KB. */
enum { AUTHORITY_FILE_CEILING = 16 * 1024 * 1024 };

/* Debian and Alpine, Red Hat, SUSE, BSD. */
static const char *const bundles[] = {
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
};

bool tls_authority_load_file(struct ssl_ctx_st *handle, const char *path, struct err *err)
{
    /* Read first: OpenSSL's own words for a missing file name neither file nor reason. */
    struct buf content;
    buf_init(&content);
    const bool readable = file_read(path, AUTHORITY_FILE_CEILING, &content, err);
    buf_deinit(&content);
    if (!readable) {
        return false;
    }
    if (SSL_CTX_load_verify_file(handle, path) != 1) {
        ERR_clear_error();
        return err_set(
            err, ERR_FORMAT,
            "%.300s: no certificate in it: a PEM file is wanted, with lines \"-----BEGIN "
            "CERTIFICATE-----\" (from DER, as Windows saves it: openssl x509 -inform DER -in OLD "
            "-out "
            "NEW.pem)",
            path);
    }
    /* A server's own certificate or an intermediate one is enough, as with curl. */
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(handle), X509_V_FLAG_PARTIAL_CHAIN);
    return true;
}

/* One certificate of the system's store; one that OpenSSL cannot read is left out. */
static void add_authority(void *context, const void *der, size_t len)
{
    const unsigned char *bytes = der;
    X509 *certificate = len <= LONG_MAX ? d2i_X509(NULL, &bytes, (long)len) : NULL;
    if (certificate != NULL) {
        (void)X509_STORE_add_cert(context, certificate);
        X509_free(certificate);
    }
    ERR_clear_error();
}

bool tls_authority_load_system(struct ssl_ctx_st *handle, struct err *err)
{
    if (getenv(X509_get_default_cert_file_env()) != NULL ||
        getenv(X509_get_default_cert_dir_env()) != NULL) {
        (void)SSL_CTX_set_default_verify_paths(handle);
        ERR_clear_error();
        return true;
    }
    if (platform_authorities(add_authority, SSL_CTX_get_cert_store(handle)) > 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof bundles / sizeof *bundles; i++) {
        if (SSL_CTX_load_verify_file(handle, bundles[i]) == 1) {
            return true;
        }
        ERR_clear_error();
    }
    return err_set(err, ERR_FILE,
                   "no certificates of authorities found on this system (%s and others): name them "
                   "with --cacert FILE, or test without verification with --insecure",
                   bundles[0]);
}
