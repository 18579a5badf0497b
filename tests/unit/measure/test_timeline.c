/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run over time: every request in the interval it ended in, nothing lost when intervals double
 * in length, the same timeline in whatever order and however many parts it was made from.
 * Rows of the conformance list: B139.
 */
#include "lather/measure/timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/base/rng.h"
#include "lather/measure/grain.h"

static void add(struct timeline *timeline, uint64_t end_ns, uint64_t total_ns)
{
    timeline_add(timeline,
                 &(struct timeline_sample){
                     .end_ns = end_ns, .total_ns = total_ns, .body_bytes = 10, .answered = true});
}

static struct timeline_figures at(const struct timeline *timeline, size_t index)
{
    struct timeline_figures figures;
    timeline_at(timeline, index, &figures);
    return figures;
}

static struct timeline_figures totals_of(const struct timeline *timeline)
{
    struct timeline_figures figures;
    timeline_totals(timeline, &figures);
    return figures;
}

static void assert_same(const struct timeline *a, const struct timeline *b)
{
    assert_int_equal(timeline_interval_ns(a), timeline_interval_ns(b));
    assert_int_equal(timeline_count(a), timeline_count(b));
    for (size_t i = 0; i < timeline_count(a); i++) {
        struct timeline_figures left = at(a, i);
        struct timeline_figures right = at(b, i);
        assert_memory_equal(&left, &right, sizeof left);
        struct histogram_bucket one;
        struct histogram_bucket other;
        uint32_t one_cursor = 0;
        uint32_t other_cursor = 0;
        bool more;
        do {
            more = timeline_next(a, i, &one_cursor, &one);
            assert_int_equal(timeline_next(b, i, &other_cursor, &other), more);
            if (more) {
                assert_memory_equal(&one, &other, sizeof one);
            }
        } while (more);
    }
}

static void a_request_is_in_the_interval_it_ended_in_B139(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    timeline_set_start(timeline, 5 * NS_PER_S);
    add(timeline, 5 * NS_PER_S, 1000);
    add(timeline, 5 * NS_PER_S + TIMELINE_SHORTEST_NS - 1, 3000);
    add(timeline, 5 * NS_PER_S + TIMELINE_SHORTEST_NS, 200);
    timeline_add(timeline, &(struct timeline_sample){
                               .end_ns = 5 * NS_PER_S + 3 * TIMELINE_SHORTEST_NS, .failed = true});
    assert_int_equal(timeline_count(timeline), 4);
    assert_int_equal(at(timeline, 0).finished, 2);
    assert_int_equal(at(timeline, 0).max_ns, 3000);
    assert_int_equal(at(timeline, 0).sum_ns.limb[0], 4000);
    assert_int_equal(at(timeline, 0).body_bytes, 20);
    assert_int_equal(at(timeline, 1).answers, 1);
    assert_int_equal(at(timeline, 1).max_ns, 200);
    assert_int_equal(at(timeline, 2).finished, 0);
    assert_int_equal(at(timeline, 3).finished, 1);
    assert_int_equal(at(timeline, 3).failed, 1);
    assert_int_equal(at(timeline, 3).answers, 0);
    timeline_free(timeline);
    timeline_free(NULL);
}

static void an_end_that_comes_late_goes_where_it_belongs(void **state)
{
    (void)state;
    struct timeline *in_order = timeline_new();
    struct timeline *late = timeline_new();
    for (uint64_t i = 0; i < 50; i++) {
        add(in_order, i * 1000000, 5000 + i * 100);
    }
    for (uint64_t i = 50; i-- > 0;) {
        add(late, i * 1000000, 5000 + i * 100);
    }
    assert_int_equal(timeline_count(late), 4);
    assert_same(in_order, late);
    timeline_free(in_order);
    timeline_free(late);
}

