/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The client's certificate and key, from PEM or from a PFX as Windows exports it; which of them a
 * file is, its content tells. Everything is read from memory, so that an unreadable file is told
 * apart from a wrong one. Windows protected its PFX with RC2-40 until 2019; OpenSSL 3 reads that
 * only with its legacy provider, which is loaded when needed and there.
 */
#include "lather/net/tls_identity.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/base/str.h"

enum { IDENTITY_FILE_CEILING = 1024 * 1024, QUOTED_BYTES = 200 };

enum { IDENTITY_DER_SEQUENCE = 0x30 }; /* what a certificate, a key and a PFX begin with */

/* What the sentences about a password end with. */
static const char *const password_hint =
    "give its password with --key-password-file FILE or in the environment variable "
    "LATHER_KEY_PASSWORD";

/* A certificate, its key and the chain behind it. Owned. */
struct identity {
    X509 *certificate;
    EVP_PKEY *key;
    STACK_OF(X509) * chain;
};

static void identity_deinit(struct identity *identity)
{
    X509_free(identity->certificate);
    EVP_PKEY_free(identity->key);
    sk_X509_pop_free(identity->chain, X509_free);
}

static const char *identity_reason(void)
{
    const char *words = ERR_reason_error_string(ERR_peek_error());
    return words == NULL ? "unknown reason" : words;
}

/* --- PEM ------------------------------------------------------------------------------------ */

/* The password as OpenSSL asks for it, and whether it did. */
struct identity_password {
    const char *text;
    bool asked;
};

static int identity_on_password(char *buffer, int size, int writing, void *context)
{
    (void)writing;
    struct identity_password *password = context;
    password->asked = true;
    const size_t len = password->text == NULL ? 0 : strlen(password->text);
    if (len == 0 || len > (size_t)size) {
        return -1;
    }
    memcpy(buffer, password->text, len);
    return (int)len;
}

static bool identity_read_pem_key(struct identity *identity, BIO *content, const char *path,
                                  const char *password_text, struct err *err)
{
    struct identity_password password = {.text = password_text};
    identity->key = PEM_read_bio_PrivateKey(content, NULL, identity_on_password, &password);
    if (identity->key != NULL) {
        return true;
    }
    if (password.asked && password.text == NULL) {
        return err_set(err, ERR_FILE, "%.*s: the private key is encrypted: %s", QUOTED_BYTES, path,
                       password_hint);
    }
    if (password.asked && password.text[0] == '\0') {
        return err_set(err, ERR_FILE,
                       "%.*s: the private key is encrypted, and the password given "
                       "for it is empty",
                       QUOTED_BYTES, path);
    }
    if (password.asked) {
        return err_set(err, ERR_FILE,
                       "%.*s: the private key cannot be decrypted (%s): is it the right password?",
                       QUOTED_BYTES, path, identity_reason());
    }
    return err_set(
        err, ERR_FORMAT,
        "%.*s: no private key in it: name its file with --key FILE (PEM, with a line "
        "\"-----BEGIN PRIVATE KEY-----\"; from DER: openssl pkey -inform DER -in OLD -out "
        "NEW.pem)",
        QUOTED_BYTES, path);
}

/* Why a file of -E has no certificate in PEM, and is no PFX. */
static bool identity_refuse_content(struct str content, const char *path, struct err *err)
{
    ERR_clear_error();
    if (str_find(content, STR("PRIVATE KEY-----")) != SIZE_MAX) {
        return err_set(
            err, ERR_FORMAT,
            "%.*s: no certificate in it, but a private key: -E takes the certificate, --key "
            "the key",
            QUOTED_BYTES, path);
    }
    if (content.len > 0 && content.data[0] == IDENTITY_DER_SEQUENCE) {
        return err_set(
            err, ERR_FORMAT,
            "%.*s: no certificate in it that can be used: it is in DER, or a damaged PFX; "
            "convert a certificate: openssl x509 -inform DER -in OLD -out NEW.pem",
            QUOTED_BYTES, path);
    }
    return err_set(err, ERR_FORMAT,
                   "%.*s: no certificate in it: a PEM file is wanted, with a line \"-----BEGIN "
                   "CERTIFICATE-----\", or a PFX",
                   QUOTED_BYTES, path);
}

