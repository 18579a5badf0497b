/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals added up: exact figures, percentiles within a grain of the run's own histogram.
 * Rows of the conformance list: B139.
 */
#include "lather/measure/span.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/base/rng.h"

static void add(struct timeline *timeline, uint64_t end_ns, uint64_t total_ns)
{
    timeline_add(timeline, &(struct timeline_sample){
                               .end_ns = end_ns, .total_ns = total_ns, .answered = true});
}

static void nothing_has_no_percentile(void **state)
{
    (void)state;
    struct span *span = span_new();
    assert_int_equal(span_percentile_ns(span, 99), 0);
    assert_true(span_mean_ns(span) == 0);
    assert_true(span_smooth_percentile_ns(span, 50) == 0);
    span_free(span);
    span_free(NULL);
}

static void an_interval_has_percentiles_of_its_own_B139(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    struct span *span = span_new();
    for (uint64_t i = 0; i < 100; i++) {
        add(timeline, i, 100);
        add(timeline, TIMELINE_SHORTEST_NS + i, i + 1);
    }
    span_add(span, timeline, 1);
    assert_int_equal(span_percentile_ns(span, 50), 50); /* exact below 128 */
    assert_int_equal(span_percentile_ns(span, 99), 99);
    assert_int_equal(span_percentile_ns(span, 100), 100);
    assert_true(span_mean_ns(span) == 50.5);
    span_reset(span);
    span_add(span, timeline, 0);
    assert_int_equal(span_percentile_ns(span, 50), 100);
    assert_int_equal(span_figures(span)->answers, 100);
    span_add(span, timeline, 0);
    assert_int_equal(span_figures(span)->answers, 200);
    span_free(span);
    timeline_free(timeline);
}

static void percentiles_are_at_most_a_grain_above_the_runs(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    struct histogram *histogram = histogram_new();
    struct span *span = span_new();
    struct rng rng;
    rng_init(&rng, 9, 0);
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t total_ns = NS_PER_MS + rng_below(&rng, 1 + rng_below(&rng, 90 * NS_PER_MS));
        add(timeline, i * 100000, total_ns);
        histogram_add(histogram, total_ns);
    }
    for (size_t i = 0; i < timeline_count(timeline); i++) {
        span_add(span, timeline, i);
    }
    assert_int_equal(span_figures(span)->max_ns, histogram_max(histogram));
    assert_true(span_mean_ns(span) == histogram_mean(histogram));
    for (double percent = 0.5; percent <= 100; percent += 0.5) {
        double truth = (double)histogram_percentile(histogram, percent);
        double found = (double)span_percentile_ns(span, percent);
        assert_true(found >= truth && found <= truth * (1 + 1.0 / 64));
        double smooth = span_smooth_percentile_ns(span, percent);
        assert_true(smooth >= truth * (1 - 1.0 / 64) && smooth <= truth * (1 + 1.0 / 64));
    }
    span_free(span);
    histogram_free(histogram);
    timeline_free(timeline);
}

static void merging_is_adding_all_intervals_to_one(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    struct span *whole = span_new();
    struct span *part = span_new();
    struct span *sum = span_new();
    for (uint64_t i = 0; i < 500; i++) {
        timeline_add(timeline, &(struct timeline_sample){.end_ns = i * 7000000,
                                                         .total_ns = 1000 + i * i * 100,
                                                         .answered = i % 9 != 0,
                                                         .failed = i % 9 == 0});
    }
    span_merge(sum, part); /* of nothing */
    for (size_t i = 0; i < timeline_count(timeline); i++) {
        span_add(whole, timeline, i);
        span_reset(part);
        span_add(part, timeline, i);
        span_merge(sum, part);
    }
    assert_memory_equal(span_figures(whole), span_figures(sum), sizeof *span_figures(sum));
    for (double percent = 1; percent <= 100; percent += 0.5) {
        assert_int_equal(span_percentile_ns(whole, percent), span_percentile_ns(sum, percent));
    }
    span_free(whole);
    span_free(part);
    span_free(sum);
    timeline_free(timeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_has_no_percentile),
        cmocka_unit_test(an_interval_has_percentiles_of_its_own_B139),
        cmocka_unit_test(percentiles_are_at_most_a_grain_above_the_runs),
        cmocka_unit_test(merging_is_adding_all_intervals_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
