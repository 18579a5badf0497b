/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a worker ends: nothing new is sent (drained), then everything stops (halted), at once or when
 * what was in flight is answered or its time is over. The trap: halting stops the transport, so it
 * is never called from inside one of the transport's callbacks, which stir the loop instead.
 */
#include "lather/load/worker_end.h"

#include "lather/base/clock.h"
#include "lather/load/worker_talk.h"

static void worker_on_idle(uv_idle_t *idle)
{
    (void)idle;
}

void worker_stir(struct worker *worker)
{
    (void)uv_idle_start(&worker->idle, worker_on_idle);
}

/* Nothing is sent any more; what was due until now and was not sent is the backlog at the end. */
static void worker_stop_pace(struct worker *worker)
{
    if (worker->paused) {
        return;
    }
    worker->paused = true;
    worker->result.backlog_end = pace_backlog(worker->pace, clock_now_ns());
    worker->result.lateness_ns = pace_lateness_ns(worker->pace);
    worker->result.backlog_peak = pace_backlog_peak(worker->pace);
    worker->result.first_due_ns = pace_first_due_ns(worker->pace);
    worker->result.sessions_begun = pace_sessions_begun(worker->pace);
    worker->result.last_sent_ns = pace_last_sent_ns(worker->pace);
    pace_stop(worker->pace);
}

void worker_halt(struct worker *worker)
{
    if (worker->halted) {
        return;
    }
    worker->halted = true;
    if (worker->in_flight > 0) {
        worker->result.last_ns = clock_now_ns();
    }
    worker_stop_pace(worker);
    transport_stop(worker->transport);
    while (recorder_has_unjudged(worker->recorder)) {
        recorder_judge_one(worker->recorder);
    }
    worker_go_deaf(worker);
    uv_close((uv_handle_t *)&worker->prepare, NULL);
    uv_close((uv_handle_t *)&worker->check, NULL);
    uv_close((uv_handle_t *)&worker->idle, NULL);
    uv_close((uv_handle_t *)&worker->limit_timer, NULL);
    uv_close((uv_handle_t *)&worker->drain_timer, NULL);
}

static void worker_on_drain_over(uv_timer_t *timer)
{
    worker_halt(timer->data);
}

uint64_t worker_ms(uint64_t ns)
{
    return (ns + NS_PER_MS - 1) / NS_PER_MS;
}

uint64_t worker_timer_ms(uint64_t ns)
{
    return worker_ms(ns) + 1;
}

void worker_drain(struct worker *worker, uint64_t most_ns)
{
    worker->draining = true;
    worker_stop_pace(worker);
    worker_stir(worker);
    (void)uv_timer_start(&worker->drain_timer, worker_on_drain_over, worker_timer_ms(most_ns), 0);
}

void worker_on_limit(uv_timer_t *timer)
{
    struct worker *worker = timer->data;
    worker->result.time_limit_reached = true;
    if (worker->plan->shape.grace_ns > 0 && !worker->draining) {
        worker_drain(worker, worker->plan->shape.grace_ns);
    } else {
        worker_halt(worker);
    }
    worker->result.last_ns = clock_now_ns(); /* a timed run is as long as its limit, busy or not */
}

void worker_note_unconnected(struct worker *worker)
{
    struct run_shared *shared = worker->shared;
    if (atomic_load_explicit(&shared->connected, memory_order_relaxed)) {
        return;
    }
    const uint64_t failed = atomic_fetch_add(&shared->connects_failed, 1) + 1;
    const uint64_t enough = worker->plan->concurrency > 10 ? worker->plan->concurrency : 10;
    if (failed >= enough && !atomic_exchange(&shared->unreachable, true)) {
        worker_wake_all(shared);
    }
}