static bool identity_read_pem_chain(struct identity *identity, BIO *content, struct str whole,
                                    const char *path, struct err *err)
{
    identity->certificate = PEM_read_bio_X509_AUX(content, NULL, NULL, NULL);
    if (identity->certificate == NULL) {
        return identity_refuse_content(whole, path, err);
    }
    identity->chain = sk_X509_new_null();
    CHECK(identity->chain != NULL);
    X509 *next;
    while ((next = PEM_read_bio_X509(content, NULL, NULL, NULL)) != NULL) {
        CHECK(sk_X509_push(identity->chain, next) > 0);
    }
    ERR_clear_error();
    return true;
}

static BIO *identity_open(const struct buf *content)
{
    BIO *bio = BIO_new_mem_buf(content->data, (int)content->len);
    CHECK(bio != NULL);
    return bio;
}

static bool identity_read_key_file(struct identity *identity,
                                   const struct tls_identity_files *files, struct err *err)
{
    struct buf content;
    buf_init(&content);
    bool is_good =
        file_read(files->key, IDENTITY_FILE_CEILING, &content, err) || err_prefix(err, "--key");
    if (is_good) {
        BIO *bio = identity_open(&content);
        is_good = identity_read_pem_key(identity, bio, files->key, files->password, err) ||
                  err_prefix(err, "--key");
        BIO_free(bio);
    }
    OPENSSL_cleanse(content.data, content.len);
    buf_deinit(&content);
    return is_good;
}

static bool identity_read_pem(struct identity *identity, const struct buf *content,
                              const struct tls_identity_files *files, struct err *err)
{
    BIO *bio = identity_open(content);
    bool is_good =
        identity_read_pem_chain(identity, bio, buf_view(content), files->certificate, err);
    BIO_free(bio);
    if (!is_good || files->key != NULL) {
        return is_good && identity_read_key_file(identity, files, err);
    }
    bio = identity_open(content);
    is_good = identity_read_pem_key(identity, bio, files->certificate, files->password, err);
    BIO_free(bio);
    return is_good;
}

/* --- PFX ------------------------------------------------------------------------------------ */

/* Whether the last failure was about an algorithm that no provider has. */
static bool identity_lacks_algorithm(void)
{
    const int reason = ERR_GET_REASON(ERR_peek_error());
    return reason == ERR_R_UNSUPPORTED || reason == EVP_R_UNSUPPORTED_ALGORITHM;
}

static bool identity_parse_pfx(struct identity *identity, PKCS12 *pfx, const char *password)
{
    ERR_clear_error();
    return PKCS12_parse(pfx, password, &identity->key, &identity->certificate, &identity->chain) ==
           1;
}

static bool identity_refuse_pfx(const struct tls_identity_files *files, struct err *err)
{
    const char *path = files->certificate;
    if (ERR_GET_REASON(ERR_peek_error()) == PKCS12_R_MAC_VERIFY_FAILURE) {
        return files->password == NULL ? err_set(err, ERR_FILE, "%.*s: the PFX has a password: %s",
                                                 QUOTED_BYTES, path, password_hint)
                                       : err_set(err, ERR_FILE, "%.*s: wrong password for this PFX",
                                                 QUOTED_BYTES, path);
    }
    if (identity_lacks_algorithm()) {
        return err_set(
            err, ERR_FORMAT,
            "%.*s: this PFX is encrypted by an old algorithm (RC2-40 most likely) that "
            "OpenSSL 3 reads only with its legacy provider, which is not here: export it "
            "again with AES256, or convert it: openssl pkcs12 -legacy -in OLD -nodes -out "
            "NEW.pem",
            QUOTED_BYTES, path);
    }
    return err_set(err, ERR_FORMAT, "%.*s: cannot read this PFX: %s", QUOTED_BYTES, path,
                   identity_reason());
}

