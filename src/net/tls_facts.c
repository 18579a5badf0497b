/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What two ends of TLS agreed on, read once from OpenSSL into plain text, so that a report can tell
 * it when the connection is long gone. The words and their order are ab's.
 */
#include "lather/net/tls_facts.h"

#include <inttypes.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/check.h"
#include "lather/base/str.h"

static void tls_facts_set(char *fact, size_t size, const char *text)
{
    const struct str kept = str_slice(str_from(text), 0, size - 1);
    memcpy(fact, kept.data, kept.len);
    fact[kept.len] = '\0';
}

/*
 * The server's key of this connection alone, in ab's words: "ECDH prime256v1 256 bits". Where the
 * server sends no key but a secret sealed with ours (ML-KEM, OpenSSL 3.5), the group's name tells.
 */
static void tls_facts_read_temp_key(SSL *ssl, char text[TLS_FACT_SIZE])
{
    EVP_PKEY *key = NULL;
    if (SSL_get_server_tmp_key(ssl, &key) != 1) {
        ERR_clear_error();
        const long id = SSL_get_negotiated_group(ssl);
        const char *hybrid = id > 0 ? SSL_group_to_name(ssl, (int)id) : NULL;
        tls_facts_set(text, TLS_FACT_SIZE, hybrid == NULL ? "" : hybrid);
        return;
    }
    char group[TLS_FACT_SIZE / 2] = "";
    const char *name = EVP_PKEY_get0_type_name(key);
    const int bits = EVP_PKEY_get_bits(key);
    if (EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1) {
        (void)snprintf(text, TLS_FACT_SIZE, "ECDH %s %d bits", group, bits);
    } else {
        (void)snprintf(text, TLS_FACT_SIZE, "%.32s %d bits", name == NULL ? "?" : name, bits);
    }
    EVP_PKEY_free(key);
}

static void tls_facts_read_name(const X509_NAME *name, char text[TLS_NAME_SIZE])
{
    BIO *bio = BIO_new(BIO_s_mem());
    CHECK(bio != NULL);
    if (X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253) > 0) {
        char *data = NULL;
        const long len = BIO_get_mem_data(bio, &data);
        const struct str kept = str_slice(str_of(data, (size_t)len), 0, TLS_NAME_SIZE - 1);
        memcpy(text, kept.data, kept.len);
        text[kept.len] = '\0';
    }
    BIO_free(bio);
}

static void tls_facts_read_time(const ASN1_TIME *time, char text[TLS_FACT_SIZE])
{
    BIO *bio = BIO_new(BIO_s_mem());
    CHECK(bio != NULL);
    if (ASN1_TIME_print(bio, time) == 1) {
        const int len = BIO_read(bio, text, TLS_FACT_SIZE - 1);
        text[len > 0 ? len : 0] = '\0';
    }
    BIO_free(bio);
}

void tls_facts_read(struct tls_facts *facts, struct ssl_st *ssl)
{
    *facts = (struct tls_facts){.key_bits = 0};
    const SSL_CIPHER *cipher = SSL_get_current_cipher(ssl);
    tls_facts_set(facts->protocol, TLS_FACT_SIZE, SSL_get_version(ssl));
    tls_facts_set(facts->cipher, TLS_FACT_SIZE, SSL_CIPHER_get_name(cipher));
    facts->cipher_bits = (uint32_t)SSL_CIPHER_get_bits(cipher, NULL);
    tls_facts_read_temp_key(ssl, facts->temp_key);
    const X509 *certificate = SSL_get0_peer_certificate(ssl);
    if (certificate == NULL) {
        return;
    }
    const EVP_PKEY *key = X509_get0_pubkey(certificate);
    facts->key_bits = key == NULL ? 0 : (uint32_t)EVP_PKEY_get_bits(key);
    tls_facts_read_name(X509_get_subject_name(certificate), facts->subject);
    tls_facts_read_name(X509_get_issuer_name(certificate), facts->issuer);
    tls_facts_read_time(X509_get0_notBefore(certificate), facts->not_before);
    tls_facts_read_time(X509_get0_notAfter(certificate), facts->not_after);
}

void tls_facts_format(const struct tls_facts *facts, struct buf *text)
{
    buf_printf(text, "Valid from: %s\n", facts->not_before);
    buf_printf(text, "Valid to  : %s\n", facts->not_after);
    buf_printf(text, "Public key is %" PRIu32 " bits\n", facts->key_bits);
    buf_printf(text, "The issuer name is %s\n", facts->issuer);
    buf_printf(text, "The subject name is %s\n", facts->subject);
    buf_printf(text, "Cipher Suite Protocol   :%s\n", facts->protocol);
    buf_printf(text, "Cipher Suite Name       :%s\n", facts->cipher);
    buf_printf(text, "Cipher Suite Cipher Bits:%" PRIu32 "\n", facts->cipher_bits);
}
