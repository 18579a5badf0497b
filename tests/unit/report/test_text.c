/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text report: ab's contract line by line (a script must find each label once, with its value
 * in column 25), right figures, and a report on every ending.
 * Rows of the conformance list: B118, B119, B120, B122, B125, B130, B131.
 */
#include "lather/report/text.h"

#include "fixture.h"

#include "lather/measure/merge.h"

#include <ctype.h>
#include <stdio.h>

static const struct report_options no_options;

static struct buf report_of(const struct summary *summary, const struct report_options *options)
{
    struct buf out;
    buf_init(&out);
    text_report(&out, summary, options);
    return out;
}

/* The line that begins with `start`, as a NUL-ended copy; fails unless there is exactly one. */
static void only_line(const struct buf *out, const char *start, char line[256])
{
    const char *found = NULL;
    for (const char *at = out->data; at != NULL && *at != '\0';) {
        if (strncmp(at, start, strlen(start)) == 0) {
            assert_null(found);
            found = at;
        }
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
    if (found == NULL) {
        fail_msg("no line begins with \"%s\"", start);
        return;
    }
    size_t len = strcspn(found, "\n");
    assert_true(len < 256);
    memcpy(line, found, len);
    line[len] = '\0';
}

static void assert_line(const struct buf *out, const char *expected)
{
    char line[256];
    only_line(out, expected, line);
    assert_string_equal(line, expected);
}

static void assert_has(const struct buf *out, const char *text)
{
    if (strstr(out->data, text) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", text, out->data);
    }
}

static void assert_has_not(const struct buf *out, const char *text)
{
    if (out->data != NULL && strstr(out->data, text) != NULL) {
        fail_msg("\"%s\" is in:\n%s", text, out->data);
    }
}

static void check_golden(struct summary *summary, const struct report_options *options,
                         const char *name)
{
    struct buf out = report_of(summary, options);
    fixture_compare_golden(name, &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void a_good_run_looks_as_its_golden_file(void **state)
{
    (void)state;
    check_golden(fixture_good(), &no_options, "good.txt");
}

static void a_mix_looks_as_its_golden_file(void **state)
{
    (void)state;
    check_golden(fixture_mix(), &no_options, "mix.txt");
}

static void a_run_with_everything_looks_as_its_golden_file(void **state)
{
    (void)state;
    check_golden(fixture_full(), &no_options, "full.txt");
}

static void B125_an_open_loop_has_both_times_side_by_side(void **state)
{
    (void)state;
    check_golden(fixture_open(), &no_options, "open.txt");
}

static void steps_and_what_went_before_look_as_their_golden_file(void **state)
{
    (void)state;
    check_golden(fixture_steps(), &no_options, "steps.txt");
}

static void a_step_of_one_request_has_no_rate(void **state)
{
    (void)state;
    struct summary *summary = fixture_steps();
    summary->steps[1].achieved_micro_per_s = 0;
    struct buf out = report_of(summary, &no_options);
    assert_has(&out, "\n  2            40.00           -        40 ");
    buf_deinit(&out);
    summary_free(summary);
}

static void an_open_loop_without_answers_has_no_times(void **state)
{
    (void)state;
    struct summary *summary = fixture_unreachable();
    summary->plan.rate_micro_per_s = 20000000;
    struct buf out = report_of(summary, &no_options);
    assert_has(&out, "  asked                 20.00 a second");
    assert_has_not(&out, "achieved");
    assert_has_not(&out, "service time");
    assert_has_not(&out, "response time");
    buf_deinit(&out);
    summary_free(summary);
}

static void an_unreachable_server_gets_its_report(void **state)
{
    (void)state;
    check_golden(fixture_unreachable(), &no_options, "unreachable.txt");
}

static void nothing_at_all_gets_its_report(void **state)
{
    (void)state;
    check_golden(summary_new(), &no_options, "empty.txt");
}

static void d_and_S_leave_out_percentiles_and_medians(void **state)
{
    (void)state;
    const struct report_options options = {.no_percentiles = true, .no_median = true};
    struct summary *summary = fixture_good();
    summary->plan.any_length = true;
    check_golden(summary, &options, "short.txt");
}

static void a_merged_result_names_its_parts(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    struct summary *other = fixture_good();
    other->wall_start_ns += 250 * NS_PER_MS;
    struct merge_source sources[2] = {{other, "box2.json"}, {summary, "box1.json"}};
    assert_true(merge_results(sources, 2, NULL));
    check_golden(summary, &no_options, "merged.txt");
    summary_free(other);
}

static void the_head_is_abs(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    text_banner(&out);
    assert_string_equal(out.data, "This is lather, Version " LATHER_VERSION "\n\n");
    buf_reset(&out);
    text_begin(&out, "h", TEXT_PROGRESS_ON);
    text_end(&out, TEXT_PROGRESS_ON);
    assert_string_equal(out.data, "Benchmarking h (be patient)\n");
    buf_reset(&out);
    text_begin(&out, "h", TEXT_PROGRESS_OFF);
    text_end(&out, TEXT_PROGRESS_OFF);
    assert_string_equal(out.data, "Benchmarking h (be patient).....done\n");
    buf_deinit(&out);
}

static void abs_labels_stand_once_in_order_with_values_in_column_25(void **state)
{
    (void)state;
    static const char *const labels[] = {
        "Server Software:",   "Server Hostname:",   "Server Port:",          "Document Path:",
        "Document Length:",   "Concurrency Level:", "Time taken for tests:", "Complete requests:",
        "Failed requests:",   "Write errors:",      "Non-2xx responses:",    "Keep-Alive requests:",
        "Total transferred:", "Total body sent:",   "HTML transferred:",     "Requests per second:",
        "Transfer rate:",
    };
    struct summary *summary = fixture_full();
    struct buf out = report_of(summary, &no_options);
    const char *before = out.data;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        char line[256];
        only_line(&out, labels[i], line);
        assert_int_equal(strspn(line + strlen(labels[i]), " "), 24 - strlen(labels[i]));
        const char *found = strstr(out.data, labels[i]);
        assert_true(found > before);
        assert_null(strstr(found + 1, labels[i])); /* nowhere else, not even inside a line */
        before = found;
    }
    buf_deinit(&out);
    summary_free(summary);
}

/* What comes after ab's 100% line. */
static const char *own_blocks(const struct buf *out)
{
    const char *at = strstr(out->data, " 100%  ");
    assert_non_null(at);
    return strchr(at, '\n');
}

static void our_own_blocks_cannot_be_taken_for_abs_rows(void **state)
{
    (void)state;
    static const char *const searched[] = {
        "Complete requests", "Failed requests", "Non-2xx",    "Requests per second",
        "Time per request",  "Transfer rate",   "Connect:",   "Processing:",
        "Waiting:",          "Total",           "Time taken", "Keep-Alive requests",
        "Concurrency Level", "longest request",
    };
    struct summary *summary = fixture_full();
    summary->note_count = 0; /* notes are sentences, and here forged ones */
    struct buf out = report_of(summary, &no_options);
    const char *own = own_blocks(&out);
    for (size_t i = 0; i < sizeof searched / sizeof *searched; i++) {
        assert_null(strstr(own, searched[i]));
    }
    for (const char *at = own; (at = strchr(at, '%')) != NULL; at++) {
        assert_false(isdigit((unsigned char)at[-1]));
    }
    summary->note_count = 2;
    buf_deinit(&out);
    summary_free(summary);
}

static void figures_follow_their_formulas(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    struct buf out = report_of(summary, &no_options);
    assert_line(&out, "Time taken for tests:   1.250 seconds");
    assert_line(&out, "Complete requests:      200");
    assert_line(&out, "Failed requests:        0");
    assert_line(&out, "Requests per second:    160.00 [#/sec] (mean)");
    assert_line(&out, "Time per request:       312.500 [ms] (mean)");
    assert_line(&out, "Time per request:       6.250 [ms] (mean, across all concurrent requests)");
    assert_line(&out, "Transfer rate:          322.14 [Kbytes/sec] received");
    assert_line(&out, "                        185.00 kb/s sent");
    assert_line(&out, "                        507.14 kb/s total");
    assert_has_not(&out, "(Connect:");
    assert_has_not(&out, "Non-2xx");
    assert_has_not(&out, "Write errors");
    assert_has_not(&out, "Keep-Alive requests");
    buf_deinit(&out);
    summary_free(summary);
}

static void a_get_has_no_lines_about_a_body_sent(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    summary->plan.has_body = false;
    struct buf out = report_of(summary, &no_options);
    assert_has_not(&out, "Total body sent");
    assert_has_not(&out, "kb/s");
    buf_deinit(&out);
    summary_free(summary);
}

static struct summary *run_of(const uint64_t *total_ns, size_t count)
{
    struct summary *summary = summary_new();
    for (size_t i = 0; i < count; i++) {
        fixture_add(summary,
                    &(struct sample){.outcome = OUTCOME_OK, .status = 200, .total_ns = total_ns[i]},
                    NULL);
    }
    return summary;
}

static void median_of_1_2_9_ms_prints_as_2_D01_B131(void **state)
{
    (void)state;
    struct summary *summary = run_of((uint64_t[]){9 * NS_PER_MS, 1 * NS_PER_MS, 2 * NS_PER_MS}, 3);
    struct buf out = report_of(summary, &no_options);
    char line[256];
    double figures[5];
    only_line(&out, "Total:", line);
    char *at = line + strlen("Total:");
    for (int i = 0; i < 5; i++) {
        figures[i] = strtod(at, &at);
    }
    assert_string_equal(at, "");
    const double exact[] = {1, 4, 4.359, 2, 9};
    for (int i = 0; i < 5; i++) {
        assert_true(figures[i] >= exact[i] - 0.0005 && figures[i] <= exact[i] + 0.0025);
    }
    only_line(&out, "  50%", line);
    assert_true(strtod(line + 5, NULL) < 2.003);
    buf_deinit(&out);
    summary_free(summary);
}

static void percentile_99_of_100_is_not_the_longest_D02(void **state)
{
    (void)state;
    uint64_t times[100];
    for (uint64_t i = 0; i < 100; i++) {
        times[i] = (i + 1) * 2000; /* 0.002 to 0.200 ms */
    }
    struct summary *summary = run_of(times, 100);
    struct buf out = report_of(summary, &no_options);
    assert_line(&out, "  50%  0.100");
    assert_line(&out, "  99%  0.198");
    assert_line(&out, " 100%  0.200 (longest request)");
    buf_deinit(&out);
    summary_free(summary);
}

static void one_request_has_all_its_figures_B131(void **state)
{
    (void)state;
    struct summary *summary = run_of((uint64_t[]){1234567}, 1);
    summary->duration_ns = 2 * NS_PER_MS;
    struct buf out = report_of(summary, &no_options);
    assert_line(&out, "  50%  1.235");
    assert_line(&out, "  99%  1.235");
    assert_line(&out, " 100%  1.235 (longest request)");
    assert_line(&out, "Requests per second:    500.00 [#/sec] (mean)");
    buf_deinit(&out);
    summary_free(summary);
}

static void no_percentile_is_above_the_longest_of_53_requests_B130(void **state)
{
    (void)state;
    uint64_t times[53];
    for (uint64_t i = 0; i < 53; i++) {
        times[i] = 5 * NS_PER_MS + i * 999;
    }
    struct summary *summary = run_of(times, 53);
    struct buf out = report_of(summary, &no_options);
    char line[256];
    only_line(&out, " 100%", line);
    double longest = strtod(line + 6, NULL);
    static const char *const starts[] = {"  50%", "  66%", "  75%", "  80%",    "  90%",
                                         "  95%", "  98%", "  99%", "  p99.9 ", "  p99.99 "};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        only_line(&out, starts[i], line);
        assert_true(strtod(line + strlen(starts[i]), NULL) <= longest);
    }
    buf_deinit(&out);
    summary_free(summary);
}

static void answers_under_a_millisecond_keep_their_digits_D25_B119(void **state)
{
    (void)state;
    struct summary *summary = run_of((uint64_t[]){299600, 300400}, 2);
    struct buf out = report_of(summary, &no_options);
    assert_line(&out, "Total:      0.300 0.300 0.001 0.300   0.300");
    buf_deinit(&out);
    summary_free(summary);
}

static void the_heading_is_abs_when_figures_are_short(void **state)
{
    (void)state;
    struct summary *summary = run_of((uint64_t[]){1000000, 2000000}, 2);
    struct buf out = report_of(summary, &no_options);
    assert_has(&out, "\nConnection Times (ms)\n"
                     "              min  mean[+/-sd] median   max\n"
                     "Connect:    0.000 ");
    buf_deinit(&out);
    struct report_options options = {.no_median = true};
    out = report_of(summary, &options);
    assert_has(&out, "\nConnection Times (ms)\n"
                     "              min   avg   max\n"
                     "Connect:    0.000 0.000 0.000\n");
    buf_deinit(&out);
    summary_free(summary);
}

static void columns_widen_together_and_stay_apart(void **state)
{
    (void)state;
    struct summary *summary =
        run_of((uint64_t[]){UINT64_MAX, UINT64_MAX / 2, 3600 * NS_PER_S, 12 * NS_PER_MS}, 4);
    struct buf out = report_of(summary, &no_options);
    static const char *const labels[] = {"Connect:", "Processing:", "Waiting:", "Total:"};
    size_t ends[5];
    for (size_t row = 0; row < 4; row++) {
        char line[256];
        only_line(&out, labels[row], line);
        char *at = line + strlen(labels[row]);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(*at, ' ');
            (void)strtod(at, &at);
            assert_true(row == 0 || ends[i] == (size_t)(at - line));
            ends[i] = (size_t)(at - line);
        }
        assert_string_equal(at, "");
    }
    char line[256];
    only_line(&out, "   ", line); /* the heading: max ends where its column ends */
    assert_int_equal(strlen(line), ends[4]);
    buf_deinit(&out);
    summary_free(summary);
}

