/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run from the outside: workers are made, started together, waited for, and what they measured is
 * added up in the order of their index. The main thread measures nothing; it listens for Ctrl-C and
 * for the live line's timer. The books are checked here, in release builds too: a report whose
 * figures do not add up says so and is not trusted.
 */
#include "lather/load/run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/load/preflight.h"
#include "lather/load/worker.h"
#include "lather/measure/diagnose.h"
#include "lather/soap/judge.h"

struct run {
    struct run_shared shared;
    struct preflight preflight;
    uv_loop_t loop;
    uv_async_t ended;
    uv_signal_t signals[2];
    uv_timer_t progress_timer;
    unsigned interrupts;
};

static void run_on_ended(uv_async_t *ended)
{
    struct run *run = ended->data;
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
    shared->bind_to = run->preflight.has_bind_to ? &run->preflight.bind_to : NULL;
    shared->ended = &run->ended;
    atomic_init(&shared->document_bytes, UINT64_MAX);
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
    const int numbers[2] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        CHECK(uv_signal_init(&run->loop, &run->signals[i]) == 0);
        run->signals[i].data = run;
        (void)uv_signal_start(&run->signals[i], run_on_signal, numbers[i]);
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

/* --- the books ------------------------------------------------------------------------------ */

static void run_copy_plan(struct summary_plan *copy, const struct plan *plan)
{
    struct buf url;
    buf_init(&url);
    buf_printf(&url, "%s://%s%s", url_scheme_name(plan->target.scheme), plan->target.authority,
               plan->target.path);
    summary_set_text(&copy->url, buf_view(&url));
    buf_deinit(&url);
    summary_set_text(&copy->method, str_from(plan->method));
    summary_set_text(&copy->host, str_from(plan->target.host));
    summary_set_text(&copy->path, str_from(plan->target.path));
    summary_set_text(&copy->content_type, str_from(plan->message.content_type));
    summary_set_text(&copy->soap_version, str_from(soap_version_name(plan->message.soap_version)));
    summary_set_text(&copy->soap_action, str_from(plan->message.soap_action));
    summary_set_text(&copy->validate, str_from(validate_name(plan->expect.validate)));
    copy->port = plan->target.port;
    copy->keep_alive = plan->keep_alive;
    copy->has_body = plan->message.has_body;
    copy->one_way = plan->expect.one_way;
    copy->quickack = plan->quickack;
    copy->same_length = plan->same_length;
    copy->any_length = plan->any_length;
    copy->requests = plan->requests;
    copy->time_limit_ns = plan->time_limit_ns;
    copy->concurrency = plan->concurrency;
    copy->threads = plan->threads;
    copy->timeout_ns = plan->timeout_ns;
    copy->connect_timeout_ns = plan->connect_timeout_ns;
    copy->body_bytes = plan->message.body_bytes;
    copy->seed = plan->seed;
}

/* The run's first answer is the earliest of its workers' first answers. */
static void run_add_first_answer(struct summary *summary, const struct worker_result *result,
                                 uint64_t *earliest_ns)
{
    const struct recorder_first *first = result->first;
    if (!first->answered || first->end_ns >= *earliest_ns) {
        return;
    }
    *earliest_ns = first->end_ns;
    free(summary->server_software);
    summary->server_software = str_dup(str_from(first->server_software));
    summary->document_known = true;
    summary->document_bytes = first->body_bytes;
}

static void run_add_results(struct run *run, struct summary *summary)
{
    struct run_shared *shared = &run->shared;
    struct summary_health *health = &summary->health;
    uint64_t first_answer_ns = UINT64_MAX;
    uint64_t last_ns = shared->start_ns;
    uint64_t tail_ns = UINT64_MAX;
    health->workers = check_calloc(shared->worker_count, sizeof(*health->workers));
    health->worker_count = shared->worker_count;
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        const struct worker_result *result = worker_result(shared->workers[i]);
        tally_merge(summary->tally, result->tally);
        histogram_merge(health->loop_lag, result->loop_lag);
        health->in_flight_peak += result->in_flight_peak;
        health->workers[i] = (struct summary_worker){
            .requests = result->tally->finished,
            .cpu_ns = result->cpu_ns,
            .wall_ns = result->last_ns - result->first_ns,
        };
        run_add_first_answer(summary, result, &first_answer_ns);
        if (result->last_ns > last_ns) {
            last_ns = result->last_ns;
        }
        if (result->tail_start_ns != 0 && result->tail_start_ns < tail_ns) {
            tail_ns = result->tail_start_ns;
        }
        if (result->time_limit_reached && summary->end == RUN_END_DONE) {
            summary->end = RUN_END_TIME;
        }
    }
    summary->duration_ns = last_ns - shared->start_ns;
    health->tail_ns = tail_ns < last_ns ? last_ns - tail_ns : 0;
}

