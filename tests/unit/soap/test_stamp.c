/* SPDX-License-Identifier: Apache-2.0 */
/* Moments are read as captures have them and reckoned with, always in UTC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/soap/stamp.h"

static void captured_moments_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t seconds;
        uint32_t ns;
        uint8_t digits;
        char separator;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0, 0, 0, '.'},
        {"2009-12-25T15:43:22.687Z", 1261755802, 687000000, 3, '.'},
        {"2009-12-25T15:43:22", 1261755802, 0, 0, '.'},
        {"2009-12-25T16:43:22+01:00", 1261755802, 0, 0, '.'},
        {"2009-12-25T10:13:22.5-05:30", 1261755802, 500000000, 1, '.'},
        {"2009-12-25T15:43:22.1234567Z", 1261755802, 123456700, 7, '.'},
        {"2009-12-25T15:43:22.1234567891234Z", 1261755802, 123456789, 9, '.'},
        {"2009-12-25T15:43:22:687Z", 1261755802, 687000000, 3, ':'},
        {"2009-12-25T15:43:22,687Z", 1261755802, 687000000, 3, ','},
        {"2000-02-29T00:00:00Z", 951782400, 0, 0, '.'},
        {"9999-12-31T23:59:59Z", 253402300799, 0, 0, '.'},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct stamp moment;
        struct stamp_style style;
        if (!stamp_parse(str_from(cases[i].text), &moment, &style)) {
            fail_msg("%s", cases[i].text);
        }
        assert_int_equal(moment.seconds, cases[i].seconds);
        assert_int_equal(moment.ns, cases[i].ns);
        assert_int_equal(style.digits, cases[i].digits);
        assert_int_equal(style.separator, cases[i].separator);
    }
}

static void what_is_no_moment_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "now",
        "2009-12-25",
        "2009-12-25 15:43:22Z",
        "2009-12-25T15:43:22.Z",
        "2009-12-25T15:43:22Zx",
        "2009-12-25T24:00:00Z",
        "2009-13-25T15:43:22Z",
        "2009-00-25T15:43:22Z",
        "2009-12-25T15:43:22+1:00",
        "2009-12-25T15:43:22+15:00",
        "12009-12-25T15:43:22Z",
        "-009-12-25T15:43:22Z",
        "1969-12-31T23:59:59Z",
        "2009-12-25T15:43:61Z",
    };
    struct stamp moment;
    struct stamp_style style;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (stamp_parse(str_from(texts[i]), &moment, &style)) {
            fail_msg("%s", texts[i]);
        }
    }
    static const char whole[] = "2009-12-25T15:43:22.687+01:00";
    for (size_t len = 0; len < sizeof whole; len++) {
        bool good = stamp_parse(str_of(whole, len), &moment, &style);
        assert_true(!good || len == 19 || len >= 21);
    }
    assert_false(stamp_parse(str_of("2009-12-25T15:43:22\0", 20), &moment, &style));
}

static void distances_are_exact_and_stop_at_the_ends_of_time(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t seconds;
        uint32_t ns;
    } cases[] = {
        {"+7d", 604800, 0},       {"-90s", -90, 0},          {"+1.5h", 5400, 0},
        {"+250ms", 0, 250000000}, {"-250ms", -1, 750000000}, {"+0.5d", 43200, 0},
        {"+3650d", 315360000, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct stamp distance;
        struct err err = {0};
        if (!stamp_parse_distance(str_from(cases[i].text), &distance, &err)) {
            fail_msg("%s: %s", cases[i].text, err.text);
        }
        assert_int_equal(distance.seconds, cases[i].seconds);
        assert_int_equal(distance.ns, cases[i].ns);
    }
    static const char *const wrong[] = {"",   "+",    "5m",       "+5",  "+5x",
                                        "+d", "+-5d", "+999999d", "+5dd"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct stamp distance;
        struct err err = {0};
        if (stamp_parse_distance(str_from(wrong[i]), &distance, &err)) {
            fail_msg("%s", wrong[i]);
        }
        assert_true(err.text[0] != '\0');
    }
    struct stamp end = stamp_plus((struct stamp){253402300000, 0}, (struct stamp){99999, 0});
    assert_int_equal(end.seconds, 253402300799);
    struct stamp begin = stamp_plus((struct stamp){5, 0}, (struct stamp){-9, 5});
    assert_int_equal(begin.seconds, 0);
    struct stamp distance = stamp_minus((struct stamp){5, 100}, (struct stamp){3, 200});
    assert_int_equal(distance.seconds, 1);
    assert_int_equal(distance.ns, 999999900);
    struct stamp sum = stamp_plus((struct stamp){3, 200}, distance);
    assert_int_equal(sum.seconds, 5);
    assert_int_equal(sum.ns, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captured_moments_are_read),
        cmocka_unit_test(what_is_no_moment_is_refused),
        cmocka_unit_test(distances_are_exact_and_stop_at_the_ends_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
