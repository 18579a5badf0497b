/* SPDX-License-Identifier: Apache-2.0 */
/* What a tester types becomes the exact number meant, or a sentence that says what to type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"

static void durations_are_exact_to_the_nanosecond(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t ns;
    } cases[] = {
        {"0", 0},
        {"0s", 0},
        {"0.000", 0},
        {"30", 30 * NS_PER_S},
        {"30s", 30 * NS_PER_S},
        {"500ms", 500 * NS_PER_MS},
        {"250us", 250 * NS_PER_US},
        {"5m", 300 * NS_PER_S},
        {"2h", 7200 * NS_PER_S},
        {"1.5s", 1500 * NS_PER_MS},
        {"1.5", 1500 * NS_PER_MS},
        {".5", 500 * NS_PER_MS},
        {"0.001", NS_PER_MS},
        {"0.1", 100 * NS_PER_MS},
        {"4.35s", 4350 * NS_PER_MS},
        {"0.000000001", 1},
        {"1.001us", 1001},
        {"0.25m", 15 * NS_PER_S},
        {"1.75h", 6300 * NS_PER_S},
        /* A third of a second as a script prints it. */
        {"0.33333333333333331", 333333333},
        {"0.9999999999", 999999999},
        {"0.10000000000000000000000000000000", 100 * NS_PER_MS},
        {"0000000000000000000000000000001", NS_PER_S},
        {"87600h", 87600 * 3600 * NS_PER_S},
        {"315360000", 315360000 * NS_PER_S},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t ns = 1234;
        struct err err = {0};
        if (!units_parse_duration_ns(str_from(cases[i].text), &ns, &err)) {
            fail_msg("%s refused: %s", cases[i].text, err.text);
        }
        if (ns != cases[i].ns) {
            fail_msg("%s is %llu ns", cases[i].text, (unsigned long long)ns);
        }
    }
}

static void assert_no_duration(const char *text, const char *hint)
{
    uint64_t ns = 1234;
    struct err err = {0};
    if (units_parse_duration_ns(str_from(text), &ns, &err)) {
        fail_msg("\"%s\" was taken", text);
    }
    assert_int_equal(err.code, ERR_USAGE);
    assert_int_equal(ns, 1234);
    if (strstr(err.text, hint) == NULL) {
        fail_msg("\"%s\": %s", text, err.text);
    }
}

static void what_is_no_duration_gets_an_example(void **state)
{
    (void)state;
    const char *const texts[] = {
        "",    "-1",   "-0",  "+1s",     "inf", "nan",  "1e3",   "0x10",      "s",
        ".",   "5.",   "5.s", "1.2.3",   "1s ", " 1s",  "1 s",   "10S",       "1d",
        "1ns", "1sec", "1,5", "1s500ms", "ms",  "1mss", "1.5.s", "\xC2\xB5s",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_no_duration(texts[i], "such as");
    }
}

static void durations_past_ten_years_are_refused_and_never_wrap(void **state)
{
    (void)state;
    assert_no_duration("315360001", "10 years");
    assert_no_duration("315360000.000000001", "10 years");
    assert_no_duration("87601h", "10 years");
    assert_no_duration("18446744073709551615", "10 years");
    assert_no_duration("18446744073.709551616", "10 years");
    assert_no_duration("99999999999999999999h", "10 years");
    assert_no_duration("5124095576.1h", "10 years"); /* 2^64 ns and a little */
}

/* Zero may mean "no limit": a time that is not zero must not become it. */
static void a_duration_that_is_not_zero_never_becomes_zero(void **state)
{
    (void)state;
    assert_no_duration("0.0000000001", "nanosecond");
    assert_no_duration("0.0009us", "nanosecond");
}

