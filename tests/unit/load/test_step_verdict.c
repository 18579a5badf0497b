/* SPDX-License-Identifier: Apache-2.0 */
/* When a step holds: its rate was reached and its condition is true, neither alone. */
#include "lather/load/step_verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/clock.h"

struct judged {
    struct summary *summary;
    struct buf verdict;
    struct summary_step step;
};

/* A step of 10 s at 100/s, each answer after 20 ms, that left so many requests over. */
static void judge(struct judged *judged, const char *find_rate, uint64_t answers, uint64_t left)
{
    struct summary *summary = summary_new();
    summary->plan.rate_micro_per_s = 100000000;
    summary->achieved_micro_per_s = 99000000;
    summary->end = RUN_END_TIME;
    summary->duration_ns = 10 * NS_PER_S;
    summary->backlog_end = left;
    for (uint64_t i = 0; i < answers; i++) {
        summary->tally->started++;
        tally_add(summary->tally,
                  &(struct sample){.outcome = OUTCOME_OK,
                                   .status = 200,
                                   .start_ns = i,
                                   .total_ns = 20 * NS_PER_MS,
                                   .response_ns = 30 * NS_PER_MS},
                  NULL);
    }
    buf_init(&judged->verdict);
    judged->summary = summary;
    step_verdict_of(summary, find_rate, 5, &judged->verdict, &judged->step);
}

static void forget(struct judged *judged)
{
    buf_deinit(&judged->verdict);
    summary_free(judged->summary);
}

static void assert_verdict(const char *find_rate, uint64_t answers, uint64_t left,
                           const char *verdict)
{
    struct judged judged;
    judge(&judged, find_rate, answers, left);
    assert_string_equal(judged.step.verdict, verdict);
    assert_int_equal(judged.step.held, strcmp(verdict, "held") == 0);
    forget(&judged);
}

static void a_step_without_a_condition_holds_when_its_rate_was_reached(void **state)
{
    (void)state;
    assert_verdict("", 1000, 21, "held");
    assert_verdict("", 1000, 22, "rate not reached");
}

static void the_condition_must_be_true(void **state)
{
    (void)state;
    assert_verdict("p95<25ms", 1000, 0, "held");
    assert_verdict("p95<15ms", 1000, 0, "20.000 ms");
    assert_verdict("response p95<25ms", 1000, 0, "30.000 ms");
    assert_verdict("errors<1%", 1000, 0, "held");
}

static void good_times_at_a_rate_that_was_not_reached_do_not_hold(void **state)
{
    (void)state;
    assert_verdict("p95<25ms", 1000, 500, "rate not reached");
    assert_verdict("p95<15ms", 1000, 500, "rate not reached; 20.000 ms");
}

static void what_was_not_measured_does_not_hold(void **state)
{
    (void)state;
    assert_verdict("p95<25ms", 0, 0, "nothing was answered");
    assert_verdict("errors<1%", 0, 0, "no request was finished");
}

static void a_step_that_was_ended_does_not_hold(void **state)
{
    (void)state;
    struct judged judged;
    judge(&judged, "", 1000, 0);
    buf_reset(&judged.verdict);
    judged.summary->end = RUN_END_INTERRUPTED;
    step_verdict_of(judged.summary, "", 5, &judged.verdict, &judged.step);
    assert_string_equal(judged.step.verdict, "interrupted");
    assert_false(judged.step.held);
    forget(&judged);
}

static void its_figures_are_those_of_the_step(void **state)
{
    (void)state;
    struct judged judged;
    judge(&judged, "", 1000, 3);
    assert_int_equal(judged.step.rate_micro_per_s, 100000000);
    assert_int_equal(judged.step.offset_ns, 5);
    assert_int_equal(judged.step.started, 1000);
    assert_int_equal(judged.step.backlog_end, 3);
    assert_int_equal(judged.step.max_ns, 20 * NS_PER_MS);
    assert_int_equal(judged.step.response_max_ns, 30 * NS_PER_MS);
    forget(&judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_without_a_condition_holds_when_its_rate_was_reached),
        cmocka_unit_test(the_condition_must_be_true),
        cmocka_unit_test(good_times_at_a_rate_that_was_not_reached_do_not_hold),
        cmocka_unit_test(what_was_not_measured_does_not_hold),
        cmocka_unit_test(a_step_that_was_ended_does_not_hold),
        cmocka_unit_test(its_figures_are_those_of_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
