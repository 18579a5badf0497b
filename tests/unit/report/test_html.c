/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page: the same figures as every format, nothing from outside as markup, on every ending.
 * Rows of the conformance list: B121.
 */
#include "lather/report/html.h"

#include "fixture.h"

static struct buf page_of(const struct summary *summary, const struct counters *counters)
{
    struct buf out;
    buf_init(&out);
    html_write(&out, summary, counters);
    return out;
}

static void assert_has(const struct buf *out, const char *text)
{
    if (strstr(out->data, text) == NULL) {
        fail_msg("\"%s\" is not in the page", text);
    }
}

static void assert_has_not(const struct buf *out, const char *text)
{
    if (strstr(out->data, text) != NULL) {
        fail_msg("\"%s\" is in the page", text);
    }
}

static size_t occurrences(const struct buf *out, const char *text)
{
    size_t count = 0;
    for (const char *at = out->data; (at = strstr(at, text)) != NULL; at++) {
        count++;
    }
    return count;
}

/* What every page must be, whatever the run was. */
static void check_page(const struct buf *out)
{
    static const char *const pairs[][2] = {
        {"<table", "</table>"}, {"<tr>", "</tr>"},          {"<figure", "</figure>"},
        {"<div", "</div>"},     {"<details", "</details>"}, {"<svg", "</svg>"},
        {"<p", "</p>"}};
    assert_true(str_starts_with(buf_view(out), STR("<!DOCTYPE html>\n")));
    assert_true(str_ends_with(buf_view(out), STR("</body></html>\n")));
    assert_has_not(out, "nan");
    assert_has_not(out, "inf");
    assert_has_not(out, "<script");
    assert_has_not(out, "src=");
    assert_has_not(out, "href=");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t opened = occurrences(out, pairs[i][0]);
        opened -= i == 6 ? occurrences(out, "<path") + occurrences(out, "<pre") : 0;
        if (opened != occurrences(out, pairs[i][1])) {
            fail_msg("%s: %zu opened, %zu closed", pairs[i][0], opened,
                     occurrences(out, pairs[i][1]));
        }
    }
}