static void intervals_double_when_there_are_too_many(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    for (uint64_t second = 0; second < 3 * 3600; second++) {
        add(timeline, second * NS_PER_S, 1000 + second);
        size_t most =
            timeline_interval_ns(timeline) < NS_PER_S ? TIMELINE_SHORT_CEILING : TIMELINE_CEILING;
        assert_true(timeline_count(timeline) <= most);
        assert_int_equal(timeline_count(timeline) - 1,
                         second * NS_PER_S / timeline_interval_ns(timeline));
    }
    assert_int_equal(timeline_interval_ns(timeline), 4 * NS_PER_S);
    assert_int_equal(totals_of(timeline).finished, 3 * 3600);
    assert_int_equal(at(timeline, 100).finished, 4);
    assert_int_equal(at(timeline, 100).max_ns, 1000 + 403);
    timeline_free(timeline);
}

static void a_second_of_rows_is_kept_for_an_hour(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    for (uint64_t second = 0; second < 3600; second++) {
        add(timeline, second * NS_PER_S, 1000);
    }
    assert_int_equal(timeline_interval_ns(timeline), NS_PER_S);
    assert_int_equal(timeline_count(timeline), 3600);
    timeline_free(timeline);
}

static void an_end_in_the_far_future_takes_no_memory(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    add(timeline, 0, 1);
    add(timeline, UINT64_MAX, UINT64_MAX);
    assert_true(timeline_count(timeline) <= TIMELINE_CEILING);
    assert_int_equal(totals_of(timeline).finished, 2);
    assert_int_equal(totals_of(timeline).max_ns, UINT64_MAX);
    timeline_free(timeline);
}

static size_t grains_of(const struct timeline *timeline)
{
    size_t grains = 0;
    struct histogram_bucket bucket;
    for (size_t i = 0; i < timeline_count(timeline); i++) {
        for (uint32_t cursor = 0; timeline_next(timeline, i, &cursor, &bucket);) {
            grains++;
        }
    }
    return grains;
}

static void grains_have_a_ceiling_of_all_intervals_together(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    struct rng rng;
    rng_init(&rng, 1, 0);
    for (uint64_t i = 0; i < 900000; i++) {
        add(timeline, i * 15000, rng_next(&rng) >> rng_below(&rng, 60));
    }
    assert_true(timeline_interval_ns(timeline) > TIMELINE_SHORTEST_NS);
    assert_true(grains_of(timeline) <= TIMELINE_GRAINS_CEILING);
    assert_true(grains_of(timeline) > TIMELINE_GRAINS_CEILING / 8);
    assert_int_equal(totals_of(timeline).answers, 900000);
    timeline_free(timeline);
}

/* The parts' requests as they came, shared out at random. */
static void check_parts(uint64_t seed, int requests, uint64_t mean_gap_ns, int parts)
{
    struct timeline *whole = timeline_new();
    struct timeline *part[4];
    struct timeline *merged = timeline_new();
    struct rng rng;
    rng_init(&rng, seed, 0);
    for (int i = 0; i < parts; i++) {
        part[i] = timeline_new();
        timeline_set_start(part[i], 77);
    }
    timeline_set_start(whole, 77);
    uint64_t end_ns = 77;
    for (int i = 0; i < requests; i++) {
        uint64_t total_ns = rng_next(&rng) >> (24 + rng_below(&rng, 30));
        uint64_t back_ns = rng_below(&rng, mean_gap_ns * 8 + 1);
        end_ns += rng_below(&rng, 2 * mean_gap_ns + 1);
        uint64_t at_ns = end_ns - 77 > back_ns ? end_ns - back_ns : end_ns;
        add(whole, at_ns, total_ns);
        add(part[rng_below(&rng, (uint64_t)parts)], at_ns, total_ns);
    }
    for (int i = parts; i-- > 0;) {
        timeline_merge(merged, part[i], 0);
        timeline_free(part[i]);
    }
    assert_same(whole, merged);
    timeline_free(whole);
    timeline_free(merged);
}

