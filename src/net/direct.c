/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP/1.1 over one TCP or TLS connection a slot: the requests, the deadlines, and the transport's
 * own life. What comes in is direct_answer.c's, connecting direct_connect.c's, how exchanges end
 * direct_slot.c's. Nothing here judges an answer or decides an outcome: it says how far the
 * exchange came, and when.
 */
#include "lather/net/direct.h"

#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/net/direct_answer.h"
#include "lather/net/direct_connect.h"
#include "lather/net/direct_slot.h"

/* --- the request ---------------------------------------------------------------------------- */

/* Not for a peer that closed: its answer may lie in the socket, the end comes behind it. */
static void direct_send_failed(struct direct_slot *slot, int error, uint64_t now_ns)
{
    slot->direct->options.traffic->write_errors++;
    direct_broken(slot, TRANSPORT_END_SEND, error, now_ns);
}

static void direct_on_sent(void *owner, uint64_t now_ns, int error)
{
    struct direct_slot *slot = owner;
    if (!slot->sending) {
        return;
    }
    if (error == 0) {
        direct_settle_sent(slot, now_ns);
    } else {
        direct_send_failed(slot, error, now_ns);
    }
}

void direct_write(struct direct_slot *slot)
{
    struct exchange *exchange = slot->exchange;
    slot->state = DIRECT_EXCHANGING;
    slot->sending = true;
    int error = 0;
    switch (connection_send(slot->connection, exchange->pieces, exchange->piece_count, &error)) {
    case CONNECTION_SENT_ALL:
        direct_settle_sent(slot, clock_now_ns());
        break;
    case CONNECTION_SENT_LATER:
        break;
    case CONNECTION_SENT_ERROR:
        direct_send_failed(slot, error, clock_now_ns());
        break;
    }
}

static void direct_send(struct transport *transport, uint32_t index, struct exchange *exchange)
{
    struct direct *direct = (struct direct *)transport;
    struct direct_slot *slot = &direct->slots[index];
    CHECK(slot->state == DIRECT_IDLE && slot->exchange == NULL);
    slot->exchange = exchange;
    exchange->protocol_error = NULL;
    exchange->connect_ns = 0;
    exchange->auth_ns = 0;
    exchange->auth_legs = 0;
    exchange->sent_ns = 0;
    exchange->first_byte_ns = 0;
    exchange->opened = false;
    exchange->sent_again = false;
    exchange->hint = NULL;
    exchange->body = str_of(NULL, 0);
    direct_expect_answer(slot);
    exchange->start_ns = clock_now_ns();
    deadline_add_from(&direct->requests, &slot->request_deadline, slot, exchange->start_ns);
    if (slot->connection != NULL) {
        direct_write(slot);
    } else {
        direct_connect(slot);
    }
}

/* --- deadlines ------------------------------------------------------------------------------ */

/* Whether TCP is connected and only the handshake is missing; gives that up then. */
static bool direct_expire_handshake(struct direct_slot *slot, uint64_t seen_ns)
{
    if (slot->direct->options.tls == NULL || !connection_tls_is_shaking_hands(slot->connection)) {
        return false;
    }
    connection_tls_expire(slot->connection);
    direct_handshake_failed(slot, seen_ns);
    return true;
}

static void direct_on_request_late(struct deadline *deadline)
{
    struct direct_slot *slot = deadline->owner;
    if (slot->state == DIRECT_CONNECTING && direct_expire_handshake(slot, deadline->seen_ns)) {
        return;
    }
    const enum transport_end end =
        slot->state == DIRECT_CONNECTING ? TRANSPORT_END_CONNECT : TRANSPORT_END_TIMEOUT;
    if (end == TRANSPORT_END_CONNECT) {
        slot->direct->options.traffic->connections_failed++;
    }
    direct_fail(slot, end, UV_ETIMEDOUT, deadline->seen_ns);
}

static void direct_on_connect_late(struct deadline *deadline)
{
    struct direct_slot *slot = deadline->owner;
    if (!direct_expire_handshake(slot, deadline->seen_ns)) {
        direct_connect_failed(slot, UV_ETIMEDOUT, deadline->seen_ns);
    }
}