static void a_mix_looks_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = fixture_mix();
    struct buf out = page_of(summary, NULL);
    check_page(&out);
    fixture_compare_golden("mix.page.html", &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void a_run_with_everything_looks_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = fixture_full();
    struct buf out = page_of(summary, NULL);
    check_page(&out);
    fixture_compare_golden("full.page.html", &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void figures_are_those_of_the_text_B121(void **state)
{
    (void)state;
    struct summary *summary = fixture_full();
    struct buf out = page_of(summary, NULL);
    assert_has(&out, "<b>210.40</b><small>requests per second");
    assert_has(&out, "<b>263</b><small>requests finished");
    assert_has(&out, "<b>23.95 %</b><small>of them failed");
    assert_has(&out, "<td class=\"n\">1234.568</td></tr>");
    assert_has(&out, "Requests per second:    210.40"); /* the whole report is in it */
    buf_deinit(&out);
    summary_free(summary);
}

static void every_ending_gets_its_page(void **state)
{
    (void)state;
    static const char *const verdicts[] = {"nothing was finished",  "all good",
                                           "do not trust this run", "50 failed",
                                           "interrupted",           "a condition fails the run",
                                           "good\">a rate held<",   "bad\">no rate held<"};
    struct summary *summaries[] = {summary_new(),         fixture_good(), fixture_full(),
                                   fixture_unreachable(), fixture_good(), fixture_good(),
                                   fixture_steps(),       fixture_steps()};
    summaries[7]->found_micro_per_s = 0;
    summaries[4]->end = RUN_END_INTERRUPTED;
    assert_true(summary_add_condition(summaries[5], STR("max>1ms"), NULL));
    for (size_t i = 0; i < sizeof summaries / sizeof *summaries; i++) {
        struct buf out = page_of(summaries[i], NULL);
        check_page(&out);
        assert_has(&out, verdicts[i]);
        buf_deinit(&out);
        summary_free(summaries[i]);
    }
}

static void one_request_is_drawn(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    fixture_plan(summary);
    fixture_add(summary,
                &(struct sample){.outcome = OUTCOME_OK, .status = 200, .total_ns = 5 * NS_PER_MS},
                NULL);
    summary->duration_ns = 5 * NS_PER_MS;
    struct buf out = page_of(summary, NULL);
    check_page(&out);
    assert_int_equal(occurrences(&out, "<figure"), 4);
    assert_has(&out, "<p id=\"failures\">No request failed.</p>");
    buf_deinit(&out);
    summary_free(summary);
}

static void what_a_server_says_is_never_markup(void **state)
{
    (void)state;
    static const char evil[] = "<script>alert(1)</script>\" onload='x' &lt; ]]> --> \xff\x01";
    struct summary *summary = fixture_good();
    struct summary_plan *plan = &summary->plan;
    char **const texts[] = {&plan->method,      &plan->url,          &plan->host,
                            &plan->path,        &plan->content_type, &plan->soap_version,
                            &plan->soap_action, &plan->command_line, &summary->server_software};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        summary_set_text(texts[i], str_from(evil));
    }
    summary->tls.used = true;
    summary_set_text(&summary->tls.protocol, str_from(evil));
    fixture_fail(summary, (struct sample){.outcome = OUTCOME_FAULT, .status = 500, .total_ns = 5},
                 1,
                 &(struct group_key){.code = str_from(evil),
                                     .subcodes = str_from(evil),
                                     .detail = str_from(evil),
                                     .reason = str_from(evil)});
    summary_note(summary, "%s", evil);
    assert_true(summary_add_condition(summary, STR("fault{<script>}>0"), NULL));
    struct buf out = page_of(summary, NULL);
    check_page(&out);
    assert_has_not(&out, "onload='");
    buf_deinit(&out);
    summary_free(summary);
}

static void two_hundred_kinds_of_fault_are_all_there(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    for (int i = 0; i < 200; i++) {
        char reason[32];
        (void)snprintf(reason, sizeof reason, "reason %d.", i);
        fixture_fail(summary,
                     (struct sample){.outcome = OUTCOME_FAULT, .status = 500, .total_ns = 5}, 1,
                     &(struct group_key){.code = STR("{a}b"), .reason = str_from(reason)});
    }
    struct buf out = page_of(summary, NULL);
    check_page(&out);
    assert_has(&out, "<summary>180 more kinds</summary>");
    assert_has(&out, "reason 0.");
    assert_has(&out, "reason 199.");
    buf_deinit(&out);
    summary_free(summary);
}

static struct counters *counters_of(const char *text)
{
    struct counters *counters;
    struct buf content;
    struct err err;
    buf_init(&content);
    buf_append_str(&content, str_from(text));
    assert_true(counters_parse("c.csv", &content, &counters, &err));
    buf_deinit(&content);
    return counters;
}

static void counters_stand_under_the_latency_with_the_clocks_told(void **state)
{
    (void)state;
    static const struct {
        uint64_t date_s; /* by the server's clock; 0: it did not say */
        const char *said;
    } clocks[] = {
        {0, "is not known: the server's answers had no Date"},
        {1136214245, "agree to the second"},
        {1136214246, "agree to the second"},
        {1136214255, "is 10.000 s ahead of this machine's, to the second: the counters are drawn "
                     "that much earlier"},
        {1136214185, "is 60.000 s behind this machine's, to the second: the counters are drawn "
                     "that much later"},
    };
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        struct summary *summary = fixture_good();
        struct counters *counters =
            counters_of("time,\"<cpu> & co\"\n2006-01-02T15:04:05Z,50\n2006-01-02T15:04:06Z,60\n");
        summary->server_date_s = clocks[i].date_s;
        summary->server_date_at_ns = summary->wall_start_ns + 1000;
        struct buf out = page_of(summary, counters);
        check_page(&out);
        assert_has(&out, clocks[i].said);
        const char *latency = strstr(out.data, "id=\"latency\"");
        const char *counter = strstr(out.data, "id=\"counter-1\"");
        const char *rate = strstr(out.data, "id=\"rate\"");
        assert_true(latency < counter && counter < rate);
        assert_has(&out, "&lt;cpu&gt; &amp; co");
        assert_int_equal(occurrences(&out, "no value during the run"), i < 3 ? 0 : 1);
        buf_deinit(&out);
        counters_free(counters);
        summary_free(summary);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_looks_as_its_golden_file),
        cmocka_unit_test(a_run_with_everything_looks_as_its_golden_file),
        cmocka_unit_test(figures_are_those_of_the_text_B121),
        cmocka_unit_test(every_ending_gets_its_page),
        cmocka_unit_test(one_request_is_drawn),
        cmocka_unit_test(what_a_server_says_is_never_markup),
        cmocka_unit_test(two_hundred_kinds_of_fault_are_all_there),
        cmocka_unit_test(counters_stand_under_the_latency_with_the_clocks_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
