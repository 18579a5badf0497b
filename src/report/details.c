/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ab never told: how each request ended and why, what the connections did, how slow the
 * slowest were, whether the client itself was in the way. Every line is kept apart from ab's labels
 * on purpose: headings are without colon, rows are indented, and no digit stands before a percent
 * sign, so that a script looking for "99%" or "Total:" finds ab's line alone.
 */
#include "lather/report/details.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/units.h"
#include "lather/report/clean.h"
#include "lather/report/figure.h"
#include "lather/report/messages.h"
#include "lather/report/stretches.h"

enum { LABEL_WIDTH = 24, GROUPS_SHOWN = 20, WORKERS_SHOWN = 16 };

static void heading(struct buf *out, const char *text)
{
    buf_printf(out, "\n%s\n", text);
}

static void begin_row(struct buf *out, const char *label)
{
    buf_printf(out, "  %-*s", LABEL_WIDTH - 2, label);
}

/* For what belongs to no block: a label of ab's kind. */
static void begin_line(struct buf *out, const char *label)
{
    buf_printf(out, "%-*s", LABEL_WIDTH, label);
}

static void row_count(struct buf *out, const char *label, uint64_t count)
{
    begin_row(out, label);
    buf_printf(out, "%" PRIu64 "\n", count);
}

static void row_text(struct buf *out, const char *label, const char *text)
{
    begin_row(out, label);
    clean_line(out, str_from(text));
    buf_append_byte(out, '\n');
}

/* For what is rare enough to be worth a line only when it happened. */
static void row_count_if_any(struct buf *out, const char *label, uint64_t count)
{
    if (count > 0) {
        row_count(out, label, count);
    }
}

static void row_ms(struct buf *out, const char *label, uint64_t ns)
{
    char text[FIGURE_SIZE];
    begin_row(out, label);
    buf_printf(out, "%s\n", figure_ms(ns, text));
}

static void row_spread(struct buf *out, const char *label, const struct histogram *histogram)
{
    char text[FIGURE_SIZE];
    begin_row(out, label);
    buf_printf(out, "min %s, ", figure_ms(histogram_min(histogram), text));
    buf_printf(out, "median %s, ", figure_ms(histogram_percentile(histogram, 50), text));
    buf_printf(out, "p99 %s, ", figure_ms(histogram_percentile(histogram, 99), text));
    buf_printf(out, "max %s ms\n", figure_ms(histogram_max(histogram), text));
}

static void write_tail(struct buf *out, const struct summary *summary)
{
    const struct histogram *total = summary->tally->total;
    char text[FIGURE_SIZE];
    heading(out, "Tail of the times (ms)");
    struct percentiles percentiles;
    summary_percentiles(summary, "99.9,99.99", &percentiles);
    for (size_t i = 0; i < percentiles.count; i++) {
        row_ms(out, percentiles.at[i].label,
               histogram_percentile(total, percentiles.at[i].percent));
    }
    begin_row(out, "slowest band");
    buf_printf(out, "%" PRIu64 " of %" PRIu64 " above %s, half of the longest\n",
               summary_slowest_band(summary), histogram_count(total),
               figure_ms(histogram_max(total) / 2, text));
}

/* What ends a run early ends it in its last step. */
static void append_step(struct buf *out, const struct summary *summary)
{
    if (summary->step_count > 0) {
        buf_printf(out, " in step %zu", summary->step_count);
    }
}

void details_run_end(struct buf *out, const struct summary *summary)
{
    char text[UNITS_TEXT_SIZE];
    switch (summary->end) {
    case RUN_END_TIME:
        buf_printf(out, "by its time limit of %s",
                   units_format_duration(summary->plan.time_limit_ns, text));
        break;
    case RUN_END_INTERRUPTED:
        buf_append_str(out, STR("by an interrupt (Ctrl-C)"));
        append_step(out, summary);
        break;
    case RUN_END_UNREACHABLE:
        buf_append_str(out, STR("early: no connection succeeded"));
        append_step(out, summary);
        break;
    case RUN_END_ROWS:
        buf_append_str(out, STR("the rows of --data ran out"));
        append_step(out, summary);
        break;
    case RUN_END_DONE:
    case RUN_END_COUNT:
        buf_append_str(out, summary->step_count > 0 ? STR("all steps were made")
                                                    : STR("all requests were made"));
        break;
    }
    uint64_t cut = summary->tally->outcomes[OUTCOME_CUT];
    if (cut > 0) {
        buf_printf(out, ", %" PRIu64 " cut", cut);
    }
    if (summary->not_started > 0) {
        buf_printf(out, ", %" PRIu64 " not started", summary->not_started);
    }
}

