/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection under TLS: a tls_stream with libuv on its other side. What arrives is fed to the
 * stream from the connector's read buffer and handed over as plaintext with the stamp of the raw
 * read. A request is encrypted record by record into a buffer of the connection and written in one
 * go; of a large one only a portion at a time, when the socket has taken the one before, so that
 * memory does not grow with the message. The trap: the owner may close inside any event, so the
 * owner is looked at again after each one.
 */
#include "lather/net/connection_tls.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/net/connection_parts.h"

enum {
    PLAIN_SIZE = 64 * 1024,    /* as the read buffer: an answer in several records is one event */
    PORTION_BYTES = 32 * 1024, /* encrypted ahead of the socket; two records */
    KEPT_BYTES = 8 * 1024,     /* a buffer grown beyond is given back when it is empty */
    OUT_CEILING = 256 * 1024   /* unread answers to a server that keeps asking (KeyUpdate) */
};

/* Of a connector: used up within one call each, so one of each is enough. */
struct connector_tls {
    const struct tls_context *context;
    char plain[PLAIN_SIZE];
    char record[TLS_STREAM_WRITE_MOST]; /* small pieces put together */
};

struct connection_tls {
    struct tls_stream *stream; /* from the TCP connect on */
    struct tls_ticket *ticket;
    uint64_t connected_ns;
    uint64_t handshake_ns;
    struct buf out;       /* ciphertext, not yet with libuv */
    struct buf writing;   /* ciphertext that libuv writes; must not move meanwhile */
    size_t out_plain;     /* plaintext of the request in out */
    size_t writing_plain; /* the same in writing */
    struct str *pieces;   /* of the request, a copy of the array */
    size_t piece_count;
    size_t piece_capacity;
    size_t piece;        /* the next one to be encrypted, */
    size_t piece_offset; /* from here, */
    size_t left;         /* with this many bytes in all */
    bool is_sending;     /* the owner waits for `sent` */
    bool is_writing;     /* libuv has writing */
    bool is_open;        /* the handshake is done */
    bool is_over;        /* nothing more can be said to the peer */
};

struct connector_tls *connection_tls_share(const struct tls_context *context)
{
    struct connector_tls *shared = check_malloc(sizeof *shared);
    shared->context = context;
    return shared;
}

/* --- ciphertext out ------------------------------------------------------------------------- */

static void connection_tls_on_written(uv_write_t *request, int error);

/* Nothing is waiting: what a large message had made grow is given back. */
static void connection_tls_trim(struct connection_tls *tls)
{
    struct buf *const bufs[] = {&tls->out, &tls->writing};
    for (size_t i = 0; i < 2; i++) {
        buf_reset(bufs[i]);
        if (bufs[i]->capacity > KEPT_BYTES) {
            buf_deinit(bufs[i]);
        }
    }
}

/* A write failed: 0 when reading will tell more, and nothing is written any more. */
static int connection_tls_hold_error(struct connection *connection, int error)
{
    if (!connection_write_error_waits(error)) {
        return error;
    }
    connection->write_error = error;
    return 0;
}

/* Gives what is in `out` to the system, and to libuv what the system does not take. */
static int connection_tls_flush(struct connection *connection)
{
    struct connection_tls *tls = connection->tls;
    if (tls->is_writing || tls->out.len == 0 || connection->write_error != 0) {
        return 0;
    }
    uv_stream_t *stream = (uv_stream_t *)&connection->tcp;
    uv_buf_t bytes = uv_buf_init(tls->out.data, (unsigned)tls->out.len);
    const int sent = uv_try_write(stream, &bytes, 1);
    if (sent < 0 && sent != UV_EAGAIN) {
        return connection_tls_hold_error(connection, sent);
    }
    const size_t taken = sent > 0 ? (size_t)sent : 0;
    if (taken == tls->out.len) {
        connection->sent_bytes += tls->out_plain;
        tls->out_plain = 0;
        buf_reset(&tls->out);
        return 0;
    }
    const struct buf spare = tls->writing;
    tls->writing = tls->out;
    tls->out = spare;
    tls->writing_plain = tls->out_plain;
    tls->out_plain = 0;
    tls->is_writing = true;
    bytes = uv_buf_init(tls->writing.data + taken, (unsigned)(tls->writing.len - taken));
    return uv_write(&connection->write, stream, &bytes, 1, connection_tls_on_written);
}

