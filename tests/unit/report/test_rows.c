/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the text report: in their column, and never to be taken for one of ab's. */
#include "lather/report/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_cleared(struct str text, const char *expected)
{
    struct buf out;
    buf_init(&out);
    rows_clear(&out, text);
    buf_append_byte(&out, '.');
    assert_string_equal(out.data, expected);
    buf_deinit(&out);
}

static void no_digit_stands_right_before_a_percent_sign(void **state)
{
    (void)state;
    assert_cleared(STR("errors>1%"), "errors>1 %.");
    assert_cleared(STR("errors>1 %"), "errors>1 %.");
    assert_cleared(STR("errors<1% and p95<2s"), "errors<1 % and p95<2s.");
    assert_cleared(STR("100%20off%"), "100 %20off%.");
    assert_cleared(STR(""), ".");
}

static void foreign_text_is_cleaned(void **state)
{
    (void)state;
    assert_cleared(STR("a\n99%"), "a\\x0a99 %.");
}

static void values_stand_in_one_column(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    rows_count(&out, "opened", 7);
    rows_begin_line(&out, "Run ended:");
    buf_append_byte(&out, '7');
    assert_string_equal(out.data, "  opened                7\n"
                                  "Run ended:              7");
    buf_deinit(&out);
}

static void a_rare_row_is_left_out_at_zero(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    rows_count_if_any(&out, "stray bytes", 0);
    assert_int_equal(out.len, 0);
    rows_count_if_any(&out, "stray bytes", 1);
    assert_string_equal(out.data, "  stray bytes           1\n");
    buf_deinit(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_digit_stands_right_before_a_percent_sign),
        cmocka_unit_test(foreign_text_is_cleaned),
        cmocka_unit_test(values_stand_in_one_column),
        cmocka_unit_test(a_rare_row_is_left_out_at_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
