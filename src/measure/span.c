/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals of a timeline added up, with the percentiles of the sum. It is made once and used for
 * row after row; which intervals make a row is for the caller to say. The trap: percentiles come
 * from grains, so they are up to 1/64 above those of the whole run's histogram.
 */
#include "lather/measure/span.h"

#include <stdlib.h>
#include <string.h>

#include "lather/measure/grain.h"
#include "lather/measure/rank.h"

struct span {
    struct timeline_figures figures;
    uint32_t first; /* grains in use lie between these; first > last: none */
    uint32_t last;
    uint64_t counts[GRAIN_COUNT];
};

struct span *span_new(void)
{
    struct span *span = check_calloc(1, sizeof *span);
    span->first = GRAIN_COUNT;
    return span;
}

void span_free(struct span *span)
{
    free(span);
}

void span_reset(struct span *span)
{
    if (span->first <= span->last) {
        memset(span->counts + span->first, 0,
               (span->last - span->first + 1) * sizeof *span->counts);
    }
    span->figures = (struct timeline_figures){0};
    span->first = GRAIN_COUNT;
    span->last = 0;
}

static void add_figures(struct timeline_figures *figures, const struct timeline_figures *more)
{
    figures->finished += more->finished;
    figures->failed += more->failed;
    figures->answers += more->answers;
    figures->body_bytes += more->body_bytes;
    figures->max_ns = more->max_ns > figures->max_ns ? more->max_ns : figures->max_ns;
    wide_add(&figures->sum_ns, &more->sum_ns);
}

static void add_grain(struct span *span, uint32_t grain, uint64_t count)
{
    span->counts[grain] += count;
    span->first = grain < span->first ? grain : span->first;
    span->last = grain > span->last ? grain : span->last;
}

void span_add(struct span *span, const struct timeline *timeline, size_t index)
{
    struct timeline_figures more;
    struct histogram_bucket bucket;
    timeline_at(timeline, index, &more);
    add_figures(&span->figures, &more);
    for (uint32_t cursor = 0; timeline_next(timeline, index, &cursor, &bucket);) {
        add_grain(span, grain_of(bucket.low), bucket.count);
    }
}

void span_merge(struct span *into, const struct span *from)
{
    add_figures(&into->figures, &from->figures);
    for (uint32_t grain = from->first; grain <= from->last; grain++) {
        if (from->counts[grain] > 0) {
            add_grain(into, grain, from->counts[grain]);
        }
    }
}

const struct timeline_figures *span_figures(const struct span *span)
{
    return &span->figures;
}

double span_mean_ns(const struct span *span)
{
    const struct timeline_figures *figures = &span->figures;
    return figures->answers == 0 ? 0 : wide_to_double(&figures->sum_ns) / (double)figures->answers;
}

/* The grain of a rank; *left becomes the rank within it. */
static uint32_t grain_at(const struct span *span, uint64_t *left)
{
    uint32_t grain = span->first;
    while (span->counts[grain] < *left) {
        *left -= span->counts[grain];
        grain++;
    }
    return grain;
}

uint64_t span_percentile_ns(const struct span *span, double percent)
{
    if (span->figures.answers == 0) {
        return 0;
    }
    uint64_t left = rank_nearest(span->figures.answers, percent);
    uint64_t high = grain_high(grain_at(span, &left));
    return high < span->figures.max_ns ? high : span->figures.max_ns;
}

double span_smooth_percentile_ns(const struct span *span, double percent)
{
    if (span->figures.answers == 0) {
        return 0;
    }
    uint64_t left = rank_nearest(span->figures.answers, percent);
    uint32_t grain = grain_at(span, &left);
    double low = (double)grain_low(grain);
    double width = (double)grain_high(grain) - low + 1;
    return low + width * ((double)left - 0.5) / (double)span->counts[grain];
}
