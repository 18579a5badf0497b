/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --steps and --find-rate: one stretch for each rate, in a list or looked for, and the summary of
 * all of them together. Whether a step held is step_verdict.c's to say, which rate comes next
 * rate_search.c's. The trap: what cannot be added up over steps has no figure in the whole.
 */
#include "lather/load/steps.h"

#include "lather/load/rate_search.h"
#include "lather/load/step_verdict.h"
#include "lather/load/stretch.h"
#include "lather/measure/merge.h"

/* What has been done is seen as done while the next step is under way. */
static void count_step(struct run *run, const struct summary *summary)
{
    run->before.finished += summary->tally->finished;
    run->before.failed += tally_failed(summary->tally);
}

static bool add_step(struct summary *total, const struct summary *stretch, const char *find_rate,
                     uint64_t offset_ns)
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
static void finish(struct summary *total, const struct rate_search *search)
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

struct summary *steps_run(struct run *run, const struct plan *plan, struct err *err)
{
    const struct plan_shape *shape = &plan->shape;
    const char *find_rate = shape->find_rate != NULL ? shape->find_rate : "";
    struct summary *total = NULL;
    struct rate_search search;
    struct plan step = *plan;
    step.shape.grace_ns = stretch_grace_ns(plan);
    rate_search_init(&search, find_rate[0] != '\0' ? RATE_SEARCH_HIGHEST : RATE_SEARCH_LIST,
                     shape->step_rates, shape->step_count);
    run->before = (struct run_progress){.stretch = RUN_STRETCH_STEP};
    while (rate_search_next(&search, &step.rate_micro_per_s)) {
        run->before.step = search.tried;
        run->before.rate_micro_per_s = step.rate_micro_per_s;
        struct summary *summary =
            stretch_measure(run, &step, total == NULL ? shape->start_at_ns : 0, err);
        if (summary == NULL) {
            summary_free(total);
            return NULL;
        }
        const uint64_t offset_ns = run->shared.start_ns - run->measured_ns;
        const bool is_last = summary->end != RUN_END_TIME;
        count_step(run, summary);
        struct summary *into = total == NULL ? summary : total;
        const bool held = add_step(into, summary, find_rate, offset_ns);
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
    finish(total, &search);
    return total;
}
