/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection of a client: reads requests, has them answered, writes the answers. One request
 * is in hand at a time: while its answer waits or is being written nothing is read, and what a
 * pipelining client had sent behind it is kept in `rest`. In the usual case nothing is copied or
 * allocated: a request that came in one piece is read where it lies, and its answer goes out of
 * the host's buffer in one write.
 */
#include "lather/serve/connection.h"

#include <stddef.h>
#include <stdlib.h>

#include "lather/base/clock.h"

enum state {
    READING = 0, /* for a request */
    ANSWERING,   /* its answer waits or is being written */
    LINGERING,   /* told to go; what still comes is thrown away */
    CLOSING
};

/* What follows the answer. */
enum next { NEXT_REQUEST = 0, NEXT_CLOSE, NEXT_LINGER };

struct connection {
    struct connection_host *host;
    uv_tcp_t tcp;
    uv_write_t write;
    uv_shutdown_t shutdown;
    struct delay_item wait; /* in one of the host's queues */
    enum state state;
    enum next next;
    bool reads;
    uint64_t requests; /* the one in hand included */
    struct request request;
    struct buf rest; /* read, but behind the request in hand */
    struct buf lead; /* the answer, when it could not be written at once */
    struct str tail; /* what follows it: a view that stays */
};

static void feed(struct connection *connection, struct str bytes);

static uv_stream_t *stream_of(struct connection *connection)
{
    return (uv_stream_t *)&connection->tcp;
}

static struct connection *connection_of(struct delay_item *item)
{
    return (struct connection *)(void *)((char *)item - offsetof(struct connection, wait));
}

static uv_buf_t bytes_of(struct str text)
{
    return uv_buf_init((char *)(uintptr_t)text.data, (unsigned)text.len);
}

static void on_closed(uv_handle_t *handle)
{
    struct connection *connection = handle->data;
    request_deinit(&connection->request);
    buf_deinit(&connection->rest);
    buf_deinit(&connection->lead);
    free(connection);
}

void connection_close(struct connection *connection)
{
    struct connection_host *host = connection->host;
    if (connection->state == CLOSING) {
        return;
    }
    if (connection->state == ANSWERING) {
        host->dispatch.counts.unanswered++;
        delay_queue_remove(&host->delays, &connection->wait);
    } else if (connection->state == LINGERING) {
        delay_queue_remove(&host->lingers, &connection->wait);
    }
    connection->state = CLOSING;
    uv_close((uv_handle_t *)&connection->tcp, on_closed);
}

/* Reading */

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
    (void)suggested;
    struct connection *connection = handle->data;
    *room = uv_buf_init(connection->host->read_bytes, CONNECTION_READ_BYTES);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *room)
{
    struct connection *connection = stream->data;
    if (count < 0) {
        connection_close(connection);
        return;
    }
    connection->host->dispatch.counts.bytes_in += (uint64_t)count;
    if (connection->state == READING) {
        feed(connection, str_of(room->base, (size_t)count));
    }
}

static void start_reading(struct connection *connection)
{
    if (connection->reads) {
        return;
    }
    connection->reads = true;
    if (uv_read_start(stream_of(connection), on_room, on_read) != 0) {
        connection_close(connection);
    }
}

static void stop_reading(struct connection *connection)
{
    if (connection->reads) {
        connection->reads = false;
        uv_read_stop(stream_of(connection));
    }
}

/* Lingering: a client that did not ask for the end may have sent more. Bytes left unread would
 * reset the connection and destroy the answer on its way (RFC 9112, 9.6). */

static void on_shut(uv_shutdown_t *request, int status)
{
    if (status != 0) {
        connection_close(request->data);
    }
}

static void linger(struct connection *connection)
{
    connection->state = LINGERING;
    connection->shutdown.data = connection;
    delay_queue_add(&connection->host->lingers, &connection->wait);
    if (uv_shutdown(&connection->shutdown, stream_of(connection), on_shut) != 0) {
        connection_close(connection);
        return;
    }
    start_reading(connection);
}

static void on_linger_over(struct delay_item *item)
{
    connection_close(connection_of(item));
}

/* Writing */

/* The answer in hand is out. The caller goes on reading if the state is READING. */
static void end_answer(struct connection *connection)
{
    connection->state = READING;
    buf_reset(&connection->lead);
    if (connection->next == NEXT_CLOSE) {
        connection_close(connection);
    } else if (connection->next == NEXT_LINGER) {
        linger(connection);
    }
}

/* Takes up reading after an answer that was not out at once. */
static void resume(struct connection *connection)
{
    if (connection->state == READING && connection->rest.len > 0) {
        struct buf rest = connection->rest;
        buf_init(&connection->rest);
        feed(connection, buf_view(&rest));
        buf_deinit(&rest);
    }
    if (connection->state == READING) {
        start_reading(connection);
    }
}

static void on_written(uv_write_t *request, int status)
{
    struct connection *connection = request->data;
    if (status != 0) {
        connection_close(connection);
    } else if (connection->state == ANSWERING) {
        connection->host->dispatch.counts.bytes_out += connection->lead.len + connection->tail.len;
        end_answer(connection);
        resume(connection);
    }
}

