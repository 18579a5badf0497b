/* SPDX-License-Identifier: Apache-2.0 */
/* The books of one message: they hold what the whole's hold of it, and nothing until there is any.
 */
#include "lather/measure/message_tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void each_request_is_counted_once(void **state)
{
    (void)state;
    struct message_tally tally = {.started = 4};
    message_tally_add(&tally, &(struct sample){.outcome = OUTCOME_CUT});
    message_tally_add(&tally, &(struct sample){.outcome = OUTCOME_TIMEOUT, .total_ns = 7});
    assert_null(tally.total);
    message_tally_add(
        &tally,
        &(struct sample){.outcome = OUTCOME_OK, .status = 200, .body_bytes = 10, .total_ns = 5});
    message_tally_add(
        &tally,
        &(struct sample){.outcome = OUTCOME_FAULT, .status = 500, .body_bytes = 3, .total_ns = 9});
    assert_int_equal(tally.finished, 3);
    assert_int_equal(tally.outcomes[OUTCOME_CUT], 1);
    assert_int_equal(message_tally_failed(&tally), 2);
    assert_int_equal(tally.body_bytes, 13);
    assert_int_equal(histogram_count(tally.total), 2);
    assert_int_equal(histogram_max(tally.total), 9);
    message_tally_deinit(&tally);
}

static void merging_is_adding(void **state)
{
    (void)state;
    struct message_tally into = {.started = 1};
    struct message_tally from = {.started = 2, .traffic = {.bytes_sent = 100}};
    const struct sample sample = {.outcome = OUTCOME_OK, .status = 200, .total_ns = 5};
    message_tally_add(&from, &sample);
    message_tally_merge(&into, &from);
    message_tally_merge(&into, &from);
    assert_int_equal(into.started, 5);
    assert_int_equal(into.finished, 2);
    assert_int_equal(into.traffic.bytes_sent, 200);
    assert_int_equal(histogram_count(into.total), 2);
    message_tally_deinit(&into);
    message_tally_deinit(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_request_is_counted_once),
        cmocka_unit_test(merging_is_adding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
