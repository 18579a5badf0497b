/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcurl's TLS made the same as ours. Its own options would read certificates again and judge by
 * other rules; so what the run's context holds is handed on to each context libcurl makes, and
 * OpenSSL's callbacks tell what became of it. The trap: libcurl sets the server's name after its
 * own callback, by the URL; the right one is put in its place when the handshake starts.
 */
#include "lather/net/curl_tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"

/* Names separated by colons. */
static void curl_tls_append(struct buf *list, const SSL_CIPHER *cipher)
{
    buf_append_str(list, list->len > 0 ? STR(":") : STR(""));
    buf_append_str(list, str_from(SSL_CIPHER_get_name(cipher)));
}

void curl_tls_init(struct curl_tls *tls, const struct tls_context *context, struct traffic *traffic,
                   struct tls_facts *facts)
{
    *tls = (struct curl_tls){.context = context, .traffic = traffic, .facts = facts};
    buf_init(&tls->ciphers);
    buf_init(&tls->suites);
    if (context == NULL) {
        return;
    }
    STACK_OF(SSL_CIPHER) *all = SSL_CTX_get_ciphers(tls_context_handle(context));
    for (int i = 0; i < sk_SSL_CIPHER_num(all); i++) {
        const SSL_CIPHER *cipher = sk_SSL_CIPHER_value(all, i);
        const bool is_suite = strncmp(SSL_CIPHER_get_name(cipher), "TLS_", 4) == 0;
        curl_tls_append(is_suite ? &tls->suites : &tls->ciphers, cipher);
    }
}

void curl_tls_deinit(struct curl_tls *tls)
{
    buf_deinit(&tls->ciphers);
    buf_deinit(&tls->suites);
}

void curl_tls_forget(struct curl_tls_watch *watch)
{
    X509_free(watch->certificate);
    *watch = (struct curl_tls_watch){
        .tls = watch->tls,
        .line = watch->line,
        .verify_result = X509_V_OK,
        /* Who resumes a session is not asked again. */
        .certificate_wanted = watch->certificate_wanted,
    };
}

static struct curl_tls_watch *curl_tls_watch_of(const SSL *ssl)
{
    return SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
}

/* --- seen ----------------------------------------------------------------------------------- */

static void curl_tls_note_done(struct curl_tls_watch *watch, SSL *ssl)
{
    struct traffic *traffic = watch->tls->traffic;
    const uint64_t took_ns = clock_now_ns() - watch->start_ns;
    watch->is_done = true;
    if (traffic->tls_full + traffic->tls_resumed == 0) {
        tls_facts_read(watch->tls->facts, ssl);
    }
    if (SSL_session_reused(ssl)) {
        traffic->tls_resumed++;
        traffic->tls_resumed_ns += took_ns;
    } else {
        traffic->tls_full++;
        traffic->tls_full_ns += took_ns;
    }
}

/* An end of the connection is no failure of TLS, even though OpenSSL has a code for it. */
static void curl_tls_note_broken(struct curl_tls_watch *watch, unsigned long code)
{
    const bool is_end =
        ERR_SYSTEM_ERROR(code) || ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
    if (!watch->is_broken && !is_end) {
        watch->is_broken = true;
        watch->code = code;
    }
}

/* Whether libcurl would find something if it read: it reads on as long as it gets something. */
static bool curl_tls_has_more(struct curl_tls_watch *watch, BIO *bio)
{
    const uint64_t came = BIO_number_read(bio);
    const bool reads_on = !watch->is_write_broken || came != watch->came_before;
    watch->came_before = came;
    return reads_on && platform_socket_peek(curl_line_descriptor(watch->line)) > 0;
}

/*
 * A write on the socket under TLS ended. libcurl would give up at one that failed, though an answer
 * or an alert may lie in the socket. So it is told that the write would block: then it reads first,
 * which a dead connection allows at once, and fails at the next write.
 */
