/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a timeline to rows, in one place, so that the CSV, the page and the comparison cut a run
 * into the same pieces. The trap: the last row is rarely whole, and its rate is of the part that
 * was.
 */
#include "lather/measure/rows.h"

#include "lather/base/clock.h"

/* 146 years; what a forged result claims beyond would only make the arithmetic overflow. */
static const uint64_t LONGEST_NS = UINT64_MAX / 4;

static uint64_t divided_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Both timelines' intervals are doublings of one length: the longer is a multiple of the other. */
static uint64_t longer(uint64_t interval_ns, const struct timeline *responses)
{
    const uint64_t other_ns = timeline_count(responses) > 0 ? timeline_interval_ns(responses) : 0;
    return interval_ns > other_ns ? interval_ns : other_ns;
}

void rows_init(struct rows *rows, const struct summary *summary, uint64_t least_ns, size_t most)
{
    const struct timeline *timeline = summary->tally->timeline;
    const struct timeline *responses = summary->tally->responses;
    const uint64_t interval_ns = longer(timeline_interval_ns(timeline), responses);
    const uint64_t own_ns = timeline_interval_ns(timeline);
    const uint64_t covered_ns = timeline_count(timeline) <= LONGEST_NS / own_ns
                                    ? timeline_count(timeline) * own_ns
                                    : LONGEST_NS;
    *rows = (struct rows){.timeline = timeline, .span = span_new()};
    if (timeline_count(responses) > 0) {
        rows->responses = responses;
        rows->response_span = span_new();
    }
    rows->end_ns = summary->duration_ns < LONGEST_NS ? summary->duration_ns : LONGEST_NS;
    if (rows->end_ns + own_ns <= covered_ns) {
        rows->end_ns = covered_ns; /* several results in one, the first of them ended earlier */
    }
    uint64_t length_ns = divided_up(least_ns > 0 ? least_ns : 1, interval_ns) * interval_ns;
    if (most > 0 && divided_up(rows->end_ns, length_ns) > most) {
        length_ns = divided_up(divided_up(rows->end_ns, most), interval_ns) * interval_ns;
    }
    if (length_ns > NS_PER_S && interval_ns <= NS_PER_S) {
        length_ns = divided_up(length_ns, NS_PER_S) * NS_PER_S;
    }
    rows->length_ns = length_ns;
    rows->per_row = (size_t)(length_ns / own_ns);
    rows->responses_per_row = (size_t)(length_ns / timeline_interval_ns(responses));
    rows->count = timeline_count(timeline) == 0 ? 0 : (size_t)divided_up(rows->end_ns, length_ns);
    if (rows->count == 0 && timeline_count(timeline) > 0) {
        rows->count = 1;
    }
}

void rows_deinit(struct rows *rows)
{
    span_free(rows->span);
    span_free(rows->response_span);
    rows->span = NULL;
    rows->response_span = NULL;
}

/* What a timeline has in the row just begun; the last row takes all that is left. */
static void add_row(struct span *span, const struct timeline *timeline, const struct rows *rows,
                    size_t per_row)
{
    const size_t count = timeline_count(timeline);
    const size_t to = rows->next == rows->count ? count : rows->next * per_row;
    span_reset(span);
    for (size_t i = (rows->next - 1) * per_row; i < to && i < count; i++) {
        span_add(span, timeline, i);
    }
}

bool rows_next(struct rows *rows)
{
    if (rows->next == rows->count) {
        return false;
    }
    rows->next++;
    add_row(rows->span, rows->timeline, rows, rows->per_row);
    if (rows->responses != NULL) {
        add_row(rows->response_span, rows->responses, rows, rows->responses_per_row);
    }
    return true;
}

uint64_t rows_from_ns(const struct rows *rows)
{
    return (rows->next - 1) * rows->length_ns;
}

uint64_t rows_lasted_ns(const struct rows *rows)
{
    const uint64_t from_ns = rows_from_ns(rows);
    const uint64_t left_ns = rows->end_ns > from_ns ? rows->end_ns - from_ns : 0;
    return left_ns < rows->length_ns ? left_ns : rows->length_ns;
}

double rows_rate_per_s(const struct rows *rows)
{
    const uint64_t lasted_ns = rows_lasted_ns(rows);
    return lasted_ns == 0
               ? 0
               : (double)span_figures(rows->span)->finished * (double)NS_PER_S / (double)lasted_ns;
}
