/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenSSL between two memory areas. A BIO of our own lets it read straight from the span that was
 * fed and append to the owner's buffer: no socket, no copy of its own, and since the buffer takes
 * everything, never a WANT_WRITE; bounding it is the owner's part. OpenSSL's error queue belongs to
 * the thread and must be empty before each call, or an old error is taken for a new one.
 */
#include "lather/net/tls_stream.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

struct tls_stream {
    SSL *ssl;
    const struct tls_context *context;
    struct tls_ticket *ticket;
    struct buf *out;
    struct str in; /* fed and not yet taken */
    bool failed;
    size_t first_len;
    char first[TLS_FIRST_BYTES];
    char reason[TLS_REASON_SIZE];
};

/* --- the BIO -------------------------------------------------------------------------------- */

static int tls_stream_on_bio_read(BIO *bio, char *data, size_t wanted, size_t *got)
{
    struct tls_stream *stream = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (stream->in.len == 0) {
        BIO_set_retry_read(bio);
        *got = 0;
        return 0;
    }
    *got = wanted < stream->in.len ? wanted : stream->in.len;
    memcpy(data, stream->in.data, *got);
    stream->in.data += *got;
    stream->in.len -= *got;
    return 1;
}

static int tls_stream_on_bio_write(BIO *bio, const char *data, size_t len, size_t *taken)
{
    struct tls_stream *stream = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    buf_append(stream->out, data, len);
    *taken = len;
    return 1;
}

static long tls_stream_on_bio_control(BIO *bio, int command, long number, void *pointer)
{
    (void)bio;
    (void)number;
    (void)pointer;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

/* --- what a handle needs -------------------------------------------------------------------- */

/* Called when the server asks for our certificate, whether we have one or not. */
static int tls_stream_on_certificate_wanted(SSL *ssl, void *context)
{
    (void)context;
    struct tls_stream *stream = SSL_get_app_data(ssl);
    stream->ticket->certificate_wanted = true;
    return 1;
}

/* A session that can be resumed; 1: it is ours now. */
static int tls_stream_on_session(SSL *ssl, SSL_SESSION *session)
{
    struct tls_stream *stream = SSL_get_app_data(ssl);
    tls_ticket_drop(stream->ticket);
    stream->ticket->session = session;
    return 1;
}

void tls_stream_set_up(struct ssl_ctx_st *handle)
{
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "lather");
    CHECK(method != NULL && BIO_meth_set_read_ex(method, tls_stream_on_bio_read) == 1 &&
          BIO_meth_set_write_ex(method, tls_stream_on_bio_write) == 1 &&
          BIO_meth_set_ctrl(method, tls_stream_on_bio_control) == 1);
    CHECK(SSL_CTX_set_app_data(handle, method) == 1);
    SSL_CTX_set_cert_cb(handle, tls_stream_on_certificate_wanted, NULL);
    SSL_CTX_sess_set_new_cb(handle, tls_stream_on_session);
}

void tls_stream_tear_down(struct ssl_ctx_st *handle)
{
    BIO_meth_free(SSL_CTX_get_app_data(handle));
    (void)SSL_CTX_set_app_data(handle, NULL);
}

/* --- life ----------------------------------------------------------------------------------- */

void tls_ticket_drop(struct tls_ticket *ticket)
{
    SSL_SESSION_free(ticket->session);
    ticket->session = NULL;
}

static void tls_stream_use_ticket(struct tls_stream *stream)
{
    struct tls_ticket *ticket = stream->ticket;
    if (ticket->session == NULL) {
        return;
    }
    if (SSL_set_session(stream->ssl, ticket->session) != 1) {
        ERR_clear_error();
    }
    if (SSL_SESSION_get_protocol_version(ticket->session) >= TLS1_3_VERSION) {
        tls_ticket_drop(ticket); /* used once, RFC 8446 C.4 */
    }
}

struct tls_stream *tls_stream_new(const struct tls_context *context, struct tls_ticket *ticket,
                                  struct buf *out)
{
    SSL_CTX *handle = tls_context_handle(context);
    struct tls_stream *stream = check_calloc(1, sizeof *stream);
    stream->context = context;
    stream->ticket = ticket;
    stream->out = out;
    stream->ssl = SSL_new(handle);
    BIO *bio = BIO_new(SSL_CTX_get_app_data(handle));
    CHECK(stream->ssl != NULL && bio != NULL);
    BIO_set_data(bio, stream);
    BIO_set_init(bio, 1);
    SSL_set_bio(stream->ssl, bio, bio);
    CHECK(SSL_set_app_data(stream->ssl, stream) == 1);
    const char *server_name = tls_context_server_name(context);
    if (server_name != NULL) {
        CHECK(SSL_set_tlsext_host_name(stream->ssl, server_name) == 1);
    }
    tls_stream_use_ticket(stream);
    SSL_set_connect_state(stream->ssl);
    return stream;
}

