/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uv_tcp_t with a life that fits a load tester: memory comes from a free list and returns to it
 * when libuv has let go of the handle; every read lands in one buffer shared by all connections of
 * the worker, since it is used up before the next read. Bytes are stamped first thing in the read
 * callback: whatever is done with them afterwards is not in anybody's latency.
 */
#include "lather/net/connection.h"

#include <limits.h>
#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/net/connection_parts.h"

static const struct connection_operations connection_plain_operations;

struct connector *connector_new(uv_loop_t *loop, const struct connection_events *events,
                                const struct connector_options *options)
{
    struct connector *connector = check_calloc(1, sizeof(*connector));
    connector->loop = loop;
    connector->events = *events;
    connector->options = *options;
    connector->operations = &connection_plain_operations;
    if (options->tls != NULL) {
        connector->operations = &connection_tls_operations;
        connector->tls = connection_tls_share(options->tls);
    }
    if (options->sources != NULL) {
        connector->sources = *options->sources;
        connector->options.sources = &connector->sources;
    }
    return connector;
}

void connector_free(struct connector *connector)
{
    if (connector == NULL) {
        return;
    }
    CHECK(connector->open_count == 0);
    while (connector->free_list != NULL) {
        struct connection *connection = connector->free_list;
        connector->free_list = connection->next_free;
        connector->operations->freed(connection);
        free(connection);
    }
    free(connector->tls);
    free(connector->vector);
    free(connector);
}

uint32_t connector_open_count(const struct connector *connector)
{
    return connector->open_count;
}

uint64_t connector_take_turn_start(struct connector *connector)
{
    const uint64_t start_ns = connector->turn_start_ns;
    connector->turn_start_ns = 0;
    return start_ns;
}

uint64_t connector_stamp(struct connector *connector)
{
    const uint64_t now_ns = clock_now_ns();
    if (connector->turn_start_ns == 0) {
        connector->turn_start_ns = now_ns;
    }
    return now_ns;
}

static void connection_on_closed(uv_handle_t *handle)
{
    struct connection *connection = handle->data;
    struct connector *connector = connection->connector;
    connector->operations->closed(connection);
    connection->next_free = connector->free_list;
    connector->free_list = connection;
    connector->open_count--;
}

void connection_close(struct connection *connection)
{
    connection->connector->operations->closing(connection);
    connection->owner = NULL;
    uv_close((uv_handle_t *)&connection->tcp, connection_on_closed);
}

static void connection_on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    (void)suggested;
    struct connection *connection = handle->data;
    buffer->base = connection->connector->read_buffer;
    buffer->len = CONNECTOR_READ_SIZE;
}

bool connection_write_error_waits(int error)
{
    return error == UV_EPIPE || error == UV_ECONNRESET || error == UV_ECONNABORTED;
}

int connection_write_error(const struct connection *connection)
{
    return connection->write_error;
}

static void connection_plain_on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
    struct connection *connection = stream->data;
    struct connector *connector = connection->connector;
    if (count == 0) {
        return;
    }
    const uint64_t now_ns = connector_stamp(connector);
    if (count > 0) {
        connector->events.received(connection->owner, now_ns, buffer->base, (size_t)count);
    } else {
        connector->events.ended(connection->owner, now_ns, count == UV_EOF ? 0 : (int)count);
    }
}

static void connection_on_connected(uv_connect_t *request, int error)
{
    struct connection *connection = request->data;
    if (connection->owner == NULL) {
        return;
    }
    struct connector *connector = connection->connector;
    const uint64_t now_ns = connector_stamp(connector);
    if (error == 0) {
        error = uv_read_start((uv_stream_t *)&connection->tcp, connection_on_alloc,
                              connector->operations->on_read);
    }
    connector->operations->connected(connection, now_ns, error);
}

static void connection_plain_connected(struct connection *connection, uint64_t now_ns, int error)
{
    connection->connector->events.opened(connection->owner, now_ns, error);
}

/* What is set before the connect: buffers decide the window scale, the address decides the port. */
static int connection_set_up(struct connection *connection, int family)
{
    struct connector *connector = connection->connector;
    const struct connector_options *options = &connector->options;
    int error = uv_tcp_nodelay(&connection->tcp, 1);
    if (error == 0 && options->window_bytes != 0) {
        int bytes = (int)options->window_bytes;
        error = uv_send_buffer_size((uv_handle_t *)&connection->tcp, &bytes);
        bytes = (int)options->window_bytes;
        if (error == 0) {
            error = uv_recv_buffer_size((uv_handle_t *)&connection->tcp, &bytes);
        }
    }
    if (error == 0 && options->sources != NULL) {
        const struct sockaddr_storage *source =
            address_list_take(options->sources, &connector->source_turn, family);
        error = source == NULL ? UV_EADDRNOTAVAIL
                               : uv_tcp_bind(&connection->tcp, (const struct sockaddr *)source, 0);
    }
    return error;
}

