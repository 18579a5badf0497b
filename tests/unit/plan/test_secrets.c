/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of plan/secrets: what gives credentials away is known, encoded and as typed, once. */
#include "lather/plan/secrets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_secrets(const struct plan_request *request, const char *const *expected)
{
    struct plan *plan = plan_new();
    secrets_add_request(plan, request);
    size_t count = 0;
    for (; expected[count] != NULL; count++) {
        assert_true(count < plan->secret_count);
        assert_string_equal(plan->secrets[count], expected[count]);
    }
    assert_int_equal(plan->secret_count, count);
    plan_free(plan);
}

static void credentials_are_known_as_sent_and_as_typed(void **state)
{
    (void)state;
    static const char *const cookies[] = {"session=abc"};
    assert_secrets(&(struct plan_request){.basic_credentials = "  user:pass",
                                          .cookies = cookies,
                                          .cookie_count = 1,
                                          .renewal = {.wsse_password = STR("token")}},
                   (const char *const[]){"dXNlcjpwYXNz", "pass", "abc", "token", NULL});
}

static void fields_that_carry_credentials_are_looked_into(void **state)
{
    (void)state;
    struct http_head fields;
    http_head_init(&fields);
    http_head_add(&fields, STR("authorization"), STR("Bearer abc"));
    http_head_add(&fields, STR("Proxy-Authorization"), STR("def"));
    http_head_add(&fields, STR("Cookie"), STR("a=1; b=; bare"));
    http_head_add(&fields, STR("X-Other"), STR("seen"));
    assert_secrets(&(struct plan_request){.headers = &fields},
                   (const char *const[]){"abc", "def", "1", "bare", NULL});
    http_head_deinit(&fields);
}

static void a_secret_is_known_once_and_an_empty_one_is_none(void **state)
{
    (void)state;
    static const char *const cookies[] = {"a=x", "b=x; c="};
    assert_secrets(&(struct plan_request){.cookies = cookies, .cookie_count = 2},
                   (const char *const[]){"x", NULL});
    assert_secrets(&(struct plan_request){.cookie_count = 0}, (const char *const[]){NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(credentials_are_known_as_sent_and_as_typed),
        cmocka_unit_test(fields_that_carry_credentials_are_looked_into),
        cmocka_unit_test(a_secret_is_known_once_and_an_empty_one_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
