/* SPDX-License-Identifier: Apache-2.0 */
/* Choices are repeatable by seed, apart by worker, and without bias. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/rng.h"

/* First outputs of the authors' xoshiro256starstar.c from the state 1, 2, 3, 4. */
static void the_generator_is_xoshiro256_star_star(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        11520ULL,
        0ULL,
        1509978240ULL,
        1215971899390074240ULL,
        1216172134540287360ULL,
        607988272756665600ULL,
        16172922978634559625ULL,
        8476171486693032832ULL,
        10595114339597558777ULL,
        2904607092377533576ULL,
    };
    struct rng rng = {.state = {1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_true(rng_next(&rng) == expected[i]);
    }
}

static void seed_and_stream_repeat_the_sequence(void **state)
{
    (void)state;
    struct rng first;
    struct rng second;
    rng_init(&first, 42, 3);
    rng_init(&second, 42, 3);
    for (int i = 0; i < 1000; i++) {
        assert_true(rng_next(&first) == rng_next(&second));
    }
}

/* A saved seed must give the same order with the next version too. */
static void the_sequence_of_a_seed_stays_what_it_is(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 1, 0);
    assert_true(rng_next(&rng) == 0xEE127FE613436E33ULL);
}

static size_t agreements(uint64_t seed_a, uint64_t stream_a, uint64_t seed_b, uint64_t stream_b)
{
    struct rng a;
    struct rng b;
    rng_init(&a, seed_a, stream_a);
    rng_init(&b, seed_b, stream_b);
    size_t count = 0;
    for (int i = 0; i < 1000; i++) {
        count += rng_below(&a, 256) == rng_below(&b, 256) ? 1 : 0;
    }
    return count;
}

static void other_seeds_and_streams_are_unrelated(void **state)
{
    (void)state;
    /* By chance about 4 of 1000. */
    assert_in_range(agreements(0, 0, 0, 1), 0, 30);
    assert_in_range(agreements(0, 0, 1, 0), 0, 30);
    assert_in_range(agreements(1, 2, 2, 1), 0, 30);
    assert_in_range(agreements(7, 0, 7, UINT64_MAX), 0, 30);
}

static void below_stays_below_for_every_bound(void **state)
{
    (void)state;
    const uint64_t bounds[] = {1, 2, 3, 10, 1ULL << 32, (1ULL << 63) + 1, UINT64_MAX};
    struct rng rng;
    rng_init(&rng, 5, 0);
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        for (int draw = 0; draw < 1000; draw++) {
            assert_true(rng_below(&rng, bounds[i]) < bounds[i]);
        }
    }
}

/* A bare remainder would put half of the draws, not a third, into the first third. */
static void below_has_no_bias_towards_small_values(void **state)
{
    (void)state;
    const uint64_t third = 1ULL << 62;
    struct rng rng;
    rng_init(&rng, 6, 0);
    size_t counts[3] = {0};
    for (int draw = 0; draw < 30000; draw++) {
        counts[rng_below(&rng, 3 * third) / third]++;
    }
    for (size_t i = 0; i < 3; i++) {
        assert_in_range(counts[i], 9600, 10400);
    }
}

static void unit_never_reaches_one(void **state)
{
    (void)state;
    /* The state whose next output is 2^64 - 1. */
    struct rng highest = {.state = {0, 0x4FC71C71C71C71C7ULL, 0, 0}};
    struct rng copy = highest;
    assert_true(rng_next(&copy) == UINT64_MAX);
    double value = rng_unit(&highest);
    assert_true(value > 0.999999 && value < 1.0);
}

static void unit_fills_its_range_evenly(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 8, 0);
    size_t counts[10] = {0};
    for (int draw = 0; draw < 100000; draw++) {
        double value = rng_unit(&rng);
        assert_true(value >= 0.0 && value < 1.0);
        counts[(size_t)(value * 10)]++;
    }
    for (size_t i = 0; i < 10; i++) {
        assert_in_range(counts[i], 9500, 10500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_is_xoshiro256_star_star),
        cmocka_unit_test(seed_and_stream_repeat_the_sequence),
        cmocka_unit_test(the_sequence_of_a_seed_stays_what_it_is),
        cmocka_unit_test(other_seeds_and_streams_are_unrelated),
        cmocka_unit_test(below_stays_below_for_every_bound),
        cmocka_unit_test(below_has_no_bias_towards_small_values),
        cmocka_unit_test(unit_never_reaches_one),
        cmocka_unit_test(unit_fills_its_range_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
