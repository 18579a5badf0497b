/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_TIMELINE_H
#define LATHER_MEASURE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/measure/histogram.h"
#include "lather/measure/wide.h"

/*
 * What happened when: the run cut into intervals of one length, counted from its start, each with
 * its counts and a small histogram of its own. A request belongs to the interval in which it ended.
 * Memory is bounded whatever the run's length: intervals begin short and double in length, all of
 * them, whenever there would be too many, and so do they when their histograms would hold too many
 * grains (measure/grain.h). How long they have become depends on what was added alone, not on the
 * order, so that timelines merge to the same one in any order.
 */
struct timeline;

/* The shortest interval, 1/64 s: a whole second is one of its doublings. */
#define TIMELINE_SHORTEST_NS 15625000ULL

enum {
    TIMELINE_SHORT_CEILING = 256,     /* intervals, while they are shorter than a second: 18 KB */
    TIMELINE_CEILING = 4096,          /* intervals: 68 minutes of seconds; 288 KB */
    TIMELINE_GRAINS_CEILING = 1 << 18 /* in use, of all intervals: 8 bytes each, 2 MB */
};

/* A timeline of nothing, the caller's to free. */
struct timeline *timeline_new(void) MUST_USE;
void timeline_free(struct timeline *timeline);

/* When the run began, on the clock of the ends added later; 0 at first. Before the first one. */
void timeline_set_start(struct timeline *timeline, uint64_t start_ns);

/* One finished request. */
struct timeline_sample {
    uint64_t end_ns;     /* not before the start */
    uint64_t total_ns;   /* start to end; counts only when answered */
    uint64_t body_bytes; /* of the answer; 0 without one */
    bool answered;       /* a whole answer came: total_ns is a latency */
    bool failed;
};

/*
 * Counts one request. About 3 ns and no allocation, but for the first of an interval and for one
 * that ended in an interval already left (some 100 ns).
 */
void timeline_add(struct timeline *timeline, const struct timeline_sample *sample);

/* The figures of one interval, or of several added up; each exact. */
struct timeline_figures {
    uint64_t finished;
    uint64_t failed;     /* of finished */
    uint64_t answers;    /* of finished: with a whole answer, so with a latency */
    uint64_t body_bytes; /* of answers */
    uint64_t max_ns;     /* the longest latency; 0 without answers */
    struct wide sum_ns;  /* of the latencies */
};

/* The length of an interval, and how many there are up to the last one with an end in it. */
uint64_t timeline_interval_ns(const struct timeline *timeline);
size_t timeline_count(const struct timeline *timeline);

/* The figures of the interval that begins index * timeline_interval_ns after the start. */
void timeline_at(const struct timeline *timeline, size_t index, struct timeline_figures *figures);

/* Of all intervals. */
void timeline_totals(const struct timeline *timeline, struct timeline_figures *figures);

/*
 * Walks the grains in use of an interval's latencies, in rising order: start with *cursor 0; false
 * when there is no more.
 */
bool timeline_next(const struct timeline *timeline, size_t index, uint32_t *cursor,
                   struct histogram_bucket *bucket);

/*
 * Adds all of `from`, whose start is `shift` of its own intervals after that of `into` (0: the same
 * run, or begun together): as if all its requests had been added, that much later.
 */
void timeline_merge(struct timeline *into, const struct timeline *from, uint64_t shift);

/* Makes the intervals `interval_ns` long, a doubling of what they are; less than that is nothing.
 */
void timeline_coarsen(struct timeline *timeline, uint64_t interval_ns);

/*
 * Reading back, interval by interval in order: first the length of all; then of each one its
 * grains, by any value inside, and at last its figures (`answers` must be the sum of the grains).
 * False when that cannot be a timeline; it can then only be freed.
 */
bool timeline_restore_length(struct timeline *timeline, uint64_t interval_ns) MUST_USE;
bool timeline_restore_grain(struct timeline *timeline, uint64_t value, uint64_t count) MUST_USE;
bool timeline_restore_figures(struct timeline *timeline,
                              const struct timeline_figures *figures) MUST_USE;

#endif