static void failures_without_an_answer_have_no_place_in_the_latencies(void **state)
{
    (void)state;
    struct summary *summary = run_of((uint64_t[]){2000000}, 1);
    fixture_fail(summary, (struct sample){.outcome = OUTCOME_TIMEOUT, .total_ns = 30 * NS_PER_S}, 1,
                 NULL);
    struct buf out = report_of(summary, &no_options);
    assert_line(&out, " 100%  2.000 (longest request)");
    assert_line(&out, "  time to failure       min 30000.000, median 30000.000, p99 30000.000, "
                      "max 30000.000 ms");
    buf_deinit(&out);
    summary_free(summary);
}

static void no_ending_prints_nan_or_inf(void **state)
{
    (void)state;
    struct summary *summaries[] = {summary_new(), fixture_good(), fixture_full(),
                                   fixture_unreachable(), run_of((uint64_t[]){0}, 1)};
    for (size_t i = 0; i < sizeof summaries / sizeof *summaries; i++) {
        for (int round = 0; round < 2; round++) {
            struct buf out = report_of(summaries[i], &no_options);
            assert_has_not(&out, "nan");
            assert_has_not(&out, "inf");
            assert_has(&out, "Complete requests:");
            assert_has(&out, "Requests per second:");
            buf_deinit(&out);
            summaries[i]->duration_ns = 0;
        }
        summary_free(summaries[i]);
    }
}