/* --- plaintext in --------------------------------------------------------------------------- */

/* The next bytes of the request that make a record: of one piece, or small ones put together. */
static struct str connection_tls_next_record(struct connection *connection)
{
    struct connection_tls *tls = connection->tls;
    const struct str piece = tls->pieces[tls->piece];
    const struct str rest = str_slice(piece, tls->piece_offset, SIZE_MAX);
    if (rest.len >= TLS_STREAM_WRITE_MOST || rest.len == tls->left) {
        return str_slice(rest, 0, TLS_STREAM_WRITE_MOST);
    }
    char *record = connection->connector->tls->record;
    size_t len = 0;
    size_t offset = tls->piece_offset;
    for (size_t i = tls->piece; i < tls->piece_count && len < TLS_STREAM_WRITE_MOST; i++) {
        const struct str part =
            str_slice(tls->pieces[i], offset, offset + TLS_STREAM_WRITE_MOST - len);
        if (part.len > 0) {
            memcpy(record + len, part.data, part.len);
        }
        len += part.len;
        offset = 0;
    }
    return str_of(record, len);
}

static void connection_tls_advance(struct connection_tls *tls, size_t bytes)
{
    tls->left -= bytes;
    tls->out_plain += bytes;
    tls->piece_offset += bytes;
    while (tls->piece < tls->piece_count && tls->piece_offset >= tls->pieces[tls->piece].len) {
        tls->piece_offset -= tls->pieces[tls->piece].len;
        tls->piece++;
    }
}

/* Encrypts until a portion is there: DONE; MORE when the peer has to say something first. */
static enum tls_step connection_tls_encrypt(struct connection *connection)
{
    struct connection_tls *tls = connection->tls;
    enum tls_step step = TLS_STEP_DONE;
    while (step == TLS_STEP_DONE && tls->left > 0 && tls->out.len < PORTION_BYTES) {
        const struct str record = connection_tls_next_record(connection);
        step = tls_stream_write(tls->stream, record);
        if (step == TLS_STEP_DONE) {
            connection_tls_advance(tls, record.len);
        }
    }
    return step;
}

/* Goes on sending as far as the system and the peer let it. */
static enum connection_sent connection_tls_push(struct connection *connection, int *error)
{
    struct connection_tls *tls = connection->tls;
    for (;;) {
        if (connection->write_error != 0) {
            return CONNECTION_SENT_LATER;
        }
        const enum tls_step step =
            tls->is_writing ? TLS_STEP_DONE : connection_tls_encrypt(connection);
        *error = connection_tls_flush(connection);
        if (step == TLS_STEP_FAILED || step == TLS_STEP_CLOSED) {
            *error = CONNECTION_TLS_FAILED;
        }
        if (*error != 0) {
            return CONNECTION_SENT_ERROR;
        }
        if (tls->is_writing || step == TLS_STEP_MORE) {
            return CONNECTION_SENT_LATER;
        }
        if (tls->left == 0 && connection->write_error == 0) {
            connection_tls_trim(tls);
            return CONNECTION_SENT_ALL;
        }
    }
}

static enum connection_sent connection_tls_send(struct connection *connection,
                                                const struct str *pieces, size_t count, int *error)
{
    struct connection_tls *tls = connection->tls;
    if (count > tls->piece_capacity) {
        tls->piece_capacity = count;
        tls->pieces = check_realloc(tls->pieces, count * sizeof *tls->pieces);
    }
    memcpy(tls->pieces, pieces, count * sizeof *pieces);
    tls->piece_count = count;
    tls->piece = 0;
    tls->piece_offset = 0;
    tls->left = 0;
    for (size_t i = 0; i < count; i++) {
        tls->left += pieces[i].len;
    }
    connection->sent_bytes = 0;
    const enum connection_sent sent = connection_tls_push(connection, error);
    tls->is_sending = sent == CONNECTION_SENT_LATER;
    return sent;
}

static size_t connection_tls_sent_bytes(const struct connection *connection)
{
    return connection->sent_bytes;
}

/* --- events --------------------------------------------------------------------------------- */

static void connection_tls_fail_open(struct connection *connection, uint64_t now_ns,
                                     enum tls_end end)
{
    tls_stream_break(connection->tls->stream, end);
    connection->tls->is_over = true;
    connection->connector->events.opened(connection->owner, now_ns, CONNECTION_TLS_FAILED);
}

