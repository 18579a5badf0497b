/* SPDX-License-Identifier: Apache-2.0 */
/* From dates to seconds since 1970. */
#include "lather/base/calendar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

static void days_are_those_of_the_c_library(void **state)
{
    (void)state;
    for (uint64_t day = 0; day < 200 * 366; day++) {
        time_t seconds = (time_t)(day * 86400 + 4711);
        struct tm utc;
        uint64_t found;
        assert_non_null(gmtime_r(&seconds, &utc));
        const struct calendar at = {.year = (uint32_t)utc.tm_year + 1900,
                                    .month = (uint32_t)utc.tm_mon + 1,
                                    .day = (uint32_t)utc.tm_mday,
                                    .hour = (uint32_t)utc.tm_hour,
                                    .minute = (uint32_t)utc.tm_min,
                                    .second = (uint32_t)utc.tm_sec};
        assert_true(calendar_seconds(&at, &found));
        assert_int_equal(found, seconds);
    }
}

static void moments_that_never_were_are_refused(void **state)
{
    (void)state;
    static const struct calendar none[] = {
        {1969, 12, 31, 23, 59, 59}, {10000, 1, 1, 0, 0, 0}, {2001, 2, 29, 0, 0, 0},
        {2100, 2, 29, 0, 0, 0},     {2000, 13, 1, 0, 0, 0}, {2000, 0, 1, 0, 0, 0},
        {2000, 1, 0, 0, 0, 0},      {2000, 4, 31, 0, 0, 0}, {2000, 1, 1, 24, 0, 0},
        {2000, 1, 1, 0, 60, 0},     {2000, 1, 1, 0, 0, 61},
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        uint64_t seconds;
        assert_false(calendar_seconds(&none[i], &seconds));
    }
    uint64_t seconds;
    assert_true(calendar_seconds(&(struct calendar){2000, 2, 29, 0, 0, 0}, &seconds));
}

static void the_date_of_an_answer_is_read(void **state)
{
    (void)state;
    uint64_t seconds;
    assert_true(calendar_parse_http(STR("Sun, 06 Nov 1994 08:49:37 GMT"), &seconds));
    assert_int_equal(seconds, 784111777);
}

static void what_is_no_date_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "now",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GM",
        "Sun, 06 ovD 1994 08:49:37 GMT",
        "Sun, 6  Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:3x GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun,  06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov +994 08:49:37 GMT",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint64_t seconds;
        assert_false(calendar_parse_http(str_from(texts[i]), &seconds));
    }
    for (size_t len = 0; len < 29; len++) {
        uint64_t seconds;
        assert_false(calendar_parse_http(str_of("Sun, 06 Nov 1994 08:49:37 GMT", len), &seconds));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_are_those_of_the_c_library),
        cmocka_unit_test(moments_that_never_were_are_refused),
        cmocka_unit_test(the_date_of_an_answer_is_read),
        cmocka_unit_test(what_is_no_date_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
