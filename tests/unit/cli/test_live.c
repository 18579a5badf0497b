/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of cli/live: ab's progress lines with ab's numbers, a line each 10 s, no control bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/base/clock.h"
#include "lather/cli/live.h"

struct shown {
    struct live live;
    FILE *stream;
    char text[4096];
};

static void begin(struct shown *shown, enum live_style style, uint64_t requests,
                  uint64_t time_limit_ns)
{
    struct plan *plan = plan_new();
    plan->requests = requests;
    plan->time_limit_ns = time_limit_ns;
    shown->stream = tmpfile();
    assert_non_null(shown->stream);
    live_init(&shown->live, style, plan, shown->stream);
    plan_free(plan);
}

static void update(struct shown *shown, uint64_t elapsed_ms, uint64_t finished)
{
    const struct run_progress progress = {
        .elapsed_ns = elapsed_ms * NS_PER_MS, .finished = finished, .failed = 1, .in_flight = 7};
    live_update(&shown->live, &progress);
}

static void assert_shows(struct shown *shown, const char *expected)
{
    rewind(shown->stream);
    size_t len = fread(shown->text, 1, sizeof shown->text - 1, shown->stream);
    shown->text[len] = '\0';
    assert_string_equal(shown->text, expected);
    (void)fclose(shown->stream);
}

static void a_line_comes_every_hundred_requests_or_tenth(void **state)
{
    (void)state;
    struct shown shown;
    begin(&shown, LIVE_STYLE_LINES, 200, 0);
    update(&shown, 100, 99);
    update(&shown, 200, 150);
    live_end(&shown.live, 200);
    assert_shows(&shown, "Completed 100 requests\nCompleted 200 requests\nFinished 200 requests\n");

    begin(&shown, LIVE_STYLE_LINES, 5000, 0);
    update(&shown, 100, 1700);
    live_end(&shown.live, 1999);
    assert_shows(&shown,
                 "Completed 500 requests\nCompleted 1000 requests\nCompleted 1500 requests\n"
                 "Finished 1999 requests\n");
}

static void small_runs_show_nothing(void **state)
{
    (void)state;
    struct shown shown;
    begin(&shown, LIVE_STYLE_LINES, 150, 0);
    update(&shown, 9900, 140);
    live_end(&shown.live, 150);
    assert_shows(&shown, "");
}

/* B151 */
static void silence_ends_after_ten_seconds(void **state)
{
    (void)state;
    struct shown shown;
    begin(&shown, LIVE_STYLE_LINES, 100000, 0);
    update(&shown, 9900, 500);
    update(&shown, 10000, 500);
    update(&shown, 19900, 500);
    update(&shown, 20000, 600);
    live_end(&shown.live, 600);
    assert_shows(&shown, "After 10 s: 500 requests, 50.0/s, 1 failed, 7 in flight\n"
                         "After 20 s: 600 requests, 10.0/s, 1 failed, 7 in flight\n"
                         "Finished 600 requests\n");
}

static void a_line_of_ab_counts_against_the_silence(void **state)
{
    (void)state;
    struct shown shown;
    begin(&shown, LIVE_STYLE_LINES, 1000, 0);
    update(&shown, 5000, 100);
    update(&shown, 14900, 150);
    update(&shown, 15000, 150);
    live_end(&shown.live, 150);
    assert_shows(&shown, "Completed 100 requests\n"
                         "After 15 s: 150 requests, 10.0/s, 1 failed, 7 in flight\n"
                         "Finished 150 requests\n");
}

static void a_run_by_time_has_the_lines_of_fifty_thousand(void **state)
{
    (void)state;
    struct shown shown;
    begin(&shown, LIVE_STYLE_LINES, 0, 30 * NS_PER_S);
    update(&shown, 1000, 9999);
    update(&shown, 2000, 10000);
    live_end(&shown.live, 14999);
    assert_shows(&shown, "Completed 5000 requests\nCompleted 10000 requests\n"
                         "Finished 14999 requests\n");

    begin(&shown, LIVE_STYLE_LINES, 0, 30 * NS_PER_S);
    update(&shown, 1000, 49999);
    update(&shown, 2000, 100000);
    update(&shown, 12000, 200000);
    live_end(&shown.live, 300000);
    assert_shows(&shown, "Completed 5000 requests\nCompleted 10000 requests\n"
                         "Completed 15000 requests\nCompleted 20000 requests\n"
                         "Completed 25000 requests\nCompleted 30000 requests\n"
                         "Completed 35000 requests\nCompleted 40000 requests\n"
                         "Completed 45000 requests\nCompleted 50000 requests\n"
                         "After 12 s: 200000 requests, 16666.7/s, 1 failed, 7 in flight\n"
                         "Finished 300000 requests\n");
}

