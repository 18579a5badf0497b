/* SPDX-License-Identifier: Apache-2.0 */
/* Due moments: the rate is the run's, whatever the workers, and nothing drifts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "lather/base/clock.h"
#include "lather/load/schedule.h"

enum { START_NS = 1000 };

static struct schedule made(enum plan_arrivals arrivals, double rate_per_s, uint64_t seed,
                            uint32_t worker, uint32_t workers)
{
    struct schedule schedule;
    schedule_init(&schedule, &(struct schedule_options){.arrivals = arrivals,
                                                        .rate_per_s = rate_per_s,
                                                        .seed = seed,
                                                        .worker = worker,
                                                        .workers = workers,
                                                        .start_ns = START_NS});
    return schedule;
}

static void even_moments_do_not_drift_over_a_day(void **state)
{
    (void)state;
    struct schedule schedule = made(PLAN_ARRIVALS_EVEN, 3, 1, 0, 1);
    uint64_t due_ns = 0;
    for (uint64_t i = 0; i < 259200; i++) {
        due_ns = schedule_next(&schedule);
        if (i == 0) {
            assert_int_equal(due_ns, START_NS);
        }
    }
    const double expected_ns = START_NS + 259199.0 / 3 * 1e9;
    assert_true(fabs((double)due_ns - expected_ns) < 1000);
}

/* B116: the rate is of all workers together. */
static void even_moments_of_three_workers_interleave_to_the_asked_rate(void **state)
{
    (void)state;
    struct schedule schedules[3];
    for (uint32_t i = 0; i < 3; i++) {
        schedules[i] = made(PLAN_ARRIVALS_EVEN, 1000, 1, i, 3);
    }
    for (uint64_t k = 0; k < 3000; k++) {
        const uint64_t due_ns = schedule_next(&schedules[k % 3]);
        assert_true(due_ns - START_NS + 1 >= k * NS_PER_MS);
        assert_true(due_ns - START_NS <= k * NS_PER_MS + 1);
    }
}

static void poisson_moments_have_the_rate_and_the_spread_of_a_poisson_process(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    struct schedule schedule = made(PLAN_ARRIVALS_POISSON, 1000, 42, 0, 1);
    uint64_t before_ns = START_NS;
    double sum_ns = 0;
    double squares = 0;
    for (int i = 0; i < COUNT; i++) {
        const uint64_t due_ns = schedule_next(&schedule);
        assert_true(due_ns >= before_ns);
        const double gap_ns = (double)(due_ns - before_ns);
        sum_ns += gap_ns;
        squares += gap_ns * gap_ns;
        before_ns = due_ns;
    }
    const double mean_ns = sum_ns / COUNT;
    const double deviation_ns = sqrt(squares / COUNT - mean_ns * mean_ns);
    /* Exponential: mean and deviation are equal; the sampling error of either is 0.2 %. */
    assert_true(fabs(mean_ns - 1e6) < 1e4);
    assert_true(fabs(deviation_ns - 1e6) < 1.5e4);
}

static void a_seed_gives_the_same_moments_and_each_worker_its_own(void **state)
{
    (void)state;
    struct schedule first = made(PLAN_ARRIVALS_POISSON, 100, 7, 0, 2);
    struct schedule again = made(PLAN_ARRIVALS_POISSON, 100, 7, 0, 2);
    struct schedule other = made(PLAN_ARRIVALS_POISSON, 100, 7, 1, 2);
    int same = 0;
    for (int i = 0; i < 100; i++) {
        const uint64_t due_ns = schedule_next(&first);
        assert_true(due_ns == schedule_next(&again));
        same += due_ns == schedule_next(&other);
    }
    assert_true(same < 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_moments_do_not_drift_over_a_day),
        cmocka_unit_test(even_moments_of_three_workers_interleave_to_the_asked_rate),
        cmocka_unit_test(poisson_moments_have_the_rate_and_the_spread_of_a_poisson_process),
        cmocka_unit_test(a_seed_gives_the_same_moments_and_each_worker_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