static void counters_of_64_bits_print_whole_B118_B120(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    summary->tally->finished = UINT64_MAX;
    summary->tally->traffic.bytes_received = UINT64_MAX;
    summary->plan.concurrency = UINT64_MAX;
    summary->plan.port = 65535;
    struct buf out = report_of(summary, &no_options);
    assert_line(&out, "Complete requests:      18446744073709551615");
    assert_line(&out, "Total transferred:      18446744073709551615 bytes");
    assert_line(&out, "Concurrency Level:      18446744073709551615");
    assert_line(&out, "Server Port:            65535");
    buf_deinit(&out);
    summary_free(summary);
}

static void the_slowest_band_explains_a_p95_below_the_mean_B122(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    fixture_fail(summary,
                 (struct sample){.outcome = OUTCOME_OK, .status = 200, .total_ns = 2 * NS_PER_MS},
                 990, NULL);
    fixture_fail(summary,
                 (struct sample){.outcome = OUTCOME_OK, .status = 200, .total_ns = 3 * NS_PER_S},
                 10, NULL);
    struct buf out = report_of(summary, &no_options);
    assert_line(&out, "  p99.9                 3000.000");
    assert_line(&out, "  slowest band          10 of 1000 above 1500.000, half of the longest");
    buf_deinit(&out);
    summary_free(summary);
}

