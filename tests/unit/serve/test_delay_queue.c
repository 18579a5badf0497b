/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing comes due early, all in order, and what was removed never. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/serve/delay_queue.h"

enum { ITEMS = 50 };

static struct delay_item items[ITEMS];
static uint64_t due_at_ns[ITEMS];
static size_t due_count;

static const struct delay_item *last_due;

static void on_due(struct delay_item *item)
{
    assert_false(item->waiting);
    if (last_due != NULL) {
        assert_true(item->due_ns >= last_due->due_ns);
    }
    last_due = item;
    due_at_ns[due_count] = clock_now_ns();
    assert_true(due_at_ns[due_count] >= item->due_ns);
    due_count++;
}

static void run_all(uint64_t delay_ns, enum delay_precision precision, size_t removed)
{
    uv_loop_t loop;
    struct delay_queue queue;
    assert_int_equal(uv_loop_init(&loop), 0);
    delay_queue_init(&queue, &loop, precision, on_due);
    due_count = 0;
    last_due = NULL;
    for (size_t i = 0; i < ITEMS; i++) {
        items[i] = (struct delay_item){0};
        delay_queue_add(&queue, &items[i], delay_ns);
    }
    for (size_t i = 0; i < removed; i++) {
        delay_queue_remove(&queue, &items[i * (ITEMS - 1)]); /* the first, and the last */
        delay_queue_remove(&queue, &items[i * (ITEMS - 1)]);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(due_count, ITEMS - removed);
    for (size_t i = 1; i < due_count; i++) {
        assert_true(due_at_ns[i] >= due_at_ns[i - 1]);
    }
    delay_queue_close(&queue);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void nothing_is_early_and_all_in_order(void **state)
{
    (void)state;
    const uint64_t delays_ns[] = {
        0, 1, 300 * NS_PER_US, NS_PER_MS, 2500 * NS_PER_US, 20 * NS_PER_MS};
    for (size_t i = 0; i < sizeof delays_ns / sizeof delays_ns[0]; i++) {
        run_all(delays_ns[i], DELAY_EXACT, 0);
        run_all(delays_ns[i], DELAY_ROUGH, 0);
    }
}

static void what_was_removed_does_not_come(void **state)
{
    (void)state;
    run_all(NS_PER_MS, DELAY_EXACT, 1);
    run_all(NS_PER_MS, DELAY_ROUGH, 2);
}

/* Adds ITEMS with delays up to 4 ms in no order, takes some out again, and has the rest come. */
static void what_waits_for_different_times_comes_in_order_of_them(void **state)
{
    (void)state;
    uv_loop_t loop;
    struct delay_queue queue;
    size_t removed = 0;
    assert_int_equal(uv_loop_init(&loop), 0);
    delay_queue_init(&queue, &loop, DELAY_EXACT, on_due);
    due_count = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        items[i] = (struct delay_item){0};
        delay_queue_add(&queue, &items[i], (i * 37 % ITEMS) * 80 * NS_PER_US);
    }
    for (size_t i = 3; i < ITEMS; i += 7) {
        delay_queue_remove(&queue, &items[i]);
        removed++;
    }
    last_due = NULL;
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(due_count, ITEMS - removed);
    delay_queue_close(&queue);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void closing_forgets_what_waits(void **state)
{
    (void)state;
    uv_loop_t loop;
    struct delay_queue queue;
    assert_int_equal(uv_loop_init(&loop), 0);
    delay_queue_init(&queue, &loop, DELAY_EXACT, on_due);
    items[0] = (struct delay_item){0};
    delay_queue_add(&queue, &items[0], 60 * NS_PER_S);
    delay_queue_close(&queue);
    assert_false(items[0].waiting);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_early_and_all_in_order),
        cmocka_unit_test(what_was_removed_does_not_come),
        cmocka_unit_test(what_waits_for_different_times_comes_in_order_of_them),
        cmocka_unit_test(closing_forgets_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
