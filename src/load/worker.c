/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker from its making to its end: its thread, its loop, what it is made of. What happens in a
 * turn of the loop is worker_turn.c's, how it ends worker_end.c's, and what other threads have to
 * do with it while it runs worker_talk.c's. The trap: what needs memory is made before the start is
 * given, so that no worker begins later than the others.
 */
#include "lather/load/worker.h"

#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/load/wire.h"
#include "lather/load/worker_end.h"
#include "lather/load/worker_parts.h"
#include "lather/load/worker_talk.h"
#include "lather/load/worker_turn.h"

/* Bodies that may have to be saved are gathered whole up to this size. */
enum { WORKER_SAVED_BODY_CEILING = 8 * 1024 * 1024 };

/* What nobody looks into may be of any length: it is counted only. */
static uint64_t worker_body_ceiling(const struct worker *worker)
{
    const struct expect *expect = &worker->plan->expect; /* --max-answer is the run's */
    return recorder_wants_body(worker->recorder) || expect->limits_unread ? expect->max_answer_bytes
                                                                          : 0;
}

static void worker_init_transport(struct worker *worker)
{
    const struct plan *plan = worker->plan;
    const struct run_shared *shared = worker->shared;
    const bool traced = shared->events->trace != NULL && plan->verbosity >= 2;
    const struct transport_options options = {
        .loop = &worker->loop,
        .addresses = shared->addresses,
        .sources = shared->sources,
        .requests_per_connection = plan->requests_per_connection,
        .slots = worker->share.slots,
        .keep_alive = plan->keep_alive,
        .quickack = plan->quickack,
        .wants_body = recorder_wants_body(worker->recorder) || shared->failure_files != NULL,
        .body_ceiling = worker_body_ceiling(worker),
        .keep_lines = traced || shared->failure_files != NULL,
        .gather_ceiling =
            shared->failure_files != NULL ? WORKER_SAVED_BODY_CEILING : TRANSPORT_GATHER_CEILING,
        .answer_body = plan->messages[0].answer_has_no_body ? HTTP1_BODY_NONE : HTTP1_BODY_BY_HEAD,
        .window_bytes = plan->window_bytes,
        .timeout_ms = worker_ms(plan->timeout_ns),
        .connect_timeout_ms = worker_ms(plan->connect_timeout_ns),
        .events = {.done = traced ? worker_on_done_traced : worker_on_done,
                   .ready = worker_on_ready,
                   .stream = worker_on_stream,
                   .context = worker},
        .traffic = &worker->tally->traffic,
        .tls = shared->tls,
        .tls_facts = &worker->result.tls,
    };
    worker->transport = wire_new(plan, &options, shared->origin_addresses);
}

static void worker_init_pace(struct worker *worker)
{
    worker->pace = pace_new(&(struct pace_options){
        .plan = worker->plan,
        .loop = &worker->loop,
        .slots = worker->share.slots,
        .worker = worker->share.index,
        .workers = worker->share.workers,
        .requests = worker->share.requests,
        .go = worker_on_go,
        .parted = worker_on_parted,
        .context = worker,
    });
}

static void worker_init_requests(struct worker *worker)
{
    const struct run_shared *shared = worker->shared;
    worker->places = check_calloc(worker->share.slots, sizeof(*worker->places));
    worker->requests = requests_new(&(struct requests_options){
        .plan = worker->plan,
        .recorder = worker->recorder,
        .worker = worker->share.index,
        .workers = worker->share.workers,
        .slots = worker->share.slots,
        .taken = shared->taken[worker->share.index],
        .stretch = shared->stretch,
    });
}

static void worker_init_handles(struct worker *worker)
{
    (void)uv_prepare_init(&worker->loop, &worker->prepare);
    (void)uv_check_init(&worker->loop, &worker->check);
    (void)uv_idle_init(&worker->loop, &worker->idle);
    (void)uv_timer_init(&worker->loop, &worker->limit_timer);
    (void)uv_timer_init(&worker->loop, &worker->drain_timer);
    worker->prepare.data = worker;
    worker->check.data = worker;
    worker->limit_timer.data = worker;
    worker->drain_timer.data = worker;
    (void)uv_prepare_start(&worker->prepare, worker_on_prepare);
    (void)uv_check_start(&worker->check, worker_on_check);
}