static void a_run_that_did_not_end_by_itself_says_so(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    summary->not_started = 7;
    summary->plan.time_limit_ns = 10 * NS_PER_S;
    static const char *const lines[RUN_END_COUNT] = {
        [RUN_END_DONE] = "Run ended:              all requests were made, 7 not started",
        [RUN_END_TIME] = "Run ended:              by its time limit of 10.000 s, 7 not started",
        [RUN_END_INTERRUPTED] = "Run ended:              by an interrupt (Ctrl-C), 7 not started",
        [RUN_END_UNREACHABLE] =
            "Run ended:              early: no connection succeeded, 7 not started",
        [RUN_END_ROWS] = "Run ended:              the rows of --data ran out, 7 not started",
    };
    for (size_t i = 0; i < RUN_END_COUNT; i++) {
        summary->end = (enum run_end)i;
        struct buf out = report_of(summary, &no_options);
        assert_line(&out, lines[i]);
        buf_deinit(&out);
    }
    summary_free(summary);
}

static void books_that_do_not_balance_are_told_at_once(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    struct buf out = report_of(summary, &no_options);
    assert_has_not(&out, "Books:");
    buf_deinit(&out);
    summary->unbalanced = true;
    out = report_of(summary, &no_options);
    assert_has(&out, "\nBooks:                  DO NOT BALANCE");
    buf_deinit(&out);
    summary_free(summary);
}

