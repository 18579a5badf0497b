/* SPDX-License-Identifier: Apache-2.0 */
/* WCF's message logs. */
#include "reading.h"

#define RECORD(source, inside)                                                                     \
    "<E2ETraceEvent "                                                                              \
    "xmlns=\"http://schemas.microsoft.com/2004/06/E2ETraceEvent\"><ApplicationData>"               \
    "<TraceData><DataItem><MessageLogTraceRecord Source=\"" source                                 \
    "\" Type=\"t\" xmlns=\"http://schemas.microsoft.com/2004/06/ServiceModel/Management/"          \
    "MessageTrace\">" inside "</MessageLogTraceRecord></DataItem></TraceData></ApplicationData>"   \
    "</E2ETraceEvent>"
#define TO(uri)    "<Addressing><Action>urn:a</Action><To>" uri "</To></Addressing>"
#define S11        "xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\""
#define BODY(text) "<s:Envelope " S11 "><s:Body>" text "</s:Body></s:Envelope>"

/* The order as WCF writes it anew: with the header it had taken its own blocks out of. */
static void assert_logged_order(const struct capture_message *message)
{
    struct buf expected;
    struct str body = STR(ORDER_BODY);
    size_t at = str_find(body, STR("\n  <s:Body>"));
    buf_init(&expected);
    buf_append_str(&expected, str_slice(body, 0, at));
    buf_append_str(&expected, STR("<s:Header/>"));
    buf_append_str(&expected, str_slice(body, at, body.len));
    assert_order_head(message);
    assert_body(message, buf_view(&expected));
    buf_deinit(&expected);
}

/* From the transport level; To and Action in that namespace are taken out. */
static void B016_logs_give_the_order_without_the_blocks_of_addressing_none(void **state)
{
    (void)state;
    static const char *const samples[] = {
        SAMPLES "capture_svclog/order-client", SAMPLES "capture_svclog/order-client-cut",
        SAMPLES "capture_svclog/order-service", SAMPLES "capture_svclog/order-both"};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct capture capture;
        read_sample(&capture, samples[i]);
        assert_int_equal(capture.kind, CAPTURE_SVCLOG);
        assert_int_equal(capture.count, 1);
        assert_logged_order(&capture.messages[0]);
        capture_deinit(&capture);
    }
}

static void the_service_level_is_taken_where_there_is_no_other(void **state)
{
    (void)state;
    struct capture capture;
    read_sample(&capture, SAMPLES "capture_svclog/order-service-level");
    assert_int_equal(capture.count, 1);
    assert_string_equal(capture.messages[0].soap_action, ORDER_ACTION);
    assert_note(&capture, CAPTURE_NOTE_REMARK, "at the service level");
    capture_deinit(&capture);
}

static void the_last_event_may_be_cut_off(void **state)
{
    (void)state;
    struct capture capture;
    read_sample(&capture, SAMPLES "capture_svclog/order-client-cut");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "event 6: damaged or cut off");
    capture_deinit(&capture);
    assert_sample_refused(SAMPLES "capture_svclog/only-cut", "event 1: damaged or cut off");
}

static void a_damaged_event_costs_only_itself(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, RECORD("TransportSend", TO("http://h/1") BODY("<a></b>"))
                               RECORD("TransportSend", TO("http://h/2") BODY("<a>&unknown;</a>"))
                                   RECORD("TransportSend", TO("http://h/3") BODY("<a/>")));
    assert_int_equal(capture.count, 1);
    assert_string_equal(capture.messages[0].url, "http://h/3");
    assert_string_equal(capture.messages[0].place, "event 3 (TransportSend)");
    capture_deinit(&capture);
}

static void namespaces_around_the_envelope_come_along(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(
        &capture,
        "<E2ETraceEvent xmlns=\"http://schemas.microsoft.com/2004/06/E2ETraceEvent\" "
        "xmlns:o=\"urn:o\" " S11 "><ApplicationData><TraceData><DataItem>"
        "<MessageLogTraceRecord Source=\"TransportSend\" Type=\"t\">" TO(
            "http://h/") "<s:Envelope><s:Body><o:a/></s:Body></s:Envelope></MessageLogTraceRecord>"
                         "</DataItem></TraceData></ApplicationData></E2ETraceEvent>");
    assert_int_equal(capture.messages[0].soap_version, SOAP_VERSION_11);
    assert_non_null(strstr(capture.messages[0].body.data, "xmlns:o=\"urn:o\""));
    capture_deinit(&capture);
}

