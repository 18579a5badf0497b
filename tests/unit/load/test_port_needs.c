/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of local ports before a run: when they cannot last, and never when they do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/load/port_needs.h"

static const struct port_supply hundred = {.ports = 100, .rest_s = 60};
static const uint64_t MICRO = 1000000;

/* A run of 1,000 requests, each on a connection of its own. */
static struct plan plan_of_single_requests(void)
{
    return (struct plan){.requests = 1000, .concurrency = 10, .threads = 1};
}

static void expect_note(const struct plan *plan, const struct port_supply *supply, const char *text)
{
    struct buf notes;
    buf_init(&notes);
    port_needs_note(plan, supply, &notes);
    const struct str said = buf_view(&notes);
    if (text == NULL) {
        assert_int_equal(said.len, 0);
    } else if (str_find(said, str_from(text)) == SIZE_MAX) {
        fail_msg("\"%s\" is not in \"%.*s\"", text, STR_ARG(said));
    }
    buf_deinit(&notes);
}

static void single_requests_are_told_how_many_connections_a_second_last(void **state)
{
    (void)state;
    struct plan plan = plan_of_single_requests();
    expect_note(&plan, &hundred,
                "Every request opens a connection: the 100 local ports here last for 1 new "
                "connection a second, as one whose server does not close first keeps its port for "
                "60 s. -k avoids that");
    expect_note(&plan, &(struct port_supply){.ports = 300, .rest_s = 60},
                "the 300 local ports here last for 5 new connections a second");
    plan.requests = 0;
    plan.time_limit_ns = NS_PER_S;
    expect_note(&plan, &hundred, "100 local ports");
}

static void a_run_that_cannot_use_them_up_is_told_nothing(void **state)
{
    (void)state;
    struct plan plan = plan_of_single_requests();
    plan.requests = 100;
    expect_note(&plan, &hundred, NULL);
    plan.requests = 101;
    expect_note(&plan, &hundred, "100 local ports");
    plan = plan_of_single_requests();
    plan.keep_alive = true;
    expect_note(&plan, &hundred, NULL);
    plan.requests_per_connection = 10;
    expect_note(&plan, &hundred, NULL);
    plan.requests = 1001;
    expect_note(&plan, &hundred, "Every group of requests opens a connection");
}

static void what_the_system_does_not_tell_is_not_guessed(void **state)
{
    (void)state;
    const struct plan plan = plan_of_single_requests();
    expect_note(&plan, &(struct port_supply){.ports = 0, .rest_s = 60}, NULL);
    expect_note(&plan, &(struct port_supply){.ports = 100, .rest_s = 0}, NULL);
}

static void a_rate_is_held_against_what_the_ports_allow(void **state)
{
    (void)state;
    struct plan plan = plan_of_single_requests();
    plan.rate_micro_per_s = 50 * MICRO;
    expect_note(&plan, &hundred, "At 50 requests a second they are used up after 2 s.");
    plan.rate_micro_per_s = 100 * MICRO / 60;
    expect_note(&plan, &hundred, NULL);
    plan.rate_micro_per_s += MICRO / 60;
    expect_note(&plan, &hundred, "used up after");
    plan.keep_alive = true;
    plan.requests_per_connection = 10;
    plan.rate_micro_per_s = 16 * MICRO;
    plan.requests = 100000;
    expect_note(&plan, &hundred, NULL);
    plan.rate_micro_per_s = 20 * MICRO;
    expect_note(&plan, &hundred, "At 20 requests a second they are used up after 50 s.");
}

static void a_rate_that_ends_before_is_told_nothing(void **state)
{
    (void)state;
    struct plan plan = plan_of_single_requests();
    plan.requests = 0;
    plan.rate_micro_per_s = 50 * MICRO;
    plan.time_limit_ns = 2 * NS_PER_S;
    expect_note(&plan, &hundred, NULL);
    plan.time_limit_ns = 3 * NS_PER_S;
    expect_note(&plan, &hundred, "used up after 2 s");
}

static void the_highest_step_decides(void **state)
{
    (void)state;
    uint64_t rates[] = {MICRO, 40 * MICRO, 2 * MICRO};
    struct plan plan = plan_of_single_requests();
    plan.requests = 0;
    plan.rate_micro_per_s = rates[0];
    plan.shape.step_rates = rates;
    plan.shape.step_count = 3;
    expect_note(&plan, &hundred, "At 40 requests a second");
    plan.shape.step_count = 1;
    expect_note(&plan, &hundred, NULL);
}

/* Kept or not: more at once than there are. */
static void more_connections_than_ports_are_told(void **state)
{
    (void)state;
    struct plan plan = plan_of_single_requests();
    plan.keep_alive = true;
    plan.concurrency = 101;
    expect_note(&plan, &hundred,
                "-c 101 asks for more connections at once than the 100 local ports");
    plan.keep_alive = false;
    expect_note(&plan, &hundred, "-c 101 asks for more");
    plan.concurrency = 100;
    plan.keep_alive = true;
    expect_note(&plan, &hundred, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_requests_are_told_how_many_connections_a_second_last),
        cmocka_unit_test(a_run_that_cannot_use_them_up_is_told_nothing),
        cmocka_unit_test(what_the_system_does_not_tell_is_not_guessed),
        cmocka_unit_test(a_rate_is_held_against_what_the_ports_allow),
        cmocka_unit_test(a_rate_that_ends_before_is_told_nothing),
        cmocka_unit_test(the_highest_step_decides),
        cmocka_unit_test(more_connections_than_ports_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
