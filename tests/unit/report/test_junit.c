/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run as a JUnit report: what fails a build, and what makes a run no test at all.
 * Rows of the conformance list: B150.
 */
#include "lather/report/junit.h"

#include "fixture.h"

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>

static struct buf written(const struct summary *summary)
{
    struct buf out;
    buf_init(&out);
    junit_write(&out, summary);
    return out;
}

static void assert_has(const struct buf *out, const char *text)
{
    if (strstr(out->data, text) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", text, out->data);
    }
}

static void a_mix_looks_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = fixture_mix();
    struct buf out = written(summary);
    fixture_compare_golden("mix.junit.xml", &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void a_run_with_everything_looks_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = fixture_full();
    struct buf out = written(summary);
    fixture_compare_golden("full.junit.xml", &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void a_good_run_looks_as_its_golden_file(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    struct buf out = written(summary);
    fixture_compare_golden("good.junit.xml", &out);
    buf_deinit(&out);
    summary_free(summary);
}

static void failed_requests_fail_without_conditions_only_B150(void **state)
{
    (void)state;
    struct summary *summary = fixture_good();
    fixture_fail(summary, (struct sample){.outcome = OUTCOME_TIMEOUT, .total_ns = 5}, 1, NULL);
    struct buf out = written(summary);
    assert_has(&out, "tests=\"2\" failures=\"1\" errors=\"0\"");
    assert_has(&out, "message=\"1 of 201 requests failed\"");
    buf_deinit(&out);
    assert_true(summary_add_condition(summary, STR("errors>1%"), NULL));
    out = written(summary);
    assert_has(&out, "tests=\"2\" failures=\"0\" errors=\"0\"");
    assert_has(&out, "name=\"errors&gt;1%\"");
    buf_deinit(&out);
    summary_free(summary);
}

static void a_search_fails_when_no_rate_was_found_only(void **state)
{
    (void)state;
    struct summary *summary = fixture_steps();
    assert_true(summary_is_search(summary));
    fixture_fail(summary, (struct sample){.outcome = OUTCOME_TIMEOUT, .total_ns = 5}, 1, NULL);
    struct buf out = written(summary);
    assert_has(&out, "tests=\"2\" failures=\"0\" errors=\"0\"");
    assert_has(&out, "name=\"a rate holds errors&lt;1%\" time");
    buf_deinit(&out);
    summary->found_micro_per_s = 0;
    out = written(summary);
    assert_has(&out, "tests=\"2\" failures=\"1\" errors=\"0\"");
    assert_has(&out, "type=\"find-rate\" message=\"no rate was found at which it holds\"");
    buf_deinit(&out);
    assert_true(summary_add_condition(summary, STR("errors>50%"), NULL));
    out = written(summary);
    assert_has(&out, "tests=\"2\" failures=\"0\" errors=\"0\"");
    buf_deinit(&out);
    summary_free(summary);
}

static void a_run_that_cannot_be_trusted_is_an_error(void **state)
{
    (void)state;
    static const char *const reasons[] = {"its books do not balance", "it ended by an interrupt",
                                          "no request was finished",
                                          "it ended early: no connection succeeded"};
    struct summary *summaries[] = {fixture_good(), fixture_good(), summary_new(),
                                   fixture_unreachable()};
    summaries[0]->unbalanced = true;
    summaries[1]->end = RUN_END_INTERRUPTED;
    for (size_t i = 0; i < sizeof summaries / sizeof *summaries; i++) {
        struct buf out = written(summaries[i]);
        assert_has(&out, "errors=\"1\"");
        assert_has(&out, reasons[i]);
        buf_deinit(&out);
        summary_free(summaries[i]);
    }
}

static void count_error(void *context, const xmlError *error)
{
    (void)error;
    (*(int *)context)++;
}

/* How much is wrong with a document by docs/junit.xsd. */
static int faults_of(const char *text)
{
    int faults = 0;
    xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt("docs/junit.xsd");
    xmlSchemaPtr schema = xmlSchemaParse(parser);
    assert_non_null(schema);
    xmlSchemaValidCtxtPtr valid = xmlSchemaNewValidCtxt(schema);
    xmlSchemaSetValidStructuredErrors(valid, (xmlStructuredErrorFunc)count_error, &faults);
    xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), "junit", NULL, XML_PARSE_NOERROR);
    assert_non_null(document);
    const int result = xmlSchemaValidateDoc(valid, document);
    assert_int_equal(result == 0, faults == 0);
    xmlFreeDoc(document);
    xmlSchemaFreeValidCtxt(valid);
    xmlSchemaFree(schema);
    xmlSchemaFreeParserCtxt(parser);
    return faults;
}

static void every_report_fits_the_schema_of_build_servers(void **state)
{
    (void)state;
    struct summary *(*const fixtures[])(void) = {fixture_good, fixture_full,        fixture_mix,
                                                 fixture_open, fixture_unreachable, summary_new,
                                                 fixture_steps};
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        struct summary *summary = fixtures[i]();
        struct buf out = written(summary);
        assert_int_equal(faults_of(out.data), 0);
        buf_deinit(&out);
        summary_free(summary);
    }
}

static void what_does_not_fit_the_schema_is_noticed(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "<testsuites><testsuite name=\"a\"/></testsuites>",
        "<testsuites><testsuite name=\"a\" tests=\"-1\"/></testsuites>",
        "<testsuites><testsuite name=\"a\" tests=\"0\" time=\"soon\"/></testsuites>",
        "<testsuites><testsuite name=\"a\" tests=\"0\"><system-out/><testcase name=\"b\" "
        "classname=\"c\"/></testsuite></testsuites>",
        "<testsuites><testsuite name=\"a\" tests=\"1\"><testcase name=\"b\"/></testsuite>"
        "</testsuites>",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_true(faults_of(wrong[i]) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_looks_as_its_golden_file),
        cmocka_unit_test(a_run_with_everything_looks_as_its_golden_file),
        cmocka_unit_test(a_good_run_looks_as_its_golden_file),
        cmocka_unit_test(failed_requests_fail_without_conditions_only_B150),
        cmocka_unit_test(a_search_fails_when_no_rate_was_found_only),
        cmocka_unit_test(a_run_that_cannot_be_trusted_is_an_error),
        cmocka_unit_test(every_report_fits_the_schema_of_build_servers),
        cmocka_unit_test(what_does_not_fit_the_schema_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
