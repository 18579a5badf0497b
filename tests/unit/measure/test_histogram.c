/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The histogram against sorted arrays: what it says of a set of values must be what the values
 * themselves say, exactly or within the width of one bucket.
 * Rows of the conformance list: B115, B119, B122, B130, B131, B132.
 */
#include "lather/measure/histogram.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/base/rng.h"

static const double percents[] = {0.001, 1,  10, 33.3, 50,   66,    75, 80,
                                  90,    95, 98, 99,   99.9, 99.99, 100};

static void assert_near(double said, double exact, double tolerance)
{
    assert_true(fabs(said - exact) <= tolerance);
}

static int rising(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static struct histogram *histogram_of(const uint64_t *values, size_t count)
{
    struct histogram *histogram = histogram_new();
    for (size_t i = 0; i < count; i++) {
        histogram_add(histogram, values[i]);
    }
    return histogram;
}

/* Nearest rank by definition, in long double: ceil(p * n / 100), from 1. */
static uint64_t nearest_rank(const uint64_t *sorted, size_t count, double percent)
{
    size_t rank = (size_t)ceill((long double)llround(percent * 1000) * count / 100000);
    return sorted[rank - 1];
}

static void assert_within_a_bucket(uint64_t said, uint64_t exact)
{
    assert_true(said >= exact);
    assert_true(said - exact <= exact / 1024);
}

static void check_against_array(uint64_t *values, size_t count)
{
    struct histogram *histogram = histogram_of(values, count);
    qsort(values, count, sizeof *values, rising);
    assert_int_equal(histogram_count(histogram), count);
    assert_int_equal(histogram_min(histogram), values[0]);
    assert_int_equal(histogram_max(histogram), values[count - 1]);
    assert_int_equal(histogram_percentile(histogram, 100), values[count - 1]);
    long double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    double mean = (double)(sum / count);
    assert_near(histogram_mean(histogram), mean, mean * 1e-15);
    long double squares = 0;
    for (size_t i = 0; i < count; i++) {
        squares += ((long double)values[i] - sum / count) * ((long double)values[i] - sum / count);
    }
    double deviation = count < 2 ? 0 : (double)sqrtl(squares / (count - 1));
    assert_near(histogram_deviation(histogram), deviation, deviation * 1e-9);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        uint64_t said = histogram_percentile(histogram, percents[i]);
        assert_within_a_bucket(said, nearest_rank(values, count, percents[i]));
        assert_true(said <= values[count - 1]); /* B130 */
    }
    /* why ab's warning of a mean far from the median has no place in a report with right figures */
    double median = (double)histogram_percentile(histogram, 50);
    assert_true(fabs(histogram_mean(histogram) - median) <= deviation + median / 1024);
    histogram_free(histogram);
}

static void random_sets_are_described_as_their_sorted_arrays_B130_B131(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 1, 0);
    uint64_t *values = check_malloc(3000 * sizeof *values);
    for (int round = 0; round < 400; round++) {
        size_t count = (size_t)rng_below(&rng, round < 200 ? 60 : 3000) + 1;
        /* magnitudes from 1 to 2^62, so that every width of bucket is met */
        unsigned bits = (unsigned)rng_below(&rng, 62) + 1;
        uint64_t base = rng_next(&rng) >> (64 - bits);
        uint64_t spread = (rng_next(&rng) >> (64 - bits)) + 1;
        for (size_t i = 0; i < count; i++) {
            values[i] = base + rng_below(&rng, spread);
        }
        check_against_array(values, count);
    }
    free(values);
}

static void median_of_1_2_9_is_2_D01(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_of((uint64_t[]){9, 1, 2}, 3);
    assert_int_equal(histogram_percentile(histogram, 50), 2);
    histogram_free(histogram);
    histogram = histogram_of((uint64_t[]){9 * NS_PER_MS, 1 * NS_PER_MS, 2 * NS_PER_MS}, 3);
    assert_within_a_bucket(histogram_percentile(histogram, 50), 2 * NS_PER_MS);
    histogram_free(histogram);
}

static void percentile_99_of_100_values_is_the_99th_D02(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_new();
    for (uint64_t i = 1; i <= 100; i++) {
        histogram_add(histogram, i);
    }
    for (int percent = 1; percent <= 100; percent++) {
        assert_int_equal(histogram_percentile(histogram, percent), percent);
    }
    histogram_free(histogram);
}