static long curl_tls_on_written(BIO *bio, int operation, const char *bytes, size_t len, int number,
                                long value, int result, size_t *processed)
{
    (void)bytes;
    (void)len;
    (void)number;
    (void)value;
    (void)processed;
    struct curl_tls_watch *watch = (struct curl_tls_watch *)(void *)BIO_get_callback_arg(bio);
    if (operation == (BIO_CB_WRITE | BIO_CB_RETURN) && result <= 0 && watch->is_done &&
        BIO_should_retry(bio) == 0) {
        if (curl_tls_has_more(watch, bio)) {
            BIO_set_retry_write(bio);
        }
        watch->is_write_broken = true;
    }
    return result;
}

/* A handshake began, went wrong or ended, or an alert came. */
static void curl_tls_on_info(const SSL *seen, int where, int value)
{
    struct curl_tls_watch *watch = curl_tls_watch_of(seen);
    SSL *ssl = (SSL *)(uintptr_t)seen;
    if ((where & SSL_CB_HANDSHAKE_START) != 0 && watch->start_ns == 0) {
        watch->start_ns = clock_now_ns();
        (void)SSL_set_tlsext_host_name(ssl, tls_context_server_name(watch->tls->context));
        BIO_set_callback_arg(SSL_get_wbio(ssl), (char *)watch);
        BIO_set_callback_ex(SSL_get_wbio(ssl), curl_tls_on_written);
    } else if ((where & SSL_CB_HANDSHAKE_DONE) != 0 && !watch->is_done) {
        curl_tls_note_done(watch, ssl);
    } else if (where == SSL_CB_READ_ALERT && (value >> 8) == SSL3_AL_FATAL) {
        curl_tls_note_broken(watch,
                             ERR_PACK(ERR_LIB_SSL, 0, SSL_AD_REASON_OFFSET + (value & 0xff)));
    } else if (where == SSL_CB_CONNECT_EXIT && value <= 0 && ERR_peek_error() != 0) {
        curl_tls_note_broken(watch, ERR_peek_error());
    }
}

/* The first bytes of the first record that came: those of HTTP when the port does not speak TLS. */
static void curl_tls_on_message(int is_written, int version, int type, const void *bytes,
                                size_t len, SSL *ssl, void *context)
{
    (void)version;
    (void)context;
    struct curl_tls_watch *watch = curl_tls_watch_of(ssl);
    if (is_written == 0 && type == SSL3_RT_HEADER && watch->first_len == 0) {
        watch->first_len = len < sizeof watch->first ? len : sizeof watch->first;
        memcpy(watch->first, bytes, watch->first_len);
    }
}

static int curl_tls_on_verify(int is_good, X509_STORE_CTX *store)
{
    const SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct curl_tls_watch *watch = curl_tls_watch_of(ssl);
    if (is_good == 0 && watch->verify_result == X509_V_OK) {
        watch->verify_result = X509_STORE_CTX_get_error(store);
        watch->certificate = X509_STORE_CTX_get0_cert(store);
        (void)X509_up_ref(watch->certificate);
    }
    return is_good;
}

static int curl_tls_on_certificate_wish(SSL *ssl, X509 **certificate, EVP_PKEY **key)
{
    (void)certificate;
    (void)key;
    curl_tls_watch_of(ssl)->certificate_wanted = true;
    return 0;
}

/* --- given ---------------------------------------------------------------------------------- */

static void curl_tls_copy_identity(SSL_CTX *to, SSL_CTX *from)
{
    STACK_OF(X509) *chain = NULL;
    X509 *certificate = SSL_CTX_get0_certificate(from);
    if (certificate == NULL) {
        SSL_CTX_set_client_cert_cb(to, curl_tls_on_certificate_wish);
        return;
    }
    CHECK(SSL_CTX_use_certificate(to, certificate) == 1 &&
          SSL_CTX_use_PrivateKey(to, SSL_CTX_get0_privatekey(from)) == 1);
    (void)SSL_CTX_get0_chain_certs(from, &chain);
    if (chain != NULL) {
        CHECK(SSL_CTX_set1_chain(to, chain) == 1);
    }
}

