/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of plan/plan: the defaults, what messages share, and that contradictions are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/plan/plan.h"

#define ENVELOPE                                                                                   \
    "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><a/></s:Body>"      \
    "</s:Envelope>"

/* A plan of an envelope, and behind it a message with expectations of its own. */
static struct plan *plan_of_two(const char *method)
{
    struct plan *plan = plan_new();
    struct buf notes;
    struct err err = {0};
    buf_init(&notes);
    const struct plan_request first = {
        .url = STR("host/a"), .body = STR(ENVELOPE), .has_body = true};
    const struct plan_request second = {
        .url = STR("host/b"), .method = method, .expect = plan_add_expect(plan)};
    assert_true(plan_add_message(plan, &first, &notes, &err));
    assert_true(plan_add_message(plan, &second, &notes, &err));
    buf_deinit(&notes);
    return plan;
}

static void messages_have_expectations_of_their_own(void **state)
{
    (void)state;
    struct plan *plan = plan_of_two("GET");
    assert_ptr_equal(plan->messages[0].expect, &plan->expect);
    assert_int_equal(plan->messages[0].expect->validate, VALIDATE_SOAP);
    assert_int_equal(plan->messages[1].expect->validate, VALIDATE_OFF);
    plan_free(plan);
}

static void head_requests_are_not_mixed_with_others(void **state)
{
    (void)state;
    struct plan *plan = plan_of_two("HEAD");
    struct err err = {0};
    assert_false(plan_settle_mix(plan, &err));
    assert_non_null(strstr(err.text, "HEAD requests are not mixed with others"));
    plan_free(plan);
}

static void the_defaults_are_those_of_ab(void **state)
{
    (void)state;
    struct plan *plan = plan_new();
    assert_int_equal(plan->requests, 1);
    assert_int_equal(plan->concurrency, 1);
    assert_int_equal(plan->time_limit_ns, 0);
    assert_true(plan->timeout_ns == 30 * NS_PER_S);
    assert_false(plan->keep_alive);
    plan_free(plan);
    plan_free(NULL);
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    struct plan *plan = plan_new();
    struct err err = {0};
    plan->concurrency = 50;
    assert_false(plan_check(plan, &err));
    assert_string_equal(err.text,
                        "-c 50 is more than the number of requests, 1: lower -c or raise -n");
    plan->requests = 0;
    assert_false(plan_check(plan, &err));
    assert_string_equal(err.text, "nothing ends the run: give -n or -t");
    plan->time_limit_ns = 1;
    assert_true(plan_check(plan, &err));
    plan->same_length = true;
    plan->any_length = true;
    assert_false(plan_check(plan, &err));
    plan->any_length = false;
    plan->keep_samples = true;
    plan->requests = 1000000000000;
    assert_true(plan_check(plan, &err)); /* they are spooled */
    plan_free(plan);
}

static void threads_are_capped_at_the_concurrency(void **state)
{
    (void)state;
    struct plan *plan = plan_new();
    struct err err = {0};
    plan->requests = 10;
    plan->concurrency = 3;
    plan->threads = 8;
    assert_true(plan_check(plan, &err));
    assert_int_equal(plan->threads, 3);
    plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_have_expectations_of_their_own),
        cmocka_unit_test(head_requests_are_not_mixed_with_others),
        cmocka_unit_test(the_defaults_are_those_of_ab),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(threads_are_capped_at_the_concurrency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
