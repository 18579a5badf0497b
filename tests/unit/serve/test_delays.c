/* SPDX-License-Identifier: Apache-2.0 */
/* The delays of the service: as given, as spread as they should be, in the order of the file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/base/file.h"
#include "lather/serve/delays.h"

#define LIST_PATH "test_delays.txt"

static struct delays parsed(const char *text)
{
    struct delays delays;
    struct err err = {.text = ""};
    if (!delays_parse(str_from(text), &delays, &err)) {
        fail_msg("%s", err.text);
    }
    return delays;
}

static void write_list(const char *text)
{
    struct err err;
    assert_true(file_write(LIST_PATH, str_from(text), &err));
}

static void assert_refused(const char *text, const char *words)
{
    struct delays delays;
    struct err err = {.text = ""};
    assert_false(delays_parse(str_from(text), &delays, &err));
    if (strstr(err.text, words) == NULL) {
        fail_msg("\"%s\" is not in: %s", words, err.text);
    }
    assert_true(delays_are_none(&delays));
}

static void a_fixed_delay_is_always_the_same(void **state)
{
    (void)state;
    const char *const texts[] = {"20ms", "fixed:20ms"};
    for (size_t i = 0; i < 2; i++) {
        struct delays delays = parsed(texts[i]);
        struct delay_source source;
        delay_source_init(&source, &delays, 0, 1);
        assert_int_equal(delay_source_next(&source), 20 * NS_PER_MS);
        assert_int_equal(delay_source_next(&source), 20 * NS_PER_MS);
        assert_false(delays_are_none(&delays));
        delays_deinit(&delays);
    }
    struct delays none = parsed("0");
    assert_true(delays_are_none(&none));
}

/* Of 100,000 the mean is known to 0.3 % (one sigma), and e^-1 of them are longer than the mean. */
static void exponential_delays_have_their_mean_and_shape(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    struct delays delays = parsed("exp:20ms");
    struct delay_source source;
    delay_source_init(&source, &delays, 0, 1);
    double sum = 0;
    size_t longer = 0;
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t ns = delay_source_next(&source);
        sum += (double)ns;
        longer += ns > delays.mean_ns;
    }
    assert_true(fabs(sum / COUNT / 20e6 - 1) < 0.015);
    assert_true(fabs((double)longer / COUNT - exp(-1)) < 0.01);
}

static void each_thread_has_its_own_sequence_and_the_same_each_time(void **state)
{
    (void)state;
    struct delays delays = parsed("exp:1s");
    struct delay_source first;
    struct delay_source again;
    struct delay_source other;
    delay_source_init(&first, &delays, 0, 2);
    delay_source_init(&again, &delays, 0, 2);
    delay_source_init(&other, &delays, 1, 2);
    uint64_t ns = delay_source_next(&first);
    assert_int_equal(delay_source_next(&again), ns);
    assert_int_not_equal(delay_source_next(&other), ns);
}

static void a_file_is_gone_through_in_order_and_again(void **state)
{
    (void)state;
    write_list("1ms\r\n\n# slow\n  2s\n3us");
    struct delays delays = parsed("file:" LIST_PATH);
    const uint64_t wanted[] = {NS_PER_MS, 2 * NS_PER_S, 3 * NS_PER_US, NS_PER_MS};
    struct delay_source source;
    delay_source_init(&source, &delays, 0, 1);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        assert_int_equal(delay_source_next(&source), wanted[i]);
    }
    /* The second of two threads: every second line, from the second on. */
    delay_source_init(&source, &delays, 1, 2);
    assert_int_equal(delay_source_next(&source), 2 * NS_PER_S);
    assert_int_equal(delay_source_next(&source), NS_PER_MS);
    delays_deinit(&delays);
    (void)remove(LIST_PATH);
}

static void what_is_no_delay_is_refused_with_its_line(void **state)
{
    (void)state;
    write_list("1ms\n\n2 hours\n");
    assert_refused("file:" LIST_PATH, LIST_PATH ":3: \"2 hours\" is not a duration");
    write_list("1ms\n61m");
    assert_refused("file:" LIST_PATH, LIST_PATH ":2: a delay of more than an hour");
    write_list("\n# nothing\n");
    assert_refused("file:" LIST_PATH, LIST_PATH ": it holds no delay");
    (void)remove(LIST_PATH);
    assert_refused("file:" LIST_PATH, LIST_PATH);
    assert_refused("exp:", "is not a duration");
    assert_refused("normal:5ms", "\"normal:5ms\" is not a duration");
    assert_refused("2h", "more than an hour");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fixed_delay_is_always_the_same),
        cmocka_unit_test(exponential_delays_have_their_mean_and_shape),
        cmocka_unit_test(each_thread_has_its_own_sequence_and_the_same_each_time),
        cmocka_unit_test(a_file_is_gone_through_in_order_and_again),
        cmocka_unit_test(what_is_no_delay_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