static void curl_tls_copy_suites(const struct curl_tls *tls, SSL_CTX *to, SSL_CTX *from)
{
    SSL_CTX_set_security_level(to, SSL_CTX_get_security_level(from));
    (void)SSL_CTX_set_min_proto_version(to, (int)SSL_CTX_get_min_proto_version(from));
    (void)SSL_CTX_set_max_proto_version(to, (int)SSL_CTX_get_max_proto_version(from));
    if (tls->ciphers.len > 0) {
        (void)SSL_CTX_set_cipher_list(to, tls->ciphers.data);
    }
    if (tls->suites.len > 0) {
        (void)SSL_CTX_set_ciphersuites(to, tls->suites.data);
    }
    /* An end without close_notify is an end: whether an answer is whole, its framing tells. libcurl
     * 8 would call it an error, even behind an answer that the close ends. */
    (void)SSL_CTX_set_options(to, SSL_CTX_get_options(from) | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_post_handshake_auth(to, 1);
}

/* libcurl made a context for a connection. */
static CURLcode curl_tls_on_context(CURL *easy, void *handle, void *context)
{
    (void)easy;
    SSL_CTX *to = handle;
    struct curl_tls_watch *watch = context;
    SSL_CTX *from = tls_context_handle(watch->tls->context);
    curl_tls_forget(watch);
    (void)SSL_CTX_set_app_data(to, watch);
    SSL_CTX_set_info_callback(to, curl_tls_on_info);
    SSL_CTX_set_msg_callback(to, curl_tls_on_message);
    SSL_CTX_set_verify(to, SSL_CTX_get_verify_mode(from), curl_tls_on_verify);
    (void)SSL_CTX_set1_param(to, SSL_CTX_get0_param(from));
    SSL_CTX_set1_cert_store(to, SSL_CTX_get_cert_store(from));
    curl_tls_copy_identity(to, from);
    curl_tls_copy_suites(watch->tls, to, from);
    return CURLE_OK;
}

void curl_tls_apply(const struct curl_tls *tls, const struct curl_line *line,
                    struct curl_tls_watch *watch)
{
    CURL *easy = line->easy;
    if (tls->context == NULL) {
        return;
    }
    watch->tls = tls;
    watch->line = line;
    (void)curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, curl_tls_on_context);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, watch);
    /* The context given verifies; libcurl's own checks would come on top, by the URL's host. */
    (void)curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE,
                           tls_context_resumes(tls->context) ? 1L : 0L);
}

/* "OpenSSL SSL_read: error:0A00010B:SSL routines::wrong version number" */
void curl_tls_note_text(struct curl_tls_watch *watch, const char *text)
{
    static const struct str mark = {.data = ": error:", .len = 8};
    const struct str all = str_from(text);
    const size_t at = str_find(all, mark);
    if (watch->tls == NULL || !str_starts_with(all, STR("OpenSSL SSL_")) || at == SIZE_MAX) {
        return;
    }
    const unsigned long code = strtoul(text + at + mark.len, NULL, 16);
    if (code != 0) {
        curl_tls_note_broken(watch, code);
    }
}

/* --- told ----------------------------------------------------------------------------------- */

bool curl_tls_is_shaking_hands(const struct curl_tls_watch *watch)
{
    return watch->start_ns != 0 && !watch->is_done;
}

bool curl_tls_is_write_broken(const struct curl_tls_watch *watch)
{
    return watch->is_write_broken;
}

bool curl_tls_is_broken(const struct curl_tls_watch *watch)
{
    return watch->is_broken;
}

const char *curl_tls_reason(struct curl_tls_watch *watch, enum tls_end end)
{
    const struct tls_context *context = watch->tls->context;
    struct tls_trouble trouble = {
        .code = watch->code,
        .verify_result = watch->verify_result,
        .end = watch->is_broken ? TLS_END_NONE : end,
        .certificate_wanted = watch->certificate_wanted,
        .certificate_given = tls_context_has_certificate(context),
        .first_len = watch->first_len,
        .host = tls_context_host(context),
        .certificate = watch->certificate,
    };
    memcpy(trouble.first, watch->first, sizeof trouble.first);
    return tls_reason_format(&trouble, watch->reason);
}
