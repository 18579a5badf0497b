/* SPDX-License-Identifier: Apache-2.0 */
/* SoapUI projects. */
#include "reading.h"

#define PROJECT(inside)                                                                            \
    "<con:soapui-project name=\"p\" xmlns:con=\"http://eviware.com/soapui/config\">" inside        \
    "</con:soapui-project>"
#define INTERFACE(version, call)                                                                   \
    "<con:interface name=\"I\" soapVersion=\"" version                                             \
    "\"><con:endpoints><con:endpoint>http://h/s"                                                   \
    "</con:endpoint></con:endpoints><con:operation name=\"O\" action=\"urn:o\"><con:call "         \
    "name=\"R\">" call "</con:call></con:operation></con:interface>"
#define ENVELOPE_11   "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"/>"
#define ENVELOPE_12   "<e:Envelope xmlns:e=\"http://www.w3.org/2003/05/soap-envelope\"/>"
#define REQUEST(text) "<con:request><![CDATA[" text "]]></con:request>"

static void samples_and_steps_give_the_order(void **state)
{
    (void)state;
    static const char *const samples[] = {SAMPLES "capture_soapui/order-call",
                                          SAMPLES "capture_soapui/order-step",
                                          SAMPLES "capture_soapui/order-step-first"};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_sample_is_order(samples[i], CAPTURE_SOAPUI);
    }
}

static void steps_bring_expectations_and_credentials(void **state)
{
    (void)state;
    struct capture capture;
    read_sample(&capture, SAMPLES "capture_soapui/order-step");
    assert_int_equal(capture.count, 1);
    const struct capture_message *message = &capture.messages[0];
    assert_string_equal(message->name, "Case/Place it");
    assert_string_equal(message->basic_credentials, "user:secret");
    assert_string_equal(message->expectations.data, "--validate soap\n--ns o=urn:example:orders\n"
                                                    "--expect-xpath string(//o:Number)='17'\n"
                                                    "--expect-text accepted & sent\n"
                                                    "--max-time 250\n--expect-status 200,202\n");
    assert_non_null(strstr(message->untranslated.data, "Schema Compliance: "));
    assert_non_null(strstr(message->untranslated.data, "GroovyScriptAssertion \"script\""));
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "step \"script\": it is no SOAP request (groovy)");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "step \"off\": it is switched off");
    assert_note(&capture, CAPTURE_NOTE_ROUTINE, "the 1 sample requests");
    capture_deinit(&capture);
}

static void the_version_is_the_envelopes(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, PROJECT(INTERFACE("1_2", REQUEST(ENVELOPE_12))));
    assert_string_equal(field(&capture.messages[0], "Content-Type"),
                        "application/soap+xml; charset=utf-8; action=\"urn:o\"");
    assert_string_equal(field(&capture.messages[0], "SOAPAction"), "(none)");
    assert_string_equal(capture.messages[0].url, "http://h/s");
    capture_deinit(&capture);
    read_literal(&capture, PROJECT(INTERFACE("1_2", REQUEST(ENVELOPE_11))));
    assert_string_equal(field(&capture.messages[0], "Content-Type"), "text/xml; charset=utf-8");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "its envelope is SOAP 1.1, its interface says");
    capture_deinit(&capture);
}

static void an_empty_action_is_sent_empty(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture,
                 PROJECT("<con:interface name=\"I\" soapVersion=\"1_1\">"
                         "<con:operation name=\"O\" action=\"\"><con:call name=\"R\"><con:request>"
                         "&lt;e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'/>"
                         "</con:request></con:call></con:operation></con:interface>"));
    assert_string_equal(field(&capture.messages[0], "SOAPAction"), "\"\"");
    assert_int_equal(capture.messages[0].action, CAPTURE_ACTION_EMPTY);
    capture_deinit(&capture);
}

static void text_keeps_what_xml_keeps(void **state)
{
    (void)state;
    struct capture capture;
    static const char project[] =
        PROJECT(INTERFACE("1_1", "<con:request>&lt;a>&#xd;\n<![CDATA[]]]]><![CDATA[>\r\nb]]>"
                                 "&lt;/a></con:request>"));
    read_literal(&capture, project);
    assert_int_equal(capture.count, 1);
    assert_body(&capture.messages[0], STR("<a>\r\n]]>\nb</a>"));
    capture_deinit(&capture);
}

static void the_encoding_is_the_requests(void **state)
{
    (void)state;
    struct capture capture;
    static const char project[] = PROJECT(
        INTERFACE("1_1", "<con:encoding>ISO-8859-1</con:encoding><con:request>&lt;e:Envelope "
                         "xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>\xC3\xA9"
                         "&lt;/e:Envelope></con:request>"));
    read_literal(&capture, project);
    assert_non_null(strstr(capture.messages[0].body.data, ">\xE9<"));
    assert_string_equal(field(&capture.messages[0], "Content-Type"),
                        "text/xml; charset=ISO-8859-1");
    capture_deinit(&capture);
}

