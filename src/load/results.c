/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the workers' results to one summary. Only here do figures of different workers meet: what is
 * a sum is added, of firsts the earliest is taken and of lasts the latest. The books are checked
 * here, in release builds too: a report whose figures do not add up says so and is not trusted.
 */
#include "lather/load/results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/measure/diagnose.h"
#include "lather/soap/bodies.h"
#include "lather/soap/hint.h"

static void results_copy_way(struct summary_plan *copy, const struct way *way)
{
    summary_set_text(&copy->transport, str_from(way_transport_name(way->transport)));
    summary_set_text(&copy->auth_scheme, str_from(auth_scheme_name(way->auth)));
    if (way->proxy.kind != PROXY_KIND_NONE) {
        struct buf proxy;
        buf_init(&proxy);
        proxy_format(&way->proxy, &proxy);
        summary_set_text(&copy->proxy, buf_view(&proxy));
        buf_deinit(&proxy);
    }
}

static bool results_has_body(const struct plan *plan)
{
    for (size_t i = 0; i < plan->message_count; i++) {
        if (plan->messages[i].has_body) {
            return true;
        }
    }
    return false;
}

static void results_copy_plan(struct summary_plan *copy, const struct plan *plan)
{
    const struct plan_message *first = &plan->messages[0];
    struct buf url;
    buf_init(&url);
    buf_printf(&url, "%s://%s%s", url_scheme_name(plan->target.scheme), plan->target.authority,
               plan->target.path);
    summary_set_text(&copy->url, buf_view(&url));
    buf_deinit(&url);
    summary_set_text(&copy->method, str_from(first->method));
    summary_set_text(&copy->host, str_from(plan->target.host));
    summary_set_text(&copy->path, str_from(plan->target.path));
    summary_set_text(&copy->content_type, str_from(first->content_type));
    summary_set_text(&copy->soap_version, str_from(soap_version_name(first->soap_version)));
    summary_set_text(&copy->soap_action, str_from(first->soap_action));
    summary_set_text(&copy->validate, str_from(validate_name(first->expect->validate)));
    results_copy_way(copy, &plan->way);
    copy->port = plan->target.port;
    copy->keep_alive = plan->keep_alive;
    copy->has_body = results_has_body(plan);
    copy->one_way = first->expect->one_way;
    copy->quickack = plan->quickack;
    copy->same_length = plan->same_length;
    copy->any_length = plan->any_length;
    copy->requests = plan->requests;
    copy->time_limit_ns = plan->time_limit_ns;
    copy->rate_micro_per_s = plan->rate_micro_per_s;
    copy->poisson = plan->arrivals == PLAN_ARRIVALS_POISSON;
    copy->think_min_ns = plan->think_min_ns;
    copy->think_max_ns = plan->think_max_ns;
    copy->sessions = plan->sessions.count;
    copy->session_calls = plan->sessions.calls;
    copy->session_burst = plan->sessions.burst;
    copy->session_think_ns = plan->sessions.think_ns;
    copy->concurrency = plan->concurrency;
    copy->threads = plan->threads;
    copy->timeout_ns = plan->timeout_ns;
    copy->connect_timeout_ns = plan->connect_timeout_ns;
    copy->body_bytes = first->body_bytes;
    copy->seed = plan->seed;
    copy->warmup_requests = plan->shape.warmup_requests;
    copy->warmup_ns = plan->shape.warmup_ns;
    copy->start_at_ns = plan->shape.start_at_ns;
    copy->step_ns = plan->shape.step_ns;
    summary_set_text(&copy->find_rate, str_from(plan->shape.find_rate));
}

/*
 * How fast an open loop was: n sendings have n - 1 distances between them. When requests were due
 * and unsent at the end, the last distance had not ended by then, and the time up to the end
 * counts.
 */
static uint64_t results_achieved(const struct run_shared *shared, const struct summary *summary,
                                 uint64_t end_ns)
{
    const uint64_t started = summary->tally->started;
    uint64_t first_ns = UINT64_MAX;
    uint64_t last_ns = 0;
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        const struct worker_result *result = worker_result(shared->workers[i]);
        if (result->first_due_ns != 0) {
            first_ns = result->first_due_ns < first_ns ? result->first_due_ns : first_ns;
            last_ns = result->last_sent_ns > last_ns ? result->last_sent_ns : last_ns;
        }
    }
    const bool is_behind = summary->backlog_end > 0;
    const uint64_t distances = is_behind ? started : started - (started > 0);
    const uint64_t until_ns = is_behind ? end_ns : last_ns;
    return distances == 0 || until_ns <= first_ns
               ? 0
               : (uint64_t)((double)distances * 1e6 * (double)NS_PER_S /
                            (double)(until_ns - first_ns));
}

/* The run's first answer is the earliest of its workers' first answers. */
static void results_add_first_answer(struct summary *summary, const struct worker_result *result,
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
    summary->server_date_s = first->server_date_s;
}

