/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run from the outside: stretches one after the other (a warm-up, the steps, mostly just one), in
 * each of which workers are made, started together, and waited for. The main thread measures
 * nothing; it listens for Ctrl-C and for the live line's timer. The trap: the handles of its loop
 * outlive a stretch, so a stretch's end only stops the loop.
 */
#include "lather/load/run.h"

#include <stdlib.h>
#include <uv.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/load/preflight.h"
#include "lather/load/rate_search.h"
#include "lather/load/results.h"
#include "lather/load/step_verdict.h"
#include "lather/load/wire.h"
#include "lather/load/worker.h"
#include "lather/load/worker_talk.h"
#include "lather/measure/merge.h"
#include "lather/soap/bodies.h"
#include "lather/soap/judge.h"

struct run {
    struct run_shared shared;
    struct preflight preflight;
    uv_loop_t loop;
    uv_async_t ended;
    uv_signal_t signals[PLATFORM_STOP_SIGNALS];
    uv_timer_t progress_timer;
    uv_timer_t start_timer; /* --start-at */
    unsigned interrupts;
    uint64_t begun_ns;            /* the first stretch began */
    struct template_taken *taken; /* by worker: in all stretches so far */
    bool is_told;                 /* run_events.started was called */
    uint64_t asked_ns;            /* when workers were asked for their last second */
    struct span *second;          /* what they told */
    struct run_progress before;   /* what the stretches before this one add to what is seen */
    struct sample_log *samples;   /* -g: of all stretches so far; NULL before the first */
};

static void run_on_ended(uv_async_t *ended)
{
    struct run *run = ended->data;
    if (atomic_load(&run->shared.running) == 0) {
        uv_stop(&run->loop);
    }
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
    if (uv_is_active((uv_handle_t *)&run->start_timer)) {
        uv_stop(&run->loop); /* nothing has begun yet */
    }
}

/* What workers told of their last second since they were asked; then they are asked again. */
static void run_add_second(struct run *run, struct run_progress *progress)
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

static void run_on_progress(uv_timer_t *timer)
{
    struct run *run = timer->data;
    const struct run_events *events = run->shared.events;
    struct run_progress progress = run->before;
    progress.elapsed_ns = clock_now_ns() - run->begun_ns;
    progress.stopping = run->interrupts > 0;
    for (uint32_t i = 0; i < run->shared.worker_count; i++) {
        worker_add_progress(run->shared.workers[i], &progress);
    }
    run_add_second(run, &progress);
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
    int error = uv_loop_init(&run->loop);
    if (error != 0) {
        return err_set(err, ERR_LIMIT, "cannot start an event loop: %s", uv_strerror(error));
    }
    CHECK(uv_async_init(&run->loop, &run->ended, run_on_ended) == 0);
    CHECK(uv_timer_init(&run->loop, &run->progress_timer) == 0);
    CHECK(uv_timer_init(&run->loop, &run->start_timer) == 0);
    CHECK(uv_sem_init(&shared->start, 0) == 0);
    CHECK(uv_mutex_init(&shared->trace_lock) == 0);
    run->ended.data = run;
    run->progress_timer.data = run;
    run->start_timer.data = run;
    run->second = span_new();
    run->taken = check_calloc(plan->threads, sizeof *run->taken);
    shared->taken = run->taken;
    shared->bodies = bodies_new();
    for (int i = 0; i < PLATFORM_STOP_SIGNALS; i++) {
        CHECK(uv_signal_init(&run->loop, &run->signals[i]) == 0);
        run->signals[i].data = run;
        /* Shells start what they put behind with Ctrl-C ignored; that one is always taken. */
        if (i == 0 || !platform_signal_is_ignored(platform_stop_signals[i])) {
            (void)uv_signal_start(&run->signals[i], run_on_signal, platform_stop_signals[i]);
        }
    }
    return true;
}

/* total split into `parts`: the first ones get one more. */
static uint64_t run_share_of(uint64_t total, uint32_t parts, uint32_t index)
{
    return total / parts + (index < total % parts ? 1 : 0);
}

