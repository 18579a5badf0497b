/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What other threads say to a worker and hear of it: an end asked for, the last second and the
 * counts for the live line. A worker that hears of something is woken and acts in its own thread.
 * The trap: it may have ended meanwhile, so its wake-up is only ever sent to under its lock.
 */
#include "lather/load/worker_talk.h"

#include "lather/base/clock.h"
#include "lather/load/worker_end.h"

/* A worker may have ended: what is closed must not be sent to. */
static void worker_wake(struct worker *worker)
{
    uv_mutex_lock(&worker->second_lock);
    if (!worker->is_deaf) {
        (void)uv_async_send(&worker->wake);
    }
    uv_mutex_unlock(&worker->second_lock);
}

void worker_wake_all(struct run_shared *shared)
{
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_wake(shared->workers[i]);
    }
}

void worker_go_deaf(struct worker *worker)
{
    uv_mutex_lock(&worker->second_lock);
    worker->is_deaf = true;
    uv_close((uv_handle_t *)&worker->wake, NULL);
    uv_mutex_unlock(&worker->second_lock);
}

/* The intervals of the last second; of a long run, whose intervals are longer, the last one. */
static void worker_tell_second(struct worker *worker)
{
    const struct timeline *timeline = worker->tally->timeline;
    const uint64_t now_ns = clock_now_ns();
    const uint64_t since_ns = now_ns - worker->shared->start_ns;
    const uint64_t from_ns = since_ns > NS_PER_S ? since_ns - NS_PER_S : 0;
    uv_mutex_lock(&worker->second_lock);
    span_reset(worker->second);
    for (size_t i = (size_t)(from_ns / timeline_interval_ns(timeline));
         i < timeline_count(timeline); i++) {
        span_add(worker->second, timeline, i);
    }
    worker->second_backlog = pace_backlog(worker->pace, now_ns);
    uv_mutex_unlock(&worker->second_lock);
}

/* A run that is stopped lasts until then, though its last answer may be long ago. */
static void worker_note_stop(struct worker *worker)
{
    worker->result.last_ns = clock_now_ns();
}

void worker_on_wake(uv_async_t *wake)
{
    struct worker *worker = wake->data;
    if (atomic_exchange(&worker->second_asked, false) && !worker->paused) {
        worker_tell_second(worker);
    }
    const int command = atomic_load(&worker->command);
    if (command == WORKER_STOP || atomic_load(&worker->shared->unreachable)) {
        worker_halt(worker);
        if (command == WORKER_STOP) {
            worker_note_stop(worker);
        }
    } else if (command == WORKER_DRAIN && !worker->draining) {
        const struct plan_shape *shape = &worker->plan->shape;
        worker_note_stop(worker);
        worker_drain(worker, shape->has_grace ? shape->grace_ns : WORKER_DRAIN_MS * NS_PER_MS);
    }
}

void worker_tell(struct worker *worker, enum worker_command command)
{
    atomic_store(&worker->command, (int)command);
    worker_wake(worker);
}

void worker_ask_second(struct worker *worker)
{
    atomic_store(&worker->second_asked, true);
    worker_wake(worker);
}

void worker_add_second(struct worker *worker, struct span *span, uint64_t *backlog)
{
    uv_mutex_lock(&worker->second_lock);
    span_merge(span, worker->second);
    *backlog += worker->second_backlog;
    uv_mutex_unlock(&worker->second_lock);
}

void worker_add_progress(const struct worker *worker, struct run_progress *progress)
{
    progress->finished += atomic_load_explicit(&worker->seen_finished, memory_order_relaxed);
    progress->failed += atomic_load_explicit(&worker->seen_failed, memory_order_relaxed);
    progress->in_flight += atomic_load_explicit(&worker->seen_in_flight, memory_order_relaxed);
}
