/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What comes in on a connection of the direct transport: the bytes of an answer, its body, bytes
 * nobody asked for, and the end. Nothing here judges an answer: it says how far the exchange came.
 */
#include "lather/net/direct_answer.h"

#include "lather/net/cause.h"
#include "lather/net/direct_slot.h"

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

/* The answer became whole after its limit, whether the deadline's timer came by or not. */
static void direct_answered_late(struct direct_slot *slot, uint64_t now_ns)
{
    const uint64_t seen_ns = slot->request_deadline.seen_ns;
    direct_fail(slot, TRANSPORT_END_TIMEOUT, UV_ETIMEDOUT, seen_ns != 0 ? seen_ns : now_ns);
}

static void direct_answered(struct direct_slot *slot, uint64_t now_ns, bool may_keep)
{
    struct direct *direct = slot->direct;
    if (now_ns > slot->request_deadline.due_ns) {
        direct_answered_late(slot, now_ns);
        return;
    }
    const bool is_last = ++slot->answers == direct->options.requests_per_connection;
    if (slot->exchange->answer.status == 408) {
        direct_count_lost(slot);
    }
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

void direct_on_received(void *owner, uint64_t now_ns, const char *data, size_t len)
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

/* Who closes without having read the whole request resets the connection: that ends an early answer
 * as a close would. */
static bool direct_is_close(const struct direct_slot *slot, int error)
{
    return error == 0 || (slot->sending && connection_write_error_waits(error));
}

/*
 * The connection ended before the answer did. What comes first tells more: a request that was not
 * written to its end, unless part of an answer came. Whether a write or a read met the end first is
 * chance and decides nothing.
 */
static void direct_cut_off(struct direct_slot *slot, int error, uint64_t now_ns)
{
    const int write_error = connection_write_error(slot->connection);
    if (!slot->sending || error == CONNECTION_TLS_FAILED) {
        direct_broken(slot, TRANSPORT_END_RECEIVE, error, now_ns);
        return;
    }
    slot->direct->options.traffic->write_errors += write_error != 0;
    if (slot->exchange->first_byte_ns == 0) {
        direct_broken(slot, TRANSPORT_END_SEND, write_error != 0 ? write_error : error, now_ns);
    } else {
        direct_broken(slot, TRANSPORT_END_RECEIVE, direct_is_close(slot, error) ? 0 : error,
                      now_ns);
    }
}

void direct_on_ended(void *owner, uint64_t now_ns, int error)
{
    struct direct_slot *slot = owner;
    switch (slot->state) {
    case DIRECT_EXCHANGING:
        if (direct_is_close(slot, error) && http1_end(&slot->reader) == HTTP1_DONE) {
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
void direct_on_finished(void *owner, uint64_t now_ns)
{
    struct direct_slot *slot = owner;
    if (slot->state == DIRECT_LINGERING) {
        deadline_remove(&slot->state_deadline);
        deadline_add(&slot->direct->farewells, &slot->state_deadline, slot);
    } else {
        direct_on_ended(slot, now_ns, 0);
    }
}

void direct_expect_answer(struct direct_slot *slot)
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