static struct summary *run_summarise(struct run *run, uint64_t wall_start_ns)
{
    const struct run_shared *shared = &run->shared;
    struct summary *summary = summary_new();
    run_copy_plan(&summary->plan, shared->plan);
    summary->wall_start_ns = wall_start_ns;
    run_add_results(run, summary);
    if (run->interrupts > 0) {
        summary->end = RUN_END_INTERRUPTED;
    } else if (atomic_load(&shared->unreachable)) {
        summary->end = RUN_END_UNREACHABLE;
    }
    const uint64_t good_bytes = atomic_load(&shared->document_bytes);
    if (good_bytes != UINT64_MAX) {
        summary->document_bytes = good_bytes;
    }
    if (shared->plan->requests > summary->tally->started) {
        summary->not_started = shared->plan->requests - summary->tally->started;
    }
    struct summary_health *health = &summary->health;
    health->process_cpu_ns = platform_process_cpu_ns();
    health->peak_memory_bytes = platform_peak_memory_bytes();
    health->ephemeral_ports = platform_ephemeral_port_count();
    health->listen_backlog_limit = platform_listen_backlog_limit();
    return summary;
}

static int run_compare_samples(const void *left, const void *right)
{
    const struct sample_times *a = left;
    const struct sample_times *b = right;
    return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* All workers' samples in order of start. */
static struct sample_times *run_gather_samples(struct run *run, uint64_t *count)
{
    const struct run_shared *shared = &run->shared;
    uint64_t total = 0;
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        total += worker_result(shared->workers[i])->sample_count;
    }
    struct sample_times *samples = check_malloc((total + 1) * sizeof(*samples));
    *count = 0;
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        const struct worker_result *result = worker_result(shared->workers[i]);
        if (result->sample_count > 0) {
            memcpy(samples + *count, result->samples, result->sample_count * sizeof(*samples));
            *count += result->sample_count;
        }
    }
    for (uint64_t i = 0; i < total; i++) {
        samples[i].start_ns -= shared->start_ns;
    }
    qsort(samples, total, sizeof(*samples), run_compare_samples);
    return samples;
}

static void run_deinit(struct run *run)
{
    struct run_shared *shared = &run->shared;
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_free(shared->workers[i]);
    }
    free(shared->workers);
    uv_sem_destroy(&shared->start);
    uv_mutex_destroy(&shared->trace_lock);
    CHECK(uv_loop_close(&run->loop) == 0);
}

bool run_load(const struct plan *plan, const struct run_events *events, struct summary **summary,
              struct sample_times **samples, uint64_t *sample_count, struct err *err)
{
    struct run run = {.interrupts = 0};
    judge_setup();
    if (!preflight_check(plan, &run.preflight, err) || !run_init(&run, plan, events, err)) {
        return false;
    }
    const bool made = run_make_workers(&run, err);
    if (!made) {
        atomic_store(&run.shared.called_off, true);
    } else if (events->started != NULL) {
        events->started(events->context);
    }
    const uint64_t wall_start_ns = clock_wall_ns();
    run_start_and_wait(&run);
    if (made) {
        *summary = run_summarise(&run, wall_start_ns);
        diagnose_add_notes(*summary);
        if (plan->keep_samples) {
            *samples = run_gather_samples(&run, sample_count);
        }
        struct err imbalance;
        if (!tally_check((*summary)->tally, &imbalance)) {
            (*summary)->unbalanced = true;
            summary_note(*summary, "DO NOT TRUST THIS REPORT: its books do not balance (%s)",
                         imbalance.text);
        }
    }
    run_deinit(&run);
    return made;
}