static bool results_has_handshake(const struct worker_result *result)
{
    return result->tally->traffic.tls_full + result->tally->traffic.tls_resumed > 0;
}

/* What was agreed on, by the first worker that got so far: the server is the same for all. */
static void results_add_tls(const struct run_shared *shared, struct summary *summary)
{
    const struct tls_context *context = shared->tls;
    struct summary_tls *tls = &summary->tls;
    if (context == NULL) {
        return;
    }
    tls->used = true;
    tls->verified = tls_context_verifies(context);
    tls->resumes = tls_context_resumes(context);
    tls->client_certificate = tls_context_has_certificate(context);
    summary_set_text(&tls->server_name, str_from(tls_context_server_name(context)));
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        const struct worker_result *result = worker_result(shared->workers[i]);
        if (results_has_handshake(result)) {
            tls->key_bits = result->tls.key_bits;
            tls->cipher_bits = result->tls.cipher_bits;
            summary_set_text(&tls->protocol, str_from(result->tls.protocol));
            summary_set_text(&tls->cipher, str_from(result->tls.cipher));
            summary_set_text(&tls->temp_key, str_from(result->tls.temp_key));
            summary_set_text(&tls->subject, str_from(result->tls.subject));
            summary_set_text(&tls->issuer, str_from(result->tls.issuer));
            return;
        }
    }
}

/*
 * Workers may end by different things, and in any order. Time ends all that are still at it, so it
 * ended the run, whoever had come to the end of its rows before.
 */
static void results_set_end(const struct run_shared *shared, struct summary *summary)
{
    uint32_t by_time = 0;
    uint32_t by_rows = 0;
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        const struct worker_result *result = worker_result(shared->workers[i]);
        by_time += result->time_limit_reached;
        by_rows += result->rows_ended && !result->time_limit_reached;
    }
    if (by_time > 0) {
        summary->end = RUN_END_TIME;
    } else if (by_rows > 0) {
        summary->end = RUN_END_ROWS;
    }
    if (by_time > 0 && by_rows > 0) {
        summary_note(summary,
                     "The rows of --data ran out for %" PRIu32 " of %" PRIu32
                     " threads before time was up: the run went on with the others.",
                     by_rows, shared->worker_count);
    }
}

static void results_add_workers(const struct run_shared *shared, struct summary *summary)
{
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
        summary->backlog_peak += result->backlog_peak;
        if (result->lateness_ns > summary->lateness_ns) {
            summary->lateness_ns = result->lateness_ns;
        }
        summary->backlog_end += result->backlog_end;
        summary->sessions_begun += result->sessions_begun;
        health->workers[i] = (struct summary_worker){
            .requests = result->tally->finished,
            .cpu_ns = result->cpu_ns,
            .wall_ns = result->last_ns - result->first_ns,
        };
        results_add_first_answer(summary, result, &first_answer_ns);
        if (result->last_ns > last_ns) {
            last_ns = result->last_ns;
        }
        if (result->tail_start_ns != 0 && result->tail_start_ns < tail_ns) {
            tail_ns = result->tail_start_ns;
        }
    }
    results_set_end(shared, summary);
    if (summary->server_date_s != 0) {
        summary->server_date_at_ns = summary->wall_start_ns + (first_answer_ns - shared->start_ns);
    }
    summary->duration_ns = last_ns - shared->start_ns;
    summary->achieved_micro_per_s = results_achieved(shared, summary, last_ns);
    health->tail_ns = tail_ns < last_ns ? last_ns - tail_ns : 0;
}

/* What there is to say of each message, when there are several. */
static void results_add_messages(const struct run_shared *shared, struct summary *summary)
{
    const struct plan *plan = shared->plan;
    for (size_t i = 0; plan->message_count > 1 && i < plan->message_count; i++) {
        const struct plan_message *message = &plan->messages[i];
        struct summary_message *added = summary_add_message(summary);
        summary_set_text(&added->name, str_from(message->name));
        summary_set_text(&added->method, str_from(message->method));
        summary_set_text(&added->path, str_from(message->target.path));
        summary_set_text(&added->soap_action, str_from(message->soap_action));
        added->weight = message->weight;
        added->body_bytes = message->body_bytes;
        for (uint32_t k = 0; k < shared->worker_count; k++) {
            const struct recorder *recorder = worker_result(shared->workers[k])->recorder;
            message_tally_merge(&added->tally, &recorder_messages(recorder)[i]);
        }
    }
}

static void results_check_books(struct summary *summary)
{
    struct err imbalance;
    if (!tally_check(summary->tally, &imbalance) || !summary_check_messages(summary, &imbalance)) {
        summary->unbalanced = true;
        summary_note(summary, "DO NOT TRUST THIS REPORT: its books do not balance (%s)",
                     imbalance.text);
    }
}

