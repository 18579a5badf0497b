/* SPDX-License-Identifier: Apache-2.0 */
/* A failure always ends in false and in a sentence that fits and ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/base/err.h"

static void set_fills_code_and_sentence_and_returns_false(void **state)
{
    (void)state;
    struct err err = {0};
    assert_false(err_set(&err, ERR_FORMAT, "%s:%d: Body is empty", "a.xml", 3));
    assert_int_equal(err.code, ERR_FORMAT);
    assert_string_equal(err.text, "a.xml:3: Body is empty");
}

static void nobody_need_want_the_sentence(void **state)
{
    (void)state;
    assert_false(err_set(NULL, ERR_FILE, "%d", 1));
    assert_false(err_prefix(NULL, "a.xml"));
}

static void a_sentence_of_full_length_is_kept_and_a_longer_one_cut(void **state)
{
    (void)state;
    char longer[ERR_TEXT_SIZE + 1];
    memset(longer, 'x', sizeof longer);
    longer[ERR_TEXT_SIZE - 1] = '\0';
    struct err err;
    err_set(&err, ERR_USAGE, "%s", longer);
    assert_string_equal(err.text, longer);

    longer[ERR_TEXT_SIZE - 1] = 'y';
    longer[ERR_TEXT_SIZE] = '\0';
    err_set(&err, ERR_USAGE, "%s", longer);
    assert_int_equal(strlen(err.text), ERR_TEXT_SIZE - 1);
    assert_null(strchr(err.text, 'y'));
}

static void a_sentence_may_quote_the_one_before(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, ERR_FILE, "no such file");
    err_set(&err, ERR_USAGE, "-p %s: %s", "a.xml", err.text);
    assert_string_equal(err.text, "-p a.xml: no such file");
    assert_int_equal(err.code, ERR_USAGE);
}

static void prefix_goes_in_front_and_keeps_the_code(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, ERR_LIMIT, "too many");
    assert_false(err_prefix(&err, "-c"));
    assert_string_equal(err.text, "-c: too many");
    assert_int_equal(err.code, ERR_LIMIT);
}

static void a_prefix_that_does_not_fit_cuts_the_end(void **state)
{
    (void)state;
    char text[ERR_TEXT_SIZE];
    memset(text, 'x', sizeof text);
    text[ERR_TEXT_SIZE - 1] = '\0';
    struct err err;
    err_set(&err, ERR_FILE, "%s", text);
    err_prefix(&err, "payloads/a.xml");
    assert_int_equal(strlen(err.text), ERR_TEXT_SIZE - 1);
    assert_memory_equal(err.text, "payloads/a.xml: xxx", 19);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_fills_code_and_sentence_and_returns_false),
        cmocka_unit_test(nobody_need_want_the_sentence),
        cmocka_unit_test(a_sentence_of_full_length_is_kept_and_a_longer_one_cut),
        cmocka_unit_test(a_sentence_may_quote_the_one_before),
        cmocka_unit_test(prefix_goes_in_front_and_keeps_the_code),
        cmocka_unit_test(a_prefix_that_does_not_fit_cuts_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
