/* SPDX-License-Identifier: Apache-2.0 */
/* Which message is next: exact counts over all workers, whatever their number and order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/plan/mix.h"

enum { MESSAGES_MOST = 8, WORKERS_MOST = 7 };

struct counts {
    uint64_t of[MESSAGES_MOST];
};

static struct mix *make(const uint32_t *weights, size_t count, enum mix_order order, uint64_t seed)
{
    struct err err = {0};
    struct mix *mix = mix_new(weights, count, order, seed, &err);
    if (mix == NULL) {
        fail_msg("refused: %s", err.text);
    }
    return mix;
}

/* As the run deals them out: evenly, the first get one more. */
static uint64_t share_of(uint64_t requests, uint32_t workers, uint32_t worker)
{
    return requests / workers + (worker < requests % workers ? 1 : 0);
}

static struct counts count_all(const struct mix *mix, uint64_t requests, uint32_t workers)
{
    struct counts counts = {{0}};
    for (uint32_t worker = 0; worker < workers; worker++) {
        struct mix_walk walk;
        mix_walk_init(
            &walk, mix,
            &(struct mix_share){.worker = worker, .workers = workers, .requests = requests});
        for (uint64_t i = 0; i < share_of(requests, workers, worker); i++) {
            counts.of[mix_walk_next(&walk)]++;
        }
        mix_walk_deinit(&walk);
    }
    return counts;
}

static void messages_of_equal_weight_come_in_order(void **state)
{
    (void)state;
    static const uint32_t weights[] = {5, 5, 5};
    struct mix *mix = make(weights, 3, MIX_IN_ORDER, 0);
    struct mix_walk walk;
    assert_int_equal(mix_cycle_length(mix), 3);
    mix_walk_init(&walk, mix, &(struct mix_share){.workers = 1, .requests = 9});
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(mix_walk_next(&walk), i % 3);
    }
    mix_walk_deinit(&walk);
    mix_free(mix);
}

static void a_heavy_message_is_spread_over_the_cycle(void **state)
{
    (void)state;
    static const uint32_t weights[] = {40, 10, 10};
    static const uint32_t expected[] = {0, 0, 1, 2, 0, 0};
    struct mix *mix = make(weights, 3, MIX_IN_ORDER, 0);
    struct mix_walk walk;
    assert_int_equal(mix_cycle_length(mix), 6);
    mix_walk_init(&walk, mix, &(struct mix_share){.workers = 1, .requests = 6});
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(mix_walk_next(&walk), expected[i]);
    }
    mix_walk_deinit(&walk);
    mix_free(mix);
}

/* B-row of mixes: any number of workers, in order and shuffled, whole cycles and pieces of one. */
static void every_cycle_is_exact_over_all_workers(void **state)
{
    (void)state;
    static const uint32_t weights[] = {7, 1, 2, 3};
    for (int order = 0; order < MIX_ORDER_COUNT; order++) {
        struct mix *mix = make(weights, 4, (enum mix_order)order, 42);
        for (uint32_t workers = 1; workers <= WORKERS_MOST; workers++) {
            for (uint64_t cycles = 1; cycles <= 20; cycles++) {
                const struct counts counts = count_all(mix, cycles * 13, workers);
                for (size_t i = 0; i < 4; i++) {
                    assert_int_equal(counts.of[i], weights[i] * cycles);
                }
            }
        }
        mix_free(mix);
    }
}

static void every_cycle_is_exact_when_sessions_are_dealt_out(void **state)
{
    (void)state;
    static const uint32_t weights[] = {3, 1};
    struct mix *mix = make(weights, 2, MIX_SHUFFLED, 3);
    for (uint32_t workers = 1; workers <= WORKERS_MOST; workers++) {
        struct counts counts = {{0}};
        for (uint32_t worker = 0; worker < workers; worker++) {
            struct mix_walk walk;
            mix_walk_init(
                &walk, mix,
                &(struct mix_share){
                    .worker = worker, .workers = workers, .requests = 12 * 5, .grain = 5});
            for (uint64_t i = 0; i < share_of(12, workers, worker) * 5; i++) {
                counts.of[mix_walk_next(&walk)]++;
            }
            mix_walk_deinit(&walk);
        }
        assert_int_equal(counts.of[0], 45);
        assert_int_equal(counts.of[1], 15);
    }
    mix_free(mix);
}