static void write_run_end(struct buf *out, const struct summary *summary)
{
    buf_append_byte(out, '\n');
    begin_line(out, "Run ended:");
    details_run_end(out, summary);
    buf_append_byte(out, '\n');
    if (summary->unbalanced) {
        begin_line(out, "Books:");
        buf_append_str(out, STR("DO NOT BALANCE, do not trust this report (a defect of lather)\n"));
    }
}

static void write_outcomes(struct buf *out, const struct tally *tally)
{
    heading(out, "Outcomes of the requests");
    for (size_t i = OUTCOME_COUNT; i-- > 0;) {
        if (tally->outcomes[i] > 0) {
            row_count(out, outcome_name((enum outcome)i), tally->outcomes[i]);
        }
    }
    if (histogram_count(tally->failed) > 0) {
        row_spread(out, "time to failure", tally->failed);
    }
}

/* Finer than the outcomes: which check refused an answer. */
static void write_checks(struct buf *out, const struct tally *tally)
{
    bool is_begun = false;
    for (size_t i = STEP_NONE + 1; i < STEP_COUNT; i++) {
        if (tally->steps[i] > 0) {
            if (!is_begun) {
                heading(out, "Refused answers by check");
                is_begun = true;
            }
            row_count(out, step_name((enum step)i), tally->steps[i]);
        }
    }
}

static int by_falling_count(const void *a, const void *b)
{
    const struct group *left = *(const struct group *const *)a;
    const struct group *right = *(const struct group *const *)b;
    if (left->count != right->count) {
        return left->count > right->count ? -1 : 1;
    }
    /* of one table, in order of appearance: qsort alone would not keep it */
    return left < right ? -1 : left > right;
}

enum group_kind { GROUP_KIND_FAULT = 0, GROUP_KIND_OTHER, GROUP_KIND_COUNT };

static enum group_kind kind_of(const struct group *group)
{
    return group->key.outcome == OUTCOME_FAULT ? GROUP_KIND_FAULT : GROUP_KIND_OTHER;
}

static void append_status(struct buf *out, const struct group_key *key)
{
    if (key->status != 0) {
        buf_printf(out, " (status %u)", (unsigned)key->status);
    }
    buf_append_byte(out, '\n');
}

static void write_fault_part(struct buf *out, const char *name, struct str part)
{
    if (part.len > 0) {
        buf_printf(out, "%-*s%s ", LABEL_WIDTH, "", name);
        clean_line(out, part);
        buf_append_byte(out, '\n');
    }
}

static void begin_group(struct buf *out, const struct group *group)
{
    char count[FIGURE_SIZE];
    (void)snprintf(count, sizeof count, "%" PRIu64, group->count);
    begin_row(out, count);
}

static void write_fault(struct buf *out, const struct group *group)
{
    const struct group_key *key = &group->key;
    begin_group(out, group);
    clean_line(out, key->code.len > 0 ? key->code : STR("(no code)"));
    append_status(out, key);
    write_fault_part(out, "subcode", key->subcodes);
    write_fault_part(out, "detail", key->detail);
    write_fault_part(out, "reason", key->reason);
    write_fault_part(out, "message", key->message);
}

static void write_other_failure(struct buf *out, const struct group *group)
{
    const struct group_key *key = &group->key;
    begin_group(out, group);
    buf_append_str(out, str_from(outcome_name(key->outcome)));
    if (key->reason.len > 0) {
        buf_append_str(out, STR(": "));
        clean_line(out, key->reason);
    }
    if (key->outcome == OUTCOME_STATUS && key->reason.len > 0) {
        buf_append_byte(out, '\n'); /* the reason is the status with its phrase */
    } else {
        append_status(out, key);
    }
    write_fault_part(out, "message", key->message);
}

static void write_groups_of(struct buf *out, const struct group *const *sorted, size_t size,
                            enum group_kind kind)
{
    size_t shown = 0;
    size_t hidden = 0;
    uint64_t hidden_failures = 0;
    for (size_t i = 0; i < size; i++) {
        if (kind_of(sorted[i]) != kind) {
            continue;
        }
        if (shown == GROUPS_SHOWN) {
            hidden++;
            hidden_failures += sorted[i]->count;
            continue;
        }
        if (shown++ == 0) {
            heading(out, kind == GROUP_KIND_FAULT ? "SOAP faults by code and reason"
                                                  : "Other failures by reason");
        }
        if (kind == GROUP_KIND_FAULT) {
            write_fault(out, sorted[i]);
        } else {
            write_other_failure(out, sorted[i]);
        }
    }
    if (hidden > 0) {
        buf_printf(out, "  and %zu more kinds, %" PRIu64 " requests; the JSON result has them\n",
                   hidden, hidden_failures);
    }
}

