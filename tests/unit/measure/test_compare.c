/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing: equal runs are the same nearly always, changed ones are told, short ones tell nothing.
 */
#include "lather/measure/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/base/rng.h"

/* A run whose seconds hang together: its load wanders, and latency with it. */
static struct summary *run_of(struct rng *rng, uint64_t seconds, double slower, unsigned failing)
{
    struct summary *summary = summary_new();
    double wander = 1;
    uint64_t at_ns = 0;
    while (at_ns < seconds * NS_PER_S) {
        double noise = (double)rng_below(rng, 1000) / 1000 - 0.5;
        wander = 1 + 0.98 * (wander - 1) + 0.02 * noise;
        double ms = slower * wander * (5 + 20 * pow((double)rng_below(rng, 1000) / 1000, 8));
        uint64_t total_ns = (uint64_t)(ms * 1e6);
        bool fails = rng_below(rng, 1000) < failing;
        at_ns += (uint64_t)(1e6 * slower * wander * (1 + (double)rng_below(rng, 1000) / 500));
        summary->tally->started++;
        tally_add(summary->tally,
                  &(struct sample){.outcome = fails ? OUTCOME_FAULT : OUTCOME_OK,
                                   .status = 200,
                                   .start_ns = at_ns,
                                   .total_ns = total_ns},
                  NULL);
    }
    summary->duration_ns = at_ns + 30 * NS_PER_MS;
    return summary;
}

static void equal_runs_are_nearly_always_the_same(void **state)
{
    (void)state;
    enum { PAIRS = 40 };
    int alarms[COMPARE_COUNT] = {0};
    struct rng rng;
    rng_init(&rng, 4, 0);
    for (int i = 0; i < PAIRS; i++) {
        struct summary *a = run_of(&rng, 4, 1, 20);
        struct summary *b = run_of(&rng, 4, 1, 20);
        struct compare_row rows[COMPARE_COUNT];
        compare_results(a, b, rows);
        for (int j = 0; j < COMPARE_COUNT; j++) {
            assert_true(rows[j].verdict != COMPARE_UNKNOWN);
            assert_true(rows[j].low <= rows[j].high);
            alarms[j] += rows[j].verdict != COMPARE_SAME;
        }
        summary_free(a);
        summary_free(b);
    }
    for (int j = 0; j < COMPARE_COUNT; j++) {
        if (alarms[j] > PAIRS / 5) { /* 5 % are due */
            fail_msg("%s: %d of %d equal pairs differ", compare_figure_name((enum compare_figure)j),
                     alarms[j], PAIRS);
        }
    }
}

static void a_change_is_told_in_its_direction(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 8, 0);
    struct summary *quick = run_of(&rng, 6, 1, 10);
    struct summary *slow = run_of(&rng, 6, 1.3, 100);
    struct compare_row rows[COMPARE_COUNT];
    compare_results(quick, slow, rows);
    for (int i = 0; i < COMPARE_COUNT; i++) {
        assert_int_equal(rows[i].verdict, COMPARE_WORSE);
    }
    assert_true(rows[COMPARE_MEAN].low < 0.3 && rows[COMPARE_MEAN].high > 0.3);
    assert_true(rows[COMPARE_RATE].high < 0);
    assert_true(rows[COMPARE_ERRORS].low < 0.09 && rows[COMPARE_ERRORS].high > 0.09);
    compare_results(slow, quick, rows);
    for (int i = 0; i < COMPARE_COUNT; i++) {
        assert_int_equal(rows[i].verdict, COMPARE_BETTER);
    }
    summary_free(quick);
    summary_free(slow);
}

static void a_result_is_the_same_as_itself(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 2, 0);
    struct summary *summary = run_of(&rng, 3, 1, 0);
    struct compare_row rows[COMPARE_COUNT];
    compare_results(summary, summary, rows);
    for (int i = 0; i < COMPARE_COUNT; i++) {
        assert_int_equal(rows[i].verdict, COMPARE_SAME);
        assert_true(rows[i].change == 0);
    }
    summary_free(summary);
}

static void what_is_too_little_tells_nothing(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 3, 0);
    struct summary *long_run = run_of(&rng, 2, 1, 0);
    struct summary *nothing = summary_new();
    struct compare_row rows[COMPARE_COUNT];
    compare_results(long_run, nothing, rows);
    for (int i = 0; i < COMPARE_COUNT; i++) {
        assert_int_equal(rows[i].verdict, COMPARE_UNKNOWN);
    }
    compare_results(nothing, nothing, rows);
    assert_int_equal(rows[COMPARE_P50].verdict, COMPARE_UNKNOWN);
    /* a hundred answers have one above their p99 */
    struct summary *few = summary_new();
    for (uint64_t i = 0; i < 100; i++) {
        few->tally->started++;
        tally_add(few->tally,
                  &(struct sample){.outcome = OUTCOME_OK,
                                   .status = 200,
                                   .start_ns = i * 20 * NS_PER_MS,
                                   .total_ns = 5000000 + i},
                  NULL);
    }
    few->duration_ns = 2 * NS_PER_S;
    compare_results(few, few, rows);
    assert_int_equal(rows[COMPARE_P50].verdict, COMPARE_SAME);
    assert_int_equal(rows[COMPARE_P99].verdict, COMPARE_UNKNOWN);
    summary_free(long_run);
    summary_free(nothing);
    summary_free(few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_runs_are_nearly_always_the_same),
        cmocka_unit_test(a_change_is_told_in_its_direction),
        cmocka_unit_test(a_result_is_the_same_as_itself),
        cmocka_unit_test(what_is_too_little_tells_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