static void ranks_do_not_suffer_from_binary_fractions(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_new();
    for (uint64_t i = 1; i <= 2000; i++) {
        histogram_add(histogram, i);
    }
    /* in doubles, 0.07 * 100 is 7.000000000000001, whose ceiling is 8 */
    for (uint64_t hundredths = 5; hundredths <= 10000; hundredths += 5) {
        assert_int_equal(histogram_percentile(histogram, (double)hundredths / 100), hundredths / 5);
    }
    histogram_free(histogram);
}

static void one_value_is_every_percentile(void **state)
{
    (void)state;
    uint64_t value = 123456789;
    check_against_array(&value, 1);
    struct histogram *histogram = histogram_of(&value, 1);
    assert_int_equal(histogram_percentile(histogram, 1), value);
    assert_near(histogram_deviation(histogram), 0, 0);
    histogram_free(histogram);
}

static void an_empty_histogram_says_0_throughout(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_new();
    struct histogram_bucket bucket;
    uint32_t cursor = 0;
    assert_int_equal(histogram_count(histogram), 0);
    assert_int_equal(histogram_min(histogram), 0);
    assert_int_equal(histogram_max(histogram), 0);
    assert_near(histogram_mean(histogram), 0, 0);
    assert_near(histogram_deviation(histogram), 0, 0);
    assert_int_equal(histogram_percentile(histogram, 99), 0);
    assert_int_equal(histogram_count_between(histogram, 0, UINT64_MAX), 0);
    assert_false(histogram_next(histogram, &cursor, &bucket));
    histogram_free(histogram);
}

static void every_64_bit_value_has_a_bucket_that_holds_it_B132(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 2, 0);
    for (unsigned bits = 0; bits <= 64; bits++) {
        uint64_t power = bits == 64 ? 0 : (uint64_t)1 << bits;
        uint64_t tries[] = {power, power - 1, power + 1, power + rng_below(&rng, power + 1)};
        for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
            struct histogram *histogram = histogram_of(&tries[i], 1);
            struct histogram_bucket bucket;
            uint32_t cursor = 0;
            assert_true(histogram_next(histogram, &cursor, &bucket));
            assert_true(bucket.low <= tries[i] && tries[i] <= bucket.high);
            assert_true(bucket.high - bucket.low <= tries[i] / 1024);
            assert_true(tries[i] >= 2048 || bucket.low == bucket.high);
            assert_int_equal(bucket.count, 1);
            assert_false(histogram_next(histogram, &cursor, &bucket));
            assert_int_equal(histogram_percentile(histogram, 50), tries[i]);
            histogram_free(histogram);
        }
    }
}

static void buckets_meet_without_gap_or_overlap(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_new();
    for (unsigned bits = 11; bits < 64; bits++) {
        histogram_add(histogram, ((uint64_t)1 << bits) - 1);
        histogram_add(histogram, (uint64_t)1 << bits);
    }
    struct histogram_bucket below;
    struct histogram_bucket above;
    for (uint32_t cursor = 0; histogram_next(histogram, &cursor, &below);) {
        assert_true(histogram_next(histogram, &cursor, &above));
        assert_int_equal(below.high + 1, above.low);
    }
    histogram_free(histogram);
}

static void sums_pass_64_bits_without_loss(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_new();
    for (int i = 0; i < 1000; i++) {
        histogram_add(histogram, UINT64_MAX);
    }
    assert_near(histogram_mean(histogram), 18446744073709551615.0, 0);
    assert_near(histogram_deviation(histogram), 0, 0);
    assert_int_equal(histogram_percentile(histogram, 1), UINT64_MAX);
    histogram_free(histogram);
}

static void a_small_deviation_of_large_values_is_not_lost(void **state)
{
    (void)state;
    /* 30 s apart by 1 ns: the squares differ in the 20th digit */
    uint64_t base = 30 * NS_PER_S;
    struct histogram *histogram = histogram_of((uint64_t[]){base, base + 1, base + 2}, 3);
    assert_near(histogram_deviation(histogram), 1, 0);
    histogram_free(histogram);
}

