/* SPDX-License-Identifier: Apache-2.0 */
/* ab's -w table: its rows and markup, the figures of the text report, nothing foreign as markup. */
#include "lather/report/html_ab.h"

#include "fixture.h"

#include "lather/report/text.h"

static const struct report_options no_options;

static struct buf html_of(const struct summary *summary, const struct report_options *options)
{
    struct buf out;
    buf_init(&out);
    html_ab_report(&out, summary, options);
    return out;
}

static void assert_has(const struct buf *out, const char *text)
{
    if (strstr(out->data, text) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", text, out->data);
    }
}

static void a_run_with_everything_looks_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = fixture_full();
    struct buf out = html_of(summary, &no_options);
    fixture_compare_golden("full.html", &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void attributes_go_into_their_tags(void **state)
{
    (void)state;
    const struct report_options options = {.table_attributes = "border=1",
                                           .row_attributes = "class=\"r\"",
                                           .cell_attributes = "bgcolor=red"};
    struct summary *summary = fixture_good();
    struct buf out = html_of(summary, &options);
    assert_has(&out, "<table border=1>");
    assert_has(&out, "<tr class=\"r\"><th colspan=2 bgcolor=red>Complete requests:</th>"
                     "<td colspan=2 bgcolor=red>200</td></tr>\n");
    assert_null(strstr(out.data, "bgcolor=white"));
    buf_deinit(&out);
    out = html_of(summary, &no_options);
    assert_has(&out, "<table>");
    assert_has(&out, "<tr><th colspan=2 bgcolor=white>Complete requests:</th>");
    buf_deinit(&out);
    summary_free(summary);
}

static void figures_are_those_of_the_text_D27(void **state)
{
    (void)state;
    struct summary *summary = fixture_full();
    struct buf out = html_of(summary, &no_options);
    struct buf text;
    buf_init(&text);
    text_report(&text, summary, &no_options);
    static const char *const figures[] = {
        "210.40",   "322.14",
        "185.00",   "507.14",
        "132.703",  "10.005",
        "1234.568", "1.250 seconds",
        "412345",   "(Connect: 4, Receive: 35, Length: 4, Exceptions: 20)"};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        assert_has(&out, figures[i]);
        assert_has(&text, figures[i]);
    }
    buf_deinit(&text);
    buf_deinit(&out);
    summary_free(summary);
}

static void foreign_text_is_never_markup(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    summary_set_text(&summary->server_software, STR("<script>alert('1')&\"</script>"));
    summary_set_text(&summary->plan.path, STR("/?a=<b>"));
    summary_note(summary, "%s", "<i>note</i>");
    struct buf out = html_of(summary, &no_options);
    assert_null(strstr(out.data, "<script"));
    assert_null(strstr(out.data, "<b>"));
    assert_null(strstr(out.data, "<i>"));
    assert_has(&out, "&lt;script&gt;alert(&#39;1&#39;)&amp;&quot;&lt;/script&gt;");
    buf_deinit(&out);
    summary_free(summary);
}

static void every_ending_has_a_report_without_nan(void **state)
{
    (void)state;
    struct summary *summaries[] = {summary_new(), fixture_unreachable()};
    for (size_t i = 0; i < sizeof summaries / sizeof *summaries; i++) {
        struct buf out = html_of(summaries[i], &no_options);
        assert_has(&out, "Requests per second:");
        assert_null(strstr(out.data, "nan"));
        assert_null(strstr(out.data, "Connection Times"));
        buf_deinit(&out);
        summary_free(summaries[i]);
    }
}

static void the_banner_is_a_paragraph(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    html_ab_banner(&out);
    assert_string_equal(out.data, "<p>\n This is lather, Version " LATHER_VERSION "<br>\n</p>\n");
    buf_deinit(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_with_everything_looks_as_its_golden_file),
        cmocka_unit_test(attributes_go_into_their_tags),
        cmocka_unit_test(figures_are_those_of_the_text_D27),
        cmocka_unit_test(foreign_text_is_never_markup),
        cmocka_unit_test(every_ending_has_a_report_without_nan),
        cmocka_unit_test(the_banner_is_a_paragraph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
