/* SPDX-License-Identifier: Apache-2.0 */
/* ab's -e file: 101 rows of the same estimator as the table, never past the samples. */
#include "lather/report/percentile_csv.h"

#include "fixture.h"

static struct buf csv_of(const uint64_t *total_ns, size_t count)
{
    struct summary *summary = summary_new();
    struct buf out;
    for (size_t i = 0; i < count; i++) {
        fixture_add(summary,
                    &(struct sample){.outcome = OUTCOME_OK, .status = 200, .total_ns = total_ns[i]},
                    NULL);
    }
    buf_init(&out);
    percentile_csv_write(&out, summary);
    summary_free(summary);
    return out;
}

static size_t lines_of(const struct buf *out)
{
    size_t lines = 0;
    for (size_t i = 0; i < out->len; i++) {
        lines += out->data[i] == '\n';
    }
    return lines;
}

static void assert_row(const struct buf *out, const char *row)
{
    if (strstr(out->data, row) == NULL) {
        fail_msg("no row %s in:\n%s", row, out->data);
    }
}

static void rows_are_nearest_ranks(void **state)
{
    (void)state;
    uint64_t times[100];
    for (uint64_t i = 0; i < 100; i++) {
        times[i] = (i + 1) * 2000;
    }
    struct buf out = csv_of(times, 100);
    assert_int_equal(lines_of(&out), 102);
    assert_true(str_starts_with(buf_view(&out),
                                STR("Percentage served,Time in ms\n0,0.002\n1,0.002\n2,0.004\n")));
    assert_row(&out, "\n50,0.100\n");
    assert_row(&out, "\n99,0.198\n");
    assert_true(str_ends_with(buf_view(&out), STR("\n100,0.200\n")));
    buf_deinit(&out);
}

static void a_small_run_ends_with_its_longest_D03(void **state)
{
    (void)state;
    struct buf out = csv_of((uint64_t[]){1000, 2000}, 2);
    assert_int_equal(lines_of(&out), 102);
    assert_row(&out, "\n50,0.001\n51,0.002\n");
    assert_row(&out, "\n99,0.002\n100,0.002\n");
    buf_deinit(&out);
    out = csv_of((uint64_t[]){7000}, 1);
    assert_row(&out, "\n0,0.007\n1,0.007\n");
    assert_row(&out, "\n99,0.007\n100,0.007\n");
    buf_deinit(&out);
}

static void without_answers_there_is_only_the_heading(void **state)
{
    (void)state;
    struct buf out = csv_of(NULL, 0);
    assert_string_equal(out.data, "Percentage served,Time in ms\n");
    buf_deinit(&out);
}

static void a_run_looks_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    struct buf out;
    buf_init(&out);
    percentile_csv_write(&out, summary);
    fixture_compare_golden("good.csv", &out);
    buf_deinit(&out);
    summary_free(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_nearest_ranks),
        cmocka_unit_test(a_small_run_ends_with_its_longest_D03),
        cmocka_unit_test(without_answers_there_is_only_the_heading),
        cmocka_unit_test(a_run_looks_as_its_golden_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
