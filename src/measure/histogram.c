/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A histogram that takes every 64-bit value, after HdrHistogram. Bucket numbers come from shifts
 * alone: the 11 leading bits of a value choose its bucket, so that no width is above 1/1024 of the
 * value. It does not know what it counts, and corrects nothing. The trap: the buckets in use are
 * always between those of min and max, and every walk relies on that to stay short.
 */
#include "lather/measure/histogram.h"

#include <math.h>
#include <stdlib.h>

#include "lather/base/platform.h"
#include "lather/measure/rank.h"

enum {
    HALF_BITS = 10, /* each power of two is cut into 2^10 buckets: 0.1 % */
    HALF = 1 << HALF_BITS,
    BUCKETS = 55 * HALF, /* 2 * HALF exact ones, then 53 powers of two up to 2^64 */
};

__extension__ typedef unsigned __int128 double_word;

struct histogram {
    uint64_t count;
    uint64_t min; /* UINT64_MAX while empty, so that adding needs no special case */
    uint64_t max;
    struct wide sum;
    struct wide squares;
    uint64_t counts[BUCKETS];
};

/* 2047 is in bucket 2047; 2048 and 2049 share 2048; 4096 to 4099 share 3072. */
static uint32_t bucket_of(uint64_t value)
{
    unsigned leading = (unsigned)__builtin_clzll(value | (2 * HALF - 1));
    unsigned shift = 63 - leading - HALF_BITS;
    return (uint32_t)(shift << HALF_BITS) + (uint32_t)(value >> shift);
}

static unsigned shift_of(uint32_t bucket)
{
    return bucket < 2 * HALF ? 0 : (bucket >> HALF_BITS) - 1;
}

static uint64_t lowest_of(uint32_t bucket)
{
    unsigned shift = shift_of(bucket);
    return ((uint64_t)bucket - ((uint64_t)shift << HALF_BITS)) << shift;
}

static uint64_t highest_of(uint32_t bucket)
{
    return lowest_of(bucket) + (((uint64_t)1 << shift_of(bucket)) - 1);
}

struct histogram *histogram_new(void)
{
    struct histogram *histogram = check_pages(sizeof *histogram);
    histogram->min = UINT64_MAX;
    return histogram;
}

void histogram_free(struct histogram *histogram)
{
    platform_pages_free(histogram, sizeof *histogram);
}

/* Three limbs hold 2^64 squares of 64-bit values, so the carry ends in the third. */
static inline void add_exactly(struct wide *into, double_word value)
{
    double_word low = (double_word)into->limb[1] << 64 | into->limb[0];
    low += value;
    into->limb[0] = (uint64_t)low;
    into->limb[1] = (uint64_t)(low >> 64);
    into->limb[2] += low < value;
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram->counts[bucket_of(value)]++;
    histogram->count++;
    histogram->min = value < histogram->min ? value : histogram->min;
    histogram->max = value > histogram->max ? value : histogram->max;
    add_exactly(&histogram->sum, value);
    add_exactly(&histogram->squares, (double_word)value * value);
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    if (from->count == 0) {
        return;
    }
    uint32_t last = bucket_of(from->max);
    for (uint32_t i = bucket_of(from->min); i <= last; i++) {
        if (from->counts[i] != 0) { /* a written zero would make the page resident */
            into->counts[i] += from->counts[i];
        }
    }
    into->count += from->count;
    into->min = from->min < into->min ? from->min : into->min;
    into->max = from->max > into->max ? from->max : into->max;
    wide_add(&into->sum, &from->sum);
    wide_add(&into->squares, &from->squares);
}

uint64_t histogram_count(const struct histogram *histogram)
{
    return histogram->count;
}

uint64_t histogram_min(const struct histogram *histogram)
{
    return histogram->count == 0 ? 0 : histogram->min;
}

uint64_t histogram_max(const struct histogram *histogram)
{
    return histogram->max;
}

double histogram_mean(const struct histogram *histogram)
{
    return histogram->count == 0 ? 0 : wide_to_double(&histogram->sum) / (double)histogram->count;
}

/* count * squares and sum * sum: their difference is count times the squared differences. */
static void spread_terms(uint64_t count, const struct wide *sum, const struct wide *squares,
                         struct wide *greater, struct wide *lesser)
{
    struct wide n = wide_from_u64(count);
    *greater = wide_multiply(&n, squares);
    *lesser = wide_multiply(sum, sum);
}

double histogram_deviation(const struct histogram *histogram)
{
    if (histogram->count < 2) {
        return 0;
    }
    struct wide greater;
    struct wide lesser;
    spread_terms(histogram->count, &histogram->sum, &histogram->squares, &greater, &lesser);
    struct wide spread = wide_subtract(&greater, &lesser);
    double n = (double)histogram->count;
    return sqrt(wide_to_double(&spread) / n / (n - 1));
}