struct connection *connection_open(struct connector *connector, void *owner,
                                   const struct sockaddr_storage *address,
                                   struct tls_ticket *ticket, int *error)
{
    struct connection *connection = connector->free_list;
    if (connection != NULL) {
        connector->free_list = connection->next_free;
    } else {
        connection = check_calloc(1, sizeof(*connection));
        connection->connector = connector;
    }
    *error = uv_tcp_init_ex(connector->loop, &connection->tcp, (unsigned)address->ss_family);
    if (*error != 0) {
        connection->next_free = connector->free_list;
        connector->free_list = connection;
        return NULL;
    }
    connector->open_count++;
    connection->owner = owner;
    connection->sent_bytes = 0;
    connection->queued_bytes = 0;
    connection->write_error = 0;
    connection->tcp.data = connection;
    connection->connect.data = connection;
    connection->write.data = connection;
    connector->operations->opening(connection, ticket);
    *error = connection_set_up(connection, address->ss_family);
    if (*error == 0) {
        *error = uv_tcp_connect(&connection->connect, &connection->tcp,
                                (const struct sockaddr *)address, connection_on_connected);
    }
    if (*error != 0) {
        connection_close(connection);
        return NULL;
    }
    return connection;
}

static void connection_on_written(uv_write_t *request, int error)
{
    struct connection *connection = request->data;
    if (connection->owner == NULL) {
        return;
    }
    if (error == 0) {
        connection->sent_bytes += connection->queued_bytes;
    }
    /* After an error libuv has forgotten how much of the rest went out: only the first part counts.
     */
    connection->queued_bytes = 0;
    if (connection_write_error_waits(error)) {
        connection->write_error = error;
        return;
    }
    struct connector *connector = connection->connector;
    connector->events.sent(connection->owner, connector_stamp(connector), error);
}

size_t connection_sent_bytes(const struct connection *connection)
{
    return connection->connector->operations->sent_bytes(connection);
}

static size_t connection_plain_sent_bytes(const struct connection *connection)
{
    const size_t waiting = uv_stream_get_write_queue_size((const uv_stream_t *)&connection->tcp);
    return connection->sent_bytes + connection->queued_bytes - waiting;
}

/* The pieces as libuv's vector; *total gets their length. */
static uv_buf_t *connector_fill_vector(struct connector *connector, const struct str *pieces,
                                       size_t count, size_t *total)
{
    if (count > connector->vector_capacity) {
        connector->vector_capacity = count;
        connector->vector = check_realloc(connector->vector, count * sizeof(*connector->vector));
    }
    *total = 0;
    for (size_t i = 0; i < count; i++) {
        /* A message has a ceiling far below what libuv's length can tell on every system. */
        CHECK(pieces[i].len <= UINT_MAX);
        connector->vector[i] =
            uv_buf_init((char *)(uintptr_t)pieces[i].data, (unsigned)pieces[i].len);
        *total += pieces[i].len;
    }
    return connector->vector;
}

/* Takes the first `bytes` off the vector; returns how many whole buffers they were. */
static size_t connection_skip(uv_buf_t *vector, size_t bytes)
{
    size_t whole = 0;
    while (bytes >= vector[whole].len) {
        bytes -= vector[whole++].len;
    }
    vector[whole] = uv_buf_init(vector[whole].base + bytes, (unsigned)(vector[whole].len - bytes));
    return whole;
}

enum connection_sent connection_send(struct connection *connection, const struct str *pieces,
                                     size_t count, int *error)
{
    return connection->connector->operations->send(connection, pieces, count, error);
}

static enum connection_sent connection_plain_send(struct connection *connection,
                                                  const struct str *pieces, size_t count,
                                                  int *error)
{
    uv_stream_t *stream = (uv_stream_t *)&connection->tcp;
    size_t total = 0;
    uv_buf_t *vector = connector_fill_vector(connection->connector, pieces, count, &total);
    connection->sent_bytes = 0;
    const int sent = uv_try_write(stream, vector, (unsigned)count);
    if (connection_write_error_waits(sent)) {
        connection->write_error = sent;
        return CONNECTION_SENT_LATER;
    }
    if (sent < 0 && sent != UV_EAGAIN) {
        *error = sent;
        return CONNECTION_SENT_ERROR;
    }
    connection->sent_bytes = sent > 0 ? (size_t)sent : 0;
    if (connection->sent_bytes == total) {
        return CONNECTION_SENT_ALL;
    }
    const size_t skipped = connection_skip(vector, connection->sent_bytes);
    connection->queued_bytes = total - connection->sent_bytes;
    *error = uv_write(&connection->write, stream, vector + skipped, (unsigned)(count - skipped),
                      connection_on_written);
    return *error == 0 ? CONNECTION_SENT_LATER : CONNECTION_SENT_ERROR;
}

void connection_expect_more(struct connection *connection)
{
    uv_os_fd_t descriptor;
    if (connection->connector->options.quickack &&
        uv_fileno((const uv_handle_t *)&connection->tcp, &descriptor) == 0) {
        (void)platform_quickack((intptr_t)descriptor);
    }
}

/* --- what a plain connection need not do ------------------------------------------------------ */

static void connection_plain_opening(struct connection *connection, struct tls_ticket *ticket)
{
    (void)connection;
    (void)ticket;
}

static void connection_plain_pass(struct connection *connection)
{
    (void)connection;
}

static const struct connection_operations connection_plain_operations = {
    .opening = connection_plain_opening,
    .connected = connection_plain_connected,
    .on_read = connection_plain_on_read,
    .send = connection_plain_send,
    .sent_bytes = connection_plain_sent_bytes,
    .closing = connection_plain_pass,
    .closed = connection_plain_pass,
    .freed = connection_plain_pass,
};