static void header_fields_come_in_both_forms(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "&lt;entry key=\"X-A\" value=\"1 &amp;amp; 2\" "
        "xmlns=\"http://eviware.com/soapui/config\"/>&lt;con:entry key=\"Content-Type\" "
        "value=\"text/xml\"/>",
        "&lt;xml-fragment>&lt;con:entry key=\"X-A\" value=\"1 &amp;amp; 2\"/>&lt;con:entry "
        "key=\"Content-Type\" value=\"text/xml\"/>&lt;/xml-fragment>",
    };
    for (size_t i = 0; i < 2; i++) {
        struct buf text;
        struct capture capture;
        buf_init(&text);
        buf_printf(&text,
                   PROJECT(INTERFACE("1_1", "<con:settings><con:setting id=\"com.eviware.soapui."
                                            "impl.wsdl.WsdlRequest@request-headers\">%s"
                                            "</con:setting></con:settings>" REQUEST(ENVELOPE_11))),
                   forms[i]);
        read_content(&capture, buf_view(&text), "project.xml");
        assert_string_equal(field(&capture.messages[0], "X-A"), "1 & 2");
        assert_string_equal(field(&capture.messages[0], "Content-Type"), "text/xml");
        capture_deinit(&capture);
        buf_deinit(&text);
    }
}

static void what_soapui_would_add_or_fill_is_told(void **state)
{
    (void)state;
    struct capture capture;
    static const char project[] =
        PROJECT("<con:testSuite name=\"S\"><con:testCase name=\"C\">"
                "<con:testStep type=\"request\" name=\"T\"><con:config>"
                "<con:request useWsAddressing=\"true\" outgoingWss=\"W\">"
                "<con:endpoint>${#Project#u}</con:endpoint>"
                "<con:request>&lt;a>${=x}&lt;/a></con:request>"
                "<con:credentials><con:username>u</con:username><con:password>SECRET</con:password>"
                "<con:authType>NTLM</con:authType></con:credentials>"
                "</con:request></con:config></con:testStep></con:testCase></con:testSuite>");
    read_literal(&capture, project);
    assert_body(&capture.messages[0], STR("<a>${=x}</a>"));
    assert_string_equal(capture.messages[0].url, "");
    assert_null(capture.messages[0].basic_credentials);
    assert_note(&capture, CAPTURE_NOTE_REMARK, "placeholders of SoapUI");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "adds WS-Addressing");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "adds WS-Security");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "credentials for NTLM are left out");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "its URL cannot be used");
    assert_false(has_note(&capture, CAPTURE_NOTE_REMARK, "SECRET"));
    capture_deinit(&capture);
}

static void projects_that_cannot_be_read_are_refused_with_the_reason(void **state)
{
    (void)state;
    assert_sample_refused(SAMPLES "capture_soapui/encrypted", "an encrypted SoapUI project");
    assert_sample_refused(SAMPLES "capture_soapui/empty", "a composite project");
    assert_sample_refused(SAMPLES "capture_soapui/part", "a composite SoapUI project");
}

static void a_project_that_breaks_off_keeps_what_was_whole(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, "<con:soapui-project xmlns:con=\"http://eviware.com/soapui/config\">"
                           "<con:interface name=\"I\"><con:operation name=\"O\">"
                           "<con:call name=\"A\"><con:request>&lt;a/></con:request></con:call>"
                           "<con:call name=\"B\"><con:request>&lt;b/></con:request>");
    assert_int_equal(capture.count, 1);
    assert_string_equal(capture.messages[0].name, "O/A");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "\"B\": the project is damaged inside of it");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "the project is damaged (cut off: ");
    capture_deinit(&capture);
}

static void no_cut_breaks_the_reader(void **state)
{
    (void)state;
    assert_cuts_are_told(SAMPLES "capture_soapui/order-step", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_and_steps_give_the_order),
        cmocka_unit_test(steps_bring_expectations_and_credentials),
        cmocka_unit_test(the_version_is_the_envelopes),
        cmocka_unit_test(an_empty_action_is_sent_empty),
        cmocka_unit_test(text_keeps_what_xml_keeps),
        cmocka_unit_test(the_encoding_is_the_requests),
        cmocka_unit_test(header_fields_come_in_both_forms),
        cmocka_unit_test(what_soapui_would_add_or_fill_is_told),
        cmocka_unit_test(projects_that_cannot_be_read_are_refused_with_the_reason),
        cmocka_unit_test(a_project_that_breaks_off_keeps_what_was_whole),
        cmocka_unit_test(no_cut_breaks_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