static void row_percentiles(struct buf *out, const char *label, const struct histogram *histogram)
{
    char text[FIGURE_SIZE];
    begin_row(out, label);
    buf_printf(out, "p50 %s, ", figure_ms(histogram_percentile(histogram, 50), text));
    buf_printf(out, "p95 %s, ", figure_ms(histogram_percentile(histogram, 95), text));
    buf_printf(out, "p99 %s, ", figure_ms(histogram_percentile(histogram, 99), text));
    buf_printf(out, "max %s ms\n", figure_ms(histogram_max(histogram), text));
}

/* An open loop's own figures: what was asked for, what became of it, and both clocks. */
static void write_rate(struct buf *out, const struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    if (plan->rate_micro_per_s == 0) {
        return;
    }
    heading(out, "Rate (open loop)");
    begin_row(out, "asked");
    buf_printf(out, "%.2f a second, %s\n", (double)plan->rate_micro_per_s / 1e6,
               plan->poisson ? "poisson" : "even");
    if (summary->achieved_micro_per_s > 0) {
        begin_row(out, "achieved");
        buf_printf(out, "%.2f a second\n", (double)summary->achieved_micro_per_s / 1e6);
    }
    row_count(out, "greatest backlog", summary->backlog_peak);
    row_count(out, "backlog at the end", summary->backlog_end);
    row_ms(out, "last one sent late by", summary->lateness_ns);
    if (histogram_count(summary->tally->total) > 0) {
        row_percentiles(out, "service time", summary->tally->total);
    }
    if (histogram_count(summary->tally->response) > 0) {
        row_percentiles(out, "response time", summary->tally->response);
    }
}

/* Users who come and go: what was asked for, and how many came. */
static void write_sessions(struct buf *out, const struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    char text[UNITS_TEXT_SIZE];
    if (plan->sessions == 0) {
        return;
    }
    heading(out, "Sessions");
    begin_row(out, "asked for");
    buf_printf(out, "%" PRIu64 " of %" PRIu64 " requests, a pause of %s behind each %" PRIu64 "\n",
               plan->sessions, plan->session_calls,
               units_format_duration(plan->session_think_ns, text), plan->session_burst);
    row_count(out, "begun", summary->sessions_begun);
}

static void write_failures(struct buf *out, const struct groups *failures)
{
    size_t size = groups_size(failures);
    const struct group **sorted = check_malloc(size * sizeof *sorted);
    for (size_t i = 0; i < size; i++) {
        sorted[i] = groups_at(failures, i);
    }
    qsort(sorted, size, sizeof *sorted, by_falling_count);
    write_groups_of(out, sorted, size, GROUP_KIND_FAULT);
    write_groups_of(out, sorted, size, GROUP_KIND_OTHER);
    if (groups_overflow(failures) > 0) {
        row_count(out, "of further kinds", groups_overflow(failures));
    }
    free(sorted);
}

static void write_answers(struct buf *out, const struct tally *tally, uint64_t distinct_bodies)
{
    heading(out, "Answers by status");
    for (size_t i = 0; i < TALLY_STATUS_COUNT; i++) {
        if (tally->statuses[i] > 0) {
            char status[FIGURE_SIZE];
            (void)snprintf(status, sizeof status, "%zu", i);
            row_count(out, status, tally->statuses[i]);
        }
    }
    row_count(out, "judged as SOAP", tally->judged);
    row_count_if_any(out, "different bodies", distinct_bodies);
    row_count_if_any(out, "without RelatesTo", tally->relates_absent);
    row_count_if_any(out, "charset contradicted", tally->charset_contradictions);
    row_count_if_any(out, "media contradicted", tally->media_contradictions);
    if (tally->outcomes[OUTCOME_OK] > 0) {
        begin_row(out, "body of ok answers");
        buf_printf(out, "%" PRIu64 " to %" PRIu64 " bytes\n", tally->body_bytes_min,
                   tally->body_bytes_max);
    }
    if (tally->traffic.interim_answers > 0) {
        row_count(out, "interim (1xx) skipped", tally->traffic.interim_answers);
    }
}

