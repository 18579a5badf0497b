/* SPDX-License-Identifier: Apache-2.0 */
/* Two results side by side, in words that the figures bear. */
#include "lather/report/compare_text.h"

#include "fixture.h"

static const struct compare_row rows[COMPARE_COUNT] = {
    {1000, 1100, 0.1, 0.05, 0.15, COMPARE_BETTER}, {0.01, 0.03, 0.02, 0.015, 0.025, COMPARE_WORSE},
    {5e6, 5.1e6, 0.02, -0.03, 0.07, COMPARE_SAME}, {4e6, 3e6, -0.25, -0.3, -0.2, COMPARE_BETTER},
    {9e6, 18e6, 1, 0.9, 1.1, COMPARE_WORSE},       {10e6, 10e6, 0, -0.002, 0.002, COMPARE_SAME},
    {20e6, 50e6, 1.5, 0, 0, COMPARE_UNKNOWN},
};

static struct buf written(struct summary *old_result, struct summary *new_result)
{
    struct buf out;
    buf_init(&out);
    compare_text_write(&out, &(struct compare_text){.old_name = "old\x1b[31m.json",
                                                    .new_name = "new.json",
                                                    .old_result = old_result,
                                                    .new_result = new_result,
                                                    .rows = rows});
    return out;
}

static void a_comparison_looks_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *old_result = fixture_good();
    struct summary *new_result = fixture_full();
    summary_set_text(&new_result->plan.url, STR("http://other/x\x1b"));
    struct buf out = written(old_result, new_result);
    fixture_compare_golden("compare.out", &out);
    buf_deinit(&out);
    summary_free(old_result);
    summary_free(new_result);
}

static void equal_plans_have_no_notes(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    struct buf out = written(summary, summary);
    assert_null(strstr(out.data, "Notes"));
    buf_deinit(&out);
    summary_free(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comparison_looks_as_its_golden_file),
        cmocka_unit_test(equal_plans_have_no_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