static void the_merge_of_parts_is_the_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        check_parts(seed, 2000, 3 * NS_PER_MS, 3);
        check_parts(seed, 200, 300 * NS_PER_MS, 4);
        check_parts(seed, 3000, NS_PER_S, 2);
    }
    check_parts(1, 700000, 20000, 3); /* past the ceiling of grains */
}

static void a_merge_can_begin_later(void **state)
{
    (void)state;
    struct timeline *into = timeline_new();
    struct timeline *from = timeline_new();
    struct timeline *expected = timeline_new();
    for (uint64_t i = 0; i < 40; i++) {
        add(into, i * 20 * NS_PER_MS, 100);
        add(expected, i * 20 * NS_PER_MS, 100);
        add(from, i * 30 * NS_PER_MS, 700);
        add(expected, i * 30 * NS_PER_MS + 640 * TIMELINE_SHORTEST_NS, 700);
    }
    timeline_merge(into, from, 640);
    assert_same(into, expected);
    timeline_free(into);
    timeline_free(from);
    timeline_free(expected);
}

static void a_merge_can_begin_much_later(void **state)
{
    (void)state;
    struct timeline *into = timeline_new();
    struct timeline *from = timeline_new();
    add(into, 1, 1);
    add(from, 1, 1);
    timeline_merge(into, from, UINT64_MAX / 2);
    assert_int_equal(totals_of(into).finished, 2);
    assert_true(timeline_count(into) <= TIMELINE_CEILING);
    timeline_free(into);
    timeline_free(from);
}

static void coarsening_loses_nothing(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    for (uint64_t i = 0; i < 640; i++) {
        add(timeline, i * 10 * NS_PER_MS, i);
    }
    struct timeline_figures before = totals_of(timeline);
    timeline_coarsen(timeline, NS_PER_S);
    timeline_coarsen(timeline, 0);
    struct timeline_figures after = totals_of(timeline);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(timeline_count(timeline), 7);
    assert_int_equal(at(timeline, 6).finished, 40);
    add(timeline, 6500 * NS_PER_MS, 5);
    assert_int_equal(at(timeline, 6).finished, 41);
    timeline_free(timeline);
}

static void a_grain_is_at_most_a_64th_of_its_value_wide(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 3, 0);
    assert_int_equal(grain_of(127), 127);
    assert_int_equal(grain_of(128), grain_of(129));
    assert_int_equal(grain_of(UINT64_MAX), GRAIN_COUNT - 1);
    assert_true(grain_high(GRAIN_COUNT - 1) == UINT64_MAX);
    for (int i = 0; i < 100000; i++) {
        uint64_t value = rng_next(&rng) >> rng_below(&rng, 64);
        uint32_t grain = grain_of(value);
        assert_true(grain_low(grain) <= value && value <= grain_high(grain));
        assert_true(grain_high(grain) - grain_low(grain) <= value / 64);
        assert_true(grain == 0 || grain_high(grain - 1) + 1 == grain_low(grain));
    }
}

static void restore(struct timeline *into, const struct timeline *from)
{
    assert_true(timeline_restore_length(into, timeline_interval_ns(from)));
    for (size_t i = 0; i < timeline_count(from); i++) {
        struct histogram_bucket bucket;
        for (uint32_t cursor = 0; timeline_next(from, i, &cursor, &bucket);) {
            assert_true(timeline_restore_grain(into, bucket.low, bucket.count));
        }
        struct timeline_figures figures = at(from, i);
        assert_true(timeline_restore_figures(into, &figures));
    }
}

static void it_can_be_read_back_and_added_to(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    struct timeline *copy = timeline_new();
    for (uint64_t i = 0; i < 100; i++) {
        add(timeline, i * 17 * NS_PER_MS, i * i * 1000);
    }
    restore(copy, timeline);
    assert_same(timeline, copy);
    add(timeline, 100 * 17 * NS_PER_MS, 4711);
    add(copy, 100 * 17 * NS_PER_MS, 4711);
    assert_same(timeline, copy);
    timeline_free(timeline);
    timeline_free(copy);
}