/* A write failed. Without a request under way the next read tells the owner. */
static void connection_tls_write_failed(struct connection *connection, uint64_t now_ns, int error)
{
    struct connection_tls *tls = connection->tls;
    if (!tls->is_open) {
        connection_tls_fail_open(connection, now_ns, TLS_END_RESET);
    } else if (tls->is_sending) {
        tls->is_sending = false;
        tls->is_over = true;
        connection->connector->events.sent(connection->owner, now_ns, error);
    }
}

/* The socket has taken what it had, or the peer has said something: on with what waits. */
static void connection_tls_continue(struct connection *connection, uint64_t now_ns)
{
    struct connection_tls *tls = connection->tls;
    int error = 0;
    switch (connection_tls_push(connection, &error)) {
    case CONNECTION_SENT_ALL:
        if (tls->is_sending) {
            tls->is_sending = false;
            connection->connector->events.sent(connection->owner, now_ns, 0);
        }
        break;
    case CONNECTION_SENT_LATER:
        break;
    case CONNECTION_SENT_ERROR:
        connection_tls_write_failed(connection, now_ns, error);
        break;
    }
}

static void connection_tls_on_written(uv_write_t *request, int error)
{
    struct connection *connection = request->data;
    struct connection_tls *tls = connection->tls;
    tls->is_writing = false;
    if (connection->owner == NULL) {
        return;
    }
    const uint64_t now_ns = connector_stamp(connection->connector);
    if (error != 0) {
        error = connection_tls_hold_error(connection, error);
        if (error != 0) {
            connection_tls_write_failed(connection, now_ns, error);
        }
        return;
    }
    connection->sent_bytes += tls->writing_plain;
    tls->writing_plain = 0;
    buf_reset(&tls->writing);
    connection_tls_continue(connection, now_ns);
}

/* Goes on with the handshake; true when it is done and the owner keeps the connection. */
static bool connection_tls_shake_hands(struct connection *connection, uint64_t now_ns)
{
    struct connection_tls *tls = connection->tls;
    const enum tls_step step = tls_stream_handshake(tls->stream);
    if (step == TLS_STEP_DONE) {
        /* Our own arithmetic is part of the handshake; what is left in `out` goes with the request
           that the owner sends now. */
        const uint64_t done_ns = clock_now_ns();
        tls->is_open = true;
        tls->handshake_ns = done_ns - tls->connected_ns;
        connection->connector->events.opened(connection->owner, done_ns, 0);
        return connection->owner != NULL;
    }
    const int error = connection_tls_flush(connection);
    if (step != TLS_STEP_MORE) {
        tls->is_over = true;
        connection->connector->events.opened(connection->owner, now_ns, CONNECTION_TLS_FAILED);
    } else if (error != 0) {
        connection_tls_fail_open(connection, now_ns, TLS_END_RESET);
    }
    return false;
}

static void connection_tls_end(struct connection *connection, uint64_t now_ns, int error)
{
    connection->tls->is_over = true;
    connection->connector->events.ended(connection->owner, now_ns, error);
}

static void connection_tls_await(struct connection *connection, uint64_t now_ns)
{
    struct connection_tls *tls = connection->tls;
    if (tls->out.len > OUT_CEILING) {
        tls_stream_break(tls->stream, TLS_END_FLOODED);
        connection_tls_end(connection, now_ns, CONNECTION_TLS_FAILED);
    } else if (!tls->is_writing && (tls->out.len > 0 || tls->left > 0)) {
        connection_tls_continue(connection, now_ns);
    }
}

/* Hands over what can be decrypted, then what came behind it. */
static void connection_tls_receive(struct connection *connection, uint64_t now_ns)
{
    struct connector *connector = connection->connector;
    enum tls_step step;
    do {
        char *plain = connector->tls->plain;
        size_t len = 0;
        step = tls_stream_read(connection->tls->stream, plain, PLAIN_SIZE, &len);
        if (len > 0) {
            connector->events.received(connection->owner, now_ns, plain, len);
        }
        if (connection->owner == NULL) {
            return;
        }
    } while (step == TLS_STEP_DONE);
    switch (step) {
    case TLS_STEP_CLOSED:
        connection->tls->is_over = true;
        connector->events.finished(connection->owner, now_ns);
        break;
    case TLS_STEP_FAILED:
        (void)connection_tls_flush(connection); /* the alert */
        connection_tls_end(connection, now_ns, CONNECTION_TLS_FAILED);
        break;
    default:
        connection_tls_await(connection, now_ns);
        break;
    }
}

