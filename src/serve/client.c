/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection of a client: reads requests, has them answered, writes the answers. One request
 * is in hand at a time: while its answer waits or is being written nothing is read, and what a
 * pipelining client had sent behind it is kept in `rest`. In the usual case nothing is copied or
 * allocated: a request that came in one piece is read where it lies, and its answer goes out of
 * the host's buffer in one write.
 */
#include "lather/serve/client.h"

#include <stddef.h>
#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"

enum state {
    READING = 0, /* for a request */
    ANSWERING,   /* its answer waits or is being written */
    LINGERING,   /* told to go; what still comes is thrown away */
    CLOSING
};

/* What follows the answer. */
enum next { NEXT_REQUEST = 0, NEXT_CLOSE, NEXT_LINGER };

struct client {
    struct client_host *host;
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

static void feed(struct client *client, struct str bytes);

static uv_stream_t *stream_of(struct client *client)
{
    return (uv_stream_t *)&client->tcp;
}

static struct client *client_of(struct delay_item *item)
{
    return (struct client *)(void *)((char *)item - offsetof(struct client, wait));
}

static uv_buf_t bytes_of(struct str text)
{
    return uv_buf_init((char *)(uintptr_t)text.data, (unsigned)text.len);
}

static void on_closed(uv_handle_t *handle)
{
    struct client *client = handle->data;
    request_deinit(&client->request);
    buf_deinit(&client->rest);
    buf_deinit(&client->lead);
    free(client);
}

void client_close(struct client *client)
{
    struct client_host *host = client->host;
    if (client->state == CLOSING) {
        return;
    }
    if (client->state == ANSWERING) {
        host->dispatch.counts.unanswered++;
        delay_queue_remove(&host->waiting, &client->wait);
    } else if (client->state == LINGERING) {
        delay_queue_remove(&host->lingers, &client->wait);
    }
    client->state = CLOSING;
    uv_close((uv_handle_t *)&client->tcp, on_closed);
}

/* Reading */

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
    (void)suggested;
    struct client *client = handle->data;
    *room = uv_buf_init(client->host->read_bytes, CLIENT_READ_BYTES);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *room)
{
    struct client *client = stream->data;
    if (count < 0) {
        client_close(client);
        return;
    }
    client->host->dispatch.counts.bytes_in += (uint64_t)count;
    if (client->state == READING) {
        feed(client, str_of(room->base, (size_t)count));
    }
}

static void start_reading(struct client *client)
{
    if (client->reads) {
        return;
    }
    client->reads = true;
    if (uv_read_start(stream_of(client), on_room, on_read) != 0) {
        client_close(client);
    }
}

static void stop_reading(struct client *client)
{
    if (client->reads) {
        client->reads = false;
        uv_read_stop(stream_of(client));
    }
}

/* Lingering: a client that did not ask for the end may have sent more. Bytes left unread would
 * reset the connection and destroy the answer on its way (RFC 9112, 9.6). */

static void on_shut(uv_shutdown_t *request, int status)
{
    if (status != 0) {
        client_close(request->data);
    }
}

static void linger(struct client *client)
{
    client->state = LINGERING;
    client->shutdown.data = client;
    delay_queue_add(&client->host->lingers, &client->wait, CLIENT_LINGER_MS * NS_PER_MS);
    if (uv_shutdown(&client->shutdown, stream_of(client), on_shut) != 0) {
        client_close(client);
        return;
    }
    start_reading(client);
}

static void on_linger_over(struct delay_item *item)
{
    client_close(client_of(item));
}

/* Writing */

/* The answer in hand is out. The caller goes on reading if the state is READING. */
static void end_answer(struct client *client)
{
    client->state = READING;
    buf_reset(&client->lead);
    if (client->next == NEXT_CLOSE) {
        client_close(client);
    } else if (client->next == NEXT_LINGER) {
        linger(client);
    }
}

/* Takes up reading after an answer that was not out at once. */
static void resume(struct client *client)
{
    if (client->state == READING && client->rest.len > 0) {
        struct buf rest = client->rest;
        buf_init(&client->rest);
        feed(client, buf_view(&rest));
        buf_deinit(&rest);
    }
    if (client->state == READING) {
        start_reading(client);
    }
}

static void on_written(uv_write_t *request, int status)
{
    struct client *client = request->data;
    if (status != 0) {
        client_close(client);
    } else if (client->state == ANSWERING) {
        client->host->dispatch.counts.bytes_out += client->lead.len + client->tail.len;
        end_answer(client);
        resume(client);
    }
}

/* Has the system take what it did not take at once: lead[done..] and the tail behind it. */
static void write_rest(struct client *client, struct str lead, size_t done)
{
    size_t lead_done = done < lead.len ? done : lead.len;
    client->tail = str_slice(client->tail, done - lead_done, client->tail.len);
    struct buf left;
    buf_init(&left);
    buf_append_str(&left, str_slice(lead, lead_done, lead.len));
    buf_deinit(&client->lead);
    client->lead = left;

    uv_buf_t bytes[2] = {bytes_of(buf_view(&client->lead)), bytes_of(client->tail)};
    client->write.data = client;
    stop_reading(client);
    if (uv_write(&client->write, stream_of(client), bytes, 2, on_written) != 0) {
        client_close(client);
    }
}

