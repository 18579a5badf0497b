/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Certificates for the TLS tests, made in memory: an authority, and whoever it signs. Keys are
 * elliptic, so that a test can afford hundreds of handshakes.
 */
#ifndef TESTS_UNIT_NET_PKI_H
#define TESTS_UNIT_NET_PKI_H

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <time.h>

#include "lather/base/check.h"

struct pki {
    X509 *certificate;
    EVP_PKEY *key;
};

struct pki_order {
    const char *common_name;
    const char *names;        /* subjectAltName, as "DNS:localhost,IP:127.0.0.1"; NULL: none */
    const struct pki *issuer; /* NULL: self-signed */
    long from_s;              /* its dates, from now */
    long to_s;
    int is_authority;
};

static inline void pki_add_extension(X509 *certificate, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    CHECK(extension != NULL && X509_add_ext(certificate, extension, -1) == 1);
    X509_EXTENSION_free(extension);
}

static inline struct pki pki_make(const struct pki_order *order)
{
    struct pki made = {.certificate = X509_new(), .key = EVP_EC_gen("P-256")};
    static const unsigned char organisation[] = "lather tests";
    CHECK(made.certificate != NULL && made.key != NULL);
    const struct pki *issuer = order->issuer == NULL ? &made : order->issuer;
    CHECK(X509_set_version(made.certificate, 2) == 1);
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(made.certificate), (uint64_t)clock() + 1);
    X509_gmtime_adj(X509_getm_notBefore(made.certificate), order->from_s);
    X509_gmtime_adj(X509_getm_notAfter(made.certificate), order->to_s);
    X509_NAME *name = X509_get_subject_name(made.certificate);
    X509_NAME_add_entry_by_NID(name, NID_organizationName, MBSTRING_ASC, organisation, -1, -1, 0);
    X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8,
                               (const unsigned char *)order->common_name, -1, -1, 0);
    X509_set_issuer_name(made.certificate, X509_get_subject_name(issuer->certificate));
    X509_set_pubkey(made.certificate, made.key);
    if (order->is_authority) {
        pki_add_extension(made.certificate, issuer->certificate, NID_basic_constraints,
                          "critical,CA:TRUE");
    }
    if (order->names != NULL) {
        pki_add_extension(made.certificate, issuer->certificate, NID_subject_alt_name,
                          order->names);
    }
    CHECK(X509_sign(made.certificate, issuer->key, EVP_sha256()) > 0);
    return made;
}

static inline void pki_free(struct pki *pki)
{
    X509_free(pki->certificate);
    EVP_PKEY_free(pki->key);
}

/* Writes the certificate, and the key behind it unless that is NULL, encrypted with a password. */
static inline void pki_write(const char *path, X509 *certificate, EVP_PKEY *key,
                             const char *password)
{
    FILE *stream = fopen(path, "wb");
    CHECK(stream != NULL);
    if (certificate != NULL) {
        CHECK(PEM_write_X509(stream, certificate) == 1);
    }
    if (key != NULL) {
        CHECK(PEM_write_PKCS8PrivateKey(stream, key, password == NULL ? NULL : EVP_aes_128_cbc(),
                                        password, password == NULL ? 0 : (int)strlen(password),
                                        NULL, NULL) == 1);
    }
    CHECK(fclose(stream) == 0);
}

#endif
