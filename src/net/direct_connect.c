/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From "this exchange needs a connection" to one that stands: every address of the host is tried,
 * beginning with the last that worked, and TLS on the one that took us.
 */
#include "lather/net/direct_connect.h"

#include "lather/base/clock.h"
#include "lather/net/direct_answer.h"
#include "lather/net/direct_slot.h"

/* Opens a connection to slot->address. A local address without a free port may have others beside
 * it (-B): the connector takes them in turn. */
static struct connection *direct_open(struct direct_slot *slot, int *error)
{
    const struct direct *direct = slot->direct;
    const struct address_list *sources = direct->options.sources;
    const struct sockaddr_storage *address = &direct->addresses.items[slot->address];
    size_t left = sources != NULL ? sources->count : 0;
    struct connection *connection =
        connection_open(direct->connector, slot, address, &slot->ticket, error);
    while (connection == NULL && left-- > 1 && address_error_is_no_port(*error)) {
        connection = connection_open(direct->connector, slot, address, &slot->ticket, error);
    }
    return connection;
}

/* Opens a connection to slot->address, or to the next that does not fail at once. The error is that
 * of now_ns. */
static void direct_connect_next(struct direct_slot *slot, int error, uint64_t now_ns)
{
    struct direct *direct = slot->direct;
    while (slot->addresses_tried < direct->addresses.count) {
        slot->addresses_tried++;
        slot->connection = direct_open(slot, &error);
        if (slot->connection != NULL) {
            deadline_add(&direct->connects, &slot->state_deadline, slot);
            return;
        }
        now_ns = clock_now_ns();
        direct->options.traffic->connections_failed++;
        slot->address = (uint8_t)((slot->address + 1U) % direct->addresses.count);
    }
    direct_fail(slot, TRANSPORT_END_CONNECT, error, now_ns);
}

void direct_connect(struct direct_slot *slot)
{
    slot->state = DIRECT_CONNECTING;
    slot->used = false;
    slot->answers = 0;
    slot->address = slot->direct->good_address;
    slot->addresses_tried = 0;
    slot->connect_start_ns = clock_now_ns();
    direct_connect_next(slot, 0, slot->connect_start_ns);
}

void direct_connect_failed(struct direct_slot *slot, int error, uint64_t now_ns)
{
    struct direct *direct = slot->direct;
    direct->options.traffic->connections_failed++;
    direct_close(slot);
    slot->address = (uint8_t)((slot->address + 1U) % direct->addresses.count);
    direct_connect_next(slot, error, now_ns);
}

void direct_handshake_failed(struct direct_slot *slot, uint64_t now_ns)
{
    struct traffic *traffic = slot->direct->options.traffic;
    traffic->connections_failed++;
    traffic->tls_failed++;
    direct_fail_tls(slot, now_ns);
}

static void direct_count_handshake(struct direct_slot *slot)
{
    const struct transport_options *options = &slot->direct->options;
    const struct tls_stream *stream = connection_tls_stream(slot->connection);
    const uint64_t handshake_ns = connection_tls_handshake_ns(slot->connection);
    if (options->traffic->tls_full + options->traffic->tls_resumed == 0) {
        tls_stream_describe(stream, options->tls_facts);
    }
    if (tls_stream_is_resumed(stream)) {
        options->traffic->tls_resumed++;
        options->traffic->tls_resumed_ns += handshake_ns;
    } else {
        options->traffic->tls_full++;
        options->traffic->tls_full_ns += handshake_ns;
    }
}

void direct_on_opened(void *owner, uint64_t now_ns, int error)
{
    struct direct_slot *slot = owner;
    struct direct *direct = slot->direct;
    struct traffic *traffic = direct->options.traffic;
    deadline_remove(&slot->state_deadline);
    if (error == CONNECTION_TLS_FAILED) {
        direct_handshake_failed(slot, now_ns);
        return;
    }
    if (error != 0) {
        direct_connect_failed(slot, error, now_ns);
        return;
    }
    if (direct->options.tls != NULL) {
        direct_count_handshake(slot);
    }
    slot->open = true;
    slot->exchange->opened = true;
    slot->exchange->connect_ns = now_ns - slot->connect_start_ns;
    direct->good_address = slot->address;
    traffic->connections_opened++;
    if (slot->replaces_closed) {
        slot->replaces_closed = false;
        traffic->connections_reopened++;
    }
    direct->open_count++;
    if (direct->open_count > traffic->connections_peak) {
        traffic->connections_peak = direct->open_count;
    }
    direct_write(slot);
}
