/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Promises of cli/exit_status: the order 130, 3, 1, 0, and never good when nothing was finished.
 * Rows of the conformance list: B150.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/cli/exit_status.h"

static struct summary *run_of(enum outcome outcome, uint64_t count)
{
    struct summary *summary = summary_new();
    for (uint64_t i = 0; i < count; i++) {
        const struct sample sample = {.outcome = outcome, .status = 200};
        summary->tally->started++;
        tally_add(summary->tally, &sample, NULL);
    }
    return summary;
}

static void assert_status(struct summary *summary, enum exit_status expected)
{
    assert_int_equal(exit_status_of(summary), expected);
    summary_free(summary);
}

/* D13 */
static void all_good_is_0_and_a_failure_is_1(void **state)
{
    (void)state;
    assert_status(run_of(OUTCOME_OK, 3), EXIT_STATUS_GOOD);
    assert_status(run_of(OUTCOME_FAULT, 1), EXIT_STATUS_FAILED);
    assert_status(run_of(OUTCOME_CONNECT, 1), EXIT_STATUS_FAILED);
    struct summary *summary = run_of(OUTCOME_OK, 3);
    summary->end = RUN_END_TIME;
    assert_status(summary, EXIT_STATUS_GOOD);
}

static void a_run_that_finished_nothing_is_not_good(void **state)
{
    (void)state;
    struct summary *summary = run_of(OUTCOME_CUT, 5);
    summary->end = RUN_END_TIME;
    assert_status(summary, EXIT_STATUS_FAILED);
    summary = run_of(OUTCOME_OK, 0);
    summary->end = RUN_END_UNREACHABLE;
    assert_status(summary, EXIT_STATUS_FAILED);
}

static void a_client_out_of_resources_is_3_before_1(void **state)
{
    (void)state;
    assert_status(run_of(OUTCOME_LOCAL, 1), EXIT_STATUS_UNTRUSTED);
    struct summary *summary = run_of(OUTCOME_OK, 1);
    summary->unbalanced = true;
    assert_status(summary, EXIT_STATUS_UNTRUSTED);
}

static void interrupted_is_130_before_all(void **state)
{
    (void)state;
    struct summary *summary = run_of(OUTCOME_LOCAL, 1);
    summary->end = RUN_END_INTERRUPTED;
    assert_status(summary, EXIT_STATUS_INTERRUPTED);
}

static void conditions_decide_alone_between_0_and_1_B150(void **state)
{
    (void)state;
    struct summary *summary = run_of(OUTCOME_FAULT, 5);
    assert_true(summary_add_condition(summary, STR("errors>5"), NULL));
    assert_int_equal(exit_status_of(summary), EXIT_STATUS_GOOD);
    assert_int_equal(exit_status_of_saved(summary), EXIT_STATUS_GOOD);
    assert_true(summary_add_condition(summary, STR("errors>4"), NULL));
    assert_int_equal(exit_status_of(summary), EXIT_STATUS_FAILED);
    assert_int_equal(exit_status_of_saved(summary), EXIT_STATUS_FAILED);
    summary->unbalanced = true;
    assert_int_equal(exit_status_of_saved(summary), EXIT_STATUS_UNTRUSTED);
    assert_status(summary, EXIT_STATUS_UNTRUSTED);
}

static void a_saved_result_fails_by_conditions_only(void **state)
{
    (void)state;
    struct summary *summary = run_of(OUTCOME_FAULT, 5);
    summary->end = RUN_END_INTERRUPTED;
    assert_int_equal(exit_status_of_saved(summary), EXIT_STATUS_GOOD);
    summary_free(summary);
}

static void a_status_only_gets_worse(void **state)
{
    (void)state;
    assert_int_equal(exit_status_worse(EXIT_STATUS_GOOD, EXIT_STATUS_GOOD), EXIT_STATUS_GOOD);
    assert_int_equal(exit_status_worse(EXIT_STATUS_GOOD, EXIT_STATUS_UNTRUSTED),
                     EXIT_STATUS_UNTRUSTED);
    assert_int_equal(exit_status_worse(EXIT_STATUS_FAILED, EXIT_STATUS_UNTRUSTED),
                     EXIT_STATUS_UNTRUSTED);
    assert_int_equal(exit_status_worse(EXIT_STATUS_INTERRUPTED, EXIT_STATUS_UNTRUSTED),
                     EXIT_STATUS_INTERRUPTED);
    assert_int_equal(exit_status_worse(EXIT_STATUS_FAILED, EXIT_STATUS_GOOD), EXIT_STATUS_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_good_is_0_and_a_failure_is_1),
        cmocka_unit_test(a_run_that_finished_nothing_is_not_good),
        cmocka_unit_test(a_client_out_of_resources_is_3_before_1),
        cmocka_unit_test(interrupted_is_130_before_all),
        cmocka_unit_test(conditions_decide_alone_between_0_and_1_B150),
        cmocka_unit_test(a_saved_result_fails_by_conditions_only),
        cmocka_unit_test(a_status_only_gets_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