static void a_million_and_a_half_values_keep_exact_counts_and_means_B115(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_new();
    for (uint64_t i = 1; i <= 1500000; i++) {
        histogram_add(histogram, i * 1000);
    }
    assert_int_equal(histogram_count(histogram), 1500000);
    assert_near(histogram_mean(histogram), 750000500.0, 0);
    assert_within_a_bucket(histogram_percentile(histogram, 99), 1485000000);
    histogram_free(histogram);
}

static void one_percent_at_3_s_shows_above_p99_B122(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_new();
    for (int i = 0; i < 10000; i++) {
        histogram_add(histogram, i % 100 == 0 ? 3 * NS_PER_S : 2 * NS_PER_MS);
    }
    assert_within_a_bucket(histogram_percentile(histogram, 95), 2 * NS_PER_MS);
    assert_within_a_bucket(histogram_percentile(histogram, 99), 2 * NS_PER_MS);
    assert_int_equal(histogram_percentile(histogram, 99.9), 3 * NS_PER_S);
    assert_near(histogram_mean(histogram), 31.98e6, 0.01);
    assert_int_equal(histogram_count_between(histogram, 1 * NS_PER_S, UINT64_MAX), 100);
    histogram_free(histogram);
}

static void times_under_a_microsecond_are_told_apart_D25_B119(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_of((uint64_t[]){301, 302, 303, 304}, 4);
    assert_int_equal(histogram_percentile(histogram, 25), 301);
    assert_int_equal(histogram_percentile(histogram, 75), 303);
    assert_near(histogram_mean(histogram), 302.5, 0);
    histogram_free(histogram);
}

static void count_between_takes_whole_buckets_at_both_ends(void **state)
{
    (void)state;
    uint64_t values[] = {10, 20, 30, 40, 1000000};
    struct histogram *histogram = histogram_of(values, 5);
    assert_int_equal(histogram_count_between(histogram, 20, 40), 3);
    assert_int_equal(histogram_count_between(histogram, 21, 29), 0);
    assert_int_equal(histogram_count_between(histogram, 0, 9), 0);
    assert_int_equal(histogram_count_between(histogram, 40, 20), 0);
    assert_int_equal(histogram_count_between(histogram, 1000001, UINT64_MAX), 0);
    assert_int_equal(histogram_count_between(histogram, 999900, 1000100), 1);
    assert_int_equal(histogram_count_between(histogram, 0, UINT64_MAX), 5);
    histogram_free(histogram);
}

static void assert_same(const struct histogram *a, const struct histogram *b)
{
    struct histogram_exact left;
    struct histogram_exact right;
    histogram_exact_get(a, &left);
    histogram_exact_get(b, &right);
    assert_memory_equal(&left, &right, sizeof left);
    assert_int_equal(histogram_count(a), histogram_count(b));
    struct histogram_bucket one;
    struct histogram_bucket other;
    uint32_t cursor_a = 0;
    uint32_t cursor_b = 0;
    while (histogram_next(a, &cursor_a, &one)) {
        assert_true(histogram_next(b, &cursor_b, &other));
        assert_memory_equal(&one, &other, sizeof one);
    }
    assert_false(histogram_next(b, &cursor_b, &other));
}

static void merging_is_as_if_all_values_were_added_to_one(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 3, 0);
    struct histogram *all = histogram_new();
    struct histogram *parts[4];
    for (int i = 0; i < 4; i++) {
        parts[i] = histogram_new();
    }
    for (int i = 0; i < 20000; i++) {
        uint64_t value = rng_next(&rng) >> rng_below(&rng, 64);
        histogram_add(all, value);
        histogram_add(parts[rng_below(&rng, 3)], value); /* the last one stays empty */
    }
    struct histogram *backwards = histogram_new();
    for (int i = 3; i >= 0; i--) {
        histogram_merge(backwards, parts[i]);
    }
    assert_same(backwards, all);
    for (int i = 1; i < 4; i++) {
        histogram_merge(parts[0], parts[i]);
    }
    assert_same(parts[0], all);
    for (int i = 0; i < 4; i++) {
        histogram_free(parts[i]);
    }
    histogram_free(backwards);
    histogram_free(all);
}

static struct histogram *rebuilt(const struct histogram *histogram)
{
    struct histogram *copy = histogram_new();
    struct histogram_bucket bucket;
    for (uint32_t cursor = 0; histogram_next(histogram, &cursor, &bucket);) {
        assert_true(histogram_restore_bucket(copy, bucket.low, bucket.count));
    }
    return copy;
}

