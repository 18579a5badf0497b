/* SPDX-License-Identifier: Apache-2.0 */
/* Moments are written as services want them, always in UTC, and as they were captured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <time.h>

#include "lather/soap/stamp_format.h"

static void assert_format(const char *text, struct stamp moment, const char *expected)
{
    struct stamp_format format;
    struct err err = {0};
    if (!stamp_format_parse(&format, str_from(text), &err)) {
        fail_msg("%s: %s", text, err.text);
    }
    char target[256];
    size_t len = stamp_format_put(&format, moment, target);
    if (!str_equals(str_of(target, len), str_from(expected))) {
        fail_msg("%s: \"%.*s\" instead of \"%s\"", text, (int)len, target, expected);
    }
    size_t most = stamp_format_most_bytes(&format);
    assert_true(format.is_fixed ? len == most : len <= most);
}

static void each_code_is_written(void **state)
{
    (void)state;
    const struct stamp moment = {1709251509, 7089012}; /* 2024-03-01T00:05:09.007089012Z */
    assert_format("%Y-%m-%dT%H:%M:%S", moment, "2024-03-01T00:05:09");
    assert_format("%FT%T.%LZ", moment, "2024-03-01T00:05:09.007Z");
    assert_format("%1N %3N %6N %9N %N", moment, "0 007 007089 007089012 007089012");
    assert_format("%s", moment, "1709251509");
    assert_format("%s%L", moment, "1709251509007");
    assert_format("%a, %d %b %Y %T GMT", moment, "Fri, 01 Mar 2024 00:05:09 GMT");
    assert_format("%y%j", moment, "24061");
    assert_format("%z 100%%", moment, "+0000 100%");
    assert_format("", moment, "");
    assert_format("\xC3\xA9", moment, "\xC3\xA9");
    assert_format("%s", (struct stamp){0, 0}, "0");
}

/* Against the C library, over the days around each month's, year's and century's turn. */
static void dates_are_those_of_the_calendar(void **state)
{
    (void)state;
    struct stamp_format format;
    assert_true(stamp_format_parse(&format, STR("%F %T %a %j"), NULL));
    for (int64_t seconds = 0; seconds < 253402300800; seconds += 86400 * 13 + 12345) {
        time_t now = (time_t)seconds;
        struct tm fields;
        if (gmtime_r(&now, &fields) == NULL) {
            assert_true(seconds > 32503680000); /* Windows' calendar ends with the year 3000 */
            break;
        }
        char expected[64];
        size_t expected_len =
            strftime(expected, sizeof expected, "%Y-%m-%d %H:%M:%S %a %j", &fields);
        char target[64];
        size_t len = stamp_format_put(&format, (struct stamp){seconds, 0}, target);
        if (!str_equals(str_of(target, len), str_of(expected, expected_len))) {
            fail_msg("%.*s instead of %s", (int)len, target, expected);
        }
    }
    char text[STAMP_TEXT_SIZE];
    assert_string_equal(stamp_text((struct stamp){253402300799, 5}, text), "9999-12-31T23:59:59Z");
    assert_string_equal(stamp_text((struct stamp){951782399, 0}, text), "2000-02-28T23:59:59Z");
}

static void a_format_comes_back_as_it_was_captured(void **state)
{
    (void)state;
    static const char *const texts[] = {"2009-12-25T15:43:22Z", "2009-12-25T15:43:22.687Z",
                                        "2016-01-27T16:40:36:497Z", "2009-12-25T15:43:22.1234567Z"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct stamp moment;
        struct stamp_style style;
        struct stamp_format format;
        assert_true(stamp_parse(str_from(texts[i]), &moment, &style));
        stamp_format_iso(&format, style);
        char target[64];
        size_t len = stamp_format_put(&format, moment, target);
        assert_true(str_equals(str_of(target, len), str_from(texts[i])));
        assert_true(format.is_fixed);
    }
}

static void unknown_codes_and_endless_formats_are_refused(void **state)
{
    (void)state;
    struct stamp_format format;
    static const char *const wrong[] = {"%", "%Q", "%0N", "%3", "%3x", "a%", "%E"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct err err = {0};
        if (stamp_format_parse(&format, str_from(wrong[i]), &err)) {
            fail_msg("%s", wrong[i]);
        }
        assert_non_null(strstr(err.text, "is no code"));
    }
    char text[200];
    memset(text, 'x', sizeof text);
    assert_true(stamp_format_parse(&format, str_of(text, STAMP_LITERAL_CEILING), NULL));
    assert_false(stamp_format_parse(&format, str_of(text, STAMP_LITERAL_CEILING + 1), NULL));
    for (size_t i = 0; i < sizeof text; i += 2) {
        memcpy(text + i, "%Y", 2);
    }
    assert_true(stamp_format_parse(&format, str_of(text, 2 * STAMP_PARTS_CEILING), NULL));
    assert_false(stamp_format_parse(&format, str_of(text, 2 * STAMP_PARTS_CEILING + 2), NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_code_is_written),
        cmocka_unit_test(dates_are_those_of_the_calendar),
        cmocka_unit_test(a_format_comes_back_as_it_was_captured),
        cmocka_unit_test(unknown_codes_and_endless_formats_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