static bool identity_read_pfx(struct identity *identity, PKCS12 *pfx,
                              const struct tls_identity_files *files,
                              struct ossl_provider_st **legacy, struct err *err)
{
    if (files->key != NULL) {
        return err_set(err, ERR_USAGE,
                       "--key: %.*s is a PFX and holds its own key: leave --key out", QUOTED_BYTES,
                       files->certificate);
    }
    bool is_read = identity_parse_pfx(identity, pfx, files->password);
    if (!is_read && identity_lacks_algorithm()) {
        /* 1: the default provider stays too. */
        *legacy = OSSL_PROVIDER_try_load(NULL, "legacy", 1);
        if (*legacy != NULL) {
            is_read = identity_parse_pfx(identity, pfx, files->password);
        } else {
            (void)identity_parse_pfx(identity, pfx, files->password); /* for its reason */
        }
    }
    if (!is_read) {
        return identity_refuse_pfx(files, err);
    }
    if (identity->certificate == NULL || identity->key == NULL) {
        return err_set(err, ERR_FORMAT, "%.*s: no %s in this PFX: export it with its private key",
                       QUOTED_BYTES, files->certificate,
                       identity->key == NULL ? "private key" : "certificate");
    }
    return true;
}

/* --- both ----------------------------------------------------------------------------------- */

static bool identity_read(struct identity *identity, const struct buf *content,
                          const struct tls_identity_files *files, struct ossl_provider_st **legacy,
                          struct err *err)
{
    if (str_find(buf_view(content), STR("-----BEGIN ")) == SIZE_MAX) {
        BIO *bio = identity_open(content);
        PKCS12 *pfx = d2i_PKCS12_bio(bio, NULL);
        BIO_free(bio);
        if (pfx != NULL) {
            const bool is_read = identity_read_pfx(identity, pfx, files, legacy, err);
            PKCS12_free(pfx);
            return is_read;
        }
    }
    return identity_read_pem(identity, content, files, err);
}

static void identity_note_dates(const X509 *certificate, const char *path, struct buf *notes)
{
    const bool past = X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0;
    if (past || X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0) {
        buf_printf(notes, "the client certificate in %.*s %s: the server will probably refuse it\n",
                   QUOTED_BYTES, path, past ? "has expired" : "is not valid yet");
    }
}

/* Whether the key is that of another certificate of the file than the first. */
static bool identity_key_is_in_chain(const struct identity *identity)
{
    for (int i = 0; i < sk_X509_num(identity->chain); i++) {
        if (X509_check_private_key(sk_X509_value(identity->chain, i), identity->key) == 1) {
            return true;
        }
    }
    return false;
}

static bool identity_use(SSL_CTX *handle, const struct identity *identity, const char *path,
                         struct err *err)
{
    if (X509_check_private_key(identity->certificate, identity->key) != 1) {
        return err_set(err, ERR_FILE, "%.*s: the private key is not that of the certificate: %s",
                       QUOTED_BYTES, path,
                       identity_key_is_in_chain(identity)
                           ? "its own stands further down; put that first, those that signed it "
                             "behind it"
                           : "give the key made with it");
    }
    if (SSL_CTX_use_cert_and_key(handle, identity->certificate, identity->key, identity->chain,
                                 1) != 1) {
        return err_set(err, ERR_FORMAT, "%.*s: OpenSSL does not take this certificate: %s",
                       QUOTED_BYTES, path, identity_reason());
    }
    return true;
}

bool tls_identity_load(struct ssl_ctx_st *handle, const struct tls_identity_files *files,
                       struct ossl_provider_st **legacy, struct buf *notes, struct err *err)
{
    struct identity identity = {0};
    struct buf content;
    buf_init(&content);
    *legacy = NULL;
    ERR_clear_error();
    bool is_good = file_read(files->certificate, IDENTITY_FILE_CEILING, &content, err) &&
                   identity_read(&identity, &content, files, legacy, err) &&
                   identity_use(handle, &identity, files->certificate, err);
    if (is_good) {
        identity_note_dates(identity.certificate, files->certificate, notes);
    }
    ERR_clear_error();
    OPENSSL_cleanse(content.data, content.len);
    buf_deinit(&content);
    identity_deinit(&identity);
    return is_good;
}
