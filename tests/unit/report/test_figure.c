/* SPDX-License-Identifier: Apache-2.0 */
/* Milliseconds with three decimals, rounded from whole nanoseconds. */
#include "lather/report/figure.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void nanoseconds_round_half_up_to_microseconds(void **state)
{
    (void)state;
    static const struct {
        uint64_t ns;
        const char *text;
    } rows[] = {
        {0, "0.000"},
        {499, "0.000"},
        {500, "0.001"},
        {999, "0.001"},
        {44999500, "45.000"},
        {44999499, "44.999"},
        {30000000000, "30000.000"},
        {UINT64_MAX, "18446744073709.552"},
    };
    char text[FIGURE_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(figure_ms(rows[i].ns, text), rows[i].text);
    }
}

static void digits_are_those_of_the_number(void **state)
{
    (void)state;
    for (uint64_t number = 1; number < UINT64_MAX / 4; number = number * 3 + number % 7) {
        for (uint64_t near = number - 1; near <= number + 1; near++) {
            char text[FIGURE_SIZE];
            char expected[FIGURE_SIZE];
            *figure_put_count(near, text) = '\0';
            (void)snprintf(expected, sizeof expected, "%" PRIu64, near);
            assert_string_equal(text, expected);
        }
    }
}

static void means_have_the_same_form(void **state)
{
    (void)state;
    char text[FIGURE_SIZE];
    assert_string_equal(figure_ms_real(0, text), "0.000");
    assert_string_equal(figure_ms_real(1234567.8, text), "1.235");
    assert_string_equal(figure_ms_real(18446744073709551615.0, text), "18446744073709.552");
}

static void the_mean_of_one_time_reads_as_the_time(void **state)
{
    (void)state;
    for (uint64_t ns = 13496000; ns <= 13499000; ns += 100) {
        char time[FIGURE_SIZE];
        char mean[FIGURE_SIZE];
        assert_string_equal(figure_ms_real((double)ns, mean), figure_ms(ns, time));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nanoseconds_round_half_up_to_microseconds),
        cmocka_unit_test(digits_are_those_of_the_number),
        cmocka_unit_test(means_have_the_same_form),
        cmocka_unit_test(the_mean_of_one_time_reads_as_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
