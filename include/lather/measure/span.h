/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_SPAN_H
#define LATHER_MEASURE_SPAN_H

#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/measure/timeline.h"

/*
 * Any intervals of timelines added up: a second, the whole run, or a random choice of them. The
 * figures are exact, percentiles come from the grains. Owned by one thread; all times are in ns.
 */
struct span;

/* Nothing added yet; the caller's to free. 30 KB. */
struct span *span_new(void) MUST_USE;
void span_free(struct span *span);

/* Makes it empty again. */
void span_reset(struct span *span);

/* Adds the interval `index` of a timeline, which must have it; the same one again counts again.
   Linear in the interval's grains. */
void span_add(struct span *span, const struct timeline *timeline, size_t index);

/* Adds all that was added to `from`, which stays as it is. */
void span_merge(struct span *into, const struct span *from);

/* Counts, bytes, sum and longest, exact; borrowed, and changed by the next add. */
const struct timeline_figures *span_figures(const struct span *span);

/* The exact mean latency in ns; 0 without answers. */
double span_mean_ns(const struct span *span);

/*
 * The latency at nearest rank ceil(percent * answers / 100), 0 < percent <= 100: the highest value
 * of its grain, at most 1/64 too high, never above the longest. 0 without answers.
 */
uint64_t span_percentile_ns(const struct span *span, double percent);

/* The same with the rank's place inside its grain taken into account: for comparing, not to print.
 */
double span_smooth_percentile_ns(const struct span *span, double percent);

#endif
