/* SPDX-License-Identifier: Apache-2.0 */
/* Refused orders: as many as asked for at every moment, in no rhythm, the same at each start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "lather/serve/refusals.h"

static void as_many_are_refused_as_asked_for(void **state)
{
    (void)state;
    static const double rates[] = {0,   0.000001, 0.001, 0.01, 0.1, 0.29,     0.333333, 0.4,
                                   0.5, 0.500001, 0.6,   0.75, 0.9, 0.999999, 1};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        for (uint64_t index = 0; index < 4; index++) {
            struct refusals refusals;
            uint64_t refused = 0;
            refusals_init(&refusals, rates[i], index);
            for (uint64_t n = 1; n <= 10000; n++) {
                refused += refusals_next(&refusals);
                const double exact = rates[i] * (double)n;
                if (fabs(exact - round(exact)) < 1e-7) {
                    assert_int_equal(refused, llround(exact));
                }
                assert_true((double)refused > exact - 1.0 && (double)refused < exact + 1.0);
            }
        }
    }
}

/* Messages of a mix come in turn: each must meet its share, or a rhythm was met. */
static void no_message_of_a_mix_meets_more_of_them(void **state)
{
    (void)state;
    enum { ORDERS = 60000, MESSAGES_MOST = 6 };
    static const double rates[] = {0.1, 0.2, 0.25, 0.5, 0.75};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        for (uint64_t messages = 2; messages <= MESSAGES_MOST; messages++) {
            struct refusals refusals;
            uint64_t met[MESSAGES_MOST] = {0};
            refusals_init(&refusals, rates[i], 0);
            for (uint64_t n = 0; n < ORDERS; n++) {
                met[n % messages] += refusals_next(&refusals);
            }
            const double wanted = rates[i] * ORDERS / (double)messages;
            for (uint64_t message = 0; message < messages; message++) {
                /* more than six standard deviations, were they independent */
                assert_true(fabs((double)met[message] - wanted) < 6 * sqrt(wanted));
            }
        }
    }
}

static void they_are_the_same_at_each_start_and_others_in_each_thread(void **state)
{
    (void)state;
    struct refusals one;
    struct refusals again;
    struct refusals other;
    unsigned differences = 0;
    refusals_init(&one, 0.3, 0);
    refusals_init(&again, 0.3, 0);
    refusals_init(&other, 0.3, 1);
    for (int n = 0; n < 1000; n++) {
        const bool is_refused = refusals_next(&one);
        assert_int_equal(is_refused, refusals_next(&again));
        differences += is_refused != refusals_next(&other);
    }
    assert_true(differences > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_are_refused_as_asked_for),
        cmocka_unit_test(no_message_of_a_mix_meets_more_of_them),
        cmocka_unit_test(they_are_the_same_at_each_start_and_others_in_each_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
