/* SPDX-License-Identifier: Apache-2.0 */
/* JMeter's test plans. */
#include "reading.h"

#define PLAN(inside)                                                                               \
    "<jmeterTestPlan version=\"1.2\"><hashTree><TestPlan/><hashTree>" inside                       \
    "</hashTree></hashTree></jmeterTestPlan>"
#define PROPERTY(name, value) "<stringProp name=\"" name "\">" value "</stringProp>"
#define SAMPLER(name, more)                                                                        \
    "<HTTPSamplerProxy testname=\"" name "\">"                                                     \
    "<boolProp name=\"HTTPSampler.postBodyRaw\">true</boolProp>"                                   \
    "<elementProp name=\"HTTPsampler.Arguments\" elementType=\"Arguments\"><collectionProp "       \
    "name=\"Arguments.arguments\"><elementProp name=\"\" elementType=\"HTTPArgument\">" PROPERTY(  \
        "Argument.value",                                                                          \
        "&lt;a/>") "</elementProp></collectionProp></elementProp>" PROPERTY("HTTPSampler.method",  \
                                                                            "POST") more           \
        "</HTTPSamplerProxy>"
#define HEADER(name, value)                                                                        \
    "<elementProp name=\"\" elementType=\"Header\">" PROPERTY("Header.name", name)                 \
        PROPERTY("Header.value", value) "</elementProp>"
#define HEADERS(inside)                                                                            \
    "<HeaderManager><collectionProp name=\"HeaderManager.headers\">" inside                        \
    "</collectionProp></HeaderManager><hashTree/>"

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
    read_literal(
        &capture,
        PLAN(
            HEADERS(HEADER("X-A", "plan") HEADER("X-B", "plan"))
                SAMPLER("one", PROPERTY("HTTPSampler.path", "http://h/1")) "<hashTree>" HEADERS(
                    HEADER("x-a", "own") HEADER(
                        "x-a",
                        "twice")) "</hashTree>" SAMPLER("two",
                                                        PROPERTY(
                                                            "HTTPSampler.path",
                                                            "http://h/2")) "<hashTree/>"
                                                                           "<LoopController/"
                                                                           "><hashTree>" HEADERS(
                                                                               HEADER(
                                                                                   "X-C",
                                                                                   "loop")) "</"
                                                                                            "hashTr"
                                                                                            "ee>"));
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
    read_literal(
        &capture,
        PLAN(SAMPLER("s", PROPERTY("HTTPSampler.path", "x.svc") PROPERTY(
                              "HTTPSampler.port",
                              "81")) "<hashTree/>"
                                     "<ConfigTestElement guiclass=\"HttpDefaultsGui\">" PROPERTY(
                                         "HTTPSampler.domain", "h")
                                         PROPERTY("HTTPSampler.port", "82")
                                             PROPERTY("HTTPSampler.protocol",
                                                      "https") "</ConfigTestElement><hashTree/>"));
    assert_string_equal(capture.messages[0].url, "https://h:81/x.svc");
    capture_deinit(&capture);
}

static void text_keeps_its_carriage_returns_and_is_encoded(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, PLAN("<SoapSampler testname=\"s\">" PROPERTY(
                               "HTTPSamper.xml_data", "&lt;a>&#xd;\r\n\xC3\xA9&lt;/a>")
                                    PROPERTY("SoapSampler.URL_DATA", "http://h/?a&amp;b")
                                        PROPERTY("HTTPSampler.contentEncoding",
                                                 "ISO-8859-1") "</SoapSampler><hashTree/>"));
    assert_body(&capture.messages[0], STR("<a>\r\n\xE9</a>"));
    assert_string_equal(capture.messages[0].url, "http://h/?a&b");
    assert_string_equal(field(&capture.messages[0], "SOAPAction"), "(none)");
    capture_deinit(&capture);
}

static void variables_stay_and_are_told(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture,
                 PLAN(SAMPLER("s", PROPERTY("HTTPSampler.domain",
                                            "${host}")) "<hashTree/><AuthManager/><hashTree/>"));
    assert_string_equal(capture.messages[0].url, "");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "variables and functions of JMeter");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "HTTP Authorization Manager is not read");
    capture_deinit(&capture);
}

static void forms_and_files_are_no_messages(void **state)
{
    (void)state;
    assert_sample_refused(SAMPLES "capture_jmeter/form", "it sends a form");
    assert_refused(
        STR(PLAN(SAMPLER(
            "s", "<elementProp name=\"HTTPsampler.Files\" "
                 "elementType=\"HTTPFileArgs\"><collectionProp "
                 "name=\"HTTPFileArgs.files\"><elementProp name=\"b.xml\" "
                 "elementType=\"HTTPFileArg\">" PROPERTY(
                     "File.path",
                     "b.xml") "</elementProp></collectionProp></elementProp>") "<hashTree/>")),
        "x.jmx", "its body lies in a file");
}

static void a_plan_that_breaks_off_keeps_what_was_whole(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(
        &capture,
        "<jmeterTestPlan><hashTree>" SAMPLER(
            "a", PROPERTY("HTTPSampler.path",
                          "http://h/")) "<hashTree/>"
                                        "<HTTPSamplerProxy testname=\"b\"><stringProp name=\"x\">");
    assert_int_equal(capture.count, 1);
    assert_string_equal(capture.messages[0].name, "a");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "the test plan is damaged");
    capture_deinit(&capture);
    assert_refused(STR("<jmeterTestPlan><hashTree/>"), "x", "the test plan is damaged");
}

static void no_cut_breaks_the_reader(void **state)
{
    (void)state;
    struct buf content;
    struct err err = {.code = ERR_NONE};
    buf_init(&content);
    assert_true(file_read(SAMPLES "capture_jmeter/order", 1 << 20, &content, &err));
    for (size_t cut = 0; cut < content.len; cut++) {
        struct capture capture;
        (void)!capture_read(str_slice(buf_view(&content), 0, cut), "cut", &capture, &err);
        capture_deinit(&capture);
    }
    buf_deinit(&content);
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
