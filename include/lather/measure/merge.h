/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_MERGE_H
#define LATHER_MEASURE_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/measure/summary.h"

/* One result to be merged, and what it is called in the report. */
struct merge_source {
    struct summary *summary;
    const char *name;
};

/*
 * Makes one result of several boxes': counts, bytes, histograms and failures are added exactly,
 * timelines at the times the runs began by their boxes' clocks (to the nearest interval), plans as
 * far as they can be (concurrency, threads, requests and rate are sums). What differs (target,
 * message, options), a time in which none ran and one in which not all did are named in notes. The
 * sources are put in order of their start; all is added to the first one's summary, the others stay
 * as they are. False, with the reason in err, when there are more parts or requests than can be
 * added; the first summary is then of no use and can only be freed.
 */
bool merge_results(struct merge_source *sources, size_t count, struct err *err) MUST_USE;

/*
 * Adds a later stretch of the same run, which began shift_ns after the first: its threads are the
 * same ones, and its duration ends where the later of both does, by what the later one ended by.
 * What the plan asked for is left alone. Books are not checked.
 */
void merge_stretch(struct summary *into, const struct summary *from, uint64_t shift_ns);

#endif