/* Writes lead and the connection's tail. */
static void write_answer(struct client *client, struct str lead)
{
    uv_buf_t bytes[2] = {bytes_of(lead), bytes_of(client->tail)};
    int done = uv_try_write(stream_of(client), bytes, client->tail.len > 0 ? 2 : 1);
    if (done < 0 && done != UV_EAGAIN) {
        client_close(client);
        return;
    }
    size_t written = done > 0 ? (size_t)done : 0;
    client->host->dispatch.counts.bytes_out += written;
    if (written < lead.len + client->tail.len) {
        write_rest(client, lead, written);
        return;
    }
    end_answer(client);
}

static void on_answer_due(struct delay_item *item)
{
    struct client *client = client_of(item);
    write_answer(client, buf_view(&client->lead));
    resume(client);
}

/* Answering */

/* Decides what follows the answer, and what the answer says of it. */
static enum response_connection decide_next(struct client *client)
{
    uint64_t most = client->host->close_after;
    if (client->request.refusal != REQUEST_REFUSAL_NONE || (most > 0 && client->requests >= most)) {
        client->next = NEXT_LINGER;
        return RESPONSE_CLOSE;
    }
    if (!client->request.keeps_alive) {
        client->next = NEXT_CLOSE;
        return RESPONSE_CLOSE;
    }
    client->next = NEXT_REQUEST;
    return request_is_http_10(&client->request) ? RESPONSE_KEEP_10 : RESPONSE_KEEP;
}

static void answer(struct client *client)
{
    struct client_host *host = client->host;
    client->requests++;
    client->state = ANSWERING;
    buf_reset(&host->answer);
    dispatch_answer(&host->dispatch, &client->request, decide_next(client),
                    uv_now(client->tcp.loop) / 1000, &host->answer, &client->tail);
    if (!host->has_delays) {
        write_answer(client, buf_view(&host->answer));
    } else {
        buf_append_str(&client->lead, buf_view(&host->answer));
        stop_reading(client);
        delay_queue_add(&host->waiting, &client->wait, delay_source_next(&host->delay));
    }
}

static void send_continue(struct client *client)
{
    struct str interim = STR("HTTP/1.1 100 Continue\r\n\r\n");
    uv_buf_t bytes = bytes_of(interim);
    /* Nothing is unwritten before it, so it fits unless the client is gone. */
    if (uv_try_write(stream_of(client), &bytes, 1) != (int)interim.len) {
        client_close(client);
        return;
    }
    client->host->dispatch.counts.bytes_out += interim.len;
}

/* Works through bytes that came: several requests, or a piece of one. */
static void feed(struct client *client, struct str bytes)
{
    while (bytes.len > 0 && client->state == READING) {
        size_t used;
        switch (request_read(&client->request, bytes, &used)) {
        case REQUEST_MORE:
            break;
        case REQUEST_EXPECTS:
            send_continue(client);
            break;
        case REQUEST_WHOLE:
        case REQUEST_REFUSED:
        default:
            answer(client);
            break;
        }
        bytes = str_slice(bytes, used, bytes.len);
    }
    if (client->state == ANSWERING && bytes.len > 0) {
        buf_append_str(&client->rest, bytes);
    }
}

static struct client *client_new(struct client_host *host, uv_loop_t *loop)
{
    struct client *client = check_calloc(1, sizeof *client);
    client->host = host;
    client->tcp.data = client;
    request_init(&client->request);
    uv_tcp_init(loop, &client->tcp);
    return client;
}

void client_accept(struct client_host *host, uv_stream_t *listener)
{
    struct client *client = client_new(host, listener->loop);
    if (uv_accept(listener, stream_of(client)) != 0) {
        host->dispatch.counts.not_accepted++;
        client_close(client);
        return;
    }
    host->dispatch.counts.connections++;
    start_reading(client);
}

void client_adopt(struct client_host *host, uv_loop_t *loop, intptr_t socket)
{
    struct client *client = client_new(host, loop);
    if (uv_tcp_open(&client->tcp, (uv_os_sock_t)socket) != 0) {
        platform_socket_close(socket);
        host->dispatch.counts.not_accepted++;
        client_close(client);
        return;
    }
    /* Answers of many segments would otherwise wait for an ACK. */
    (void)uv_tcp_nodelay(&client->tcp, 1);
    host->dispatch.counts.connections++;
    start_reading(client);
}

static void on_walk(uv_handle_t *handle, void *listener)
{
    if (handle->type == UV_TCP && handle != listener) {
        client_close(handle->data);
    }
}

void client_close_all(uv_loop_t *loop, const uv_tcp_t *listener)
{
    uv_walk(loop, on_walk, (void *)(uintptr_t)listener);
}

/* The host */

void client_host_init(struct client_host *host, uv_loop_t *loop,
                      const struct serve_options *options, size_t index)
{
    host->close_after = options->close_after;
    dispatch_init(&host->dispatch, options, index);
    buf_init(&host->answer);
    host->has_delays = !delays_are_none(&options->delays);
    delay_source_init(&host->delay, &options->delays, index, serve_thread_count(options));
    delay_queue_init(&host->waiting, loop, DELAY_EXACT, on_answer_due);
    delay_queue_init(&host->lingers, loop, DELAY_ROUGH, on_linger_over);
}

void client_host_close(struct client_host *host)
{
    delay_queue_close(&host->waiting);
    delay_queue_close(&host->lingers);
}

void client_host_deinit(struct client_host *host)
{
    dispatch_deinit(&host->dispatch);
    buf_deinit(&host->answer);
}
