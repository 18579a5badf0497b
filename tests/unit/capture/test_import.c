/* SPDX-License-Identifier: Apache-2.0 */
/* What every message goes through, whatever it was recorded with. */
#include "reading.h"

#define S11 "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'/>"
#define S12 "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'/>"

static void read_post(struct capture *capture, const char *fields, const char *body)
{
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "POST http://h/Service.svc HTTP/1.1\r\n%s\r\n%s", fields, body);
    read_content(capture, buf_view(&text), "capture.txt");
    buf_deinit(&text);
}

/* B011: absent, empty and given are three different things. */
static void soap_action_has_three_states(void **state)
{
    (void)state;
    static const struct {
        const char *fields;
        enum capture_action action;
        const char *value;
        const char *sent;
    } cases[] = {
        {"", CAPTURE_ACTION_ABSENT, "", "(none)"},
        {"SOAPAction:\r\n", CAPTURE_ACTION_EMPTY, "", ""},
        {"SOAPAction: \"\"\r\n", CAPTURE_ACTION_EMPTY, "", "\"\""},
        {"SOAPAction: \"urn:a\"\r\n", CAPTURE_ACTION_VALUE, "urn:a", "\"urn:a\""},
        {"soapaction: urn:a\r\n", CAPTURE_ACTION_VALUE, "urn:a", "urn:a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct capture capture;
        read_post(&capture, cases[i].fields, S11);
        assert_int_equal(capture.messages[0].action, cases[i].action);
        assert_string_equal(capture.messages[0].soap_action, cases[i].value);
        assert_string_equal(field(&capture.messages[0], "SOAPAction"), cases[i].sent);
        capture_deinit(&capture);
    }
}

static void a_recorded_type_stays_and_a_missing_one_follows_the_envelope(void **state)
{
    (void)state;
    static const struct {
        const char *fields;
        const char *body;
        const char *type;
    } cases[] = {
        {"Content-Type: Text/XML;Charset='odd'\r\n", S11, "Text/XML;Charset='odd'"},
        {"", S11, "text/xml; charset=utf-8"},
        {"", S12, "application/soap+xml; charset=utf-8"},
        {"", "<a/>", "(none)"},
        {"", "text", "(none)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct capture capture;
        read_post(&capture, cases[i].fields, cases[i].body);
        assert_string_equal(field(&capture.messages[0], "Content-Type"), cases[i].type);
        capture_deinit(&capture);
    }
}

static void messages_are_named_by_action_or_url(void **state)
{
    (void)state;
    static const struct {
        const char *fields;
        const char *body;
        const char *name;
    } cases[] = {
        {"SOAPAction: \"http://tempuri.org/IOrder/Submit\"\r\n", S11, "Submit"},
        {"SOAPAction: \"urn:x:Submit\"\r\n", S11, "Submit"},
        {"SOAPAction: \"http://h/s#Submit/\"\r\n", S11, "Submit"},
        {"SOAPAction: \"\"\r\n", S11, "Service.svc"},
        {"",
         "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Header><a:Action "
         "xmlns:a='http://www.w3.org/2005/08/addressing'>urn:x/Addressed</a:Action></e:Header>"
         "<e:Body/></e:Envelope>",
         "Addressed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct capture capture;
        read_post(&capture, cases[i].fields, cases[i].body);
        assert_string_equal(capture.messages[0].name, cases[i].name);
        capture_deinit(&capture);
    }
    struct capture capture;
    read_literal(&capture, "POST http://h:81/ HTTP/1.1\n\n<a/>");
    assert_string_equal(capture.messages[0].name, "POST");
    capture_deinit(&capture);
}

static void the_root_part_tells_a_multipart_bodys_version(void **state)
{
    (void)state;
    struct capture capture;
    read_post(&capture, "Content-Type: multipart/related; boundary=b; start=\"<2>\"\r\n",
              "--b\r\nContent-ID: <1>\r\n\r\nx\r\n--b\r\nContent-ID: <2>\r\n\r\n" S12
              "\r\n--b--\r\n");
    assert_int_equal(capture.messages[0].soap_version, SOAP_VERSION_12);
    capture_deinit(&capture);
}

static void nothing_from_outside_gets_into_a_field_or_a_note_raw(void **state)
{
    (void)state;
    struct capture capture;
    read_content(&capture,
                 STR("{\"log\":{\"entries\":[{\"request\":{\"method\":\"POST\",\"url\":\"http://h/"
                     "\\r\\nX: y\",\"headers\":[{\"name\":\"A\\r\\nB\",\"value\":\"c\"},{\"name\":"
                     "\"D\",\"value\":\"e\\r\\nF: g\"}],\"postData\":{\"text\":\"x\"}}},"
                     "{\"request\":{\"method\":\"GET / HTTP/1.1\\r\\nX: y\",\"url\":\"http://h/"
                     "\\u001b[31m\"}}]}}"),
                 "x.har");
    assert_int_equal(capture.count, 1);
    assert_int_equal(capture.messages[0].head.count, 0);
    assert_string_equal(capture.messages[0].url, "");
    struct buf text;
    buf_init(&text);
    capture_append_notes(&capture, CAPTURE_NOTE_ROUTINE, &text);
    for (size_t i = 0; i < text.len; i++) {
        assert_true(text.data[i] == '\n' || (unsigned char)text.data[i] >= ' ');
    }
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "its method is no word");
    buf_deinit(&text);
    capture_deinit(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soap_action_has_three_states),
        cmocka_unit_test(a_recorded_type_stays_and_a_missing_one_follows_the_envelope),
        cmocka_unit_test(messages_are_named_by_action_or_url),
        cmocka_unit_test(the_root_part_tells_a_multipart_bodys_version),
        cmocka_unit_test(nothing_from_outside_gets_into_a_field_or_a_note_raw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
