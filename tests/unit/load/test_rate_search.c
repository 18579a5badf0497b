/* SPDX-License-Identifier: Apache-2.0 */
/* The search for the highest rate that holds, against servers whose capacity is known. */
#include "lather/load/rate_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/rng.h"

enum { PER_S = 1000000 };

/* A server that holds every rate up to its capacity; returns the rate found, counts the steps. */
static uint64_t find(const uint64_t *list, size_t count, uint64_t capacity, size_t *steps)
{
    struct rate_search search;
    uint64_t rate;
    uint64_t highest_tried = 0;
    rate_search_init(&search, RATE_SEARCH_HIGHEST, list, count);
    *steps = 0;
    while (rate_search_next(&search, &rate)) {
        rate_search_note(&search, rate <= capacity ? RATE_SEARCH_HELD : RATE_SEARCH_FAILED);
        highest_tried = rate > highest_tried ? rate : highest_tried;
        (*steps)++;
    }
    assert_true(search.held <= capacity && search.held <= highest_tried);
    return search.held;
}

static void a_known_capacity_is_found_within_5_percent(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 42, 0);
    for (int i = 0; i < 20000; i++) {
        const uint64_t first = PER_S + rng_below(&rng, 1000ULL * PER_S);
        const uint64_t capacity = PER_S + rng_below(&rng, 100000ULL * PER_S);
        size_t steps;
        const uint64_t found = find(&first, 1, capacity, &steps);
        if (found == 0) {
            assert_true(capacity < 2 * RATE_SEARCH_LEAST);
            continue;
        }
        assert_true((double)found >= 0.95 * (double)capacity);
        assert_true(steps < 40);
    }
}

static void the_first_step_is_the_first_of_the_list_and_the_list_is_climbed(void **state)
{
    (void)state;
    static const uint64_t list[] = {100ULL * PER_S, 150ULL * PER_S, 400ULL * PER_S};
    static const uint64_t expected[] = {100, 150, 400, 275, 212};
    struct rate_search search;
    rate_search_init(&search, RATE_SEARCH_HIGHEST, list, 3);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        uint64_t rate;
        assert_true(rate_search_next(&search, &rate));
        assert_int_equal(rate / PER_S, expected[i]);
        rate_search_note(&search, rate <= 200ULL * PER_S ? RATE_SEARCH_HELD : RATE_SEARCH_FAILED);
    }
}

static void a_server_that_holds_nothing_is_given_up(void **state)
{
    (void)state;
    const uint64_t first = 640ULL * PER_S;
    size_t steps;
    assert_int_equal(find(&first, 1, 0, &steps), 0);
    assert_int_equal(steps, 10); /* 640 down to 1.25 */
}

static void a_server_that_holds_everything_ends_at_the_most(void **state)
{
    (void)state;
    const uint64_t first = 1000ULL * PER_S;
    size_t steps;
    assert_int_equal(find(&first, 1, UINT64_MAX, &steps), RATE_SEARCH_MOST);
    assert_int_equal(steps, 11);
}

static void whatever_holds_by_chance_it_ends(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 7, 0);
    for (int i = 0; i < 2000; i++) {
        const uint64_t first = 1 + rng_below(&rng, RATE_SEARCH_MOST);
        struct rate_search search;
        uint64_t rate;
        size_t steps = 0;
        rate_search_init(&search, RATE_SEARCH_HIGHEST, &first, 1);
        while (rate_search_next(&search, &rate)) {
            assert_true(rate > 0 && rate <= RATE_SEARCH_MOST);
            rate_search_note(&search, (enum rate_search_result)rng_below(&rng, 2));
            steps++;
        }
        assert_true(steps <= RATE_SEARCH_STEPS_MOST);
    }
}

static void a_list_is_gone_through_once_whatever_holds(void **state)
{
    (void)state;
    static const uint64_t list[] = {5, 3, 9};
    struct rate_search search;
    uint64_t rate;
    rate_search_init(&search, RATE_SEARCH_LIST, list, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(rate_search_next(&search, &rate));
        assert_int_equal(rate, list[i]);
        rate_search_note(&search, i == 1 ? RATE_SEARCH_FAILED : RATE_SEARCH_HELD);
    }
    assert_false(rate_search_next(&search, &rate));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_capacity_is_found_within_5_percent),
        cmocka_unit_test(the_first_step_is_the_first_of_the_list_and_the_list_is_climbed),
        cmocka_unit_test(a_server_that_holds_nothing_is_given_up),
        cmocka_unit_test(a_server_that_holds_everything_ends_at_the_most),
        cmocka_unit_test(whatever_holds_by_chance_it_ends),
        cmocka_unit_test(a_list_is_gone_through_once_whatever_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