/* Before the run, unless the URL had an address; with --resolve-each for each connection too. */
static void row_lookups(struct buf *out, const struct summary *summary)
{
    const struct traffic *traffic = &summary->tally->traffic;
    char text[FIGURE_SIZE];
    if (summary->name_lookup_ns > 0) {
        begin_row(out, "name looked up");
        buf_printf(out, "%s ms, before the run\n", figure_ms(summary->name_lookup_ns, text));
    }
    if (traffic->name_lookups > 0) {
        begin_row(out, "looked up again");
        buf_printf(out, "%" PRIu64 ", mean %s ms, in the connect time\n", traffic->name_lookups,
                   figure_ms((traffic->name_lookups_ns + traffic->name_lookups / 2) /
                                 traffic->name_lookups,
                             text));
    }
}

static void write_traffic(struct buf *out, const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    const struct traffic *traffic = &tally->traffic;
    heading(out, "What was sent");
    row_count(out, "requests sent whole", traffic->requests_sent_whole);
    row_count(out, "requests sent again", traffic->requests_sent_again);
    row_count(out, "requests sent in part", traffic->requests_sent_partly);
    row_count(out, "requests lost maybe", traffic->requests_lost_maybe);
    row_count(out, "requests cut", tally->outcomes[OUTCOME_CUT]);
    row_count(out, "requests not started", summary->not_started);
    heading(out, "Connections");
    row_count(out, "opened", traffic->connections_opened);
    row_count(out, "opened again", traffic->connections_reopened);
    row_count(out, "failed", traffic->connections_failed);
    row_count(out, "most open at once", traffic->connections_peak);
    if (histogram_count(tally->opened) > 0) {
        row_spread(out, "connect time", tally->opened);
    }
    row_lookups(out, summary);
    row_count_if_any(out, "closed, stray bytes", traffic->connections_strayed);
    row_count_if_any(out, "stray bytes", traffic->stray_bytes);
    if (strcmp(summary->plan.transport, "curl") == 0) {
        row_text(out, "transport", "curl (libcurl)");
    }
    if (summary->plan.proxy[0] != '\0') {
        row_text(out, "proxy", summary->plan.proxy);
    }
}

/* What was said before requests were taken; with a token sent at once that may be nothing. */
static void write_auth(struct buf *out, const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    if (summary->plan.auth_scheme[0] == '\0') {
        return;
    }
    heading(out, "Authentication");
    row_text(out, "scheme", summary->plan.auth_scheme);
    row_count(out, "handshakes", tally->traffic.auth_handshakes);
    row_count(out, "handshake legs", tally->traffic.auth_legs);
    if (histogram_count(tally->auth) > 0) {
        row_spread(out, "handshake time", tally->auth);
    }
}

static void row_handshakes(struct buf *out, const char *label, uint64_t count, uint64_t sum_ns)
{
    char text[FIGURE_SIZE];
    begin_row(out, label);
    buf_printf(out, "%" PRIu64, count);
    if (count > 0) {
        buf_printf(out, ", mean %s ms", figure_ms((sum_ns + count / 2) / count, text));
    }
    buf_append_byte(out, '\n');
}

static void write_tls(struct buf *out, const struct summary *summary)
{
    const struct summary_tls *tls = &summary->tls;
    const struct traffic *traffic = &summary->tally->traffic;
    if (!tls->used) {
        return;
    }
    heading(out, "TLS");
    row_handshakes(out, "full handshakes", traffic->tls_full, traffic->tls_full_ns);
    row_handshakes(out, "resumed", traffic->tls_resumed, traffic->tls_resumed_ns);
    row_count(out, "handshakes failed", traffic->tls_failed);
    begin_row(out, "verification");
    buf_append_str(out, tls->verified ? STR("on\n") : STR("OFF (--insecure)\n"));
}

static void write_workers(struct buf *out, const struct summary_health *health)
{
    for (size_t i = 0; i < health->worker_count && i < WORKERS_SHOWN; i++) {
        const struct summary_worker *worker = &health->workers[i];
        char label[FIGURE_SIZE];
        (void)snprintf(label, sizeof label, "CPU of worker %zu", i + 1);
        begin_row(out, label);
        buf_printf(out, "%.1f %% of a core, %" PRIu64 " requests\n",
                   100 * summary_worker_cpu_share(worker), worker->requests);
    }
    if (health->worker_count > WORKERS_SHOWN) {
        buf_printf(out, "  and %zu more workers; the JSON result has them\n",
                   health->worker_count - WORKERS_SHOWN);
    }
}