/* Sessions are dealt out whole. */
static uint64_t run_requests_of(const struct plan *plan, uint32_t index)
{
    if (plan->requests == 0) {
        return UINT64_MAX;
    }
    const uint64_t grain = plan->sessions.count > 0 ? plan->sessions.calls : 1;
    return grain * run_share_of(plan->requests / grain, plan->threads, index);
}

static bool run_make_workers(struct run *run, struct err *err)
{
    struct run_shared *shared = &run->shared;
    const struct plan *plan = shared->plan;
    shared->worker_count = 0;
    shared->workers = check_calloc(plan->threads, sizeof(*shared->workers));
    for (uint32_t i = 0; i < plan->threads; i++) {
        const struct worker_share share = {
            .index = i,
            .workers = plan->threads,
            .slots = (uint32_t)run_share_of(plan->concurrency, plan->threads, i),
            .requests = run_requests_of(plan, i),
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

static void run_on_start_time(uv_timer_t *timer)
{
    uv_stop(timer->loop);
}

/*
 * Waits until the wall clock, which may be set meanwhile, shows this moment, or for an interrupt.
 * A timer counts milliseconds; the last two of them are waited for by looking.
 */
static void run_wait_until(struct run *run, uint64_t wall_ns)
{
    enum { LOOKED_AT_MS = 2, LONGEST_MS = 1000 };
    while (run->interrupts == 0) {
        const uint64_t now_ns = clock_wall_ns();
        if (now_ns >= wall_ns) {
            return;
        }
        const uint64_t left_ms = (wall_ns - now_ns) / NS_PER_MS;
        if (left_ms > LOOKED_AT_MS) {
            const uint64_t wait_ms = left_ms - LOOKED_AT_MS;
            uv_update_time(&run->loop);
            (void)uv_timer_start(&run->start_timer, run_on_start_time,
                                 wait_ms < LONGEST_MS ? wait_ms : LONGEST_MS, 0);
            (void)uv_run(&run->loop, UV_RUN_DEFAULT);
            (void)uv_timer_stop(&run->start_timer);
        }
    }
}

/* Lets the workers go, all at once, and waits for the last. */
static void run_start_and_wait(struct run *run)
{
    struct run_shared *shared = &run->shared;
    const struct run_events *events = shared->events;
    shared->start_ns = clock_now_ns();
    run->begun_ns = run->begun_ns == 0 ? shared->start_ns : run->begun_ns;
    atomic_store(&shared->running, shared->worker_count);
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        uv_sem_post(&shared->start);
    }
    if (events->progress != NULL && events->interval_ms != 0) {
        (void)uv_timer_start(&run->progress_timer, run_on_progress, events->interval_ms,
                             events->interval_ms);
    }
    while (atomic_load(&shared->running) > 0) {
        (void)uv_run(&run->loop, UV_RUN_DEFAULT);
    }
    (void)uv_timer_stop(&run->progress_timer);
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_join(shared->workers[i]);
    }
}

static void run_free_workers(struct run_shared *shared)
{
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_free(shared->workers[i]);
    }
    free(shared->workers);
    shared->workers = NULL;
    shared->worker_count = 0;
}

static void run_reset_shared(struct run_shared *shared, const struct plan *plan)
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

/*
 * One stretch by a plan of its own, begun at a moment of the wall clock (0: at once); its summary,
 * or NULL when its threads could not be made. After an interrupt nothing is sent any more.
 */