static void direct_on_linger_over(struct deadline *deadline)
{
    struct direct_slot *slot = deadline->owner;
    direct_close(slot);
    direct_ready(slot);
}

static void direct_on_farewell(struct deadline *deadline)
{
    struct direct_slot *slot = deadline->owner;
    connection_tls_finish(slot->connection);
    deadline_add(&slot->direct->lingers, &slot->state_deadline, slot);
}

static void direct_on_pause_over(struct deadline *deadline)
{
    direct_ready(deadline->owner);
}

/* --- life ----------------------------------------------------------------------------------- */

static void direct_stop(struct transport *transport)
{
    struct direct *direct = (struct direct *)transport;
    if (direct->stopped) {
        return;
    }
    direct->stopped = true;
    for (uint32_t i = 0; i < direct->options.slots; i++) {
        struct direct_slot *slot = &direct->slots[i];
        direct_close(slot);
        slot->state = DIRECT_STOPPED;
        if (slot->exchange != NULL) {
            direct_count_lost(slot);
            direct_done(slot, TRANSPORT_END_CUT, 0, clock_now_ns());
        }
    }
    deadline_queue_close(&direct->requests);
    deadline_queue_close(&direct->connects);
    deadline_queue_close(&direct->lingers);
    deadline_queue_close(&direct->farewells);
    deadline_queue_close(&direct->pauses);
}

static uint64_t direct_take_turn_start(struct transport *transport)
{
    return connector_take_turn_start(((struct direct *)transport)->connector);
}

static void direct_free(struct transport *transport)
{
    struct direct *direct = (struct direct *)transport;
    connector_free(direct->connector);
    for (uint32_t i = 0; i < direct->options.slots; i++) {
        tls_ticket_drop(&direct->slots[i].ticket);
    }
    http1_memo_deinit(&direct->memo);
    free(direct);
}

static void direct_part(struct transport *transport, uint32_t index)
{
    struct direct_slot *slot = &((struct direct *)transport)->slots[index];
    if (slot->state == DIRECT_IDLE) {
        direct_close(slot);
    }
}

static const struct transport_operations direct_operations = {
    .send = direct_send,
    .part = direct_part,
    .stop = direct_stop,
    .take_turn_start = direct_take_turn_start,
    .free = direct_free,
};

struct transport *direct_new(const struct transport_options *options)
{
    struct direct *direct =
        check_calloc(1, sizeof(*direct) + options->slots * sizeof(struct direct_slot));
    direct->transport.operations = &direct_operations;
    direct->options = *options;
    direct->addresses = *options->addresses;
    direct->options.addresses = &direct->addresses;
    http1_memo_init(&direct->memo);
    direct->connector =
        connector_new(options->loop,
                      &(struct connection_events){.opened = direct_on_opened,
                                                  .sent = direct_on_sent,
                                                  .received = direct_on_received,
                                                  .finished = direct_on_finished,
                                                  .ended = direct_on_ended},
                      &(struct connector_options){.sources = options->sources,
                                                  .window_bytes = options->window_bytes,
                                                  .quickack = options->quickack,
                                                  .tls = options->tls});
    deadline_queue_init(&direct->requests, options->loop, options->timeout_ms,
                        direct_on_request_late);
    deadline_queue_init(&direct->connects, options->loop, options->connect_timeout_ms,
                        direct_on_connect_late);
    deadline_queue_init(&direct->lingers, options->loop, DIRECT_LINGER_MS, direct_on_linger_over);
    deadline_queue_init(&direct->farewells, options->loop, DIRECT_FAREWELL_MS, direct_on_farewell);
    deadline_queue_init(&direct->pauses, options->loop, DIRECT_PAUSE_MS, direct_on_pause_over);
    for (uint32_t i = 0; i < options->slots; i++) {
        direct->slots[i].direct = direct;
        direct->slots[i].index = i;
    }
    return &direct->transport;
}
