/* SPDX-License-Identifier: Apache-2.0 */
/* Status sets and the words of --validate: what is taken, what is refused and how. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/soap/expect.h"

static void defaults_are_every_2xx_two_way_unvalidated(void **state)
{
    (void)state;
    struct expect expect;
    expect_init(&expect);
    assert_false(status_set_has(&expect.statuses, 199));
    assert_true(status_set_has(&expect.statuses, 200));
    assert_true(status_set_has(&expect.statuses, 299));
    assert_false(status_set_has(&expect.statuses, 300));
    assert_false(status_set_has(&expect.statuses, 500));
    assert_false(expect.one_way);
    assert_int_equal(expect.validate, VALIDATE_OFF);
    expect_deinit(&expect);
}

static void list_adds_single_statuses_and_classes(void **state)
{
    (void)state;
    struct status_set set = {{0}};
    struct err err;
    assert_true(status_set_parse(&set, STR("200, 202,5XX"), &err));
    unsigned count = 0;
    for (unsigned status = 0; status < 2000; status++) {
        count += status_set_has(&set, status);
    }
    assert_int_equal(count, 102);
    assert_true(status_set_has(&set, 200));
    assert_true(status_set_has(&set, 202));
    assert_true(status_set_has(&set, 500));
    assert_true(status_set_has(&set, 599));
    assert_false(status_set_has(&set, 201));
    assert_false(status_set_has(&set, 600));
}

static void what_is_no_status_is_refused_by_name_and_changes_nothing(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",    "20",   "2000", "abc",  "099", "0xx",
                                        "2x0", "200,", ",200", "-200", "2x",  "200;202"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct status_set set = {{0}};
        struct err err = {ERR_NONE, ""};
        assert_false(status_set_parse(&set, str_from(wrong[i]), &err));
        assert_int_equal(err.code, ERR_USAGE);
        assert_false(status_set_has(&set, 200));
    }
    struct status_set set = {{0}};
    struct err err;
    assert_false(status_set_parse(&set, STR("200,teapot"), &err));
    assert_true(str_find(str_from(err.text), STR("\"teapot\"")) != SIZE_MAX);
}

static void statuses_out_of_range_are_never_in_a_set(void **state)
{
    (void)state;
    struct status_set set = {{0}};
    status_set_add(&set, 0);
    status_set_add(&set, 99);
    status_set_add(&set, 1000);
    status_set_add(&set, 1023);
    status_set_add(&set, 70000);
    for (unsigned status = 0; status < 2000; status++) {
        assert_false(status_set_has(&set, status));
    }
    status_set_add(&set, 999);
    assert_true(status_set_has(&set, 999));
}

static void validate_words_are_read_and_written(void **state)
{
    (void)state;
    struct err err;
    for (int i = 0; i < VALIDATE_COUNT; i++) {
        enum validate validate = VALIDATE_COUNT;
        assert_true(validate_parse(str_from(validate_name((enum validate)i)), &validate, &err));
        assert_int_equal(validate, i);
    }
    enum validate validate;
    assert_false(validate_parse(STR("SOAPY"), &validate, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_string_equal(validate_name(VALIDATE_COUNT), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_every_2xx_two_way_unvalidated),
        cmocka_unit_test(list_adds_single_statuses_and_classes),
        cmocka_unit_test(what_is_no_status_is_refused_by_name_and_changes_nothing),
        cmocka_unit_test(statuses_out_of_range_are_never_in_a_set),
        cmocka_unit_test(validate_words_are_read_and_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
