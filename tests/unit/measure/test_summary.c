/* SPDX-License-Identifier: Apache-2.0 */
/* The derived figures by their formulas, and 0 instead of nan or inf where they mean nothing. */
#include "lather/measure/summary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/clock.h"

static void assert_near(double said, double exact)
{
    assert_true(fabs(said - exact) <= fabs(exact) * 1e-12);
}

static void an_empty_summary_has_strings_and_zeros_only(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    assert_string_equal(summary->plan.method, "");
    assert_string_equal(summary->plan.command_line, "");
    assert_string_equal(summary->server_software, "");
    assert_int_equal(histogram_count(summary->health.loop_lag), 0);
    assert_int_equal(summary->tally->finished, 0);
    assert_near(summary_requests_per_s(summary), 0);
    assert_near(summary_time_per_request_ms(summary), 0);
    assert_near(summary_time_per_request_across_ms(summary), 0);
    assert_near(summary_received_kb_per_s(summary), 0);
    assert_near(summary_sent_kb_per_s(summary), 0);
    assert_near(summary_total_kb_per_s(summary), 0);
    assert_near(summary_cpu_us_per_request(summary), 0);
    summary_free(summary);
    summary_free(NULL);
}

static void rates_without_time_or_requests_are_0(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary->tally->finished = 10; /* no time went by */
    summary->tally->traffic.bytes_received = 1000;
    assert_near(summary_requests_per_s(summary), 0);
    assert_near(summary_received_kb_per_s(summary), 0);
    assert_near(summary_time_per_request_across_ms(summary), 0);
    summary->tally->finished = 0; /* no request ended */
    summary->duration_ns = NS_PER_S;
    summary->plan.concurrency = 5;
    summary->health.process_cpu_ns = 1000;
    assert_near(summary_requests_per_s(summary), 0);
    assert_near(summary_time_per_request_ms(summary), 0);
    assert_near(summary_cpu_us_per_request(summary), 0);
    summary_free(summary);
}

static void derived_figures_follow_their_formulas(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary->duration_ns = 2500 * NS_PER_MS;
    summary->plan.concurrency = 50;
    summary->tally->finished = 200;
    summary->tally->traffic.bytes_received = 512000;
    summary->tally->traffic.bytes_sent = 256000;
    summary->health.process_cpu_ns = 1300 * NS_PER_US;
    assert_near(summary_requests_per_s(summary), 80);
    assert_near(summary_time_per_request_ms(summary), 625);
    assert_near(summary_time_per_request_across_ms(summary), 12.5);
    assert_near(summary_received_kb_per_s(summary), 200);
    assert_near(summary_sent_kb_per_s(summary), 100);
    assert_near(summary_total_kb_per_s(summary), 300);
    assert_near(summary_cpu_us_per_request(summary), 6.5);
    summary_free(summary);
}

static void a_worker_that_never_ran_used_no_cpu(void **state)
{
    (void)state;
    assert_near(summary_worker_cpu_share(&(struct summary_worker){.cpu_ns = 5}), 0);
    assert_near(summary_worker_cpu_share(&(struct summary_worker){.cpu_ns = 9, .wall_ns = 10}),
                0.9);
}

static void notes_beyond_the_ceiling_leave_a_note_saying_so(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    for (int i = 0; i < SUMMARY_NOTES_CEILING + 10; i++) {
        summary_note(summary, "note %d of %s", i, "many");
    }
    assert_int_equal(summary->note_count, SUMMARY_NOTES_CEILING);
    assert_string_equal(summary->notes[0], "note 0 of many");
    assert_string_equal(summary->notes[SUMMARY_NOTES_CEILING - 2], "note 30 of many");
    assert_non_null(strstr(summary->notes[SUMMARY_NOTES_CEILING - 1], "more to note"));
    summary_free(summary);
}

static void texts_are_replaced_by_copies(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    char host[] = "localhost";
    summary_set_text(&summary->plan.host, str_from(host));
    host[0] = 'X';
    assert_string_equal(summary->plan.host, "localhost");
    summary_set_text(&summary->plan.host, str_from("::1"));
    assert_string_equal(summary->plan.host, "::1");
    summary_free(summary);
}

static void every_end_has_a_name_that_is_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < RUN_END_COUNT; i++) {
        enum run_end end;
        assert_true(run_end_parse(str_from(run_end_name((enum run_end)i)), &end));
        assert_int_equal(end, i);
    }
    enum run_end end;
    assert_false(run_end_parse(STR("asleep"), &end));
    assert_false(run_end_parse(STR(""), &end));
}

static void a_rate_is_reached_by_what_is_left_over_or_by_how_late_the_last_was(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary->tally->started = 1000;
    summary->duration_ns = 10000000000ULL;
    summary->end = RUN_END_TIME;
    summary->backlog_end = 21;
    summary->lateness_ns = 900000000; /* a moment's lateness is in no way that of the rate */
    assert_true(summary_rate_reached(summary));
    summary->backlog_end = 22;
    assert_false(summary_rate_reached(summary));
    summary->end = RUN_END_DONE;
    summary->backlog_end = 0;
    assert_false(summary_rate_reached(summary));
    summary->lateness_ns = 200000000;
    assert_true(summary_rate_reached(summary));
    summary_free(summary);
}

static void a_servers_clock_is_told_by_its_date_beyond_a_second(void **state)
{
    (void)state;
    static const struct {
        uint64_t date_s;
        int64_t ahead_s;
    } dates[] = {{1000, 0}, {999, 0}, {1001, 0}, {1002, 2}, {400, -600}};
    struct summary *summary = summary_new();
    int64_t ahead_s;
    assert_false(summary_server_ahead(summary, &ahead_s));
    summary->server_date_at_ns = 1000500000000ULL;
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        summary->server_date_s = dates[i].date_s;
        assert_true(summary_server_ahead(summary, &ahead_s));
        assert_true(ahead_s == dates[i].ahead_s);
    }
    summary_free(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_summary_has_strings_and_zeros_only),
        cmocka_unit_test(rates_without_time_or_requests_are_0),
        cmocka_unit_test(derived_figures_follow_their_formulas),
        cmocka_unit_test(a_worker_that_never_ran_used_no_cpu),
        cmocka_unit_test(notes_beyond_the_ceiling_leave_a_note_saying_so),
        cmocka_unit_test(texts_are_replaced_by_copies),
        cmocka_unit_test(every_end_has_a_name_that_is_read_back),
        cmocka_unit_test(a_rate_is_reached_by_what_is_left_over_or_by_how_late_the_last_was),
        cmocka_unit_test(a_servers_clock_is_told_by_its_date_beyond_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
