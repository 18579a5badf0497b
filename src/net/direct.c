/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP/1.1 over one TCP or TLS connection a slot. A slot is always in one of six states; each event
 * of its connection or of a deadline is one function below that moves it on. Nothing here judges an
 * answer or decides an outcome: it says how far the exchange came, and when. The trap: `ready` may
 * send the next request from inside any of these functions, so it is always the last thing done.
 */
#include "lather/net/direct.h"

#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/net/cause.h"
#include "lather/net/connection.h"
#include "lather/net/connection_tls.h"
#include "lather/net/deadline.h"

enum direct_state {
    DIRECT_IDLE = 0,   /* free; a kept connection may be open */
    DIRECT_CONNECTING, /* an exchange waits for its connection */
    DIRECT_EXCHANGING, /* sent or being sent, waiting for the answer */
    DIRECT_LINGERING,  /* answered; waiting for the server to close */
    DIRECT_PAUSING,    /* after a failed connect or a failure of TLS */
    DIRECT_STOPPED
};

struct direct_slot {
    struct direct *direct;
    struct connection *connection; /* NULL when there is none */
    struct exchange *exchange;     /* under way, else NULL */
    struct http1_reader reader;
    struct tls_ticket ticket; /* of the last TLS connection */
    struct deadline request_deadline;
    struct deadline state_deadline; /* of the connect, the lingering or the pause */
    uint64_t connect_start_ns;
    enum direct_state state;
    uint32_t index;
    uint32_t answers;        /* on the connection */
    uint8_t address;         /* being tried, or connected to */
    uint8_t addresses_tried; /* by this exchange's connect */
    bool open;               /* the connection has been established */
    bool used;               /* it has served an answer before: it is kept, not new */
    bool sending;            /* part of the request is still with us */
    bool streaming;          /* the body goes to events.stream */
    bool replaces_closed;    /* the next connection opened replaces one closed while idle */
};

struct direct {
    struct transport transport;
    struct transport_options options;
    struct address_list addresses;
    struct connector *connector;
    struct deadline_queue requests;
    struct deadline_queue connects;
    struct deadline_queue lingers;
    struct deadline_queue farewells;
    struct deadline_queue pauses;
    uint64_t open_count;
    struct http1_memo memo;
    uint8_t good_address;
    bool stopped;
    struct direct_slot slots[];
};

static void direct_connect(struct direct_slot *slot);
static void direct_expect_answer(struct direct_slot *slot);

/* --- the slot's ends ------------------------------------------------------------------------ */

static void direct_ready(struct direct_slot *slot)
{
    struct direct *direct = slot->direct;
    slot->state = DIRECT_IDLE;
    if (!direct->stopped) {
        direct->options.events.ready(direct->options.events.context, slot->index);
    }
}

/* The request left us, whole or as far as it came. */
static void direct_settle_sent(struct direct_slot *slot, uint64_t now_ns)
{
    struct traffic *traffic = slot->exchange->traffic;
    const size_t sent = connection_sent_bytes(slot->connection);
    slot->sending = false;
    traffic->bytes_sent += sent;
    if (sent < slot->exchange->request_bytes) {
        traffic->requests_sent_partly++;
        return;
    }
    slot->exchange->sent_ns = now_ns;
    traffic->requests_sent_whole++;
    if (slot->exchange->sent_again) {
        traffic->requests_sent_again++;
    }
}

static void direct_close(struct direct_slot *slot)
{
    if (slot->connection == NULL) {
        return;
    }
    if (slot->sending) {
        direct_settle_sent(slot, clock_now_ns());
    }
    connection_close(slot->connection);
    slot->connection = NULL;
    if (slot->open) {
        slot->open = false;
        slot->direct->open_count--;
    }
}

static void direct_done(struct direct_slot *slot, enum transport_end end, int error,
                        uint64_t now_ns)
{
    struct direct *direct = slot->direct;
    struct exchange *exchange = slot->exchange;
    deadline_remove(&slot->request_deadline);
    exchange->end = end;
    exchange->error = error;
    exchange->end_ns = now_ns;
    slot->exchange = NULL;
    direct->options.traffic->interim_answers += exchange->answer.interim;
    direct->options.events.done(direct->options.events.context, slot->index, exchange);
}

