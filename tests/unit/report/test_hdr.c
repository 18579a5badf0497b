/* SPDX-License-Identifier: Apache-2.0 */
/* The latencies as HdrHistogram's percentile distribution. */
#include "lather/report/hdr.h"

#include "fixture.h"

#include <math.h>

static void latencies_look_as_their_golden_file(void **state)
{
    (void)state;
    struct summary *summary = fixture_full();
    struct buf out;
    buf_init(&out);
    hdr_write(&out, summary);
    fixture_compare_golden("full.hgrm", &out);
    buf_deinit(&out);
    summary_free(summary);
}

/* Reads lines as plotters do: four numbers parted by blanks, three in the last one. */
static void every_line_is_right_and_rising(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    struct buf out;
    for (uint64_t i = 1; i <= 5000; i++) {
        fixture_add(summary,
                    &(struct sample){.outcome = OUTCOME_OK, .status = 200, .total_ns = i * i * 997},
                    NULL);
    }
    buf_init(&out);
    hdr_write(&out, summary);
    const char *at = strstr(out.data, "\n\n") + 2;
    double past_value = -1;
    double past_percentile = -1;
    double total = 0;
    for (; *at != '#'; at = strchr(at, '\n') + 1) {
        char *end;
        double value = strtod(at, &end);
        double percentile = strtod(end, &end);
        total = strtod(end, &end);
        assert_true(value >= past_value && percentile > past_percentile);
        assert_true(total / 5000 >= percentile);
        if (percentile > 0) {
            uint64_t ns = histogram_percentile(summary->tally->total, 100 * percentile);
            assert_true(fabs(value - (double)ns / 1e6) <= 0.0005 + (double)ns / 1e6 / 1024);
        }
        if (percentile < 1) {
            assert_true(fabs(strtod(end, &end) - 1 / (1 - percentile)) <= 0.006);
        }
        assert_int_equal(*end, '\n');
        past_value = value;
        past_percentile = percentile;
    }
    assert_true(past_percentile == 1 && total == 5000);
    assert_non_null(strstr(at, "Total count    =         5000]\n"));
    buf_deinit(&out);
    summary_free(summary);
}

static void nothing_and_one_are_no_special_cases(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    struct buf out;
    buf_init(&out);
    hdr_write(&out, summary);
    assert_non_null(strstr(out.data, "1/(1-Percentile)\n\n#[Mean"));
    buf_reset(&out);
    fixture_add(summary,
                &(struct sample){.outcome = OUTCOME_OK, .status = 200, .total_ns = 5 * NS_PER_MS},
                NULL);
    hdr_write(&out, summary);
    assert_non_null(strstr(out.data, "\n\n       5.000 0.000000000000          1           1.00\n"
                                     "       5.000 1.000000000000          1\n#[Mean"));
    buf_deinit(&out);
    summary_free(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies_look_as_their_golden_file),
        cmocka_unit_test(every_line_is_right_and_rising),
        cmocka_unit_test(nothing_and_one_are_no_special_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