static void a_long_text_leaves_room_for_the_hint(void **state)
{
    (void)state;
    char text[2000];
    memset(text, '9', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_no_duration(text, "10 years");
    text[0] = '-';
    assert_no_duration(text, "such as");
}

static void sizes_count_in_powers_of_1024(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {
        {"0", 0},
        {"64", 64},
        {"64B", 64},
        {"64k", 65536},
        {"64K", 65536},
        {"64kb", 65536},
        {"64KiB", 65536},
        {"10MB", 10485760},
        {"10mib", 10485760},
        {"1G", 1073741824},
        {"18446744073709551615", UINT64_MAX},
        {"17179869183G", 17179869183ULL << 30},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t bytes = 1234;
        struct err err = {0};
        if (!units_parse_size_bytes(str_from(cases[i].text), &bytes, &err)) {
            fail_msg("%s refused: %s", cases[i].text, err.text);
        }
        if (bytes != cases[i].bytes) {
            fail_msg("%s is %llu bytes", cases[i].text, (unsigned long long)bytes);
        }
    }
}

static void what_is_no_size_is_refused_with_a_sentence(void **state)
{
    (void)state;
    const char *const texts[] = {
        "",     "-1",  "k",   "1.5M", "1 k", "1kk",          "1iB",
        "1KBs", "inf", "1T8", "0x10", "1ki", "17179869184G", "18446744073709551616",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint64_t bytes = 1234;
        struct err err = {0};
        if (units_parse_size_bytes(str_from(texts[i]), &bytes, &err)) {
            fail_msg("\"%s\" was taken", texts[i]);
        }
        assert_int_equal(err.code, ERR_USAGE);
        assert_int_equal(bytes, 1234);
        assert_non_null(strstr(err.text, texts[i]));
    }
}

static void counts_keep_both_bounds(void **state)
{
    (void)state;
    uint64_t count = 0;
    assert_true(units_parse_count(STR("1"), 1, 20000, &count, NULL));
    assert_int_equal(count, 1);
    assert_true(units_parse_count(STR("20000"), 1, 20000, &count, NULL));
    assert_int_equal(count, 20000);
    assert_true(units_parse_count(STR("18446744073709551615"), 0, UINT64_MAX, &count, NULL));
    assert_true(count == UINT64_MAX);
}

/* B120: a count that is too large is a clear error, never a smaller count. */
static void counts_outside_name_the_range(void **state)
{
    (void)state;
    const char *const texts[] = {"0", "20001", "99999999999999999999", "-5", "1.0", "1k",
                                 "",  "ten"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint64_t count = 1234;
        struct err err = {0};
        assert_false(units_parse_count(str_from(texts[i]), 1, 20000, &count, &err));
        assert_int_equal(err.code, ERR_USAGE);
        assert_int_equal(count, 1234);
        assert_non_null(strstr(err.text, "from 1 to 20000"));
        assert_non_null(strstr(err.text, texts[i]));
    }
}

static void durations_print_in_the_unit_that_reads_best(void **state)
{
    (void)state;
    static const struct {
        uint64_t ns;
        const char *text;
    } cases[] = {
        {0, "0 ns"},
        {999, "999 ns"},
        {1000, "1 us"},
        {850 * NS_PER_US, "850 us"},
        {999499, "999 us"},
        {999500, "1.0 ms"},
        {12345678, "12.3 ms"},
        {999949999, "999.9 ms"},
        {999950000, "1.000 s"},
        {1500 * NS_PER_MS, "1.500 s"},
        {1999999999, "2.000 s"},
        {3600 * NS_PER_S, "3600.000 s"},
        {UINT64_MAX, "18446744073.710 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[UNITS_TEXT_SIZE];
        assert_string_equal(units_format_duration(cases[i].ns, text), cases[i].text);
    }
}

static void sizes_print_in_the_unit_that_reads_best(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},
        {941, "941 B"},
        {1023, "1023 B"},
        {1024, "1.0 KB"},
        {1766, "1.7 KB"},
        {1048524, "1023.9 KB"},
        {1048525, "1.0 MB"},
        {64ULL << 20, "64.0 MB"},
        {5ULL << 30, "5.0 GB"},
        {1ULL << 40, "1.0 TB"},
        {UINT64_MAX, "16777216.0 TB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[UNITS_TEXT_SIZE];
        assert_string_equal(units_format_size(cases[i].bytes, text), cases[i].text);
    }
}

/* B116 */
static void rates_are_exact_to_a_millionth_a_second(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t micro_per_s;
    } cases[] = {
        {"200", 200000000},
        {"200/s", 200000000},
        {"3000/min", 50000000},
        {"90000/h", 25000000},
        {"0.5/s", 500000},
        {"1/h", 277},
        {"1.000001", 1000001},
        {"1000000/s", 1000000000000},
        {"60000000/min", 1000000000000},
    };
    struct err err = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t rate = 0;
        if (!units_parse_rate(str_from(cases[i].text), &rate, &err)) {
            fail_msg("%s: %s", cases[i].text, err.text);
        }
        assert_true(rate == cases[i].micro_per_s);
    }
    static const char *const wrong[] = {
        "",      "0",         "0/s",       "-1",    "1/x", "1.5.2", "1.",
        ".5",    "1000001/s", "0.0000001", "10 /s", "1e3", "nan",   "99999999999999999999",
        "1/day", "5%"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint64_t rate = 7;
        assert_false(units_parse_rate(str_from(wrong[i]), &rate, &err));
        assert_true(rate == 7);
        assert_non_null(strstr(err.text, "3000/min"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_exact_to_a_millionth_a_second),
        cmocka_unit_test(durations_are_exact_to_the_nanosecond),
        cmocka_unit_test(what_is_no_duration_gets_an_example),
        cmocka_unit_test(durations_past_ten_years_are_refused_and_never_wrap),
        cmocka_unit_test(a_duration_that_is_not_zero_never_becomes_zero),
        cmocka_unit_test(a_long_text_leaves_room_for_the_hint),
        cmocka_unit_test(sizes_count_in_powers_of_1024),
        cmocka_unit_test(what_is_no_size_is_refused_with_a_sentence),
        cmocka_unit_test(counts_keep_both_bounds),
        cmocka_unit_test(counts_outside_name_the_range),
        cmocka_unit_test(durations_print_in_the_unit_that_reads_best),
        cmocka_unit_test(sizes_print_in_the_unit_that_reads_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
