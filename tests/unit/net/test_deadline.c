/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines expire once, in order, never early, not late for what is done about others, and not at
 * all when removed. */
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
    uint64_t told_ns[ENTRIES * 2]; /* when they were told, by order */
    uint64_t seen_ns[ENTRIES * 2];
    uint64_t busy_ns;       /* what telling takes */
    uint64_t busy_until_ns; /* and until when it lasts at least */
    int turns;              /* of the loop */
    int told_in[ENTRIES * 2];
    uv_check_t check;
    bool add_again; /* the first to expire is queued once more */
};

static void fixture_spin(uint64_t until_ns)
{
    while (clock_now_ns() < until_ns) {
    }
}

static void on_turn(uv_check_t *check)
{
    ((struct fixture *)check->data)->turns++;
}

static void on_expired(struct deadline *deadline)
{
    struct fixture *fixture = deadline->owner;
    const int index = (int)(deadline - fixture->entries);
    fixture->last_ns = clock_now_ns();
    fixture->told_ns[fixture->count] = fixture->last_ns;
    fixture->seen_ns[fixture->count] = deadline->seen_ns;
    fixture->told_in[fixture->count] = fixture->turns;
    fixture->expired[index]++;
    fixture->order[fixture->count++] = index;
    fixture_spin(fixture->last_ns + fixture->busy_ns);
    fixture_spin(fixture->busy_until_ns);
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

/* Telling the first takes until all others are due; they expired then, not when their turn comes.
 */
static void none_is_seen_late_because_of_those_before(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, LENGTH_MS);
    for (int i = 0; i < ENTRIES; i++) {
        deadline_add(&fixture.queue, &fixture.entries[i], &fixture);
        fixture_spin(clock_now_ns() + NS_PER_MS / 4);
    }
    fixture.busy_until_ns = fixture.entries[ENTRIES - 1].due_ns;
    (void)uv_run(&fixture.loop, UV_RUN_DEFAULT);
    assert_int_equal(fixture.count, ENTRIES);
    for (int i = 1; i < ENTRIES; i++) {
        assert_int_equal(fixture.order[i], i);
        assert_true(fixture.seen_ns[i] <= fixture.told_ns[1]);
        assert_true(fixture.seen_ns[i] >= fixture.entries[i].due_ns);
    }
    fixture_deinit(&fixture);
}

static void the_loop_gets_its_turn_between_many(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, LENGTH_MS);
    assert_int_equal(uv_check_init(&fixture.loop, &fixture.check), 0);
    fixture.check.data = &fixture;
    assert_int_equal(uv_check_start(&fixture.check, on_turn), 0);
    uv_unref((uv_handle_t *)&fixture.check);
    for (int i = 0; i < ENTRIES; i++) {
        deadline_add(&fixture.queue, &fixture.entries[i], &fixture);
    }
    fixture.busy_ns = 5 * NS_PER_MS;
    (void)uv_run(&fixture.loop, UV_RUN_DEFAULT);
    assert_int_equal(fixture.count, ENTRIES);
    for (int i = 1; i < ENTRIES; i++) {
        assert_true(fixture.told_in[i] > fixture.told_in[i - 1]);
    }
    uv_close((uv_handle_t *)&fixture.check, NULL);
    fixture_deinit(&fixture);
}

/* What is due and waits to be told can still be taken back: an answer came. */
static void what_was_seen_can_be_removed(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, LENGTH_MS);
    for (int i = 0; i < ENTRIES; i++) {
        deadline_add(&fixture.queue, &fixture.entries[i], &fixture);
    }
    fixture.busy_ns = 5 * NS_PER_MS;
    while (fixture.count == 0) {
        (void)uv_run(&fixture.loop, UV_RUN_ONCE);
    }
    assert_true(fixture.count < 3); /* UV_RUN_ONCE may look at timers twice */
    assert_true(fixture.entries[3].seen_ns != 0);
    deadline_remove(&fixture.entries[3]);
    (void)uv_run(&fixture.loop, UV_RUN_DEFAULT);
    assert_int_equal(fixture.count, ENTRIES - 1);
    assert_int_equal(fixture.expired[3], 0);
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
    assert_true(fixture.entries[0].due_ns == UINT64_MAX);
    (void)uv_run(&fixture.loop, UV_RUN_DEFAULT);
    assert_int_equal(fixture.count, 0);
    fixture_deinit(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_expire_once_in_order_and_not_early),
        cmocka_unit_test(none_is_seen_late_because_of_those_before),
        cmocka_unit_test(the_loop_gets_its_turn_between_many),
        cmocka_unit_test(what_was_seen_can_be_removed),
        cmocka_unit_test(a_removed_entry_never_expires),
        cmocka_unit_test(an_entry_can_be_queued_again_when_it_expires),
        cmocka_unit_test(a_queue_of_length_zero_never_expires),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