/* The exchange ends, or begins anew: what it sent whole may not have reached the server. */
static void direct_count_lost(struct direct_slot *slot)
{
    if (slot->exchange->sent_ns != 0 && slot->exchange->first_byte_ns == 0) {
        slot->direct->options.traffic->requests_lost_maybe++;
    }
}

static void direct_fail(struct direct_slot *slot, enum transport_end end, int error,
                        uint64_t now_ns)
{
    struct direct *direct = slot->direct;
    deadline_remove(&slot->state_deadline);
    direct_close(slot);
    direct_count_lost(slot);
    const bool pause = end == TRANSPORT_END_CONNECT || end == TRANSPORT_END_TLS;
    slot->state = pause ? DIRECT_PAUSING : DIRECT_IDLE;
    direct_done(slot, end, error, now_ns);
    if (slot->state == DIRECT_PAUSING) {
        deadline_add(&direct->pauses, &slot->state_deadline, slot);
    } else {
        direct_ready(slot);
    }
}

/* TLS failed, in the handshake or later: another address or another try would not change that. */
static void direct_fail_tls(struct direct_slot *slot, uint64_t now_ns)
{
    slot->exchange->tls_error = connection_tls_reason(slot->connection);
    direct_fail(slot, TRANSPORT_END_TLS, 0, now_ns);
}

/* The connection ended under an exchange. Kept, and not a byte of an answer: it was idle-closed. */
static void direct_broken(struct direct_slot *slot, enum transport_end end, int error,
                          uint64_t now_ns)
{
    struct exchange *exchange = slot->exchange;
    if (error == CONNECTION_TLS_FAILED) {
        direct_fail_tls(slot, now_ns);
    } else if (slot->used && exchange->first_byte_ns == 0 && !exchange->sent_again) {
        direct_close(slot);
        direct_count_lost(slot);
        exchange->sent_ns = 0;
        exchange->sent_again = true;
        slot->replaces_closed = true;
        direct_expect_answer(slot);
        direct_connect(slot);
    } else {
        direct_fail(slot, end, error, now_ns);
    }
}

/* --- the answer ----------------------------------------------------------------------------- */

static void direct_stream_body(struct direct_slot *slot, struct str bytes)
{
    struct direct *direct = slot->direct;
    direct->options.events.stream(direct->options.events.context, slot->exchange, bytes);
}

/* Gathers the body; one that lies whole in the read buffer is not copied at all. */
static void direct_on_body(void *context, const char *data, size_t len)
{
    struct direct_slot *slot = context;
    struct exchange *exchange = slot->exchange;
    if (slot->streaming) {
        direct_stream_body(slot, str_of(data, len));
    } else if (exchange->body.len + len > slot->direct->options.gather_ceiling) {
        slot->streaming = true;
        direct_stream_body(slot, exchange->body);
        direct_stream_body(slot, str_of(data, len));
        exchange->body = str_of(NULL, 0);
    } else if (exchange->body.len == 0) {
        exchange->body = str_of(data, len);
    } else {
        exchange_keep_body(exchange);
        buf_append(&exchange->store, data, len);
        exchange->body = buf_view(&exchange->store);
    }
}

static void direct_answered(struct direct_slot *slot, uint64_t now_ns, bool may_keep)
{
    struct direct *direct = slot->direct;
    const bool is_last = ++slot->answers == direct->options.requests_per_connection;
    const bool keep = may_keep && direct->options.keep_alive && slot->exchange->answer.keep_alive &&
                      !slot->sending && !is_last;
    if (keep) {
        slot->used = true;
        slot->state = DIRECT_IDLE;
        direct->options.traffic->answers_on_kept++;
        direct_done(slot, TRANSPORT_END_ANSWERED, 0, now_ns);
        direct_ready(slot);
    } else if (may_keep && !slot->sending && !is_last) {
        slot->state = DIRECT_LINGERING;
        deadline_add(&direct->lingers, &slot->state_deadline, slot);
        direct_done(slot, TRANSPORT_END_ANSWERED, 0, now_ns);
    } else {
        direct_close(slot);
        direct_done(slot, TRANSPORT_END_ANSWERED, 0, now_ns);
        direct_ready(slot);
    }
}

