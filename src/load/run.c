/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run from the outside: workers are made, started together, and waited for. The main thread
 * measures nothing; it listens for Ctrl-C and for the live line's timer.
 */
#include "lather/load/run.h"

#include <stdlib.h>
#include <uv.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/load/preflight.h"
#include "lather/load/results.h"
#include "lather/load/wire.h"
#include "lather/load/worker.h"
#include "lather/soap/judge.h"

struct run {
    struct run_shared shared;
    struct preflight preflight;
    uv_loop_t loop;
    uv_async_t ended;
    uv_signal_t signals[PLATFORM_STOP_SIGNALS];
    uv_timer_t progress_timer;
    unsigned interrupts;
};

static void run_on_ended(uv_async_t *ended)
{
    struct run *run = ended->data;
    /* There is nothing left to interrupt but the report, which is never lost. */
    platform_hold_interrupts();
    uv_close((uv_handle_t *)&run->ended, NULL);
    uv_close((uv_handle_t *)&run->signals[0], NULL);
    uv_close((uv_handle_t *)&run->signals[1], NULL);
    uv_close((uv_handle_t *)&run->progress_timer, NULL);
}

static void run_tell_all(struct run *run, enum worker_command command)
{
    for (uint32_t i = 0; i < run->shared.worker_count; i++) {
        worker_tell(run->shared.workers[i], command);
    }
}

static void run_on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    struct run *run = handle->data;
    run->interrupts++;
    run_tell_all(run, run->interrupts == 1 ? WORKER_DRAIN : WORKER_STOP);
}

static void run_on_progress(uv_timer_t *timer)
{
    struct run *run = timer->data;
    const struct run_events *events = run->shared.events;
    struct run_progress progress = {
        .elapsed_ns = clock_now_ns() - run->shared.start_ns,
        .stopping = run->interrupts > 0,
    };
    for (uint32_t i = 0; i < run->shared.worker_count; i++) {
        worker_add_progress(run->shared.workers[i], &progress);
    }
    events->progress(events->context, &progress);
}

static bool run_init(struct run *run, const struct plan *plan, const struct run_events *events,
                     struct err *err)
{
    struct run_shared *shared = &run->shared;
    shared->plan = plan;
    shared->events = events;
    shared->addresses = &run->preflight.addresses;
    shared->origin_addresses =
        run->preflight.origin_addresses.count > 0 ? &run->preflight.origin_addresses : NULL;
    shared->sources = run->preflight.sources.count > 0 ? &run->preflight.sources : NULL;
    shared->tls = run->preflight.tls;
    shared->ended = &run->ended;
    shared->document_bytes = check_malloc(plan->message_count * sizeof(*shared->document_bytes));
    for (size_t i = 0; i < plan->message_count; i++) {
        atomic_init(&shared->document_bytes[i], UINT64_MAX);
    }
    int error = uv_loop_init(&run->loop);
    if (error != 0) {
        return err_set(err, ERR_LIMIT, "cannot start an event loop: %s", uv_strerror(error));
    }
    CHECK(uv_async_init(&run->loop, &run->ended, run_on_ended) == 0);
    CHECK(uv_timer_init(&run->loop, &run->progress_timer) == 0);
    CHECK(uv_sem_init(&shared->start, 0) == 0);
    CHECK(uv_mutex_init(&shared->trace_lock) == 0);
    run->ended.data = run;
    run->progress_timer.data = run;
    for (int i = 0; i < PLATFORM_STOP_SIGNALS; i++) {
        CHECK(uv_signal_init(&run->loop, &run->signals[i]) == 0);
        run->signals[i].data = run;
        (void)uv_signal_start(&run->signals[i], run_on_signal, platform_stop_signals[i]);
    }
    return true;
}

/* total split into `parts`: the first ones get one more. */
static uint64_t run_share_of(uint64_t total, uint32_t parts, uint32_t index)
{
    return total / parts + (index < total % parts ? 1 : 0);
}

static bool run_make_workers(struct run *run, struct err *err)
{
    struct run_shared *shared = &run->shared;
    const struct plan *plan = shared->plan;
    shared->workers = check_calloc(plan->threads, sizeof(*shared->workers));
    for (uint32_t i = 0; i < plan->threads; i++) {
        const struct worker_share share = {
            .index = i,
            .workers = plan->threads,
            .slots = (uint32_t)run_share_of(plan->concurrency, plan->threads, i),
            .requests =
                plan->requests == 0 ? UINT64_MAX : run_share_of(plan->requests, plan->threads, i),
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

/* Lets the workers go, all at once, and waits for the last. */
static void run_start_and_wait(struct run *run)
{
    struct run_shared *shared = &run->shared;
    const struct run_events *events = shared->events;
    shared->start_ns = clock_now_ns();
    atomic_store(&shared->running, shared->worker_count);
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        uv_sem_post(&shared->start);
    }
    if (events->progress != NULL && events->interval_ms != 0) {
        (void)uv_timer_start(&run->progress_timer, run_on_progress, events->interval_ms,
                             events->interval_ms);
    }
    if (shared->worker_count == 0) {
        run_on_ended(&run->ended);
    }
    (void)uv_run(&run->loop, UV_RUN_DEFAULT);
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_join(shared->workers[i]);
    }
}

static void run_deinit(struct run *run)
{
    struct run_shared *shared = &run->shared;
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_free(shared->workers[i]);
    }
    free(shared->workers);
    free(shared->document_bytes);
    failure_files_free(shared->failure_files);
    uv_sem_destroy(&shared->start);
    uv_mutex_destroy(&shared->trace_lock);
    CHECK(uv_loop_close(&run->loop) == 0);
}

/* One note a line. */
static void run_add_notes(struct summary *summary, struct str lines)
{
    struct str line;
    while (lines.len > 0) {
        (void)str_split(lines, '\n', &line, &lines);
        summary_note(summary, "%.*s", STR_ARG(line));
    }
}

bool run_load(const struct plan *plan, const struct run_events *events, struct summary **summary,
              struct sample_times **samples, uint64_t *sample_count, struct err *err)
{
    struct run run = {.interrupts = 0};
    judge_setup();
    if (!preflight_check(plan, &run.preflight, err) || !wire_set_up(plan, err)) {
        preflight_deinit(&run.preflight);
        return false;
    }
    if (!run_init(&run, plan, events, err)) {
        wire_tear_down(plan);
        preflight_deinit(&run.preflight);
        return false;
    }
    if (events->noted != NULL && run.preflight.notes.len > 0) {
        events->noted(events->context, &run.preflight.notes);
    }
    if (plan->save_failures_folder != NULL) {
        run.shared.failure_files = failure_files_new(plan, err);
    }
    const bool ready = plan->save_failures_folder == NULL || run.shared.failure_files != NULL ||
                       err_prefix(err, "--save-failures");
    const bool made = ready && run_make_workers(&run, err);
    if (!made) {
        atomic_store(&run.shared.called_off, true);
    } else if (events->started != NULL) {
        events->started(events->context);
    }
    const uint64_t wall_start_ns = clock_wall_ns();
    run_start_and_wait(&run);
    if (made) {
        *summary = results_summarise(&run.shared, run.interrupts, wall_start_ns);
        run_add_notes(*summary, buf_view(&run.preflight.notes));
        if (plan->keep_samples) {
            *samples = results_gather_samples(&run.shared, sample_count);
        }
    }
    run_deinit(&run);
    wire_tear_down(plan);
    preflight_deinit(&run.preflight);
    return made;
}
