/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run cut into rows: all of it, once, to its end, silent seconds included.
 * Rows of the conformance list: B139.
 */
#include "lather/measure/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/clock.h"

static struct summary *run_of(uint64_t requests, uint64_t gap_ns, uint64_t duration_ns)
{
    struct summary *summary = summary_new();
    for (uint64_t i = 0; i < requests; i++) {
        summary->tally->started++;
        tally_add(
            summary->tally,
            &(struct sample){
                .outcome = OUTCOME_OK, .status = 200, .start_ns = i * gap_ns, .total_ns = 1000 + i},
            NULL);
    }
    summary->duration_ns = duration_ns;
    return summary;
}

static uint64_t count_all(struct rows *rows)
{
    uint64_t finished = 0;
    while (rows_next(rows)) {
        finished += span_figures(rows->span)->finished;
    }
    return finished;
}

static void each_second_is_a_row_B139(void **state)
{
    (void)state;
    struct summary *summary = run_of(450, 10 * NS_PER_MS, 4500 * NS_PER_MS);
    struct rows rows;
    rows_init(&rows, summary, NS_PER_S, 0);
    assert_int_equal(rows.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(rows_next(&rows));
        assert_int_equal(rows_from_ns(&rows), i * NS_PER_S);
        assert_int_equal(rows_lasted_ns(&rows), i < 4 ? NS_PER_S : NS_PER_S / 2);
        assert_int_equal(span_figures(rows.span)->finished, i < 4 ? 100 : 50);
        assert_true(rows_rate_per_s(&rows) == 100);
        assert_int_equal(span_figures(rows.span)->max_ns, 1000 + (i < 4 ? i * 100 + 99 : 449));
    }
    assert_false(rows_next(&rows));
    rows_deinit(&rows);
    summary_free(summary);
}

static void silent_seconds_are_rows_too(void **state)
{
    (void)state;
    struct summary *summary = run_of(1, 1, 5 * NS_PER_S);
    struct rows rows;
    rows_init(&rows, summary, NS_PER_S, 0);
    assert_int_equal(rows.count, 5);
    assert_int_equal(count_all(&rows), 1);
    rows_deinit(&rows);
    summary_free(summary);
}

static void no_more_rows_than_asked_for(void **state)
{
    (void)state;
    for (size_t most = 1; most < 80; most++) {
        for (uint64_t seconds = 1; seconds < 2000; seconds += 97) {
            struct summary *summary = run_of(200, seconds * 5 * NS_PER_MS, seconds * NS_PER_S);
            struct rows rows;
            rows_init(&rows, summary, 0, most);
            assert_true(rows.count <= most && rows.count > 0);
            assert_true(rows.length_ns < NS_PER_S || rows.length_ns % NS_PER_S == 0);
            assert_int_equal(count_all(&rows), 200);
            rows_deinit(&rows);
            summary_free(summary);
        }
    }
}

static void a_run_of_nothing_has_no_rows(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    struct rows rows;
    summary->duration_ns = 3 * NS_PER_S;
    rows_init(&rows, summary, NS_PER_S, 0);
    assert_int_equal(rows.count, 0);
    assert_false(rows_next(&rows));
    rows_deinit(&rows);
    summary_free(summary);
}

static void lengths_that_cannot_be_do_no_harm(void **state)
{
    (void)state;
    static const uint64_t ends[] = {0, 1, NS_PER_S, UINT64_MAX / 5, UINT64_MAX - 1};
    static const uint64_t durations[] = {0, 1, NS_PER_S, UINT64_MAX / 4, UINT64_MAX};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        for (size_t j = 0; j < sizeof durations / sizeof *durations; j++) {
            struct summary *summary = run_of(2, ends[i] / 2, durations[j]);
            struct rows rows;
            rows_init(&rows, summary, NS_PER_S, 100);
            assert_true(rows.count > 0 && rows.count <= 100);
            assert_int_equal(count_all(&rows), 2);
            rows_deinit(&rows);
            summary_free(summary);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_second_is_a_row_B139),
        cmocka_unit_test(silent_seconds_are_rows_too),
        cmocka_unit_test(no_more_rows_than_asked_for),
        cmocka_unit_test(a_run_of_nothing_has_no_rows),
        cmocka_unit_test(lengths_that_cannot_be_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
