/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a slot of the direct transport comes to: answered, failed, broken off, free again. All books
 * of what was sent are kept here. Why something ended is the caller's to know.
 */
#include "lather/net/direct_slot.h"

#include "lather/base/clock.h"
#include "lather/net/direct_answer.h"
#include "lather/net/direct_connect.h"

void direct_ready(struct direct_slot *slot)
{
    struct direct *direct = slot->direct;
    slot->state = DIRECT_IDLE;
    if (!direct->stopped) {
        direct->options.events.ready(direct->options.events.context, slot->index);
    }
}

/* The request left us, whole or as far as it came. */
void direct_settle_sent(struct direct_slot *slot, uint64_t now_ns)
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

void direct_close(struct direct_slot *slot)
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

void direct_done(struct direct_slot *slot, enum transport_end end, int error, uint64_t now_ns)
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

void direct_count_lost(struct direct_slot *slot)
{
    const struct exchange *exchange = slot->exchange;
    const bool is_taken = http1_has_head(&slot->reader) && exchange->answer.status != 408;
    if (exchange->sent_ns != 0 && !is_taken) {
        slot->direct->options.traffic->requests_lost_maybe++;
    }
}

void direct_fail(struct direct_slot *slot, enum transport_end end, int error, uint64_t now_ns)
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

void direct_fail_tls(struct direct_slot *slot, uint64_t now_ns)
{
    slot->exchange->tls_error = connection_tls_reason(slot->connection);
    direct_fail(slot, TRANSPORT_END_TLS, 0, now_ns);
}

void direct_broken(struct direct_slot *slot, enum transport_end end, int error, uint64_t now_ns)
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
