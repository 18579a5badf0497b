/* SPDX-License-Identifier: Apache-2.0 */
/* Durations only ever grow; stamps are of today. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

#include "lather/base/clock.h"

static void monotonic_time_is_never_set_back(void **state)
{
    (void)state;
    uint64_t before_ns = clock_now_ns();
    for (int i = 0; i < 100000; i++) {
        uint64_t now_ns = clock_now_ns();
        assert_true(now_ns >= before_ns);
        before_ns = now_ns;
    }
}

static void a_sleep_is_measured_in_nanoseconds(void **state)
{
    (void)state;
    const struct timespec rest = {.tv_nsec = 20 * 1000 * 1000};
    uint64_t before_ns = clock_now_ns();
    assert_int_equal(nanosleep(&rest, NULL), 0);
    uint64_t slept_ns = clock_now_ns() - before_ns;
    assert_true(slept_ns >= 20 * NS_PER_MS);
    assert_true(slept_ns < 20 * NS_PER_S);
}

static void the_passed_clock_and_the_direct_one_are_the_same(void **state)
{
    (void)state;
    struct clock clock = clock_monotonic();
    uint64_t first_ns = clock_now_ns();
    uint64_t second_ns = clock.now_ns(clock.context);
    uint64_t third_ns = clock_now_ns();
    assert_true(first_ns <= second_ns && second_ns <= third_ns);
}

static void wall_time_counts_from_1970(void **state)
{
    (void)state;
    uint64_t before_s = (uint64_t)time(NULL);
    uint64_t wall_s = clock_wall_ns() / NS_PER_S;
    assert_in_range(wall_s, before_s - 1, before_s + 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monotonic_time_is_never_set_back),
        cmocka_unit_test(a_sleep_is_measured_in_nanoseconds),
        cmocka_unit_test(the_passed_clock_and_the_direct_one_are_the_same),
        cmocka_unit_test(wall_time_counts_from_1970),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
