/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines expire once, in order, never early, and not at all when removed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/net/deadline.h"

enum { ENTRIES = 5, LENGTH_MS = 20 };

struct fixture {
    uv_loop_t loop;
    struct deadline_queue queue;
    struct deadline entries[ENTRIES];
    int expired[ENTRIES];
    int order[ENTRIES * 2];
    int count;
    uint64_t last_ns;
    bool add_again; /* the first to expire is queued once more */
};

static void on_expired(struct deadline *deadline)
{
    struct fixture *fixture = deadline->owner;
    const int index = (int)(deadline - fixture->entries);
    fixture->expired[index]++;
    fixture->order[fixture->count++] = index;
    fixture->last_ns = clock_now_ns();
    if (fixture->add_again) {
        fixture->add_again = false;
        deadline_add(&fixture->queue, deadline, fixture);
    }
}

static void fixture_init(struct fixture *fixture, uint64_t length_ms)
{
    *fixture = (struct fixture){.count = 0};
    assert_int_equal(uv_loop_init(&fixture->loop), 0);
    deadline_queue_init(&fixture->queue, &fixture->loop, length_ms, on_expired);
}

static void fixture_deinit(struct fixture *fixture)
{
    deadline_queue_close(&fixture->queue);
    (void)uv_run(&fixture->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&fixture->loop), 0);
}

static void all_expire_once_in_order_and_not_early(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, LENGTH_MS);
    const uint64_t start_ns = clock_now_ns();
    uv_update_time(&fixture.loop);
    for (int i = 0; i < ENTRIES; i++) {
        deadline_add(&fixture.queue, &fixture.entries[i], &fixture);
    }
    (void)uv_run(&fixture.loop, UV_RUN_DEFAULT);
    assert_int_equal(fixture.count, ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
        assert_int_equal(fixture.order[i], i);
        assert_int_equal(fixture.expired[i], 1);
        assert_false(deadline_is_queued(&fixture.entries[i]));
    }
    assert_true(fixture.last_ns - start_ns >= LENGTH_MS * NS_PER_MS);
    fixture_deinit(&fixture);
}

/* B053: the timer of a finished request does not fire. */
static void a_removed_entry_never_expires(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, LENGTH_MS);
    for (int i = 0; i < ENTRIES; i++) {
        deadline_add(&fixture.queue, &fixture.entries[i], &fixture);
    }
    deadline_remove(&fixture.entries[0]);
    deadline_remove(&fixture.entries[3]);
    deadline_remove(&fixture.entries[3]);
    (void)uv_run(&fixture.loop, UV_RUN_DEFAULT);
    assert_int_equal(fixture.count, ENTRIES - 2);
    assert_int_equal(fixture.expired[0], 0);
    assert_int_equal(fixture.expired[3], 0);
    fixture_deinit(&fixture);
}

static void an_entry_can_be_queued_again_when_it_expires(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, LENGTH_MS);
    fixture.add_again = true;
    deadline_add(&fixture.queue, &fixture.entries[0], &fixture);
    (void)uv_run(&fixture.loop, UV_RUN_DEFAULT);
    assert_int_equal(fixture.expired[0], 2);
    fixture_deinit(&fixture);
}

static void a_queue_of_length_zero_never_expires(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 0);
    deadline_add(&fixture.queue, &fixture.entries[0], &fixture);
    assert_false(deadline_is_queued(&fixture.entries[0]));
    (void)uv_run(&fixture.loop, UV_RUN_DEFAULT);
    assert_int_equal(fixture.count, 0);
    fixture_deinit(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_expire_once_in_order_and_not_early),
        cmocka_unit_test(a_removed_entry_never_expires),
        cmocka_unit_test(an_entry_can_be_queued_again_when_it_expires),
        cmocka_unit_test(a_queue_of_length_zero_never_expires),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
