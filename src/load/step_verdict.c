/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the summary of a step to its line in the table. A step holds when its rate was reached and
 * the condition is true; a rate that was not reached says nothing about the times at it, however
 * good they are. The trap: a condition of --fail-if holds where nothing was measured, this one must
 * not; so it is its negation that is judged.
 */
#include "lather/load/step_verdict.h"

#include "lather/measure/condition.h"

static void judge(const struct summary *stretch, const char *find_rate, struct buf *verdict,
                  struct summary_step *step)
{
    struct condition condition;
    struct condition_verdict found;
    const bool is_read = condition_parse(str_from(find_rate), &condition, NULL);
    CHECK(is_read);
    condition_negate(&condition);
    condition_judge(&condition, stretch->tally, summary_requests_per_s(stretch), &found);
    if (found.holds) {
        step->held = false;
        buf_printf(verdict, "%s%s", verdict->len > 0 ? "; " : "", found.found);
    }
}

void step_verdict_of(const struct summary *stretch, const char *find_rate, uint64_t offset_ns,
                     struct buf *verdict, struct summary_step *step)
{
    const struct tally *tally = stretch->tally;
    *step = (struct summary_step){
        .rate_micro_per_s = stretch->plan.rate_micro_per_s,
        .achieved_micro_per_s = stretch->achieved_micro_per_s,
        .offset_ns = offset_ns,
        .duration_ns = stretch->duration_ns,
        .started = tally->started,
        .finished = tally->finished,
        .failed = tally_failed(tally),
        .cut = tally->outcomes[OUTCOME_CUT],
        .backlog_peak = stretch->backlog_peak,
        .backlog_end = stretch->backlog_end,
        .p50_ns = histogram_percentile(tally->total, 50),
        .p95_ns = histogram_percentile(tally->total, 95),
        .p99_ns = histogram_percentile(tally->total, 99),
        .max_ns = histogram_max(tally->total),
        .response_p50_ns = histogram_percentile(tally->response, 50),
        .response_p95_ns = histogram_percentile(tally->response, 95),
        .response_p99_ns = histogram_percentile(tally->response, 99),
        .response_max_ns = histogram_max(tally->response),
        .total = tally->total,
        .response = tally->response,
        .reached = summary_rate_reached(stretch) && stretch->end == RUN_END_TIME,
    };
    step->held = step->reached;
    if (stretch->end != RUN_END_TIME) {
        buf_append_str(verdict, str_from(run_end_name(stretch->end)));
    } else if (!step->reached) {
        buf_append_str(verdict, STR("rate not reached"));
    }
    if (find_rate[0] != '\0') {
        judge(stretch, find_rate, verdict, step);
    }
    if (step->held) {
        buf_append_str(verdict, STR("held"));
    }
    step->verdict = verdict->data;
}