/* An answer that refuses may say that the wrong thing speaks to the port. */
static void direct_look_for_hint(struct direct_slot *slot, struct str bytes)
{
    struct exchange *exchange = slot->exchange;
    const uint16_t status = exchange->answer.status;
    if (status >= 200 && status < 400) {
        return;
    }
    if (slot->direct->options.tls == NULL) {
        exchange->hint = cause_hint_in_clear(status, bytes, exchange->hint);
    } else if (slot->ticket.certificate_wanted &&
               !tls_context_has_certificate(slot->direct->options.tls)) {
        exchange->hint = cause_hint_without_certificate(status);
    }
}

/* Bytes behind an answer: the next one could not be told from them, so the connection closes. */
static void direct_count_stray(struct direct_slot *slot, size_t bytes)
{
    struct traffic *traffic = slot->direct->options.traffic;
    if (bytes > 0) {
        traffic->connections_strayed++;
        traffic->stray_bytes += bytes;
    }
}

/* An endless answer would keep its slot until the timeout. */
static bool direct_is_too_large(const struct direct_slot *slot)
{
    const uint64_t ceiling = slot->direct->options.body_ceiling;
    return ceiling > 0 && slot->exchange->answer.body_bytes > ceiling;
}

static void direct_on_received(void *owner, uint64_t now_ns, const char *data, size_t len)
{
    struct direct_slot *slot = owner;
    struct exchange *exchange = slot->exchange;
    if (exchange == NULL) {
        slot->direct->options.traffic->bytes_received += len;
        if (slot->state == DIRECT_IDLE) {
            /* Bytes nobody asked for: the next answer could not be told from them. */
            direct_count_stray(slot, len);
            direct_close(slot);
            slot->replaces_closed = true;
        }
        return;
    }
    exchange->traffic->bytes_received += len;
    if (exchange->first_byte_ns == 0) {
        exchange->first_byte_ns = now_ns;
    }
    size_t used = 0;
    switch (http1_feed(&slot->reader, data, len, &used)) {
    case HTTP1_MORE:
        direct_look_for_hint(slot, str_of(data, len));
        if (direct_is_too_large(slot)) {
            direct_fail(slot, TRANSPORT_END_TOO_LARGE, 0, now_ns);
            break;
        }
        exchange_keep_body(exchange);
        connection_expect_more(slot->connection);
        break;
    case HTTP1_DONE:
        direct_look_for_hint(slot, str_of(data, len));
        direct_count_stray(slot, len - used);
        direct_answered(slot, now_ns, used == len);
        break;
    case HTTP1_BAD:
        exchange->protocol_error = http1_error(&slot->reader);
        direct_look_for_hint(slot, str_of(data, len));
        direct_fail(slot, TRANSPORT_END_PROTOCOL, 0, now_ns);
        break;
    }
}

/*
 * The connection ended before the answer did. What comes first tells more: a request that could not
 * be written to its end, unless part of an answer came.
 */
static void direct_cut_off(struct direct_slot *slot, int error, uint64_t now_ns)
{
    const int write_error = connection_write_error(slot->connection);
    if (!slot->sending || write_error == 0 || error == CONNECTION_TLS_FAILED) {
        direct_broken(slot, TRANSPORT_END_RECEIVE, error, now_ns);
        return;
    }
    slot->direct->options.traffic->write_errors++;
    if (slot->exchange->first_byte_ns == 0) {
        direct_broken(slot, TRANSPORT_END_SEND, write_error, now_ns);
    } else {
        direct_broken(slot, TRANSPORT_END_RECEIVE, error, now_ns);
    }
}

static void direct_on_ended(void *owner, uint64_t now_ns, int error)
{
    struct direct_slot *slot = owner;
    switch (slot->state) {
    case DIRECT_EXCHANGING:
        if (error == 0 && http1_end(&slot->reader) == HTTP1_DONE) {
            direct_answered(slot, now_ns, false);
        } else {
            direct_cut_off(slot, error, now_ns);
        }
        break;
    case DIRECT_LINGERING:
        deadline_remove(&slot->state_deadline);
        direct_close(slot);
        direct_ready(slot);
        break;
    default:
        direct_close(slot);
        slot->replaces_closed = true;
        break;
    }
}

