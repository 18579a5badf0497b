/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of two boxes made one: the rates they asked for together, and the times of both. That
 * is only true of steps made at the same time, so whatever does not fit leaves no steps at all and
 * says why. The trap: percentiles cannot be added, they are read anew from the histograms of both.
 */
#include "lather/measure/merge_steps.h"

#include <stdlib.h>
#include <string.h>

/* Boxes that were started together: each pair of steps shares at least half of its time. */
static bool ran_together(const struct summary_step *a, const struct summary_step *b,
                         uint64_t shift_ns)
{
    const uint64_t b_from_ns = b->offset_ns + shift_ns;
    const uint64_t from_ns = a->offset_ns > b_from_ns ? a->offset_ns : b_from_ns;
    const uint64_t a_to_ns = a->offset_ns + a->duration_ns;
    const uint64_t b_to_ns = b_from_ns + b->duration_ns;
    const uint64_t to_ns = a_to_ns < b_to_ns ? a_to_ns : b_to_ns;
    const uint64_t longer_ns = a->duration_ns > b->duration_ns ? a->duration_ns : b->duration_ns;
    return to_ns > from_ns && to_ns - from_ns >= longer_ns / 2;
}

static const char *why_not(const struct summary *into, const struct summary *from,
                           uint64_t shift_ns)
{
    if (into->plan.find_rate[0] != '\0' || from->plan.find_rate[0] != '\0') {
        return "each box searched by itself (--find-rate)";
    }
    if (into->step_count != from->step_count) {
        return "there is not the same number of them";
    }
    for (size_t i = 0; i < into->step_count; i++) {
        const struct summary_step *a = &into->steps[i];
        const struct summary_step *b = &from->steps[i];
        if (a->total == NULL || b->total == NULL) {
            return "an older version saved them, without their times";
        }
        if (!ran_together(a, b, shift_ns)) {
            return "they were not made at the same time";
        }
    }
    return NULL;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void read_times(struct summary_step *step)
{
    step->p50_ns = histogram_percentile(step->total, 50);
    step->p95_ns = histogram_percentile(step->total, 95);
    step->p99_ns = histogram_percentile(step->total, 99);
    step->max_ns = histogram_max(step->total);
    step->response_p50_ns = histogram_percentile(step->response, 50);
    step->response_p95_ns = histogram_percentile(step->response, 95);
    step->response_p99_ns = histogram_percentile(step->response, 99);
    step->response_max_ns = histogram_max(step->response);
}

static void add_step(struct summary_step *into, const struct summary_step *from, uint64_t shift_ns)
{
    const uint64_t into_end_ns = into->offset_ns + into->duration_ns;
    const uint64_t from_end_ns = from->offset_ns + shift_ns + from->duration_ns;
    into->offset_ns = earlier(into->offset_ns, from->offset_ns + shift_ns);
    into->duration_ns = (into_end_ns > from_end_ns ? into_end_ns : from_end_ns) - into->offset_ns;
    into->rate_micro_per_s += from->rate_micro_per_s;
    into->achieved_micro_per_s += from->achieved_micro_per_s;
    into->started += from->started;
    into->finished += from->finished;
    into->failed += from->failed;
    into->cut += from->cut;
    into->backlog_peak += from->backlog_peak;
    into->backlog_end += from->backlog_end;
    histogram_merge(into->total, from->total);
    histogram_merge(into->response, from->response);
    read_times(into);
    into->reached = into->reached && from->reached;
    if (into->held) { /* else it has said why it did not */
        summary_set_text(&into->verdict, str_from(from->verdict));
        into->held = from->held;
    }
}

void merge_steps(struct summary *into, const struct summary *from, const char *name,
                 uint64_t shift_ns)
{
    if (into->step_count == 0 && from->step_count == 0) {
        return;
    }
    const char *why = why_not(into, from, shift_ns);
    if (why != NULL) {
        summary_forget_steps(into);
        summary_note(into, "the steps of %.100s and of the results before it are not added up: %s",
                     name, why);
        return;
    }
    for (size_t i = 0; i < into->step_count; i++) {
        add_step(&into->steps[i], &from->steps[i], shift_ns);
    }
}
