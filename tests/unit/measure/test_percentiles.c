/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of percentiles: exact, under the names they were given, or refused with the item named.
 * Rows of the conformance list: B140.
 */
#include "lather/measure/percentiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/buf.h"

static void a_list_is_read_in_its_order_B140(void **state)
{
    (void)state;
    struct percentiles list;
    struct err err;
    assert_true(percentiles_parse(STR("95, 99.9,50,100,0.000001"), &list, &err));
    assert_int_equal(list.count, 5);
    assert_true(list.at[0].percent == 95 && list.at[1].percent == 99.9);
    assert_string_equal(list.at[1].label, "p99.9");
    assert_true(list.at[4].percent == 0.000001);
    assert_string_equal(list.at[4].label, "p0.000001");
}

static void what_is_no_percentile_is_refused_and_named(void **state)
{
    (void)state;
    static const char *const lists[] = {"",
                                        "0",
                                        "0.0",
                                        "100.1",
                                        "101",
                                        "-5",
                                        "95,",
                                        ",95",
                                        "p95",
                                        "95%",
                                        "9 5",
                                        "1e1",
                                        "99.",
                                        ".5",
                                        "nan",
                                        "1.0000001",
                                        "95;99",
                                        "50,95,50",
                                        "50,50.0",
                                        "+95",
                                        "99999999999999999999",
                                        "00000000000000000000000050"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct percentiles list;
        struct err err = {0};
        if (percentiles_parse(str_from(lists[i]), &list, &err)) {
            fail_msg("\"%s\" was read", lists[i]);
        }
        assert_true(strlen(err.text) > 0);
    }
}

static void what_is_wrong_with_a_percentile_is_said(void **state)
{
    (void)state;
    static const char *const lists[][2] = {
        {"50,99.99999999999", "99.99999999999 has more than 6 decimals"},
        {"99.9999999", "99.9999999 has more than 6 decimals"},
        {"50,,99", "missing at a comma"},
        {"100.0000001x", "\"100.0000001x\" is no percentile"},
        {"1e2", "\"1e2\" is no percentile"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct percentiles list;
        struct err err = {0};
        assert_false(percentiles_parse(str_from(lists[i][0]), &list, &err));
        if (strstr(err.text, lists[i][1]) == NULL) {
            fail_msg("%s: %s", lists[i][0], err.text);
        }
    }
}

static void a_list_that_is_too_long_is_refused(void **state)
{
    (void)state;
    struct buf text;
    struct percentiles list;
    struct err err;
    buf_init(&text);
    for (int i = 1; i <= PERCENTILES_CEILING + 1; i++) {
        buf_printf(&text, "%s%d", i > 1 ? "," : "", i);
        assert_int_equal(percentiles_parse(buf_view(&text), &list, &err), i <= PERCENTILES_CEILING);
    }
    buf_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_is_read_in_its_order_B140),
        cmocka_unit_test(what_is_no_percentile_is_refused_and_named),
        cmocka_unit_test(what_is_wrong_with_a_percentile_is_said),
        cmocka_unit_test(a_list_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