static void lengths_that_are_no_doubling_are_refused(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {0,   1,         NS_PER_S + 1, 3 * TIMELINE_SHORTEST_NS,
                                       999, UINT64_MAX};
    struct timeline *timeline = timeline_new();
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_false(timeline_restore_length(timeline, lengths[i]));
    }
    assert_true(timeline_restore_length(timeline, 2 * NS_PER_S));
    timeline_free(timeline);
}

/* One interval with two answers, 1000 and 2000, whose figures are as given. */
static bool restores(struct timeline_figures figures)
{
    struct timeline *timeline = timeline_new();
    assert_true(timeline_restore_grain(timeline, 1000, 1));
    assert_true(timeline_restore_grain(timeline, 2000, 1));
    bool restored = timeline_restore_figures(timeline, &figures);
    timeline_free(timeline);
    return restored;
}

static void figures_that_contradict_the_grains_are_refused(void **state)
{
    (void)state;
    const struct timeline_figures right = {
        .finished = 3, .failed = 1, .answers = 2, .max_ns = 2000, .sum_ns = {{3000}}};
    assert_true(restores(right));
    struct timeline_figures wrong = right;
    wrong.answers = 3;
    assert_false(restores(wrong));
    wrong = right;
    wrong.finished = 1;
    assert_false(restores(wrong));
    wrong = right;
    wrong.failed = 4;
    assert_false(restores(wrong));
    wrong = right;
    wrong.max_ns = 4000;
    assert_false(restores(wrong));
    wrong = right;
    wrong.sum_ns.limb[0] = 2900;
    assert_false(restores(wrong));
    wrong = right;
    wrong.sum_ns.limb[3] = 1;
    assert_false(restores(wrong));
}

static void counts_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    struct timeline *timeline = timeline_new();
    assert_false(timeline_restore_grain(timeline, 5, 0));
    assert_false(timeline_restore_grain(timeline, 5, UINT64_MAX));
    assert_true(timeline_restore_grain(timeline, 5, 1ULL << 38));
    assert_true(timeline_restore_grain(timeline, 5, 1ULL << 38));
    assert_false(timeline_restore_grain(timeline, 5, 1));
    timeline_free(timeline);
}

static void more_intervals_than_there_can_be_are_refused(void **state)
{
    (void)state;
    static const struct timeline_figures nothing;
    struct timeline *timeline = timeline_new();
    for (size_t i = 0; i < TIMELINE_SHORT_CEILING; i++) {
        assert_true(timeline_restore_figures(timeline, &nothing));
    }
    assert_false(timeline_restore_figures(timeline, &nothing));
    timeline_free(timeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_in_the_interval_it_ended_in_B139),
        cmocka_unit_test(an_end_that_comes_late_goes_where_it_belongs),
        cmocka_unit_test(intervals_double_when_there_are_too_many),
        cmocka_unit_test(a_second_of_rows_is_kept_for_an_hour),
        cmocka_unit_test(an_end_in_the_far_future_takes_no_memory),
        cmocka_unit_test(grains_have_a_ceiling_of_all_intervals_together),
        cmocka_unit_test(the_merge_of_parts_is_the_whole),
        cmocka_unit_test(a_merge_can_begin_later),
        cmocka_unit_test(a_merge_can_begin_much_later),
        cmocka_unit_test(coarsening_loses_nothing),
        cmocka_unit_test(a_grain_is_at_most_a_64th_of_its_value_wide),
        cmocka_unit_test(it_can_be_read_back_and_added_to),
        cmocka_unit_test(lengths_that_are_no_doubling_are_refused),
        cmocka_unit_test(figures_that_contradict_the_grains_are_refused),
        cmocka_unit_test(counts_that_do_not_fit_are_refused),
        cmocka_unit_test(more_intervals_than_there_can_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
