/* SPDX-License-Identifier: Apache-2.0 */
/* JMeter's test plans. */
#include "reading.h"

#define PATH(url)      "<stringProp name=\"HTTPSampler.path\">" url "</stringProp>"
#define PROPERTY(name) "<stringProp name=\"" name "\">"
#define END            "</stringProp>"

/* A plan with what hangs under its root. */
static void append_plan(struct buf *text, struct str inside)
{
    buf_append_str(text, STR("<jmeterTestPlan version=\"1.2\"><hashTree><TestPlan/><hashTree>"));
    buf_append_str(text, inside);
    buf_append_str(text, STR("</hashTree></hashTree></jmeterTestPlan>"));
}

/* A POST of <a/> with further properties; its hashTree must follow. */
static void append_sampler(struct buf *text, const char *name, const char *properties)
{
    buf_printf(text,
               "<HTTPSamplerProxy testname=\"%s\">"
               "<boolProp name=\"HTTPSampler.postBodyRaw\">true</boolProp>"
               "<elementProp name=\"HTTPsampler.Arguments\" elementType=\"Arguments\">"
               "<collectionProp name=\"Arguments.arguments\">"
               "<elementProp name=\"\" elementType=\"HTTPArgument\">" PROPERTY(
                   "Argument.value") "&lt;a/>" END
                                     "</elementProp></collectionProp></elementProp>" PROPERTY(
                                         "HTTPSampler.method") "POST" END "%s</HTTPSamplerProxy>",
               name, properties);
}

/* A header manager with two fields, and its empty hashTree. */
static void append_headers(struct buf *text, const char *name, const char *value,
                           const char *other_name, const char *other_value)
{
    buf_append_str(text, STR("<HeaderManager><collectionProp name=\"HeaderManager.headers\">"));
    const char *const fields[] = {name, value, other_name, other_value};
    for (size_t i = 0; i < 4; i += 2) {
        buf_printf(text,
                   "<elementProp name=\"\" elementType=\"Header\">" PROPERTY(
                       "Header.name") "%s" END PROPERTY("Header.value") "%s" END "</elementProp>",
                   fields[i], fields[i + 1]);
    }
    buf_append_str(text, STR("</collectionProp></HeaderManager><hashTree/>"));
}

/* Frees the text. */
static void read_plan(struct capture *capture, struct buf *inside)
{
    struct buf text;
    buf_init(&text);
    append_plan(&text, buf_view(inside));
    read_content(capture, buf_view(&text), "plan.xml");
    buf_deinit(&text);
    buf_deinit(inside);
}

static void plans_give_the_order(void **state)
{
    (void)state;
    assert_sample_is_order(SAMPLES "capture_jmeter/order", CAPTURE_JMETER);
    assert_sample_is_order(SAMPLES "capture_jmeter/order-url-in-path", CAPTURE_JMETER);
    assert_sample_is_order(SAMPLES "capture_jmeter/order-soap-sampler", CAPTURE_JMETER);
}

static void what_is_switched_off_is_skipped(void **state)
{
    (void)state;
    struct capture capture;
    read_sample(&capture, SAMPLES "capture_jmeter/order");
    assert_int_equal(capture.count, 1);
    assert_note(&capture, CAPTURE_NOTE_SKIPPED,
                "sampler \"in a group that is off\": it is switched off");
    capture_deinit(&capture);
}

static void headers_apply_to_their_scope_and_the_nearest_wins(void **state)
{
    (void)state;
    struct capture capture;
    struct buf plan;
    buf_init(&plan);
    append_headers(&plan, "X-A", "plan", "X-B", "plan");
    append_sampler(&plan, "one", PATH("http://h/1"));
    buf_append_str(&plan, STR("<hashTree>"));
    append_headers(&plan, "x-a", "own", "x-a", "twice");
    buf_append_str(&plan, STR("</hashTree>"));
    append_sampler(&plan, "two", PATH("http://h/2"));
    buf_append_str(&plan, STR("<hashTree/><LoopController/><hashTree>"));
    append_headers(&plan, "X-C", "loop", "X-D", "loop");
    buf_append_str(&plan, STR("</hashTree>"));
    read_plan(&capture, &plan);

    assert_int_equal(capture.count, 2);
    const struct http_head *one = &capture.messages[0].head;
    assert_int_equal(one->count, 3);
    assert_string_equal(one->fields[0].value, "own");
    assert_string_equal(one->fields[1].value, "twice");
    assert_string_equal(one->fields[2].value, "plan");
    assert_string_equal(field(&capture.messages[1], "X-A"), "plan");
    assert_string_equal(field(&capture.messages[1], "X-C"), "(none)");
    capture_deinit(&capture);
}