/* Only in TLS: nothing more will come. While we wait for the server to close, it may take its time.
 */
static void direct_on_finished(void *owner, uint64_t now_ns)
{
    struct direct_slot *slot = owner;
    if (slot->state == DIRECT_LINGERING) {
        deadline_remove(&slot->state_deadline);
        deadline_add(&slot->direct->farewells, &slot->state_deadline, slot);
    } else {
        direct_on_ended(slot, now_ns, 0);
    }
}

static void direct_expect_answer(struct direct_slot *slot)
{
    const struct transport_options *options = &slot->direct->options;
    slot->streaming = false;
    http1_begin(&slot->reader, &slot->exchange->answer, options->answer_body,
                options->wants_body ? direct_on_body : NULL, slot);
    if (options->keep_lines) {
        http1_keep_lines(&slot->reader);
    } else if (options->answer_body == HTTP1_BODY_BY_HEAD) {
        http1_use_memo(&slot->reader, &slot->direct->memo);
    }
}

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

static void direct_write(struct direct_slot *slot)
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

/* Opens a connection to slot->address, or to the next that does not fail at once. */
static void direct_connect_next(struct direct_slot *slot, int error)
{
    struct direct *direct = slot->direct;
    while (slot->addresses_tried < direct->addresses.count) {
        slot->addresses_tried++;
        slot->connection =
            connection_open(direct->connector, slot, &direct->addresses.items[slot->address],
                            &slot->ticket, &error);
        if (slot->connection != NULL) {
            deadline_add(&direct->connects, &slot->state_deadline, slot);
            return;
        }
        direct->options.traffic->connections_failed++;
        slot->address = (uint8_t)((slot->address + 1U) % direct->addresses.count);
    }
    direct_fail(slot, TRANSPORT_END_CONNECT, error, clock_now_ns());
}

static void direct_connect(struct direct_slot *slot)
{
    slot->state = DIRECT_CONNECTING;
    slot->used = false;
    slot->answers = 0;
    slot->address = slot->direct->good_address;
    slot->addresses_tried = 0;
    slot->connect_start_ns = clock_now_ns();
    direct_connect_next(slot, 0);
}

static void direct_connect_failed(struct direct_slot *slot, int error)
{
    struct direct *direct = slot->direct;
    direct->options.traffic->connections_failed++;
    direct_close(slot);
    slot->address = (uint8_t)((slot->address + 1U) % direct->addresses.count);
    direct_connect_next(slot, error);
}

static void direct_handshake_failed(struct direct_slot *slot, uint64_t now_ns)
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

static void direct_on_opened(void *owner, uint64_t now_ns, int error)
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
        direct_connect_failed(slot, error);
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
    deadline_add(&direct->requests, &slot->request_deadline, slot);
    if (slot->connection != NULL) {
        direct_write(slot);
    } else {
        direct_connect(slot);
    }
}

/* --- deadlines ------------------------------------------------------------------------------ */

/* Whether TCP is connected and only the handshake is missing; gives that up then. */
static bool direct_expire_handshake(struct direct_slot *slot)
{
    if (slot->direct->options.tls == NULL || !connection_tls_is_shaking_hands(slot->connection)) {
        return false;
    }
    connection_tls_expire(slot->connection);
    direct_handshake_failed(slot, clock_now_ns());
    return true;
}

static void direct_on_request_late(struct deadline *deadline)
{
    struct direct_slot *slot = deadline->owner;
    if (slot->state == DIRECT_CONNECTING && direct_expire_handshake(slot)) {
        return;
    }
    const enum transport_end end =
        slot->state == DIRECT_CONNECTING ? TRANSPORT_END_CONNECT : TRANSPORT_END_TIMEOUT;
    if (end == TRANSPORT_END_CONNECT) {
        slot->direct->options.traffic->connections_failed++;
    }
    direct_fail(slot, end, UV_ETIMEDOUT, clock_now_ns());
}

static void direct_on_connect_late(struct deadline *deadline)
{
    struct direct_slot *slot = deadline->owner;
    if (!direct_expire_handshake(slot)) {
        direct_connect_failed(slot, UV_ETIMEDOUT);
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

static const struct transport_operations direct_operations = {
    .send = direct_send,
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