/* With the closed pace all connections are started here, in the first turn of the loop. */
static void worker_start_load(struct worker *worker)
{
    uv_update_time(&worker->loop);
    if (worker->plan->time_limit_ns != 0) {
        const uint64_t end_ns = worker->shared->start_ns + worker->plan->time_limit_ns;
        const uint64_t now_ns = clock_now_ns();
        const uint64_t left_ns = end_ns > now_ns ? end_ns - now_ns : 0;
        (void)uv_timer_start(&worker->limit_timer, worker_on_limit, worker_timer_ms(left_ns), 0);
    }
    tally_begin(worker->tally, worker->shared->start_ns);
    worker->result.first_ns = clock_now_ns();
    worker->result.last_ns = worker->result.first_ns;
    recorder_start(worker->recorder, worker->shared->start_ns);
    pace_start(worker->pace, worker->shared->start_ns);
    if (worker->requests_left == 0) {
        worker_stir(worker); /* a share of none, or all of it begun at once */
    }
}

static void worker_run(void *argument)
{
    struct worker *worker = argument;
    struct run_shared *shared = worker->shared;
    platform_name_thread("lather-worker");
    worker_init_requests(worker);
    worker_init_transport(worker);
    worker_init_pace(worker);
    uv_sem_wait(&shared->start);
    const uint64_t cpu_start_ns = platform_thread_cpu_ns();
    worker_init_handles(worker);
    if (atomic_load(&shared->called_off)) {
        worker_halt(worker);
    } else {
        worker_start_load(worker);
    }
    (void)uv_run(&worker->loop, UV_RUN_DEFAULT);
    worker->result.cpu_ns = platform_thread_cpu_ns() - cpu_start_ns;
    worker->result.taken = requests_taken(worker->requests);
    if (atomic_fetch_sub(&shared->running, 1) == 1) {
        (void)uv_async_send(shared->ended);
    }
}

struct worker *worker_new(struct run_shared *shared, const struct worker_share *share)
{
    struct worker *worker = check_calloc(1, sizeof(*worker));
    worker->shared = shared;
    worker->plan = shared->plan;
    worker->share = *share;
    worker->requests_left = share->requests;
    worker->recorder = recorder_new(shared->plan, shared->document_bytes, shared->failure_files);
    worker->tally = recorder_tally(worker->recorder);
    worker->result.tally = worker->tally;
    worker->result.loop_lag = histogram_new();
    worker->second = span_new();
    CHECK(uv_mutex_init(&worker->second_lock) == 0);
    CHECK(uv_loop_init(&worker->loop) == 0);
    CHECK(uv_async_init(&worker->loop, &worker->wake, worker_on_wake) == 0);
    worker->wake.data = worker;
    if (uv_thread_create(&worker->thread, worker_run, worker) != 0) {
        uv_close((uv_handle_t *)&worker->wake, NULL);
        (void)uv_run(&worker->loop, UV_RUN_DEFAULT);
        (void)uv_loop_close(&worker->loop);
        recorder_free(worker->recorder);
        histogram_free(worker->result.loop_lag);
        span_free(worker->second);
        uv_mutex_destroy(&worker->second_lock);
        free(worker);
        return NULL;
    }
    return worker;
}

void worker_join(struct worker *worker)
{
    (void)uv_thread_join(&worker->thread);
    recorder_end(worker->recorder);
    worker->result.recorder = worker->recorder;
    worker->result.first = recorder_first(worker->recorder);
}

struct sample_log *worker_take_samples(struct worker *worker)
{
    return recorder_take_samples(worker->recorder);
}

const struct worker_result *worker_result(const struct worker *worker)
{
    return &worker->result;
}

void worker_free(struct worker *worker)
{
    if (worker == NULL) {
        return;
    }
    transport_free(worker->transport);
    pace_free(worker->pace);
    CHECK(uv_loop_close(&worker->loop) == 0);
    requests_free(worker->requests);
    free(worker->places);
    histogram_free(worker->result.loop_lag);
    span_free(worker->second);
    uv_mutex_destroy(&worker->second_lock);
    recorder_free(worker->recorder);
    free(worker);
}