/* The message that a failure names; the only one where none is named. */
static const struct plan_message *results_message_of(const struct plan *plan, struct str name)
{
    for (size_t i = 0; i < plan->message_count; i++) {
        if (str_equals(str_from(plan->messages[i].name), name)) {
            return &plan->messages[i];
        }
    }
    return &plan->messages[0];
}

/* What the commonest kinds of failure usually come from. */
static void results_add_hints(const struct plan *plan, struct summary *summary)
{
    enum { KINDS_HINTED = 3 };
    struct groups *failures = summary->tally->failures;
    groups_sort(failures);
    for (size_t i = 0; i < groups_size(failures) && i < KINDS_HINTED; i++) {
        const struct group_key *key = &groups_at(failures, i)->key;
        const struct plan_message *sent = results_message_of(plan, key->message);
        const struct hint_facts facts = {.status = key->status,
                                         .code = key->code,
                                         .subcodes = key->subcodes,
                                         .reason = key->reason,
                                         .sent_type = str_from(sent->content_type),
                                         .sent_utf16 = sent->body_is_utf16};
        struct buf sentence;
        buf_init(&sentence);
        if (hint_append(&facts, &sentence)) {
            summary_note(summary, "%.*s", STR_ARG(buf_view(&sentence)));
        }
        buf_deinit(&sentence);
    }
}

enum { BODY_SHOWN_BYTES = 120 };

/* The first different bodies of all workers and stretches, as far as a line goes. */
static void results_add_bodies(const struct run_shared *shared, struct summary *summary)
{
    const struct bodies *all = shared->bodies;
    summary->distinct_bodies = bodies_distinct(all) + (bodies_overflow(all) > 0 ? 1 : 0);
    for (size_t i = 0; i < bodies_distinct(all) && i < BODIES_SAMPLES; i++) {
        const struct bodies_entry entry = bodies_at(all, i);
        const struct str shown = str_slice(entry.sample, 0, BODY_SHOWN_BYTES);
        summary_note(summary, "Body %zu of %zu, %" PRIu64 " answers: %.*s%s", i + 1,
                     bodies_distinct(all), entry.count, STR_ARG(shown),
                     shown.len < entry.sample.len ? "..." : "");
    }
    if (bodies_overflow(all) > 0) {
        summary_note(summary,
                     "More than %d different bodies came; %" PRIu64
                     " further answers were not told apart.",
                     BODIES_CEILING, bodies_overflow(all));
    }
}

static void results_note_files(const struct run_shared *shared, struct summary *summary)
{
    const struct failure_files *files = shared->failure_files;
    if (files == NULL) {
        return;
    }
    const uint64_t saved = failure_files_saved(files);
    if (saved > 0) {
        summary_note(summary, "%" PRIu64 " failed exchange%s saved in %s, three files each.", saved,
                     saved == 1 ? " is" : "s are", shared->plan->save_failures_folder);
    }
    if (failure_files_lost(files) > 0) {
        summary_note(summary, "%" PRIu64 " failed exchanges could not be saved in %s: is it full?",
                     failure_files_lost(files), shared->plan->save_failures_folder);
    }
}

struct summary *results_summarise(const struct run_shared *shared, unsigned interrupts,
                                  uint64_t wall_start_ns)
{
    struct summary *summary = summary_new();
    results_copy_plan(&summary->plan, shared->plan);
    summary->wall_start_ns = wall_start_ns;
    results_add_workers(shared, summary);
    results_add_messages(shared, summary);
    results_add_tls(shared, summary);
    if (interrupts > 0) {
        summary->end = RUN_END_INTERRUPTED;
    } else if (atomic_load(&shared->unreachable)) {
        summary->end = RUN_END_UNREACHABLE;
    }
    const uint64_t good_bytes = atomic_load(&shared->document_bytes[0]);
    if (good_bytes != UINT64_MAX) {
        summary->document_bytes = good_bytes;
    }
    if (shared->plan->requests > summary->tally->started) {
        summary->not_started = shared->plan->requests - summary->tally->started;
    }
    struct summary_health *health = &summary->health;
    health->process_cpu_ns = platform_process_cpu_ns() - shared->cpu_before_ns;
    health->peak_memory_bytes = platform_peak_memory_bytes();
    health->ephemeral_ports = platform_ephemeral_port_count();
    health->listen_backlog_limit = platform_listen_backlog_limit();
    for (uint32_t i = 0; i < shared->worker_count; i++) {
        recorder_add_bodies(worker_result(shared->workers[i])->recorder, shared->bodies);
    }
    return summary;
}

void results_conclude(const struct run_shared *shared, struct summary *summary)
{
    results_add_bodies(shared, summary);
    results_check_books(summary);
    results_add_hints(shared->plan, summary);
    results_note_files(shared, summary);
    diagnose_add_notes(summary);
}