static void connection_tls_on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
    struct connection *connection = stream->data;
    struct connection_tls *tls = connection->tls;
    if (count == 0) {
        return;
    }
    const uint64_t now_ns = connector_stamp(connection->connector);
    if (count < 0 && !tls->is_open) {
        connection_tls_fail_open(connection, now_ns,
                                 count == UV_EOF ? TLS_END_CLOSED : TLS_END_RESET);
    } else if (count < 0) {
        /* Without close_notify too: whether the answer is whole, its framing tells. */
        connection_tls_end(connection, now_ns, count == UV_EOF ? 0 : (int)count);
    } else if (!tls->is_over) {
        tls_stream_feed(tls->stream, str_of(buffer->base, (size_t)count));
        if (tls->is_open || connection_tls_shake_hands(connection, now_ns)) {
            connection_tls_receive(connection, now_ns);
        }
    }
}

/* --- life ----------------------------------------------------------------------------------- */

static void connection_tls_opening(struct connection *connection, struct tls_ticket *ticket)
{
    if (connection->tls == NULL) {
        connection->tls = check_calloc(1, sizeof *connection->tls);
    }
    connection->tls->ticket = ticket;
}

static void connection_tls_connected(struct connection *connection, uint64_t now_ns, int error)
{
    struct connection_tls *tls = connection->tls;
    if (error != 0) {
        connection->connector->events.opened(connection->owner, now_ns, error);
        return;
    }
    tls->connected_ns = now_ns;
    tls->stream = tls_stream_new(connection->connector->tls->context, tls->ticket, &tls->out);
    (void)connection_tls_shake_hands(connection, now_ns);
}

static void connection_tls_closing(struct connection *connection)
{
    struct connection_tls *tls = connection->tls;
    if (!tls->is_open || tls->is_over || tls->is_writing || tls->left > 0 ||
        connection->write_error != 0) {
        return;
    }
    tls_stream_finish(tls->stream);
    const uv_buf_t bytes = uv_buf_init(tls->out.data, (unsigned)tls->out.len);
    (void)uv_try_write((uv_stream_t *)&connection->tcp, &bytes, 1);
}

static void connection_tls_closed(struct connection *connection)
{
    struct connection_tls *tls = connection->tls;
    tls_stream_free(tls->stream);
    connection_tls_trim(tls);
    *tls = (struct connection_tls){
        .out = tls->out,
        .writing = tls->writing,
        .pieces = tls->pieces,
        .piece_capacity = tls->piece_capacity,
    };
}

static void connection_tls_freed(struct connection *connection)
{
    if (connection->tls != NULL) {
        buf_deinit(&connection->tls->out);
        buf_deinit(&connection->tls->writing);
        free(connection->tls->pieces);
        free(connection->tls);
    }
}

const struct connection_operations connection_tls_operations = {
    .opening = connection_tls_opening,
    .connected = connection_tls_connected,
    .on_read = connection_tls_on_read,
    .send = connection_tls_send,
    .sent_bytes = connection_tls_sent_bytes,
    .closing = connection_tls_closing,
    .closed = connection_tls_closed,
    .freed = connection_tls_freed,
};

/* --- questions ------------------------------------------------------------------------------ */

bool connection_tls_is_shaking_hands(const struct connection *connection)
{
    return connection->tls->stream != NULL && !connection->tls->is_open;
}

void connection_tls_finish(struct connection *connection)
{
    tls_stream_finish(connection->tls->stream);
    (void)connection_tls_flush(connection);
}

void connection_tls_expire(struct connection *connection)
{
    tls_stream_break(connection->tls->stream, TLS_END_LATE);
    connection->tls->is_over = true;
}

const char *connection_tls_reason(const struct connection *connection)
{
    return tls_stream_reason(connection->tls->stream);
}

const struct tls_stream *connection_tls_stream(const struct connection *connection)
{
    return connection->tls->stream;
}

uint64_t connection_tls_handshake_ns(const struct connection *connection)
{
    return connection->tls->handshake_ns;
}
