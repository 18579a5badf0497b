/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stretch of a run (the warm-up, a step, mostly the whole of it): its workers are made, started
 * together at the moment that was asked for, and waited for. The trap: the handles of the main loop
 * outlive a stretch, so a stretch's end only stops the loop.
 */
#include "lather/load/stretch.h"

#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"
#include "lather/load/results.h"
#include "lather/load/watch.h"

/* total split into `parts`: the first ones get one more. */
static uint64_t share_of(uint64_t total, uint32_t parts, uint32_t index)
{
    return total / parts + (index < total % parts ? 1 : 0);
}

/* Sessions are dealt out whole. */
static uint64_t requests_of(const struct plan *plan, uint32_t index)
{
    if (plan->requests == 0) {
        return UINT64_MAX;
    }
    const uint64_t grain = plan->sessions.count > 0 ? plan->sessions.calls : 1;
    return grain * share_of(plan->requests / grain, plan->threads, index);
}

static bool make_workers(struct run *run, struct err *err)
{
    struct run_shared *shared = &run->shared;
    const struct plan *plan = shared->plan;
    shared->worker_count = 0;
    shared->workers = check_calloc(plan->threads, sizeof(*shared->workers));
    for (uint32_t i = 0; i < plan->threads; i++) {
        const struct worker_share share = {
            .index = i,
            .workers = plan->threads,
            .slots = (uint32_t)share_of(plan->concurrency, plan->threads, i),
            .requests = requests_of(plan, i),
        };
        shared->workers[i] = worker_new(shared, &share);
        if (shared->workers[i] == NULL) {
            return err_set(err, ERR_LIMIT, "cannot start thread %u of %u: lower --threads", i + 1,
                           plan->threads);
        }
        shared->worker_count++;
    }
    return true;
}

static void on_start_time(uv_timer_t *timer)
{
    uv_stop(timer->loop);
}

/* A silent program would be taken for one that hangs. */
static void tell_wait(const struct run *run, uint64_t wall_ns)
{
    const struct run_events *events = run->shared.events;
    const uint64_t now_ns = clock_wall_ns();
    char time[UNITS_TEXT_SIZE];
    struct buf note;
    if (events->noted == NULL || wall_ns < now_ns + NS_PER_S) {
        return;
    }
    buf_init(&note);
    buf_printf(&note, "waiting %s, until --start-at\n",
               units_format_duration(wall_ns - now_ns, time));
    events->noted(events->context, &note);
    buf_deinit(&note);
}

/*
 * Waits until the wall clock, which may be set meanwhile, shows this moment, or for an interrupt.
 * A timer counts milliseconds; the last two of them are waited for by looking.
 */
static void wait_until(struct run *run, uint64_t wall_ns)
{
    enum { LOOKED_AT_MS = 2, LONGEST_MS = 1000 };
    tell_wait(run, wall_ns);
    while (run->interrupts == 0) {
        const uint64_t now_ns = clock_wall_ns();
        if (now_ns >= wall_ns) {
            return;
        }
        const uint64_t left_ms = (wall_ns - now_ns) / NS_PER_MS;
        if (left_ms > LOOKED_AT_MS) {
            const uint64_t wait_ms = left_ms - LOOKED_AT_MS;
            uv_update_time(&run->loop);
            (void)uv_timer_start(&run->start_timer, on_start_time,
                                 wait_ms < LONGEST_MS ? wait_ms : LONGEST_MS, 0);
            (void)uv_run(&run->loop, UV_RUN_DEFAULT);
            (void)uv_timer_stop(&run->start_timer);
        }
    }
}

/* Lets the workers go, all at once, and waits for the last. */
static void start_and_wait(struct run *run)
{
    struct run_shared *shared = &run->shared;
    shared->start_ns = clock_now_ns();
    run->begun_ns = run->begun_ns == 0 ? shared->start_ns : run->begun_ns;
    atomic_store(&shared->running, shared->worker_count);
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        uv_sem_post(&shared->start);
    }
    watch_begin(run);
    while (atomic_load(&shared->running) > 0) {
        (void)uv_run(&run->loop, UV_RUN_DEFAULT);
    }
    watch_end(run);
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_join(shared->workers[i]);
    }
}

static void reset_shared(struct run_shared *shared, const struct plan *plan)
{
    shared->plan = plan;
    atomic_store(&shared->called_off, false);
    atomic_store(&shared->connected, false);
    atomic_store(&shared->unreachable, false);
    atomic_store(&shared->connects_failed, 0);
    for (size_t i = 0; i < plan->message_count; i++) {
        atomic_store(&shared->document_bytes[i], UINT64_MAX);
    }
}

struct summary *stretch_run(struct run *run, const struct plan *plan, uint64_t start_at_ns,
                            struct err *err)
{
    struct run_shared *shared = &run->shared;
    const struct run_events *events = shared->events;
    reset_shared(shared, plan);
    const bool is_made = make_workers(run, err);
    if (is_made && events->started != NULL && !run->is_told) {
        events->started(events->context);
        run->is_told = true;
    }
    if (is_made) {
        wait_until(run, start_at_ns);
    }
    if (!is_made || run->interrupts > 0) {
        atomic_store(&shared->called_off, true);
    }
    const uint64_t wall_start_ns = clock_wall_ns();
    start_and_wait(run);
    struct summary *summary = NULL;
    if (is_made) {
        summary = results_summarise(shared, run->interrupts, wall_start_ns);
        for (uint32_t i = 0; i < shared->worker_count; i++) {
            run->taken[i] = worker_result(shared->workers[i])->taken;
        }
    }
    shared->stretch++;
    shared->cpu_before_ns = platform_process_cpu_ns();
    return summary;
}

void stretch_free_workers(struct run_shared *shared)
{
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_free(shared->workers[i]);
    }
    free(shared->workers);
    shared->workers = NULL;
    shared->worker_count = 0;
}

/* The first worker's log takes in those of all the others. */
static void take_samples(struct run *run, struct summary *summary)
{
    bool is_whole = true;
    for (uint32_t i = 0; i < run->shared.worker_count; i++) {
        struct sample_log *samples = worker_take_samples(run->shared.workers[i]);
        if (run->samples == NULL) {
            run->samples = samples;
            sample_log_set_start(run->samples, run->shared.start_ns);
        } else {
            is_whole = sample_log_append(run->samples, samples) && is_whole;
        }
    }
    if (!is_whole) {
        summary_note(summary, "-g: some requests' times could not be read back from the temporary "
                              "file they were in; the file lacks them, the figures do not.");
    }
}

struct summary *stretch_measure(struct run *run, const struct plan *plan, uint64_t start_at_ns,
                                struct err *err)
{
    struct summary *summary = stretch_run(run, plan, start_at_ns, err);
    if (run->measured_ns == 0) {
        run->measured_ns = run->shared.start_ns;
    }
    if (summary != NULL && plan->keep_samples) {
        take_samples(run, summary);
    }
    stretch_free_workers(&run->shared);
    return summary;
}

uint64_t stretch_grace_ns(const struct plan *plan)
{
    return plan->shape.has_grace ? plan->shape.grace_ns : plan->timeout_ns;
}