static void defaults_fill_what_a_sampler_lacks(void **state)
{
    (void)state;
    struct capture capture;
    struct buf plan;
    buf_init(&plan);
    append_sampler(&plan, "s", PATH("x.svc") PROPERTY("HTTPSampler.port") "81" END);
    buf_append_str(&plan, STR("<hashTree/><ConfigTestElement guiclass=\"HttpDefaultsGui\">"));
    buf_append_str(&plan, STR(PROPERTY("HTTPSampler.domain") "h" END));
    buf_append_str(&plan, STR(PROPERTY("HTTPSampler.port") "82" END));
    buf_append_str(&plan, STR(PROPERTY("HTTPSampler.protocol") "https" END));
    buf_append_str(&plan, STR("</ConfigTestElement><hashTree/>"));
    read_plan(&capture, &plan);
    assert_string_equal(capture.messages[0].url, "https://h:81/x.svc");
    capture_deinit(&capture);
}

static void text_keeps_its_carriage_returns_and_is_encoded(void **state)
{
    (void)state;
    struct capture capture;
    struct buf plan;
    buf_init(&plan);
    buf_append_str(&plan, STR("<SoapSampler testname=\"s\">"));
    buf_append_str(&plan,
                   STR(PROPERTY("HTTPSamper.xml_data") "&lt;a>&#xd;\r\n\xC3\xA9&lt;/a>" END));
    buf_append_str(&plan, STR(PROPERTY("SoapSampler.URL_DATA") "http://h/?a&amp;b" END));
    buf_append_str(&plan, STR(PROPERTY("HTTPSampler.contentEncoding") "ISO-8859-1" END));
    buf_append_str(&plan, STR("</SoapSampler><hashTree/>"));
    read_plan(&capture, &plan);
    assert_body(&capture.messages[0], STR("<a>\r\n\xE9</a>"));
    assert_string_equal(capture.messages[0].url, "http://h/?a&b");
    assert_string_equal(field(&capture.messages[0], "SOAPAction"), "(none)");
    capture_deinit(&capture);
}

static void variables_stay_and_are_told(void **state)
{
    (void)state;
    struct capture capture;
    struct buf plan;
    buf_init(&plan);
    append_sampler(&plan, "s", PROPERTY("HTTPSampler.domain") "${host}" END);
    buf_append_str(&plan, STR("<hashTree/><AuthManager/><hashTree/>"));
    read_plan(&capture, &plan);
    assert_string_equal(capture.messages[0].url, "");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "variables and functions of JMeter");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "HTTP Authorization Manager is not read");
    capture_deinit(&capture);
}

static void forms_and_files_are_no_messages(void **state)
{
    (void)state;
    struct buf plan;
    struct buf text;
    buf_init(&plan);
    buf_init(&text);
    append_sampler(&plan, "s",
                   "<elementProp name=\"HTTPsampler.Files\" elementType=\"HTTPFileArgs\">"
                   "<collectionProp name=\"HTTPFileArgs.files\"><elementProp name=\"b.xml\" "
                   "elementType=\"HTTPFileArg\">" PROPERTY(
                       "File.path") "b.xml" END "</elementProp></collectionProp></elementProp>");
    buf_append_str(&plan, STR("<hashTree/>"));
    append_plan(&text, buf_view(&plan));
    assert_refused(buf_view(&text), "x.jmx", "its body lies in a file");
    assert_sample_refused(SAMPLES "capture_jmeter/form", "it sends a form");
    buf_deinit(&plan);
    buf_deinit(&text);
}

static void a_plan_that_breaks_off_keeps_what_was_whole(void **state)
{
    (void)state;
    struct capture capture;
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("<jmeterTestPlan><hashTree>"));
    append_sampler(&text, "a", PATH("http://h/"));
    buf_append_str(&text,
                   STR("<hashTree/><HTTPSamplerProxy testname=\"b\"><stringProp name=\"x\">"));
    read_content(&capture, buf_view(&text), "plan.xml");
    assert_int_equal(capture.count, 1);
    assert_string_equal(capture.messages[0].name, "a");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "the test plan is damaged (cut off: ");
    capture_deinit(&capture);
    buf_deinit(&text);
    assert_refused(STR("<jmeterTestPlan><hashTree/>"), "x", "the test plan is damaged");
}

static void no_cut_breaks_the_reader(void **state)
{
    (void)state;
    assert_cuts_are_told(SAMPLES "capture_jmeter/order", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_give_the_order),
        cmocka_unit_test(what_is_switched_off_is_skipped),
        cmocka_unit_test(headers_apply_to_their_scope_and_the_nearest_wins),
        cmocka_unit_test(defaults_fill_what_a_sampler_lacks),
        cmocka_unit_test(text_keeps_its_carriage_returns_and_is_encoded),
        cmocka_unit_test(variables_stay_and_are_told),
        cmocka_unit_test(forms_and_files_are_no_messages),
        cmocka_unit_test(a_plan_that_breaks_off_keeps_what_was_whole),
        cmocka_unit_test(no_cut_breaks_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