static void answers_are_no_messages(void **state)
{
    (void)state;
    static const char answers[] = RECORD(
        "TransportReceive", "<HttpResponse><StatusCode>OK</StatusCode></HttpResponse>" BODY("<a/>"))
        RECORD("TransportSend", "<Addressing><Action>r</Action></Addressing>" BODY("<a/>"))
            RECORD("ServiceLevelSendReply", TO("http://h/") BODY("<a/>")) RECORD(
                "TransportReceive",
                TO("http://h/") "<s:Envelope " S11 "><s:Header>"
                                "<w:RelatesTo "
                                "xmlns:w=\"http://www.w3.org/2005/08/addressing\">x</w:RelatesTo>"
                                "</s:Header><s:Body/></s:Envelope>");
    assert_refused(str_from(answers), "answers.svclog", "without a single request");
}

static void a_log_of_traces_alone_says_how_messages_get_into_it(void **state)
{
    (void)state;
    static const char traces[] =
        "<E2ETraceEvent xmlns=\"http://schemas.microsoft.com/2004/06/E2ETraceEvent\">"
        "<ApplicationData><TraceData><DataItem><TraceRecord "
        "xmlns=\"http://schemas.microsoft.com/2004/10/E2ETraceEvent/TraceRecord\"/></DataItem>"
        "</TraceData></ApplicationData></E2ETraceEvent>";
    assert_refused(str_from(traces), "x.svclog", "of 1 event and no message");
    assert_refused(str_from(traces), "x.svclog", "logEntireMessage");
}

static void what_went_elsewhere_or_is_incomplete_is_skipped(void **state)
{
    (void)state;
    assert_sample_refused(SAMPLES "capture_svclog/net-tcp", "it does not go over HTTP");
    assert_sample_refused(SAMPLES "capture_svclog/without-body", "logEntireMessage");
    assert_sample_refused(SAMPLES "capture_svclog/malformed", "the log of a malformed message");
}

static void gaps_are_told(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, RECORD("TransportSend",
                                  "<HttpRequest><Method>POST</Method><QueryString /><WebHeaders>"
                                  "<Content-Type>application/soap+msbin1</Content-Type>"
                                  "</WebHeaders></HttpRequest>" BODY(
                                      "<p><!-- Removed--></p>... stream ...")));
    assert_string_equal(capture.messages[0].url, "");
    assert_string_equal(field(&capture.messages[0], "Content-Type"), "text/xml; charset=utf-8");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "took secrets out");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "was streamed");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "does not say where it went");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "sent as application/soap+msbin1");
    capture_deinit(&capture);
}

static void a_relative_to_gets_the_host(void **state)
{
    (void)state;
    struct capture capture;
    static const char log[] = RECORD(
        "TransportReceive",
        TO("/S.svc") "<HttpRequest><Method>POST</Method><QueryString>?a=1</QueryString>"
                     "<WebHeaders><Host>h:81</Host></WebHeaders></HttpRequest>" BODY("<a/>"));
    read_literal(&capture, log);
    assert_string_equal(capture.messages[0].url, "http://h:81/S.svc?a=1");
    capture_deinit(&capture);
}

static void a_doctype_is_refused_without_being_expanded(void **state)
{
    (void)state;
    /* Between the events, and hidden in one. */
    assert_refused(STR("<E2ETraceEvent xmlns=\"http://schemas.microsoft.com/2004/06/"
                       "E2ETraceEvent\"><!DOCTYPE a [<!ENTITY b \"c\">]></E2ETraceEvent>"),
                   "x.svclog", "damaged or cut off");
}

static void no_cut_breaks_the_reader(void **state)
{
    (void)state;
    assert_cuts_are_told(SAMPLES "capture_svclog/order-client", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(B016_logs_give_the_order_without_the_blocks_of_addressing_none),
        cmocka_unit_test(the_service_level_is_taken_where_there_is_no_other),
        cmocka_unit_test(the_last_event_may_be_cut_off),
        cmocka_unit_test(a_damaged_event_costs_only_itself),
        cmocka_unit_test(namespaces_around_the_envelope_come_along),
        cmocka_unit_test(answers_are_no_messages),
        cmocka_unit_test(a_log_of_traces_alone_says_how_messages_get_into_it),
        cmocka_unit_test(what_went_elsewhere_or_is_incomplete_is_skipped),
        cmocka_unit_test(gaps_are_told),
        cmocka_unit_test(a_relative_to_gets_the_host),
        cmocka_unit_test(a_doctype_is_refused_without_being_expanded),
        cmocka_unit_test(no_cut_breaks_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