static void an_interrupt_is_told_once(void **state)
{
    (void)state;
    struct shown shown;
    begin(&shown, LIVE_STYLE_LINES, 100, 0);
    const struct run_progress progress = {.elapsed_ns = NS_PER_S, .in_flight = 7, .stopping = true};
    live_update(&shown.live, &progress);
    live_update(&shown.live, &progress);
    live_end(&shown.live, 3);
    assert_shows(&shown,
                 "Interrupted: waiting at most 5.000 s for 7 requests in flight; Ctrl-C again "
                 "stops at once\n");
}

static void a_terminal_has_one_line_that_goes_at_the_end(void **state)
{
    (void)state;
    struct shown shown;
    begin(&shown, LIVE_STYLE_TERMINAL, 200, 0);
    update(&shown, 500, 50);
    update(&shown, 1500, 60);
    live_end(&shown.live, 200);
    assert_shows(&shown, "\r0.5 s: 50/200, 100/s, 1 failed, 7 in flight\x1B[K"
                         "\r1.5 s: 60/200, 10/s, 1 failed, 7 in flight\x1B[K"
                         "\r\x1B[K");
}

static void B151_a_line_tells_the_times_of_the_last_second_and_the_backlog(void **state)
{
    (void)state;
    struct shown shown;
    const struct run_progress progress = {.elapsed_ns = 10 * NS_PER_S,
                                          .finished = 4000,
                                          .in_flight = 7,
                                          .backlog = 12,
                                          .has_times = true,
                                          .p50_ns = 1200 * NS_PER_US,
                                          .p99_ns = 45 * NS_PER_MS};
    struct plan *plan = plan_new();
    plan->rate_micro_per_s = 1;
    plan->requests = 100000;
    shown.stream = tmpfile();
    assert_non_null(shown.stream);
    live_init(&shown.live, LIVE_STYLE_LINES, plan, shown.stream);
    live_update(&shown.live, &progress);
    assert_shows(&shown, "After 10 s: 4000 requests, 400.0/s, p50 1.2 ms, p99 45.0 ms, 0 failed, "
                         "7 in flight, 12 waiting\n");
    shown.stream = tmpfile();
    assert_non_null(shown.stream);
    live_init(&shown.live, LIVE_STYLE_TERMINAL, plan, shown.stream);
    live_update(&shown.live, &progress);
    /* cut off before a second line of a terminal would begin */
    assert_shows(&shown, "\r10.0 s: 4000/100000, 400/s, p50 1.2 ms, p99 45.0 ms, 0 failed, "
                         "7 in flight, 12 \x1B[K");
    plan_free(plan);
}

static void a_warm_up_is_counted_apart_and_has_none_of_abs_lines(void **state)
{
    (void)state;
    struct shown shown;
    begin(&shown, LIVE_STYLE_LINES, 1000, 0);
    live_update(&shown.live, &(struct run_progress){.elapsed_ns = 10 * NS_PER_S,
                                                    .finished = 500,
                                                    .stretch = RUN_STRETCH_WARMUP});
    update(&shown, 11000, 100);
    update(&shown, 21000, 150);
    live_end(&shown.live, 150);
    assert_shows(&shown, "After 10 s: warm-up, 500 requests, 50.0/s, 0 failed, 0 in flight\n"
                         "Completed 100 requests\n"
                         "After 21 s: 150 requests, 15.0/s, 1 failed, 7 in flight\n"
                         "Finished 150 requests\n");
}

static void quiet_shows_nothing(void **state)
{
    (void)state;
    struct shown shown;
    begin(&shown, LIVE_STYLE_NONE, 1000, 0);
    update(&shown, 60000, 500);
    live_end(&shown.live, 1000);
    assert_shows(&shown, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_comes_every_hundred_requests_or_tenth),
        cmocka_unit_test(small_runs_show_nothing),
        cmocka_unit_test(silence_ends_after_ten_seconds),
        cmocka_unit_test(a_line_of_ab_counts_against_the_silence),
        cmocka_unit_test(a_run_by_time_has_the_lines_of_fifty_thousand),
        cmocka_unit_test(an_interrupt_is_told_once),
        cmocka_unit_test(a_terminal_has_one_line_that_goes_at_the_end),
        cmocka_unit_test(B151_a_line_tells_the_times_of_the_last_second_and_the_backlog),
        cmocka_unit_test(a_warm_up_is_counted_apart_and_has_none_of_abs_lines),
        cmocka_unit_test(quiet_shows_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