uint64_t histogram_percentile(const struct histogram *histogram, double percent)
{
    if (histogram->count == 0) {
        return 0;
    }
    uint64_t left = rank_nearest(histogram->count, percent);
    uint32_t bucket = bucket_of(histogram->min);
    while (histogram->counts[bucket] < left) {
        left -= histogram->counts[bucket];
        bucket++;
    }
    uint64_t highest = highest_of(bucket);
    return highest < histogram->max ? highest : histogram->max;
}

uint64_t histogram_count_between(const struct histogram *histogram, uint64_t low, uint64_t high)
{
    uint64_t count = 0;
    if (histogram->count == 0 || low > high || low > histogram->max || high < histogram->min) {
        return 0;
    }
    uint32_t last = bucket_of(high < histogram->max ? high : histogram->max);
    for (uint32_t i = bucket_of(low > histogram->min ? low : histogram->min); i <= last; i++) {
        count += histogram->counts[i];
    }
    return count;
}

bool histogram_next(const struct histogram *histogram, uint32_t *cursor,
                    struct histogram_bucket *bucket)
{
    if (histogram->count == 0) {
        return false;
    }
    uint32_t first = bucket_of(histogram->min);
    uint32_t last = bucket_of(histogram->max);
    for (uint32_t i = *cursor > first ? *cursor : first; i <= last; i++) {
        if (histogram->counts[i] != 0) {
            *bucket = (struct histogram_bucket){
                .low = lowest_of(i), .high = highest_of(i), .count = histogram->counts[i]};
            *cursor = i + 1;
            return true;
        }
    }
    *cursor = last + 1;
    return false;
}

void histogram_exact_get(const struct histogram *histogram, struct histogram_exact *exact)
{
    *exact = (struct histogram_exact){.min = histogram_min(histogram),
                                      .max = histogram->max,
                                      .sum = histogram->sum,
                                      .squares = histogram->squares};
}

bool histogram_restore_bucket(struct histogram *histogram, uint64_t value, uint64_t count)
{
    if (count > UINT64_MAX - histogram->count) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    uint32_t bucket = bucket_of(value);
    histogram->counts[bucket] += count;
    histogram->count += count;
    /* bounds for the walks, until the exact ones are set */
    histogram->min = lowest_of(bucket) < histogram->min ? lowest_of(bucket) : histogram->min;
    histogram->max = highest_of(bucket) > histogram->max ? highest_of(bucket) : histogram->max;
    return true;
}

/* Adds count * value and count * value * value to the sums. */
static void add_times(struct wide *sum, struct wide *squares, uint64_t value, uint64_t count)
{
    struct wide n = wide_from_u64(count);
    struct wide product = wide_from_product(value, count);
    wide_add(sum, &product);
    struct wide square = wide_from_product(value, value);
    square = wide_multiply(&square, &n);
    wide_add(squares, &square);
}

/* Whether the sums lie between those of all lowest and all highest values of the buckets. */
static bool sums_fit_buckets(const struct histogram *histogram, const struct wide *sum,
                             const struct wide *squares)
{
    struct wide least_sum = {{0}};
    struct wide least_squares = {{0}};
    struct wide most_sum = {{0}};
    struct wide most_squares = {{0}};
    struct histogram_bucket bucket;
    for (uint32_t cursor = 0; histogram_next(histogram, &cursor, &bucket);) {
        add_times(&least_sum, &least_squares, bucket.low, bucket.count);
        add_times(&most_sum, &most_squares, bucket.high, bucket.count);
    }
    return wide_compare(sum, &least_sum) >= 0 && wide_compare(sum, &most_sum) <= 0 &&
           wide_compare(squares, &least_squares) >= 0 && wide_compare(squares, &most_squares) <= 0;
}

bool histogram_restore_exact(struct histogram *histogram, const struct histogram_exact *exact)
{
    static const struct histogram_exact nothing;
    if (histogram->count == 0) {
        return exact->min == 0 && exact->max == 0 && wide_compare(&exact->sum, &nothing.sum) == 0 &&
               wide_compare(&exact->squares, &nothing.squares) == 0;
    }
    if (exact->min > exact->max || bucket_of(exact->min) != bucket_of(histogram->min) ||
        bucket_of(exact->max) != bucket_of(histogram->max) ||
        !sums_fit_buckets(histogram, &exact->sum, &exact->squares)) {
        return false;
    }
    struct wide greater;
    struct wide lesser;
    spread_terms(histogram->count, &exact->sum, &exact->squares, &greater, &lesser);
    if (wide_compare(&greater, &lesser) < 0) {
        return false; /* no values at all have such sums */
    }
    histogram->min = exact->min;
    histogram->max = exact->max;
    histogram->sum = exact->sum;
    histogram->squares = exact->squares;
    return true;
}