static struct summary *run_stretch(struct run *run, const struct plan *plan, uint64_t start_at_ns,
                                   struct err *err)
{
    struct run_shared *shared = &run->shared;
    const struct run_events *events = shared->events;
    run_reset_shared(shared, plan);
    const bool is_made = run_make_workers(run, err);
    if (is_made && events->started != NULL && !run->is_told) {
        events->started(events->context);
        run->is_told = true;
    }
    if (is_made) {
        run_wait_until(run, start_at_ns);
    }
    if (!is_made || run->interrupts > 0) {
        atomic_store(&shared->called_off, true);
    }
    const uint64_t wall_start_ns = clock_wall_ns();
    run_start_and_wait(run);
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

static void run_deinit(struct run *run)
{
    struct run_shared *shared = &run->shared;
    uv_close((uv_handle_t *)&run->ended, NULL);
    for (int i = 0; i < PLATFORM_STOP_SIGNALS; i++) {
        uv_close((uv_handle_t *)&run->signals[i], NULL);
    }
    uv_close((uv_handle_t *)&run->progress_timer, NULL);
    uv_close((uv_handle_t *)&run->start_timer, NULL);
    (void)uv_run(&run->loop, UV_RUN_DEFAULT);
    free(shared->document_bytes);
    failure_files_free(shared->failure_files);
    free(run->taken);
    bodies_free(shared->bodies);
    span_free(run->second);
    uv_sem_destroy(&shared->start);
    uv_mutex_destroy(&shared->trace_lock);
    CHECK(uv_loop_close(&run->loop) == 0);
}

/* --- stretches ------------------------------------------------------------------------------- */

/* What is in flight at the end of a stretch must not run into the next, unless it was asked for. */
static uint64_t grace_between(const struct plan *plan)
{
    return plan->shape.has_grace ? plan->shape.grace_ns : plan->timeout_ns;
}

/*
 * The requests before those that count. They end by themselves, so that the server is idle when the
 * figures begin.
 */
static bool run_warm_up(struct run *run, const struct plan *plan, struct summary_warmup *warmup,
                        struct err *err)
{
    struct plan warm = *plan;
    warm.requests = plan->shape.warmup_requests;
    warm.time_limit_ns = plan->shape.warmup_ns;
    warm.shape.grace_ns = grace_between(plan);
    warm.keep_samples = false;
    run->before = (struct run_progress){.stretch = RUN_STRETCH_WARMUP};
    struct summary *summary = run_stretch(run, &warm, 0, err);
    run_free_workers(&run->shared);
    bodies_free(run->shared.bodies); /* no figure counts them */
    run->shared.bodies = bodies_new();
    if (summary == NULL) {
        return false;
    }
    const struct tally *tally = summary->tally;
    *warmup = (struct summary_warmup){
        .finished = tally->finished,
        .failed = tally_failed(tally),
        .cut = tally->outcomes[OUTCOME_CUT],
        .requests_sent_whole = tally->traffic.requests_sent_whole,
        .requests_sent_again = tally->traffic.requests_sent_again,
        .requests_lost_maybe = tally->traffic.requests_lost_maybe,
        .auth_legs = tally->traffic.auth_legs,
        .connections_opened = tally->traffic.connections_opened,
        .bytes_sent = tally->traffic.bytes_sent,
        .bytes_received = tally->traffic.bytes_received,
        .duration_ns = summary->duration_ns,
    };
    summary_free(summary);
    return true;
}

/* The first worker's log takes in those of all the others. */
static void run_take_samples(struct run *run, struct summary *summary)
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

/* A measured stretch: its samples are kept and its workers gone when it returns. */
static struct summary *run_measure(struct run *run, const struct plan *plan, uint64_t start_at_ns,
                                   uint64_t *first_start_ns, struct err *err)
{
    struct summary *summary = run_stretch(run, plan, start_at_ns, err);
    if (*first_start_ns == 0) {
        *first_start_ns = run->shared.start_ns;
    }
    if (summary != NULL && plan->keep_samples) {
        run_take_samples(run, summary);
    }
    run_free_workers(&run->shared);
    return summary;
}

/* What has been done is seen as done while the next step is under way. */
static void run_count_step(struct run *run, const struct summary *summary)
{
    run->before.finished += summary->tally->finished;
    run->before.failed += tally_failed(summary->tally);
}

static bool run_add_step(struct summary *total, const struct summary *stretch,
                         const char *find_rate, uint64_t offset_ns)
{
    struct summary_step step;
    struct buf verdict;
    buf_init(&verdict);
    step_verdict_of(stretch, find_rate, offset_ns, &verdict, &step);
    const bool is_added = summary_add_step(total, &step);
    CHECK(is_added);
    buf_deinit(&verdict);
    return step.held;
}

/* What all steps together have no figure for. */
static void run_finish_steps(struct summary *total, const struct rate_search *search)
{
    total->plan.rate_micro_per_s = 0;
    total->achieved_micro_per_s = 0;
    total->backlog_peak = 0;
    total->backlog_end = 0;
    total->lateness_ns = 0;
    if (total->end == RUN_END_TIME) {
        total->end = RUN_END_DONE;
    }
    if (search->kind == RATE_SEARCH_HIGHEST && total->end == RUN_END_DONE) {
        total->found_micro_per_s = search->held;
    }
}

static struct summary *run_steps(struct run *run, const struct plan *plan, struct err *err)
{
    const struct plan_shape *shape = &plan->shape;
    const char *find_rate = shape->find_rate != NULL ? shape->find_rate : "";
    struct summary *total = NULL;
    struct rate_search search;
    struct plan step = *plan;
    uint64_t first_start_ns = 0;
    step.shape.grace_ns = grace_between(plan);
    rate_search_init(&search, find_rate[0] != '\0' ? RATE_SEARCH_HIGHEST : RATE_SEARCH_LIST,
                     shape->step_rates, shape->step_count);
    run->before = (struct run_progress){.stretch = RUN_STRETCH_STEP};
    while (rate_search_next(&search, &step.rate_micro_per_s)) {
        run->before.step = search.tried;
        run->before.rate_micro_per_s = step.rate_micro_per_s;
        struct summary *summary =
            run_measure(run, &step, total == NULL ? shape->start_at_ns : 0, &first_start_ns, err);
        if (summary == NULL) {
            summary_free(total);
            return NULL;
        }
        const uint64_t offset_ns = run->shared.start_ns - first_start_ns;
        const bool is_last = summary->end != RUN_END_TIME;
        run_count_step(run, summary);
        struct summary *into = total == NULL ? summary : total;
        const bool held = run_add_step(into, summary, find_rate, offset_ns);
        rate_search_note(&search, held ? RATE_SEARCH_HELD : RATE_SEARCH_FAILED);
        if (total == NULL) {
            total = summary;
        } else {
            merge_stretch(total, summary, offset_ns);
            summary_free(summary);
        }
        if (is_last) {
            break;
        }
    }
    run_finish_steps(total, &search);
    return total;
}

static struct summary *run_all(struct run *run, const struct plan *plan, struct err *err)
{
    const struct plan_shape *shape = &plan->shape;
    struct summary_warmup warmup = {0};
    struct summary *summary;
    uint64_t first_start_ns = 0;
    if ((shape->warmup_requests > 0 || shape->warmup_ns > 0) &&
        !run_warm_up(run, plan, &warmup, err)) {
        return NULL;
    }
    if (shape->step_count > 0) {
        summary = run_steps(run, plan, err);
    } else {
        run->before = (struct run_progress){.stretch = RUN_STRETCH_WHOLE};
        summary = run_measure(run, plan, shape->start_at_ns, &first_start_ns, err);
    }
    if (summary != NULL) {
        summary->warmup = warmup;
        summary->plan.grace_ns = shape->grace_ns;
        results_conclude(&run->shared, summary);
    }
    return summary;
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
              struct sample_log **samples, struct err *err)
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
    if (plan->save_failures_folder == NULL || run.shared.failure_files != NULL ||
        err_prefix(err, "--save-failures")) {
        *summary = run_all(&run, plan, err);
    } else {
        *summary = NULL;
    }
    /* There is nothing left to interrupt but the report, which is never lost. */
    platform_hold_interrupts();
    const bool made = *summary != NULL;
    if (made) {
        (*summary)->name_lookup_ns = run.preflight.name_lookup_ns;
        run_add_notes(*summary, buf_view(&run.preflight.notes));
        *samples = run.samples;
    } else {
        sample_log_free(run.samples);
    }
    run_deinit(&run);
    wire_tear_down(plan);
    preflight_deinit(&run.preflight);
    return made;
}
