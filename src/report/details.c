/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ab never told: how slow the slowest were, why the run ended, how each request ended, what
 * the connections did, whether the client itself was in the way. This file says which blocks there
 * are and in which order, and writes those about the run as a whole; failures are
 * details_failures.c's, the wire is details_wire.c's, and how rows look rows.c's.
 */
#include "lather/report/details.h"

#include <inttypes.h>
#include <stdio.h>

#include "lather/base/units.h"
#include "lather/report/clean.h"
#include "lather/report/details_failures.h"
#include "lather/report/details_wire.h"
#include "lather/report/figure.h"
#include "lather/report/messages.h"
#include "lather/report/rows.h"
#include "lather/report/stretches.h"

enum { WORKERS_SHOWN = 16 };

static void write_tail(struct buf *out, const struct summary *summary)
{
    const struct histogram *total = summary->tally->total;
    char text[FIGURE_SIZE];
    rows_heading(out, "Tail of the times (ms)");
    struct percentiles percentiles;
    summary_percentiles(summary, "99.9,99.99", &percentiles);
    for (size_t i = 0; i < percentiles.count; i++) {
        rows_ms(out, percentiles.at[i].label,
                histogram_percentile(total, percentiles.at[i].percent));
    }
    rows_begin(out, "slowest band");
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
    rows_begin_line(out, "Run ended:");
    details_run_end(out, summary);
    buf_append_byte(out, '\n');
    if (summary->unbalanced) {
        rows_begin_line(out, "Books:");
        buf_append_str(out, STR("DO NOT BALANCE, do not trust this report (a defect of lather)\n"));
    }
}

static void row_percentiles(struct buf *out, const char *label, const struct histogram *histogram)
{
    char text[FIGURE_SIZE];
    rows_begin(out, label);
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
    rows_heading(out, "Rate (open loop)");
    rows_begin(out, "asked");
    buf_printf(out, "%.2f a second, %s\n", (double)plan->rate_micro_per_s / 1e6,
               plan->poisson ? "poisson" : "even");
    if (summary->achieved_micro_per_s > 0) {
        rows_begin(out, "achieved");
        buf_printf(out, "%.2f a second\n", (double)summary->achieved_micro_per_s / 1e6);
    }
    rows_count(out, "greatest backlog", summary->backlog_peak);
    rows_count(out, "backlog at the end", summary->backlog_end);
    char lateness[FIGURE_SIZE];
    rows_begin(out, "last one sent late by");
    buf_printf(out, "%s ms\n", figure_ms(summary->lateness_ns, lateness));
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
    rows_heading(out, "Sessions");
    rows_begin(out, "asked for");
    buf_printf(out, "%" PRIu64 " of %" PRIu64 " requests, a pause of %s behind each %" PRIu64 "\n",
               plan->sessions, plan->session_calls,
               units_format_duration(plan->session_think_ns, text), plan->session_burst);
    rows_count(out, "begun", summary->sessions_begun);
}

static void write_workers(struct buf *out, const struct summary_health *health)
{
    for (size_t i = 0; i < health->worker_count && i < WORKERS_SHOWN; i++) {
        const struct summary_worker *worker = &health->workers[i];
        char label[FIGURE_SIZE];
        (void)snprintf(label, sizeof label, "CPU of worker %zu", i + 1);
        rows_begin(out, label);
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
    rows_heading(out, "Client's own health");
    write_workers(out, health);
    rows_begin(out, "CPU per request");
    buf_printf(out, "%.3f us\n", summary_cpu_us_per_request(summary));
    if (histogram_count(health->loop_lag) > 0) {
        rows_begin(out, "loop lag");
        buf_printf(out, "p50 %s, ", figure_ms(histogram_percentile(health->loop_lag, 50), figure));
        buf_printf(out, "p99 %s, ", figure_ms(histogram_percentile(health->loop_lag, 99), figure));
        buf_printf(out, "max %s ms\n", figure_ms(histogram_max(health->loop_lag), figure));
    }
    if (health->peak_memory_bytes > 0) {
        rows_begin(out, "peak memory");
        buf_printf(out, "%s\n", units_format_size(health->peak_memory_bytes, text));
    }
    rows_count(out, "most in flight", health->in_flight_peak);
    rows_begin(out, "tail of the run");
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
    rows_heading(out, "Parts of this result");
    for (size_t i = 0; i < summary->part_count; i++) {
        const struct summary_part *part = &summary->parts[i];
        const uint64_t since_ns = part->wall_start_ns - summary->wall_start_ns;
        char label[FIGURE_SIZE];
        (void)snprintf(label, sizeof label, "part %zu", i + 1);
        rows_begin(out, label);
        clean_line(out, str_from(part->name));
        buf_printf(out, ": %" PRIu64 " requests", part->finished);
        buf_printf(out, " in %s", units_format_duration(part->duration_ns, text));
        buf_printf(out, ", begun %s after the first\n", units_format_duration(since_ns, text));
    }
    rows_begin(out, "all at the same time");
    buf_printf(out, "%s\n", units_format_duration(summary_overlap_ns(summary), text));
}

static void write_conditions(struct buf *out, const struct summary *summary)
{
    if (summary->condition_count == 0) {
        return;
    }
    rows_heading(out, "Conditions of --fail-if");
    for (size_t i = 0; i < summary->condition_count; i++) {
        struct condition_verdict verdict;
        if (summary_judge_condition(summary, i, &verdict)) {
            rows_begin(out, "FAILS THE RUN");
        } else {
            rows_begin(out, "does not hold");
        }
        rows_clear(out, str_from(summary->conditions[i]));
        buf_printf(out, ": %s\n", verdict.found);
    }
}

static void write_notes(struct buf *out, const struct summary *summary)
{
    if (summary->note_count == 0) {
        return;
    }
    rows_heading(out, "Notes");
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
        details_write_outcomes(out, tally);
    }
    messages_write(out, summary);
    details_write_checks(out, tally);
    details_write_failures(out, tally->failures);
    if (tally_answers(tally) > 0) {
        details_write_answers(out, tally, summary->distinct_bodies);
    }
    details_write_traffic(out, summary);
    details_write_auth(out, summary);
    details_write_tls(out, summary);
    write_health(out, summary);
    write_parts(out, summary);
    write_conditions(out, summary);
    write_notes(out, summary);
}
