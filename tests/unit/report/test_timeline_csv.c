/* SPDX-License-Identifier: Apache-2.0 */
/* The run over time as CSV: rows of seconds with their own percentiles, plain and as PerfMon logs.
 * Rows of the conformance list: B125, B139, B140.
 */
#include "lather/report/timeline_csv.h"

#include "fixture.h"

#include <time.h>

static void write_as(struct buf *out, const struct summary *summary,
                     void (*write)(struct buf *, const struct summary *))
{
    buf_init(out);
    write(out, summary);
}

static void use_zone(const char *zone)
{
    assert_int_equal(setenv("TZ", zone, 1), 0);
    tzset();
}

/* 90 s at ten a second; from 30 s to 33 s nothing, then one that took 3 s. */
static struct summary *with_a_stall(void)
{
    struct summary *summary = summary_new();
    fixture_plan(summary);
    for (uint64_t i = 0; i < 900; i++) {
        uint64_t end_ns = i * 100 * NS_PER_MS;
        struct sample sample = {.outcome = i % 100 == 99 ? OUTCOME_FAULT : OUTCOME_OK,
                                .status = 200,
                                .body_bytes = 1024,
                                .total_ns = 10 * NS_PER_MS + i * 1000};
        if (i > 300 && i < 330) {
            continue;
        }
        sample.total_ns = i == 330 ? 3 * NS_PER_S : sample.total_ns;
        sample.start_ns = end_ns - sample.total_ns;
        if (end_ns < sample.total_ns) {
            sample.start_ns = 0;
        }
        fixture_add(summary, &sample, NULL);
    }
    summary->duration_ns = 90 * NS_PER_S;
    return summary;
}

static void a_row_a_second_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = with_a_stall();
    struct buf out;
    write_as(&out, summary, timeline_csv_write);
    fixture_compare_golden("timeline.csv", &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void a_row_has_the_percentiles_of_its_second_B139(void **state)
{
    (void)state;
    struct summary *summary = with_a_stall();
    struct buf out;
    write_as(&out, summary, timeline_csv_write);
    /* the stall is in the second in which it ended, and in no other */
    assert_non_null(strstr(out.data, "2006-01-02T15:04:38.000Z,33.000,1.000,10,0,10.00,10.00,"));
    assert_null(strstr(strstr(out.data, ",3000.000\n") + 1, ",3000.000\n"));
    assert_non_null(strstr(out.data, "2006-01-02T15:04:36.000Z,31.000,1.000,0,0,0.00,0.00,,,,\n"));
    buf_deinit(&out);
    summary_free(summary);
}

static void percentiles_asked_for_are_its_columns_B140(void **state)
{
    (void)state;
    struct summary *summary = with_a_stall();
    struct buf out;
    summary_set_text(&summary->plan.percentiles, STR("95,99.9"));
    write_as(&out, summary, timeline_csv_write);
    assert_non_null(strstr(out.data, "body_kb_per_s,p95_ms,p99.9_ms,max_ms\n"));
    buf_reset(&out);
    timeline_csv_write_pdh(&out, summary);
    assert_non_null(
        strstr(out.data, "\\p95 ms\",\"\\\\lather\\Requests(orders.example)\\p99.9 ms\""));
    buf_deinit(&out);
    summary_free(summary);
}

static void B125_an_open_loop_has_response_times_beside_service_times(void **state)
{
    (void)state;
    struct summary *summary = fixture_open();
    struct buf out;
    write_as(&out, summary, timeline_csv_write);
    fixture_compare_golden("timeline.open.csv", &out);
    buf_reset(&out);
    timeline_csv_write_pdh(&out, summary);
    assert_non_null(
        strstr(out.data, "\\max ms\",\"\\\\lather\\Requests(orders.example)\\response p50 ms\""));
    assert_non_null(strstr(out.data, "\\response max ms\"\r\n"));
    buf_deinit(&out);
    summary_free(summary);
}

static void performance_monitors_layout_is_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = with_a_stall();
    struct buf out;
    use_zone("CET-1");
    write_as(&out, summary, timeline_csv_write_pdh);
    use_zone("UTC");
    fixture_compare_golden("timeline.pdh.csv", &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void its_header_tells_how_far_the_clock_is_from_utc(void **state)
{
    (void)state;
    static const struct {
        const char *zone;
        const char *head;
        const char *stamp;
    } zones[] = {
        {"UTC", "\"(PDH-CSV 4.0) (UTC)(0)\"", "\"12/31/2005 23:30:01.000\""},
        {"CET-1", "\"(PDH-CSV 4.0) (UTC+01:00)(-60)\"", "\"01/01/2006 00:30:01.000\""},
        {"EST5", "\"(PDH-CSV 4.0) (UTC-05:00)(300)\"", "\"12/31/2005 18:30:01.000\""},
        {"IST-5:30", "\"(PDH-CSV 4.0) (UTC+05:30)(-330)\"", "\"01/01/2006 05:00:01.000\""},
    };
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        struct summary *summary = fixture_good();
        struct buf out;
        summary->wall_start_ns = 1136071800 * NS_PER_S; /* 2005-12-31T23:30:00Z */
        use_zone(zones[i].zone);
        write_as(&out, summary, timeline_csv_write_pdh);
        assert_true(str_starts_with(buf_view(&out), str_from(zones[i].head)));
        assert_non_null(strstr(out.data, zones[i].stamp));
        buf_deinit(&out);
        summary_free(summary);
    }
    use_zone("UTC");
}

static void a_host_cannot_break_a_counters_path(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    struct buf out;
    summary_set_text(&summary->plan.host, STR("a\\b(c)\"d,[::1]\n"));
    write_as(&out, summary, timeline_csv_write_pdh);
    assert_non_null(strstr(out.data, "\\\\lather\\Requests(a_b_c__d__::1__x0a)\\Failed"));
    buf_deinit(&out);
    summary_free(summary);
}

static void nothing_has_a_heading_only(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    struct buf out;
    write_as(&out, summary, timeline_csv_write);
    assert_string_equal(out.data,
                        "time,offset_s,length_s,finished,failed,requests_per_s,body_kb_per_s,"
                        "p50_ms,p90_ms,p99_ms,max_ms\n");
    buf_deinit(&out);
    summary_free(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_a_second_as_its_golden_file),
        cmocka_unit_test(a_row_has_the_percentiles_of_its_second_B139),
        cmocka_unit_test(percentiles_asked_for_are_its_columns_B140),
        cmocka_unit_test(B125_an_open_loop_has_response_times_beside_service_times),
        cmocka_unit_test(performance_monitors_layout_is_as_its_golden_file),
        cmocka_unit_test(its_header_tells_how_far_the_clock_is_from_utc),
        cmocka_unit_test(a_host_cannot_break_a_counters_path),
        cmocka_unit_test(nothing_has_a_heading_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
