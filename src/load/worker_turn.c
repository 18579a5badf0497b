/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of one request: a slot is ready, an exchange goes out; it is done, the slot's other
 * exchange goes out; then, after a poll, the first one's answer is judged and counted. Measuring
 * comes first: what a loop turn found readable is read, stamped and answered by the next request
 * before any answer is looked at, and answers are judged one at a time with a poll between.
 * This is the hot path: what is added here is paid by every request. The trap: a worker never ends
 * inside a callback of the transport, only from worker_on_check or from its own timers and
 * wake-ups.
 */
#include "lather/load/worker_turn.h"

#include "lather/base/clock.h"
#include "lather/load/worker_end.h"
#include "lather/load/worker_trace.h"

/* --- the transport's events ----------------------------------------------------------------- */

static void worker_see(atomic_uint_least64_t *copy, uint64_t value)
{
    atomic_store_explicit(copy, value, memory_order_relaxed);
}

void worker_on_done(void *context, uint32_t index, struct exchange *exchange)
{
    struct worker *worker = context;
    worker->in_flight--;
    if (exchange->end_ns > worker->result.last_ns) { /* expiries are told after they were seen */
        worker->result.last_ns = exchange->end_ns;
    }
    if (exchange->opened && !worker->connected) {
        worker->connected = true;
        atomic_store_explicit(&worker->shared->connected, true, memory_order_relaxed);
    }
    if (exchange->end == TRANSPORT_END_CONNECT || exchange->end == TRANSPORT_END_TLS ||
        exchange->end == TRANSPORT_END_RESOLVE) {
        worker_note_unconnected(worker);
    }
    recorder_take(worker->recorder, &worker->places[index], exchange);
}

void worker_on_done_traced(void *context, uint32_t index, struct exchange *exchange)
{
    worker_trace(context, exchange);
    worker_on_done(context, index, exchange);
}

void worker_on_stream(void *context, struct exchange *exchange, struct str bytes)
{
    recorder_stream(((struct worker *)context)->recorder, exchange, bytes);
}

static bool worker_may_send(const struct worker *worker)
{
    return worker->requests_left > 0 && !worker->draining && !worker->halted;
}

void worker_on_go(void *context, uint32_t index, uint64_t due_ns)
{
    struct worker *worker = context;
    if (!worker_may_send(worker)) {
        return;
    }
    struct exchange *exchange = requests_next(worker->requests, index);
    if (exchange == NULL) {
        worker->requests_left = 0;
        worker->result.rows_ended = true;
        worker_stir(worker);
        return;
    }
    exchange->due_ns = due_ns;
    worker->requests_left--;
    worker->tally->started++;
    worker->busy++;
    worker->in_flight++;
    if (worker->in_flight > worker->result.in_flight_peak) {
        worker->result.in_flight_peak = worker->in_flight;
    }
    transport_send(worker->transport, index, exchange);
}

void worker_on_parted(void *context, uint32_t index)
{
    transport_part(((struct worker *)context)->transport, index);
}

void worker_on_ready(void *context, uint32_t index)
{
    struct worker *worker = context;
    worker->busy--;
    if (worker_may_send(worker)) {
        pace_ready(worker->pace, index);
        return;
    }
    if (worker->result.tail_start_ns == 0) {
        worker->result.tail_start_ns = clock_now_ns();
    }
    if (worker->busy == 0) {
        worker_stir(worker);
    }
}

/* --- the loop ------------------------------------------------------------------------------- */

void worker_on_prepare(uv_prepare_t *prepare)
{
    struct worker *worker = prepare->data;
    const uint64_t start_ns = transport_take_turn_start(worker->transport);
    if (start_ns != 0) {
        histogram_add(worker->result.loop_lag, clock_now_ns() - start_ns);
    }
    worker_see(&worker->seen_finished, worker->tally->finished);
    worker_see(&worker->seen_failed, worker->tally->finished - worker->tally->outcomes[OUTCOME_OK]);
    worker_see(&worker->seen_in_flight, worker->in_flight);
}

void worker_on_check(uv_check_t *check)
{
    struct worker *worker = check->data;
    if (recorder_has_unjudged(worker->recorder)) {
        recorder_judge_one(worker->recorder);
    }
    if (recorder_has_unjudged(worker->recorder)) {
        worker_stir(worker);
    } else if (worker->busy == 0 && !worker_may_send(worker)) {
        worker_halt(worker);
    } else {
        (void)uv_idle_stop(&worker->idle);
    }
}
