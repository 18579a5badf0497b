/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of one request: a slot is ready, an exchange goes out; it is done, the slot's other
 * exchange goes out; then, after a poll, the first one's answer is judged and counted. Measuring
 * comes first: what a loop turn found readable is read, stamped and answered by the next request
 * before any answer is looked at, and answers are judged one at a time with a poll between.
 * The trap: a worker never ends inside a callback of the transport, only from worker_on_check or
 * from its own timers and wake-ups.
 */
#include "lather/load/worker.h"

#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/load/pace.h"
#include "lather/load/requests.h"
#include "lather/load/wire.h"

struct worker {
    struct run_shared *shared;
    const struct plan *plan;
    struct worker_share share;
    uv_thread_t thread;
    uv_loop_t loop;
    uv_async_t wake;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_idle_t idle;         /* running: the next poll does not wait */
    uv_timer_t limit_timer; /* --time */
    uv_timer_t drain_timer;
    struct transport *transport;
    struct pace *pace;
    struct recorder *recorder;
    struct tally *tally; /* the recorder's */
    struct requests *requests;
    struct recorder_place *places; /* one a slot */
    uint64_t requests_left;
    uint32_t busy;      /* slots that were sent on and are not ready again */
    uint32_t in_flight; /* exchanges with the transport */
    bool connected;     /* this worker has told that a connection was established */
    bool tls_traced;
    bool draining;
    bool paused; /* the pace has stopped */
    bool halted;
    struct worker_result result;
    atomic_int command;
    atomic_bool second_asked; /* the live line wants the last second */
    uv_mutex_t second_lock;   /* for the next three */
    bool is_deaf;             /* its wake-up is closed: nobody may send to it any more */
    struct span *second;
    uint64_t second_backlog;
    atomic_uint_least64_t seen_finished; /* copies for the live line */
    atomic_uint_least64_t seen_failed;
    atomic_uint_least64_t seen_in_flight;
};

/* --- the transport's events ----------------------------------------------------------------- */

static void worker_halt(struct worker *worker);

static void worker_on_idle(uv_idle_t *idle)
{
    (void)idle;
}

/* Makes the next poll return at once, so that worker_on_check runs. */
static void worker_stir(struct worker *worker)
{
    (void)uv_idle_start(&worker->idle, worker_on_idle);
}

/* A worker may have ended: what is closed must not be sent to. */
static void worker_wake(struct worker *worker)
{
    uv_mutex_lock(&worker->second_lock);
    if (!worker->is_deaf) {
        (void)uv_async_send(&worker->wake);
    }
    uv_mutex_unlock(&worker->second_lock);
}

static void worker_wake_all(struct run_shared *shared)
{
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        worker_wake(shared->workers[i]);
    }
}

/* Nothing has ever answered here and as many connects failed as were tried at once: no use to go
 * on. */
static void worker_note_unconnected(struct worker *worker)
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

/* Once in a run, by the first worker. */
static void worker_trace_tls(struct worker *worker)
{
    const struct run_events *events = worker->shared->events;
    if (worker->share.index > 0 || worker->tls_traced || worker->result.tls.protocol[0] == '\0') {
        return;
    }
    struct buf lines;
    buf_init(&lines);
    tls_facts_format(&worker->result.tls, &lines);
    events->trace(events->context, RUN_TRACE_TLS, buf_view(&lines));
    buf_deinit(&lines);
    worker->tls_traced = true;
}

static void worker_trace(struct worker *worker, const struct exchange *exchange)
{
    struct run_shared *shared = worker->shared;
    struct buf request;
    buf_init(&request);
    for (size_t i = 0; i < exchange->piece_count; i++) {
        buf_append_str(&request, exchange->pieces[i]);
    }
    const size_t head_end = str_find(buf_view(&request), STR("\r\n\r\n"));
    uv_mutex_lock(&shared->trace_lock);
    worker_trace_tls(worker);
    shared->events->trace(shared->events->context, RUN_TRACE_SENT,
                          str_slice(buf_view(&request), 0, head_end + 4));
    if (exchange->answer.lines.len > 0) {
        shared->events->trace(shared->events->context, RUN_TRACE_RECEIVED,
                              buf_view(&exchange->answer.lines));
    }
    if (shared->events->ended != NULL) {
        shared->events->ended(shared->events->context, exchange);
    }
    uv_mutex_unlock(&shared->trace_lock);
    buf_deinit(&request);
}

static void worker_see(atomic_uint_least64_t *copy, uint64_t value)
{
    atomic_store_explicit(copy, value, memory_order_relaxed);
}

static void worker_on_done(void *context, uint32_t index, struct exchange *exchange)
{
    struct worker *worker = context;
    worker->in_flight--;
    worker->result.last_ns = exchange->end_ns;
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

static void worker_on_done_traced(void *context, uint32_t index, struct exchange *exchange)
{
    worker_trace(context, exchange);
    worker_on_done(context, index, exchange);
}

static void worker_on_stream(void *context, struct exchange *exchange, struct str bytes)
{
    recorder_stream(((struct worker *)context)->recorder, exchange, bytes);
}

static bool worker_may_send(const struct worker *worker)
{
    return worker->requests_left > 0 && !worker->draining && !worker->halted;
}

/* The pace says that this slot sends now. */
static void worker_on_go(void *context, uint32_t index, uint64_t due_ns)
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

static void worker_on_parted(void *context, uint32_t index)
{
    transport_part(((struct worker *)context)->transport, index);
}

static void worker_on_ready(void *context, uint32_t index)
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

/* Before a poll: how long this turn kept the loop from seeing what arrived meanwhile. */
static void worker_on_prepare(uv_prepare_t *prepare)
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

/* After a poll: one verdict, then the next poll. */
static void worker_on_check(uv_check_t *check)
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

/* The end: what is in flight is cut, what is unjudged is judged, every handle closes. */
static void worker_halt(struct worker *worker)
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
    uv_mutex_lock(&worker->second_lock);
    worker->is_deaf = true;
    uv_close((uv_handle_t *)&worker->wake, NULL);
    uv_mutex_unlock(&worker->second_lock);
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

/* Rounded up: a limit is never early. */
static uint64_t worker_ms(uint64_t ns)
{
    return (ns + NS_PER_MS - 1) / NS_PER_MS;
}

/* For a timer: the loop's clock has lost up to a millisecond by being cut off to whole ones. */
static uint64_t worker_timer_ms(uint64_t ns)
{
    return worker_ms(ns) + 1;
}

/* Nothing new from here on; what is in flight may still be answered. */
static void worker_drain(struct worker *worker, uint64_t most_ns)
{
    worker->draining = true;
    worker_stop_pace(worker);
    worker_stir(worker);
    (void)uv_timer_start(&worker->drain_timer, worker_on_drain_over, worker_timer_ms(most_ns), 0);
}

static void worker_on_limit(uv_timer_t *timer)
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

static void worker_on_wake(uv_async_t *wake)
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

/* --- from other threads --------------------------------------------------------------------- */

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
