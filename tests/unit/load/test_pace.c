/* SPDX-License-Identifier: Apache-2.0 */
/* When a free slot sends: at once, after a pause, or when the schedule says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/load/pace.h"

enum { SLOTS = 4, GOES_MOST = 100 };

struct fixture {
    uv_loop_t loop;
    struct plan *plan;
    struct pace *pace;
    uint64_t start_ns;
    uint32_t slots[GOES_MOST]; /* in the order they went */
    uint64_t due_ns[GOES_MOST];
    uint64_t went_ns[GOES_MOST];
    int goes;
    int stop_at; /* the pace is stopped after so many */
};

static void on_go(void *context, uint32_t slot, uint64_t due_ns)
{
    struct fixture *fixture = context;
    fixture->slots[fixture->goes] = slot;
    fixture->due_ns[fixture->goes] = due_ns;
    fixture->went_ns[fixture->goes] = clock_now_ns();
    fixture->goes++;
    if (fixture->goes == fixture->stop_at) {
        pace_stop(fixture->pace);
    }
}

static void fixture_init(struct fixture *fixture)
{
    *fixture = (struct fixture){.goes = 0};
    assert_int_equal(uv_loop_init(&fixture->loop), 0);
    fixture->plan = plan_new();
}

static void fixture_start(struct fixture *fixture, uint64_t requests)
{
    fixture->pace = pace_new(&(struct pace_options){.plan = fixture->plan,
                                                    .loop = &fixture->loop,
                                                    .slots = SLOTS,
                                                    .workers = 1,
                                                    .requests = requests,
                                                    .go = on_go,
                                                    .context = fixture});
    uv_update_time(&fixture->loop);
    fixture->start_ns = clock_now_ns();
    pace_start(fixture->pace, fixture->start_ns);
}

static void fixture_deinit(struct fixture *fixture)
{
    pace_stop(fixture->pace);
    (void)uv_run(&fixture->loop, UV_RUN_DEFAULT);
    pace_free(fixture->pace);
    plan_free(fixture->plan);
    assert_int_equal(uv_loop_close(&fixture->loop), 0);
}

static void the_closed_pace_starts_all_slots_and_sends_at_once(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_start(&fixture, UINT64_MAX);
    assert_int_equal(fixture.goes, SLOTS);
    pace_ready(fixture.pace, 2);
    assert_int_equal(fixture.goes, SLOTS + 1);
    assert_int_equal(fixture.slots[SLOTS], 2);
    assert_int_equal(fixture.due_ns[SLOTS], 0);
    assert_int_equal(pace_backlog(fixture.pace, UINT64_MAX), 0);
    fixture_deinit(&fixture);
}

static void the_thinking_pace_pauses_between_its_bounds(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture.plan->think_min_ns = 20 * NS_PER_MS;
    fixture.plan->think_max_ns = 30 * NS_PER_MS;
    fixture_start(&fixture, UINT64_MAX);
    assert_int_equal(fixture.goes, SLOTS);
    fixture.stop_at = SLOTS + 1;
    const uint64_t ready_ns = clock_now_ns();
    pace_ready(fixture.pace, 1);
    assert_int_equal(fixture.goes, SLOTS);
    (void)uv_run(&fixture.loop, UV_RUN_DEFAULT);
    assert_int_equal(fixture.goes, SLOTS + 1);
    assert_true(fixture.went_ns[SLOTS] - ready_ns >= 19 * NS_PER_MS);
    fixture_deinit(&fixture);
}

static void the_open_pace_sends_when_due_and_never_before(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture.plan->rate_micro_per_s = 200 * 1000000ULL;
    fixture.stop_at = SLOTS;
    fixture_start(&fixture, UINT64_MAX);
    assert_int_equal(fixture.goes, 1);
    (void)uv_run(&fixture.loop, UV_RUN_DEFAULT);
    assert_int_equal(fixture.goes, SLOTS);
    for (uint64_t i = 0; i < SLOTS; i++) {
        assert_true(fixture.due_ns[i] == fixture.start_ns + i * 5 * NS_PER_MS);
        assert_true(fixture.went_ns[i] >= fixture.due_ns[i]);
    }
    fixture_deinit(&fixture);
}

/* B124 B125: what is due waits its turn with its own due moment, and is counted meanwhile. */
static void what_is_due_with_no_slot_free_is_backlog(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture.plan->rate_micro_per_s = 1000 * 1000000ULL;
    fixture_start(&fixture, 10);
    while (fixture.goes < SLOTS) {
        (void)uv_run(&fixture.loop, UV_RUN_ONCE);
    }
    const uint64_t later_ns = fixture.start_ns + 60 * NS_PER_MS;
    assert_int_equal(pace_backlog(fixture.pace, later_ns), 10 - SLOTS);
    while (clock_now_ns() < later_ns) {
    }
    for (uint32_t i = 0; i < 10 - SLOTS; i++) {
        pace_ready(fixture.pace, i % SLOTS);
        assert_int_equal(fixture.goes, SLOTS + 1 + (int)i);
        assert_true(fixture.due_ns[SLOTS + i] == fixture.start_ns + (SLOTS + i) * NS_PER_MS);
    }
    assert_int_equal(pace_backlog(fixture.pace, later_ns), 0);
    assert_int_equal(pace_backlog_peak(fixture.pace), 10 - SLOTS);
    assert_true(pace_lateness_ns(fixture.pace) >= 50 * NS_PER_MS);
    pace_ready(fixture.pace, 0);
    assert_int_equal(fixture.goes, 10);
    fixture_deinit(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_closed_pace_starts_all_slots_and_sends_at_once),
        cmocka_unit_test(the_thinking_pace_pauses_between_its_bounds),
        cmocka_unit_test(the_open_pace_sends_when_due_and_never_before),
        cmocka_unit_test(what_is_due_with_no_slot_free_is_backlog),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
