/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the main thread does while the workers work: it listens for Ctrl-C, and asks the workers for
 * their counts and their last second when the live line is due. It measures nothing. The trap: what
 * workers tell of a second is looked at one turn later, so nobody waits for them.
 */
#include "lather/load/watch.h"

#include "lather/base/clock.h"
#include "lather/load/worker_talk.h"

static void tell_all(struct run *run, enum worker_command command)
{
    for (uint32_t i = 0; i < run->shared.worker_count; i++) {
        worker_tell(run->shared.workers[i], command);
    }
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct run *run = handle->data;
    run->interrupts++;
    if (run->interrupts == 1) {
        run->stop_cause = platform_signal_cause(number);
    }
    const bool is_urgent = run->interrupts > 1 || platform_signal_is_urgent(number);
    tell_all(run, is_urgent ? WORKER_STOP : WORKER_DRAIN);
    if (uv_is_active((uv_handle_t *)&run->start_timer)) {
        uv_stop(&run->loop); /* nothing has begun yet */
    }
}

/* What workers told of their last second since they were asked; then they are asked again. */
static void add_second(struct run *run, struct run_progress *progress)
{
    const struct run_shared *shared = &run->shared;
    const uint64_t now_ns = clock_now_ns();
    span_reset(run->second);
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_add_second(shared->workers[i], run->second, &progress->backlog);
    }
    progress->has_times = span_figures(run->second)->answers > 0;
    progress->p50_ns = span_percentile_ns(run->second, 50);
    progress->p99_ns = span_percentile_ns(run->second, 99);
    if (shared->events->second_ms == 0 ||
        now_ns - run->asked_ns < shared->events->second_ms * NS_PER_MS) {
        return;
    }
    run->asked_ns = now_ns;
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_ask_second(shared->workers[i]);
    }
}

static void on_progress(uv_timer_t *timer)
{
    struct run *run = timer->data;
    const struct run_events *events = run->shared.events;
    struct run_progress progress = run->before;
    progress.elapsed_ns = clock_now_ns() - run->begun_ns;
    progress.stopping = run->interrupts > 0;
    for (uint32_t i = 0; i < run->shared.worker_count; i++) {
        worker_add_progress(run->shared.workers[i], &progress);
    }
    add_second(run, &progress);
    events->progress(events->context, &progress);
}

void watch_init(struct run *run)
{
    platform_keep_processor_time();
    CHECK(uv_timer_init(&run->loop, &run->progress_timer) == 0);
    run->progress_timer.data = run;
    run->second = span_new();
    for (int i = 0; i < PLATFORM_STOP_SIGNALS; i++) {
        CHECK(uv_signal_init(&run->loop, &run->signals[i]) == 0);
        run->signals[i].data = run;
        /* Shells start what they put behind with Ctrl-C ignored; that one is always taken. */
        const bool is_taken = i == 0 || !platform_signal_is_ignored(platform_stop_signals[i]);
        if (platform_stop_signals[i] != 0 && is_taken) {
            (void)uv_signal_start(&run->signals[i], on_signal, platform_stop_signals[i]);
        }
    }
}

void watch_begin(struct run *run)
{
    const struct run_events *events = run->shared.events;
    if (events->progress != NULL && events->interval_ms != 0) {
        (void)uv_timer_start(&run->progress_timer, on_progress, events->interval_ms,
                             events->interval_ms);
    }
}

void watch_end(struct run *run)
{
    (void)uv_timer_stop(&run->progress_timer);
}

void watch_deinit(struct run *run)
{
    for (int i = 0; i < PLATFORM_STOP_SIGNALS; i++) {
        uv_close((uv_handle_t *)&run->signals[i], NULL);
    }
    uv_close((uv_handle_t *)&run->progress_timer, NULL);
    span_free(run->second);
}