void tls_stream_free(struct tls_stream *stream)
{
    if (stream == NULL) {
        return;
    }
    if (!stream->failed) {
        /* Or OpenSSL takes the end for an accident and makes the session not resumable. */
        SSL_set_shutdown(stream->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    }
    SSL_free(stream->ssl);
    free(stream);
}

/* --- failures ------------------------------------------------------------------------------- */

static void tls_stream_explain(struct tls_stream *stream, unsigned long code, enum tls_end end)
{
    const bool refused =
        ERR_GET_LIB(code) == ERR_LIB_SSL && ERR_GET_REASON(code) == SSL_R_CERTIFICATE_VERIFY_FAILED;
    struct tls_trouble trouble = {
        .code = code,
        .verify_result = refused ? SSL_get_verify_result(stream->ssl) : X509_V_OK,
        .end = end,
        .certificate_wanted = stream->ticket->certificate_wanted,
        .certificate_given = tls_context_has_certificate(stream->context),
        .first_len = stream->first_len,
        .host = tls_context_host(stream->context),
        /* Of a certificate refused only the chain is kept; it begins with it. NULL gives NULL. */
        .certificate = sk_X509_value(SSL_get_peer_cert_chain(stream->ssl), 0),
    };
    memcpy(trouble.first, stream->first, sizeof trouble.first);
    (void)tls_reason_format(&trouble, stream->reason);
    stream->failed = true;
    tls_ticket_drop(stream->ticket);
}

void tls_stream_break(struct tls_stream *stream, enum tls_end end)
{
    tls_stream_explain(stream, 0, end);
}

const char *tls_stream_reason(const struct tls_stream *stream)
{
    return stream->reason;
}

/* What a call of OpenSSL that did not succeed means. */
static enum tls_step tls_stream_step(struct tls_stream *stream, int result)
{
    switch (SSL_get_error(stream->ssl, result)) {
    case SSL_ERROR_WANT_READ:
        return TLS_STEP_MORE;
    case SSL_ERROR_ZERO_RETURN:
        return TLS_STEP_CLOSED;
    default:
        tls_stream_explain(stream, ERR_peek_error(), TLS_END_NONE);
        ERR_clear_error();
        return TLS_STEP_FAILED;
    }
}

/* An error that somebody left behind would be taken for ours. Looking is much cheaper than
 * clearing. */
static void tls_stream_forget_errors(void)
{
    if (ERR_peek_error() != 0) {
        ERR_clear_error();
    }
}

/* --- steps ---------------------------------------------------------------------------------- */

static void tls_stream_keep_first(struct tls_stream *stream, struct str bytes)
{
    const struct str kept = str_slice(bytes, 0, TLS_FIRST_BYTES - stream->first_len);
    if (kept.len > 0) {
        memcpy(stream->first + stream->first_len, kept.data, kept.len);
        stream->first_len += kept.len;
    }
}

void tls_stream_feed(struct tls_stream *stream, struct str ciphertext)
{
    CHECK(stream->in.len == 0);
    stream->in = ciphertext;
    if (stream->first_len < TLS_FIRST_BYTES) {
        tls_stream_keep_first(stream, ciphertext);
    }
}

enum tls_step tls_stream_handshake(struct tls_stream *stream)
{
    tls_stream_forget_errors();
    const int result = SSL_do_handshake(stream->ssl);
    return result == 1 ? TLS_STEP_DONE : tls_stream_step(stream, result);
}

enum tls_step tls_stream_read(struct tls_stream *stream, char *plain, size_t capacity, size_t *len)
{
    *len = 0;
    if (stream->failed) {
        return TLS_STEP_FAILED;
    }
    tls_stream_forget_errors();
    while (*len < capacity) {
        /* A record that is not whole yet lies in OpenSSL; asking for it would cost a call that only
           says so. */
        if (stream->in.len == 0 && SSL_pending(stream->ssl) == 0) {
            return TLS_STEP_MORE;
        }
        size_t got = 0;
        const int result = SSL_read_ex(stream->ssl, plain + *len, capacity - *len, &got);
        if (result != 1) {
            return tls_stream_step(stream, result);
        }
        *len += got;
    }
    return TLS_STEP_DONE;
}

enum tls_step tls_stream_write(struct tls_stream *stream, struct str plain)
{
    if (stream->failed) {
        return TLS_STEP_FAILED;
    }
    size_t taken = 0;
    tls_stream_forget_errors();
    const int result = SSL_write_ex(stream->ssl, plain.data, plain.len, &taken);
    if (result != 1) {
        return tls_stream_step(stream, result);
    }
    CHECK(taken == plain.len);
    return TLS_STEP_DONE;
}

void tls_stream_finish(struct tls_stream *stream)
{
    if (!stream->failed && SSL_is_init_finished(stream->ssl)) {
        (void)SSL_shutdown(stream->ssl);
        ERR_clear_error();
    }
}

/* --- facts ---------------------------------------------------------------------------------- */

bool tls_stream_is_resumed(const struct tls_stream *stream)
{
    return SSL_session_reused(stream->ssl) == 1;
}

void tls_stream_describe(const struct tls_stream *stream, struct tls_facts *facts)
{
    tls_facts_read(facts, stream->ssl);
}