static void what_is_written_out_and_restored_is_the_same(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 4, 0);
    struct histogram *histogram = histogram_new();
    for (int i = 0; i < 5000; i++) {
        histogram_add(histogram, rng_next(&rng) >> rng_below(&rng, 64));
    }
    struct histogram_exact exact;
    histogram_exact_get(histogram, &exact);
    struct histogram *copy = rebuilt(histogram);
    assert_true(histogram_restore_exact(copy, &exact));
    assert_same(copy, histogram);
    histogram_free(copy);
    copy = histogram_new();
    assert_true(histogram_restore_exact(copy, &(struct histogram_exact){0}));
    histogram_free(copy);
    histogram_free(histogram);
}

static void exact_figures_that_cannot_belong_to_the_buckets_are_refused(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_of((uint64_t[]){5000, 6000, 700000}, 3);
    struct histogram_exact good;
    histogram_exact_get(histogram, &good);
    struct histogram_exact bad[8];
    for (int i = 0; i < 8; i++) {
        bad[i] = good;
    }
    bad[0].min = 4000;
    bad[1].min = 7000;
    bad[2].max = 800000;
    bad[3].max = 600000;
    bad[4].sum.limb[0] += 5000;
    bad[5].sum.limb[0] -= 5000;
    bad[6].squares.limb[3] = 1;
    bad[7].squares.limb[0] /= 2;
    for (int i = 0; i < 8; i++) {
        struct histogram *copy = rebuilt(histogram);
        assert_false(histogram_restore_exact(copy, &bad[i]));
        histogram_free(copy);
    }
    struct histogram *empty = histogram_new();
    assert_false(histogram_restore_exact(empty, &good));
    histogram_free(empty);
    histogram_free(histogram);
}

static void squares_below_what_the_sum_demands_are_refused(void **state)
{
    (void)state;
    /* two values of one bucket, 4096 to 4099: 2 * (4098^2 + 4098^2) = (2 * 4098)^2 at the least */
    struct histogram *histogram = histogram_of((uint64_t[]){4098, 4098}, 2);
    struct histogram_exact exact;
    histogram_exact_get(histogram, &exact);
    exact.squares.limb[0]--;
    struct histogram *copy = rebuilt(histogram);
    assert_false(histogram_restore_exact(copy, &exact));
    histogram_free(copy);
    histogram_free(histogram);
}

static void counts_beyond_64_bits_are_refused(void **state)
{
    (void)state;
    struct histogram *histogram = histogram_new();
    assert_true(histogram_restore_bucket(histogram, 1, UINT64_MAX));
    assert_false(histogram_restore_bucket(histogram, 1, 1));
    assert_int_equal(histogram_percentile(histogram, 50), 1);
    histogram_free(histogram);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets_are_described_as_their_sorted_arrays_B130_B131),
        cmocka_unit_test(median_of_1_2_9_is_2_D01),
        cmocka_unit_test(percentile_99_of_100_values_is_the_99th_D02),
        cmocka_unit_test(ranks_do_not_suffer_from_binary_fractions),
        cmocka_unit_test(one_value_is_every_percentile),
        cmocka_unit_test(an_empty_histogram_says_0_throughout),
        cmocka_unit_test(every_64_bit_value_has_a_bucket_that_holds_it_B132),
        cmocka_unit_test(buckets_meet_without_gap_or_overlap),
        cmocka_unit_test(sums_pass_64_bits_without_loss),
        cmocka_unit_test(a_small_deviation_of_large_values_is_not_lost),
        cmocka_unit_test(a_million_and_a_half_values_keep_exact_counts_and_means_B115),
        cmocka_unit_test(one_percent_at_3_s_shows_above_p99_B122),
        cmocka_unit_test(times_under_a_microsecond_are_told_apart_D25_B119),
        cmocka_unit_test(count_between_takes_whole_buckets_at_both_ends),
        cmocka_unit_test(merging_is_as_if_all_values_were_added_to_one),
        cmocka_unit_test(what_is_written_out_and_restored_is_the_same),
        cmocka_unit_test(exact_figures_that_cannot_belong_to_the_buckets_are_refused),
        cmocka_unit_test(squares_below_what_the_sum_demands_are_refused),
        cmocka_unit_test(counts_beyond_64_bits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
