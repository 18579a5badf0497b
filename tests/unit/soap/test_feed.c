/* SPDX-License-Identifier: Apache-2.0 */
/* Workers share the rows of a feed without sharing anything else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/soap/feed.h"

enum { MOST_ROWS = 64 };

/* How often each row is taken in one round of each of the workers. */
static void take_rounds(size_t rows, uint32_t workers, enum feed_order order, unsigned *taken)
{
    memset(taken, 0, MOST_ROWS * sizeof(*taken));
    for (uint32_t worker = 0; worker < workers; worker++) {
        struct feed feed;
        feed_init(&feed, &(struct feed_slice){
                             .worker = worker, .workers = workers, .rows = rows, .order = order});
        size_t count = feed.count;
        for (size_t i = 0; i < count; i++) {
            size_t row = MOST_ROWS;
            assert_true(feed_next(&feed, &row));
            assert_true(row < rows);
            taken[row]++;
        }
        size_t row;
        assert_int_equal(feed_next(&feed, &row), order != FEED_ONCE);
        feed_deinit(&feed);
    }
}

static void all_workers_together_take_each_row_once_a_round(void **state)
{
    (void)state;
    unsigned taken[MOST_ROWS];
    for (size_t rows = 1; rows <= MOST_ROWS; rows += 7) {
        for (uint32_t workers = 1; workers <= 9; workers++) {
            for (int order = 0; order < FEED_ORDER_COUNT; order++) {
                if (workers > rows && order != FEED_ONCE) {
                    continue;
                }
                take_rounds(rows, workers, (enum feed_order)order, taken);
                for (size_t row = 0; row < rows; row++) {
                    assert_int_equal(taken[row], 1);
                }
            }
        }
    }
}

static void a_worker_without_rows_of_its_own_takes_another_ones(void **state)
{
    (void)state;
    struct feed feed;
    size_t row = 99;
    feed_init(&feed, &(struct feed_slice){.worker = 4, .workers = 5, .rows = 3});
    assert_true(feed_next(&feed, &row) && row == 1);
    assert_true(feed_next(&feed, &row) && row == 1);
    feed_deinit(&feed);
    feed_init(&feed,
              &(struct feed_slice){.worker = 4, .workers = 5, .rows = 3, .order = FEED_ONCE});
    assert_false(feed_next(&feed, &row));
    assert_false(feed_next(&feed, &row));
    feed_deinit(&feed);
}

static void cycling_keeps_the_order_of_the_file(void **state)
{
    (void)state;
    struct feed feed;
    static const size_t expected[] = {1, 3, 5, 1, 3, 5, 1};
    feed_init(&feed, &(struct feed_slice){.worker = 1, .workers = 2, .rows = 7});
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        size_t row = 99;
        assert_true(feed_next(&feed, &row));
        assert_int_equal(row, expected[i]);
    }
    feed_deinit(&feed);
}

static void draw_rounds(uint64_t seed, size_t *rows, size_t count)
{
    struct feed feed;
    feed_init(&feed,
              &(struct feed_slice){.workers = 1, .rows = 20, .order = FEED_SHUFFLE, .seed = seed});
    for (size_t i = 0; i < count; i++) {
        assert_true(feed_next(&feed, &rows[i]));
    }
    feed_deinit(&feed);
}

static void shuffling_is_repeatable_and_differs_from_round_to_round(void **state)
{
    (void)state;
    size_t first[60];
    size_t second[60];
    size_t other[60];
    draw_rounds(7, first, 60);
    draw_rounds(7, second, 60);
    draw_rounds(8, other, 60);
    assert_memory_equal(first, second, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
    assert_memory_not_equal(first, first + 20, 20 * sizeof first[0]);
    for (size_t round = 0; round < 3; round++) {
        unsigned taken[20] = {0};
        for (size_t i = 0; i < 20; i++) {
            taken[first[round * 20 + i]]++;
        }
        for (size_t i = 0; i < 20; i++) {
            assert_int_equal(taken[i], 1);
        }
    }
}

static void skipping_goes_on_as_if_the_rows_had_been_taken(void **state)
{
    (void)state;
    for (int order = 0; order < FEED_ORDER_COUNT; order++) {
        for (uint64_t skipped = 0; skipped < 50; skipped++) {
            const struct feed_slice slice = {
                .worker = 1, .workers = 3, .rows = 31, .order = (enum feed_order)order, .seed = 7};
            struct feed walked;
            struct feed skipping;
            size_t row;
            size_t other;
            feed_init(&walked, &slice);
            feed_init(&skipping, &slice);
            for (uint64_t i = 0; i < skipped; i++) {
                (void)!feed_next(&walked, &row);
            }
            feed_skip(&skipping, skipped);
            assert_int_equal(skipping.taken_in_all, walked.taken_in_all);
            for (int i = 0; i < 25; i++) {
                const bool is_left = feed_next(&walked, &row);
                assert_int_equal(feed_next(&skipping, &other), is_left);
                assert_true(!is_left || row == other);
            }
            feed_deinit(&walked);
            feed_deinit(&skipping);
        }
    }
}

static void orders_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < FEED_ORDER_COUNT; i++) {
        enum feed_order order = FEED_ORDER_COUNT;
        assert_true(feed_order_parse(str_from(feed_order_name((enum feed_order)i)), &order, NULL));
        assert_int_equal(order, i);
    }
    struct err err = {0};
    enum feed_order order;
    assert_false(feed_order_parse(STR("random"), &order, &err));
    assert_string_equal(err.text, "\"random\" is no order of rows: cycle, shuffle or once");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_workers_together_take_each_row_once_a_round),
        cmocka_unit_test(a_worker_without_rows_of_its_own_takes_another_ones),
        cmocka_unit_test(cycling_keeps_the_order_of_the_file),
        cmocka_unit_test(shuffling_is_repeatable_and_differs_from_round_to_round),
        cmocka_unit_test(skipping_goes_on_as_if_the_rows_had_been_taken),
        cmocka_unit_test(orders_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