static void the_rest_of_a_cycle_has_nothing_twice_too_often(void **state)
{
    (void)state;
    static const uint32_t weights[] = {7, 1, 2, 3};
    struct mix *mix = make(weights, 4, MIX_SHUFFLED, 1);
    for (uint64_t requests = 1; requests < 60; requests++) {
        const struct counts counts = count_all(mix, requests, 3);
        for (size_t i = 0; i < 4; i++) {
            assert_true(counts.of[i] >= requests / 13 * weights[i]);
            assert_true(counts.of[i] <= (requests / 13 + 1) * weights[i]);
        }
    }
    mix_free(mix);
}

static void without_a_limit_each_worker_has_all_messages(void **state)
{
    (void)state;
    static const uint32_t weights[] = {1, 1, 1, 1};
    struct mix *mix = make(weights, 4, MIX_SHUFFLED, 1);
    for (uint32_t worker = 0; worker < 4; worker++) {
        struct counts counts = {{0}};
        struct mix_walk walk;
        mix_walk_init(&walk, mix, &(struct mix_share){.worker = worker, .workers = 4});
        for (size_t i = 0; i < 400; i++) {
            counts.of[mix_walk_next(&walk)]++;
        }
        for (size_t i = 0; i < 4; i++) {
            assert_in_range(counts.of[i], 99, 101);
        }
        mix_walk_deinit(&walk);
    }
    mix_free(mix);
}

static void take(const struct mix *mix, uint32_t *taken, size_t count)
{
    struct mix_walk walk;
    mix_walk_init(&walk, mix, &(struct mix_share){.workers = 1, .requests = count});
    for (size_t i = 0; i < count; i++) {
        taken[i] = mix_walk_next(&walk);
    }
    mix_walk_deinit(&walk);
}

static void the_seed_decides_the_shuffled_order(void **state)
{
    (void)state;
    static const uint32_t weights[] = {1, 1, 1, 1, 1, 1, 1, 1};
    uint32_t first[80];
    uint32_t again[80];
    uint32_t other[80];
    struct mix *mix = make(weights, 8, MIX_SHUFFLED, 7);
    struct mix *same = make(weights, 8, MIX_SHUFFLED, 7);
    struct mix *another = make(weights, 8, MIX_SHUFFLED, 8);
    take(mix, first, 80);
    take(same, again, 80);
    take(another, other, 80);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
    assert_memory_not_equal(first, first + 8, 8 * sizeof *first);
    mix_free(mix);
    mix_free(same);
    mix_free(another);
}

static void too_long_a_cycle_and_too_many_messages_are_refused(void **state)
{
    (void)state;
    static const uint32_t weights[] = {100000, 1};
    struct err err = {0};
    assert_null(mix_new(weights, 2, MIX_IN_ORDER, 0, &err));
    assert_string_equal(err.text, "the weights add up to a cycle of 100001 requests, more than "
                                  "100000: give smaller ones, as 1 and 20 for 50 and 1000");
    uint32_t *ones = calloc(MIX_MESSAGES_CEILING + 1, sizeof *ones);
    for (size_t i = 0; i <= MIX_MESSAGES_CEILING; i++) {
        ones[i] = 1;
    }
    assert_null(mix_new(ones, MIX_MESSAGES_CEILING + 1, MIX_IN_ORDER, 0, &err));
    assert_non_null(strstr(err.text, "1025 messages"));
    mix_free(make(ones, MIX_MESSAGES_CEILING, MIX_IN_ORDER, 0));
    free(ones);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_equal_weight_come_in_order),
        cmocka_unit_test(a_heavy_message_is_spread_over_the_cycle),
        cmocka_unit_test(every_cycle_is_exact_over_all_workers),
        cmocka_unit_test(every_cycle_is_exact_when_sessions_are_dealt_out),
        cmocka_unit_test(the_rest_of_a_cycle_has_nothing_twice_too_often),
        cmocka_unit_test(without_a_limit_each_worker_has_all_messages),
        cmocka_unit_test(the_seed_decides_the_shuffled_order),
        cmocka_unit_test(too_long_a_cycle_and_too_many_messages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
