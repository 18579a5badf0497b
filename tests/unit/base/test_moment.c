/* SPDX-License-Identifier: Apache-2.0 */
/* Moments as people write them: with and without a zone, and what is none. */
#include "lather/base/moment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "lather/base/clock.h"

static const uint64_t MOMENT_S = 1138719845; /* 2006-01-31T15:04:05Z */

static void use_zone(const char *zone)
{
    assert_int_equal(setenv("TZ", zone, 1), 0);
    tzset();
}

static void a_zone_in_the_text_is_believed(void **state)
{
    (void)state;
    static const char *const texts[] = {"2006-01-31T15:04:05Z", "2006-01-31T16:04:05+01:00",
                                        "2006-01-31 09:34:05-0530", "2006-01-31T15:04:05.000Z"};
    use_zone("EST5");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint64_t ns;
        enum moment_zone zone;
        assert_true(moment_parse_iso(str_from(texts[i]), &ns, &zone));
        assert_int_equal(ns, MOMENT_S * NS_PER_S);
        assert_int_equal(zone, MOMENT_ZONE_TOLD);
    }
}

static void without_a_zone_it_is_local_time_and_said_so(void **state)
{
    (void)state;
    uint64_t ns;
    enum moment_zone zone;
    use_zone("EST5");
    assert_true(moment_parse_iso(STR("2006-01-31T10:04:05.25"), &ns, &zone));
    assert_int_equal(ns, MOMENT_S * NS_PER_S + 250 * NS_PER_MS);
    assert_int_equal(zone, MOMENT_ZONE_LOCAL);
    assert_true(moment_parse_american(STR("01/31/2006 10:04:05"), NULL, &ns));
    assert_int_equal(ns, MOMENT_S * NS_PER_S);
}

static void a_time_of_day_is_of_todays_local_day(void **state)
{
    (void)state;
    uint64_t ns;
    use_zone("EST5");
    const uint64_t late_ns = (MOMENT_S + 13 * 3600) * NS_PER_S; /* 23:04:05 there */
    assert_true(moment_parse_time_of_day(STR("10:04:05.5"), late_ns, &ns));
    assert_int_equal(ns, MOMENT_S * NS_PER_S + 500 * NS_PER_MS);
    assert_true(moment_parse_time_of_day(STR("10:04"), late_ns, &ns));
    assert_int_equal(ns, (MOMENT_S - 5) * NS_PER_S);
}

static void what_is_no_moment_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "now",
                                        "25:00:00",
                                        "10:60",
                                        "10:00:00x",
                                        "10:00:61",
                                        "10",
                                        "10:0",
                                        "-1:00",
                                        "10:00:",
                                        "2006-01-31T15:04:05Zx"};
    uint64_t ns;
    enum moment_zone zone;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_false(moment_parse_time_of_day(str_from(texts[i]), MOMENT_S * NS_PER_S, &ns));
        assert_false(moment_parse_iso(str_from(texts[i]), &ns, &zone));
    }
    assert_false(moment_parse_iso(STR("2006-02-30T15:04:05Z"), &ns, &zone));
}

static void it_is_written_in_utc(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    moment_format(MOMENT_S * NS_PER_S + 7 * NS_PER_MS, &out);
    assert_string_equal(out.data, "2006-01-31T15:04:05.007Z");
    buf_deinit(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zone_in_the_text_is_believed),
        cmocka_unit_test(without_a_zone_it_is_local_time_and_said_so),
        cmocka_unit_test(a_time_of_day_is_of_todays_local_day),
        cmocka_unit_test(what_is_no_moment_is_refused),
        cmocka_unit_test(it_is_written_in_utc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