static void a_server_cannot_drive_the_terminal_or_forge_a_line(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    summary_set_text(&summary->server_software, STR("x\x1b]0;pwned\x07"));
    fixture_fail(
        summary, (struct sample){.outcome = OUTCOME_FAULT, .status = 500}, 1,
        &(struct group_key){.code = STR("\x9b"), .reason = STR("a\nFailed requests:        0\n")});
    struct buf out = report_of(summary, &no_options);
    for (size_t i = 0; i < out.len; i++) {
        assert_true(out.data[i] == '\n' || (unsigned char)out.data[i] >= 0x20);
    }
    assert_line(&out, "Server Software:        x\\x1b]0;pwned\\x07");
    assert_line(&out, "Failed requests:        1");
    buf_deinit(&out);
    summary_free(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_run_looks_as_its_golden_file),
        cmocka_unit_test(a_mix_looks_as_its_golden_file),
        cmocka_unit_test(a_run_with_everything_looks_as_its_golden_file),
        cmocka_unit_test(B125_an_open_loop_has_both_times_side_by_side),
        cmocka_unit_test(steps_and_what_went_before_look_as_their_golden_file),
        cmocka_unit_test(a_step_of_one_request_has_no_rate),
        cmocka_unit_test(an_open_loop_without_answers_has_no_times),
        cmocka_unit_test(an_unreachable_server_gets_its_report),
        cmocka_unit_test(nothing_at_all_gets_its_report),
        cmocka_unit_test(d_and_S_leave_out_percentiles_and_medians),
        cmocka_unit_test(a_merged_result_names_its_parts),
        cmocka_unit_test(the_head_is_abs),
        cmocka_unit_test(abs_labels_stand_once_in_order_with_values_in_column_25),
        cmocka_unit_test(our_own_blocks_cannot_be_taken_for_abs_rows),
        cmocka_unit_test(figures_follow_their_formulas),
        cmocka_unit_test(a_get_has_no_lines_about_a_body_sent),
        cmocka_unit_test(median_of_1_2_9_ms_prints_as_2_D01_B131),
        cmocka_unit_test(percentile_99_of_100_is_not_the_longest_D02),
        cmocka_unit_test(one_request_has_all_its_figures_B131),
        cmocka_unit_test(no_percentile_is_above_the_longest_of_53_requests_B130),
        cmocka_unit_test(answers_under_a_millisecond_keep_their_digits_D25_B119),
        cmocka_unit_test(the_heading_is_abs_when_figures_are_short),
        cmocka_unit_test(columns_widen_together_and_stay_apart),
        cmocka_unit_test(failures_without_an_answer_have_no_place_in_the_latencies),
        cmocka_unit_test(no_ending_prints_nan_or_inf),
        cmocka_unit_test(counters_of_64_bits_print_whole_B118_B120),
        cmocka_unit_test(the_slowest_band_explains_a_p95_below_the_mean_B122),
        cmocka_unit_test(a_run_that_did_not_end_by_itself_says_so),
        cmocka_unit_test(books_that_do_not_balance_are_told_at_once),
        cmocka_unit_test(a_server_cannot_drive_the_terminal_or_forge_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
