/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_HISTOGRAM_H
#define LATHER_MEASURE_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/measure/wide.h"

/*
 * Counts of values with a bounded relative error and fixed memory, after HdrHistogram (Tene): each
 * power of two is cut into 1024 equal buckets, so that a bucket is never wider than 1/1024 of its
 * value, and values under 2048 are exact. It takes every 64-bit value: nothing is refused, clamped
 * or dropped. Count, least, greatest, sum and sum of squares are kept exactly beside the buckets,
 * in whole numbers, so that merging gives the same figures in any order. The unit
 * is the caller's (nanoseconds in this program). About 450 KiB of address space, of which only the
 * buckets in use become resident.
 */
struct histogram;

/* An empty histogram, the caller's to free. */
struct histogram *histogram_new(void) MUST_USE;
void histogram_free(struct histogram *histogram);

/* Adds one value. Constant cost, about 5 ns; allocates nothing. */
void histogram_add(struct histogram *histogram, uint64_t value);

/* Adds all of `from` to `into`, exactly: as if its values had been added one by one. */
void histogram_merge(struct histogram *into, const struct histogram *from);

/* How many values were added. */
uint64_t histogram_count(const struct histogram *histogram);

/* Exact; 0 when empty. */
uint64_t histogram_min(const struct histogram *histogram);
uint64_t histogram_max(const struct histogram *histogram);

/* The exact sum divided by the count, rounded once; 0 when empty. */
double histogram_mean(const struct histogram *histogram);

/* Sample standard deviation (divided by n - 1); 0 when there are fewer than two values. */
double histogram_deviation(const struct histogram *histogram);

/*
 * The value at nearest rank ceil(percent * n / 100), 0 < percent <= 100: the highest value of its
 * bucket, never above the greatest value added, nor below the least. 0 when empty. Percent 50 of
 * 1, 2, 9 is 2; percent 99 of 100 values is the 99th, not the greatest. The rank is worked out in
 * whole numbers, from percent to six decimals. Cost: one walk over the buckets.
 */
uint64_t histogram_percentile(const struct histogram *histogram, double percent);

/* How many values lie in buckets wholly or partly inside [low, high]. */
uint64_t histogram_count_between(const struct histogram *histogram, uint64_t low, uint64_t high);

/* A bucket that holds something: values from low to high, both included. */
struct histogram_bucket {
    uint64_t low;
    uint64_t high;
    uint64_t count;
};

/*
 * Walks the buckets in use, in rising order: start with *cursor 0; false when there is no more.
 */
bool histogram_next(const struct histogram *histogram, uint32_t *cursor,
                    struct histogram_bucket *bucket);

/* The exact figures beside the buckets, for writing a histogram out and reading it back. */
struct histogram_exact {
    uint64_t min;
    uint64_t max;
    struct wide sum;
    struct wide squares; /* sum of the squared values */
};
void histogram_exact_get(const struct histogram *histogram, struct histogram_exact *exact);

/*
 * Reading back, in this order: first each bucket, by any value inside it, then the exact figures.
 * The first is false when the counts pass 2^64 - 1, the second when the figures cannot be those of
 * the values in the buckets; the histogram is then of no use and can only be freed.
 */
bool histogram_restore_bucket(struct histogram *histogram, uint64_t value, uint64_t count) MUST_USE;
bool histogram_restore_exact(struct histogram *histogram,
                             const struct histogram_exact *exact) MUST_USE;

#endif
