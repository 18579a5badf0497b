/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run from the outside: preflight, an event loop for the main thread, stretches one after the
 * other (a warm-up, the steps, mostly just one), the summary. A stretch is stretch.c's, steps are
 * steps.c's, what the main thread does meanwhile is watch.c's. The trap: a report is never
 * lost, so interrupts are held before the books are closed.
 */
#include "lather/load/run.h"

#include <stdlib.h>

#include "lather/load/results.h"
#include "lather/load/run_parts.h"
#include "lather/load/steps.h"
#include "lather/load/stretch.h"
#include "lather/load/watch.h"
#include "lather/load/wire.h"
#include "lather/soap/bodies.h"
#include "lather/soap/judge.h"

static void run_on_ended(uv_async_t *ended)
{
    struct run *run = ended->data;
    if (atomic_load(&run->shared.running) == 0) {
        uv_stop(&run->loop);
    }
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
    CHECK(uv_timer_init(&run->loop, &run->start_timer) == 0);
    CHECK(uv_sem_init(&shared->start, 0) == 0);
    CHECK(uv_mutex_init(&shared->trace_lock) == 0);
    run->ended.data = run;
    run->start_timer.data = run;
    run->taken = check_calloc(plan->threads, sizeof *run->taken);
    shared->taken = run->taken;
    shared->bodies = bodies_new();
    watch_init(run);
    return true;
}

static void run_deinit(struct run *run)
{
    struct run_shared *shared = &run->shared;
    uv_close((uv_handle_t *)&run->ended, NULL);
    watch_deinit(run);
    uv_close((uv_handle_t *)&run->start_timer, NULL);
    (void)uv_run(&run->loop, UV_RUN_DEFAULT);
    free(shared->document_bytes);
    failure_files_free(shared->failure_files);
    free(run->taken);
    bodies_free(shared->bodies);
    uv_sem_destroy(&shared->start);
    uv_mutex_destroy(&shared->trace_lock);
    CHECK(uv_loop_close(&run->loop) == 0);
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
    warm.shape.grace_ns = stretch_grace_ns(plan);
    warm.keep_samples = false;
    run->before = (struct run_progress){.stretch = RUN_STRETCH_WARMUP};
    struct summary *summary = stretch_run(run, &warm, 0, err);
    stretch_free_workers(&run->shared);
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

static struct summary *run_all(struct run *run, const struct plan *plan, struct err *err)
{
    const struct plan_shape *shape = &plan->shape;
    struct summary_warmup warmup = {0};
    struct summary *summary;
    if ((shape->warmup_requests > 0 || shape->warmup_ns > 0) &&
        !run_warm_up(run, plan, &warmup, err)) {
        return NULL;
    }
    if (shape->step_count > 0) {
        summary = steps_run(run, plan, err);
    } else {
        run->before = (struct run_progress){.stretch = RUN_STRETCH_WHOLE};
        summary = stretch_measure(run, plan, shape->start_at_ns, err);
    }
    if (summary != NULL) {
        summary->warmup = warmup;
        summary->plan.grace_ns = shape->grace_ns;
        run->shared.plan = plan; /* a step has one of its own, which is gone */
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
        if (run.stop_cause != NULL) {
            summary_note(*summary, "The run was ended early: %s.", run.stop_cause);
        }
        *samples = run.samples;
    } else {
        sample_log_free(run.samples);
    }
    run_deinit(&run);
    wire_tear_down(plan);
    preflight_deinit(&run.preflight);
    return made;
}