static void write_health(struct buf *out, const struct summary *summary)
{
    const struct summary_health *health = &summary->health;
    char text[UNITS_TEXT_SIZE];
    char figure[FIGURE_SIZE];
    heading(out, "Client's own health");
    write_workers(out, health);
    begin_row(out, "CPU per request");
    buf_printf(out, "%.3f us\n", summary_cpu_us_per_request(summary));
    if (histogram_count(health->loop_lag) > 0) {
        begin_row(out, "loop lag");
        buf_printf(out, "p50 %s, ", figure_ms(histogram_percentile(health->loop_lag, 50), figure));
        buf_printf(out, "p99 %s, ", figure_ms(histogram_percentile(health->loop_lag, 99), figure));
        buf_printf(out, "max %s ms\n", figure_ms(histogram_max(health->loop_lag), figure));
    }
    if (health->peak_memory_bytes > 0) {
        begin_row(out, "peak memory");
        buf_printf(out, "%s\n", units_format_size(health->peak_memory_bytes, text));
    }
    row_count(out, "most in flight", health->in_flight_peak);
    begin_row(out, "tail of the run");
    buf_printf(out, "%s ms with fewer than %" PRIu64 " in flight\n",
               figure_ms(health->tail_ns, figure), summary->plan.concurrency);
}

/* Of a merged result: which runs are in it, and when each began after the first. */
static void write_parts(struct buf *out, const struct summary *summary)
{
    char text[UNITS_TEXT_SIZE];
    if (summary->part_count == 0) {
        return;
    }
    heading(out, "Parts of this result");
    for (size_t i = 0; i < summary->part_count; i++) {
        const struct summary_part *part = &summary->parts[i];
        const uint64_t since_ns = part->wall_start_ns - summary->wall_start_ns;
        char label[FIGURE_SIZE];
        (void)snprintf(label, sizeof label, "part %zu", i + 1);
        begin_row(out, label);
        clean_line(out, str_from(part->name));
        buf_printf(out, ": %" PRIu64 " requests", part->finished);
        buf_printf(out, " in %s", units_format_duration(part->duration_ns, text));
        buf_printf(out, ", begun %s after the first\n", units_format_duration(since_ns, text));
    }
    begin_row(out, "all at the same time");
    buf_printf(out, "%s\n", units_format_duration(summary_overlap_ns(summary), text));
}

/* "errors>1 %": a digit right before the sign would look like a row of ab's percentiles. */
static void append_condition(struct buf *out, struct str condition)
{
    struct str rest = condition;
    struct str part;
    while (str_split(rest, '%', &part, &rest)) {
        clean_line(out, part);
        buf_append_str(out, STR(" %"));
    }
    clean_line(out, part);
}

static void write_conditions(struct buf *out, const struct summary *summary)
{
    if (summary->condition_count == 0) {
        return;
    }
    heading(out, "Conditions of --fail-if");
    for (size_t i = 0; i < summary->condition_count; i++) {
        struct condition_verdict verdict;
        if (summary_judge_condition(summary, i, &verdict)) {
            begin_row(out, "FAILS THE RUN");
        } else {
            begin_row(out, "does not hold");
        }
        append_condition(out, str_from(summary->conditions[i]));
        buf_printf(out, ": %s\n", verdict.found);
    }
}

static void write_notes(struct buf *out, const struct summary *summary)
{
    if (summary->note_count == 0) {
        return;
    }
    heading(out, "Notes");
    for (size_t i = 0; i < summary->note_count; i++) {
        buf_append_str(out, STR("  - "));
        clean_line(out, str_from(summary->notes[i]));
        buf_append_byte(out, '\n');
    }
}

void details_write(struct buf *out, const struct summary *summary,
                   const struct report_options *options)
{
    const struct tally *tally = summary->tally;
    if (histogram_count(tally->total) > 0 && !options->no_percentiles) {
        write_tail(out, summary);
    }
    write_run_end(out, summary);
    write_rate(out, summary);
    write_sessions(out, summary);
    stretches_write_steps(out, summary);
    if (tally->started > 0) {
        write_outcomes(out, tally);
    }
    messages_write(out, summary);
    write_checks(out, tally);
    write_failures(out, tally->failures);
    if (tally_answers(tally) > 0) {
        write_answers(out, tally, summary->distinct_bodies);
    }
    write_traffic(out, summary);
    write_auth(out, summary);
    write_tls(out, summary);
    write_health(out, summary);
    write_parts(out, summary);
    write_conditions(out, summary);
    write_notes(out, summary);
}
