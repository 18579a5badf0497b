/* SPDX-License-Identifier: Apache-2.0 */
/* A file is what its content says, whatever its name is. */
#include "reading.h"

static void assert_kind(struct str content, enum capture_kind kind)
{
    struct capture capture;
    read_content(&capture, content, "message.xml");
    assert_int_equal(capture.kind, kind);
    capture_deinit(&capture);
}

static void bodies_are_what_shows_no_other_sign(void **state)
{
    (void)state;
    static const struct str bodies[] = {
        {"Test 1", 6},        {"", 0},          {"{\"a\":1}", 7},          {"[1]", 3},
        {"POST", 4},          {"curl", 4},      {"\0\x01\xFF", 3},         {"PK", 2},
        {"GET http://h", 12}, {"<<not XML", 9}, {"[{\"request\":1}]", 15}, {"---------------", 15},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        if (str_equals(bodies[i], STR("curl"))) {
            continue; /* a command without a URL, which is refused */
        }
        struct capture capture;
        read_content(&capture, bodies[i], "body.saz.txt");
        assert_int_equal(capture.kind, CAPTURE_BYTES);
        assert_body(&capture.messages[0], bodies[i]);
        assert_int_equal(capture.messages[0].head.count, 0);
        assert_string_equal(capture.messages[0].method, "");
        capture_deinit(&capture);
    }
}

/* The byte order mark goes out as it came. */
static void B157_xml_in_every_encoding_is_kept_byte_for_byte(void **state)
{
    (void)state;
    static const struct str texts[] = {
        {"<a/>", 4},
        {"\r\n <!-- c --><a>", 16},
        {"\xEF\xBB\xBF<a/>\r\n", 9},
        {"\xFF\xFE<\0a\0/\0>\0", 10},
        {"\xFE\xFF\0<\0a\0/\0>", 10},
        {"<\0a\0/\0>\0", 8},
        {"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE9</a>", 51},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct capture capture;
        read_content(&capture, texts[i], "message.har.xml");
        assert_int_equal(capture.kind, CAPTURE_XML);
        assert_body(&capture.messages[0], texts[i]);
        capture_deinit(&capture);
    }
}

static void captures_are_known_by_their_first_bytes(void **state)
{
    (void)state;
    assert_kind(STR("POST http://h/ HTTP/1.1\n\n<a/>"), CAPTURE_RAW);
    assert_kind(STR("\n----------\n\nPOST /x HTTP/2\nHost: h\n\n<a/>"), CAPTURE_RAW);
    assert_kind(STR("\xEF\xBB\xBFPOST http://h/ HTTP/1.1\n\n<a/>"), CAPTURE_RAW);
    assert_kind(STR("# c\ncurl http://h/"), CAPTURE_CURL);
    assert_kind(
        STR(" {\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\",\"url\":\"http://h/\"}}"
            "]}}"),
        CAPTURE_HAR);
    assert_kind(STR("[{\"name\":\"a\",\"request\":\"http://h/\"}]"), CAPTURE_POSTMAN);
    assert_kind(STR("--b\r\nContent-Type: text/xml\r\n\r\n<a/>\r\n--b--"), CAPTURE_MIME);
}

static void a_message_about_captures_is_none(void **state)
{
    (void)state;
    assert_kind(STR("<a xmlns=\"http://eviware.com/soapui\"><soapui-project/></a>"), CAPTURE_XML);
    assert_kind(STR("<x><jmeterTestPlan/></x>"), CAPTURE_XML);
    assert_kind(STR("<soapui-project/>"), CAPTURE_XML);
}

/* As Windows PowerShell writes what it redirects. */
static void text_in_utf_16_is_read(void **state)
{
    (void)state;
    struct capture capture;
    read_sample(&capture, SAMPLES "capture/raw-utf-16");
    assert_int_equal(capture.kind, CAPTURE_RAW);
    assert_string_equal(capture.messages[0].url, "http://h/");
    capture_deinit(&capture);
}

static void other_tools_formats_are_refused_by_name(void **state)
{
    (void)state;
    assert_sample_refused(SAMPLES "capture/burp", "Burp");
    assert_sample_refused(SAMPLES "capture/fetch", "JavaScript");
    assert_sample_refused(SAMPLES "capture/postman-1", "Postman collection of version 1");
}

static void a_result_is_no_message(void **state)
{
    (void)state;
    assert_sample_refused("tests/fuzz/corpus/result_json/real", "a result of lather's own");
    assert_kind(STR("{\"schema\":\"other/1\"}"), CAPTURE_BYTES);
}

static void a_name_that_claims_a_format_is_doubted(void **state)
{
    (void)state;
    assert_refused(STR("text"), "a.saz", "not a ZIP file");
    assert_refused(STR("text"), "a.HAR", "no HTTP archive");
    assert_refused(STR("text"), "a.svclog", "no WCF message log");
    assert_refused(STR("text"), "a.jmx", "no JMeter test plan");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_what_shows_no_other_sign),
        cmocka_unit_test(B157_xml_in_every_encoding_is_kept_byte_for_byte),
        cmocka_unit_test(captures_are_known_by_their_first_bytes),
        cmocka_unit_test(a_message_about_captures_is_none),
        cmocka_unit_test(text_in_utf_16_is_read),
        cmocka_unit_test(other_tools_formats_are_refused_by_name),
        cmocka_unit_test(a_result_is_no_message),
        cmocka_unit_test(a_name_that_claims_a_format_is_doubted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