/* Has the system take what it did not take at once: lead[done..] and the tail behind it. */
static void write_rest(struct connection *connection, struct str lead, size_t done)
{
    size_t lead_done = done < lead.len ? done : lead.len;
    connection->tail = str_slice(connection->tail, done - lead_done, connection->tail.len);
    struct buf left;
    buf_init(&left);
    buf_append_str(&left, str_slice(lead, lead_done, lead.len));
    buf_deinit(&connection->lead);
    connection->lead = left;

    uv_buf_t bytes[2] = {bytes_of(buf_view(&connection->lead)), bytes_of(connection->tail)};
    connection->write.data = connection;
    stop_reading(connection);
    if (uv_write(&connection->write, stream_of(connection), bytes, 2, on_written) != 0) {
        connection_close(connection);
    }
}

/* Writes lead and the connection's tail. */
static void write_answer(struct connection *connection, struct str lead)
{
    uv_buf_t bytes[2] = {bytes_of(lead), bytes_of(connection->tail)};
    int done = uv_try_write(stream_of(connection), bytes, connection->tail.len > 0 ? 2 : 1);
    if (done < 0 && done != UV_EAGAIN) {
        connection_close(connection);
        return;
    }
    size_t written = done > 0 ? (size_t)done : 0;
    connection->host->dispatch.counts.bytes_out += written;
    if (written < lead.len + connection->tail.len) {
        write_rest(connection, lead, written);
        return;
    }
    end_answer(connection);
}

static void on_answer_due(struct delay_item *item)
{
    struct connection *connection = connection_of(item);
    write_answer(connection, buf_view(&connection->lead));
    resume(connection);
}

/* Answering */

/* Decides what follows the answer, and what the answer says of it. */
static enum response_connection decide_next(struct connection *connection)
{
    uint64_t most = connection->host->close_after;
    if (connection->request.refusal != REQUEST_REFUSAL_NONE ||
        (most > 0 && connection->requests >= most)) {
        connection->next = NEXT_LINGER;
        return RESPONSE_CLOSE;
    }
    if (!connection->request.keeps_alive) {
        connection->next = NEXT_CLOSE;
        return RESPONSE_CLOSE;
    }
    connection->next = NEXT_REQUEST;
    return request_is_http_10(&connection->request) ? RESPONSE_KEEP_10 : RESPONSE_KEEP;
}

static void answer(struct connection *connection)
{
    struct connection_host *host = connection->host;
    connection->requests++;
    connection->state = ANSWERING;
    buf_reset(&host->answer);
    dispatch_answer(&host->dispatch, &connection->request, decide_next(connection),
                    uv_now(connection->tcp.loop) / 1000, &host->answer, &connection->tail);
    if (host->delays.delay_ns == 0) {
        write_answer(connection, buf_view(&host->answer));
    } else {
        buf_append_str(&connection->lead, buf_view(&host->answer));
        stop_reading(connection);
        delay_queue_add(&host->delays, &connection->wait);
    }
}

static void send_continue(struct connection *connection)
{
    struct str interim = STR("HTTP/1.1 100 Continue\r\n\r\n");
    uv_buf_t bytes = bytes_of(interim);
    /* Nothing is unwritten before it, so it fits unless the client is gone. */
    if (uv_try_write(stream_of(connection), &bytes, 1) != (int)interim.len) {
        connection_close(connection);
        return;
    }
    connection->host->dispatch.counts.bytes_out += interim.len;
}

/* Works through bytes that came: several requests, or a piece of one. */
static void feed(struct connection *connection, struct str bytes)
{
    while (bytes.len > 0 && connection->state == READING) {
        size_t used;
        switch (request_read(&connection->request, bytes, &used)) {
        case REQUEST_MORE:
            break;
        case REQUEST_EXPECTS:
            send_continue(connection);
            break;
        case REQUEST_WHOLE:
        case REQUEST_REFUSED:
        default:
            answer(connection);
            break;
        }
        bytes = str_slice(bytes, used, bytes.len);
    }
    if (connection->state == ANSWERING && bytes.len > 0) {
        buf_append_str(&connection->rest, bytes);
    }
}

void connection_accept(struct connection_host *host, uv_stream_t *listener)
{
    struct connection *connection = check_calloc(1, sizeof *connection);
    connection->host = host;
    connection->tcp.data = connection;
    request_init(&connection->request);
    uv_tcp_init(listener->loop, &connection->tcp);
    if (uv_accept(listener, stream_of(connection)) != 0) {
        host->dispatch.counts.not_accepted++;
        connection_close(connection);
        return;
    }
    host->dispatch.counts.connections++;
    start_reading(connection);
}

/* The host */

void connection_host_init(struct connection_host *host, uv_loop_t *loop,
                          const struct serve_options *options)
{
    host->close_after = options->close_after;
    dispatch_init(&host->dispatch, options);
    buf_init(&host->answer);
    delay_queue_init(&host->delays, loop, options->delay_ns, DELAY_EXACT, on_answer_due);
    delay_queue_init(&host->lingers, loop, CONNECTION_LINGER_MS * NS_PER_MS, DELAY_ROUGH,
                     on_linger_over);
}

void connection_host_close(struct connection_host *host)
{
    delay_queue_close(&host->delays);
    delay_queue_close(&host->lingers);
}

void connection_host_deinit(struct connection_host *host)
{
    dispatch_deinit(&host->dispatch);
    buf_deinit(&host->answer);
}
