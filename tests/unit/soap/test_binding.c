/* SPDX-License-Identifier: Apache-2.0 */
/* Content-Type, SOAPAction and the remarks about a message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/soap/notes.h"

#define WSA     "http://www.w3.org/2005/08/addressing"
#define BODY    "<s:Body><Order xmlns='urn:x'/></s:Body></s:Envelope>"
#define SOAP_11 "<s:Envelope xmlns:s='" SOAP_11_NAMESPACE "'>" BODY
#define SOAP_12 "<s:Envelope xmlns:s='" SOAP_12_NAMESPACE "'>" BODY
#define HEADED(version, blocks)                                                                    \
    "<s:Envelope xmlns:s='" version "' xmlns:a='" WSA "'><s:Header>" blocks "</s:Header>" BODY
#define WSA_12                                                                                     \
    HEADED(SOAP_12_NAMESPACE, "<a:Action>urn:do</a:Action><a:To>http://h/</a:To>"                  \
                              "<a:MessageID>urn:uuid:1</a:MessageID>")

/* A message, how it is bound, and the remarks on it. */
struct bound {
    struct envelope envelope;
    struct binding binding;
    struct buf notes;
};

static struct bound bind_message(struct str body, struct binding_request request)
{
    struct bound bound;
    envelope_read(&bound.envelope, body);
    request.envelope = &bound.envelope;
    request.body = body;
    binding_settle(&request, &bound.binding);
    buf_init(&bound.notes);
    notes_append(&request, &bound.binding, &bound.notes);
    return bound;
}

static void unbind(struct bound *bound)
{
    buf_deinit(&bound->notes);
    binding_deinit(&bound->binding);
    envelope_deinit(&bound->envelope);
}

static void check_type(struct str body, struct binding_request request, const char *type,
                       const char *action)
{
    struct bound bound = bind_message(body, request);
    assert_string_equal(bound.binding.content_type, type);
    if (action == NULL) {
        assert_null(bound.binding.soap_action);
    } else {
        assert_non_null(bound.binding.soap_action);
        assert_string_equal(bound.binding.soap_action, action);
    }
    unbind(&bound);
}

static void check_notes(struct str body, struct binding_request request, const char *part)
{
    struct bound bound = bind_message(body, request);
    struct str notes = buf_view(&bound.notes);
    if (part == NULL) {
        assert_int_equal(notes.len, 0);
    } else if (str_find(notes, str_from(part)) == SIZE_MAX) {
        fail_msg("\"%s\" is not in: %.*s", part, STR_ARG(notes));
    } else {
        assert_true(str_ends_with(notes, STR("\n")));
    }
    unbind(&bound);
}

/* B003, B004: the exact spelling matters to strict peers. */
static void b003_b004_type_follows_the_envelope(void **state)
{
    (void)state;
    const struct binding_request none = {.content_type = NULL};
    check_type(STR(SOAP_11), none, "text/xml; charset=utf-8", NULL);
    check_type(STR(SOAP_12), none, "application/soap+xml; charset=utf-8", NULL);
    check_type(STR("<order/>"), none, "text/xml; charset=utf-8", NULL);
    check_type(STR("<?xml version='1.0' encoding='ISO-8859-1'?><order/>"), none,
               "text/xml; charset=iso-8859-1", NULL);
    check_type(STR("hello"), none, "text/plain", NULL);
    check_type(STR("{\"a\": 1}"), none, "text/plain", NULL);
    check_type(STR(""), none, "text/plain", NULL);
    check_type(STR("\xFF\xFE<\0a\0/\0>\0"), none, "text/xml; charset=utf-16", NULL);
    check_type(STR("<\0a\0/\0>\0"), none, "text/xml; charset=utf-16le", NULL);
    check_type(STR("<?xml version='1.0' encoding='utf-16'?><order/>"), none,
               "text/xml; charset=utf-8", NULL);
}

/* B003, B002 */
static void b003_given_type_goes_as_it_is_but_for_a_field_name_in_front(void **state)
{
    (void)state;
    struct binding_request request = {.content_type = "Text/XML;Charset=\"UTF-8\""};
    check_type(STR(SOAP_12), request, "Text/XML;Charset=\"UTF-8\"", NULL);
    request.content_type = "Content-Type: text/xml";
    check_type(STR(SOAP_11), request, "text/xml", NULL);
    request.content_type = " content-type:text/xml ";
    check_type(STR(SOAP_11), request, "text/xml", NULL);
}

/* B010, B011: absent, empty and given are three states. */
static void b010_b011_action_is_quoted_once_and_keeps_its_three_states(void **state)
{
    (void)state;
    struct binding_request request = {.soap_action = "urn:do"};
    check_type(STR(SOAP_11), request, "text/xml; charset=utf-8", "\"urn:do\"");
    request.soap_action = "\"urn:do\"";
    check_type(STR(SOAP_11), request, "text/xml; charset=utf-8", "\"urn:do\"");
    request.soap_action = "any text, not a URI";
    check_type(STR(SOAP_11), request, "text/xml; charset=utf-8", "\"any text, not a URI\"");
    request.soap_action = "";
    check_type(STR(SOAP_11), request, "text/xml; charset=utf-8", "\"\"");
    request.soap_action = "\"";
    check_type(STR(SOAP_11), request, "text/xml; charset=utf-8", "\"\"\"");
    request.soap_action = NULL;
    check_type(STR(SOAP_11), request, "text/xml; charset=utf-8", NULL);
}

/* B012 */
static void b012_soap12_without_addressing_takes_the_action_as_a_parameter(void **state)
{
    (void)state;
    struct binding_request request = {.soap_action = "urn:do"};
    check_type(STR(SOAP_12), request, "application/soap+xml; charset=utf-8; action=\"urn:do\"",
               NULL);
    request.content_type = "application/soap+xml";
    check_type(STR(SOAP_12), request, "application/soap+xml; action=\"urn:do\"", NULL);
    request.content_type = "application/soap+xml; action=\"urn:mine\"";
    check_type(STR(SOAP_12), request, "application/soap+xml; action=\"urn:mine\"", NULL);
    request.content_type = NULL;
    check_type(STR(WSA_12), request, "application/soap+xml; charset=utf-8", NULL);
    check_notes(STR(WSA_12), request, "the action given is not sent");
}

static void usual_messages_get_no_remark(void **state)
{
    (void)state;
    check_notes(STR(SOAP_11), (struct binding_request){.soap_action = "urn:do"}, NULL);
    check_notes(STR(SOAP_12), (struct binding_request){.content_type = NULL}, NULL);
    check_notes(STR(WSA_12), (struct binding_request){.content_type = NULL}, NULL);
    check_notes(STR("<order/>"), (struct binding_request){.content_type = NULL},
                "XML without a SOAP Envelope");
    check_notes(STR("hello"), (struct binding_request){.content_type = NULL}, NULL);
}

static void b005_b008_type_that_does_not_fit_the_envelope_is_remarked(void **state)
{
    (void)state;
    struct binding_request request = {.content_type = "text/xml"};
    check_notes(STR(SOAP_12), request, "SOAP 1.2 but the content type is text/xml");
    request.content_type = "application/soap+xml; charset=UTF-8";
    request.soap_action = "a";
    check_notes(STR(SOAP_11), request, "SOAP 1.1 but the content type is application/soap+xml");
    request.content_type = "application/xml+soap";
    check_notes(STR(SOAP_12), request, "application/xml+soap");
    request.content_type = "application/xml";
    check_notes(STR(SOAP_11), request, "wants text/xml answers 415");
}

static void b009_soap11_without_an_action_is_remarked(void **state)
{
    (void)state;
    check_notes(STR(SOAP_11), (struct binding_request){.content_type = NULL}, "without SOAPAction");
    struct http_head head;
    http_head_init(&head);
    http_head_add(&head, STR("soapaction"), STR("\"urn:do\""));
    check_notes(STR(SOAP_11), (struct binding_request){.headers = &head}, NULL);
    http_head_deinit(&head);
}

static void b013_different_actions_are_remarked(void **state)
{
    (void)state;
    check_notes(STR(HEADED(SOAP_11_NAMESPACE, "<a:Action>urn:in</a:Action><a:To>h</a:To>"
                                              "<a:MessageID>m</a:MessageID>")),
                (struct binding_request){.soap_action = "urn:out"},
                "(urn:out) differs from wsa:Action (urn:in)");
    check_notes(
        STR(WSA_12),
        (struct binding_request){.content_type = "application/soap+xml; action=\"urn:other\""},
        "(urn:other) differs");
    check_notes(STR(WSA_12),
                (struct binding_request){.content_type = "application/soap+xml; action=\"urn:do\""},
                NULL);
    /* An empty action never mismatches. */
    check_notes(STR(HEADED(SOAP_11_NAMESPACE, "<a:Action>urn:in</a:Action><a:To>h</a:To>"
                                              "<a:MessageID>m</a:MessageID>")),
                (struct binding_request){.soap_action = ""}, NULL);
}

static void b014_b015_missing_addressing_blocks_are_remarked(void **state)
{
    (void)state;
    struct binding_request request = {.exchange = BINDING_TWO_WAY};
    check_notes(STR(HEADED(SOAP_12_NAMESPACE, "<a:Action>x</a:Action>")), request, "no wsa:To");
    check_notes(STR(HEADED(SOAP_12_NAMESPACE, "<a:Action>x</a:Action><a:To>h</a:To>")), request,
                "no wsa:MessageID");
    request.exchange = BINDING_ONE_WAY;
    check_notes(STR(HEADED(SOAP_12_NAMESPACE, "<a:Action>x</a:Action><a:To>h</a:To>")), request,
                NULL);
    check_notes(STR(HEADED(SOAP_12_NAMESPACE,
                           "<a:ReplyTo><a:Address>http://elsewhere/</a:Address></a:ReplyTo>")),
                request, "http://elsewhere/");
}

static void b016_addressing_none_is_remarked(void **state)
{
    (void)state;
    check_notes(STR(HEADED(SOAP_11_NAMESPACE,
                           "<To xmlns='http://schemas.microsoft.com/ws/2005/05/addressing/none'>"
                           "x</To>")),
                (struct binding_request){.soap_action = "a"}, "addressing/none");
}

static void b017_b018_empty_body_and_wrong_coding_are_remarked(void **state)
{
    (void)state;
    check_notes(STR(""), (struct binding_request){.content_type = NULL}, "answers 400");
    struct http_head head;
    http_head_init(&head);
    http_head_add(&head, STR("Content-Encoding"), STR("gzip"));
    check_notes(STR(SOAP_12), (struct binding_request){.headers = &head},
                "Content-Encoding says gzip");
    check_notes(STR("\x1F\x8B\x08"), (struct binding_request){.headers = &head}, NULL);
    http_head_deinit(&head);
}

static void b087_b157_byte_order_mark_is_remarked(void **state)
{
    (void)state;
    check_notes(STR("\xEF\xBB\xBF" SOAP_12), (struct binding_request){.content_type = NULL},
                "byte order mark");
}

static void b091_b092_contradictory_encodings_are_remarked(void **state)
{
    (void)state;
    check_notes(STR("<?xml version='1.0' encoding='utf-16'?>" SOAP_12),
                (struct binding_request){.content_type = NULL}, "says utf-16 but the bytes are");
    check_notes(STR("<?xml version='1.0' encoding='iso-8859-1'?>" SOAP_12),
                (struct binding_request){.content_type = "application/soap+xml; charset=UTF-8"},
                "charset UTF-8 but the body is iso-8859-1");
    check_notes(STR("<?xml version='1.0' encoding='iso-8859-1'?>" SOAP_12),
                (struct binding_request){.content_type = NULL}, "utf-8 and utf-16 only");
}

static void broken_and_odd_envelopes_are_remarked(void **state)
{
    (void)state;
    struct binding_request request = {.soap_action = "a"};
    check_notes(STR("<s:Envelope xmlns:s='" SOAP_11_NAMESPACE "'><s:Body>"), request,
                "no well-formed XML: ends too early");
    check_notes(STR("<s:Envelope xmlns:s='" SOAP_11_NAMESPACE "'/>"), request, "no Body");
    check_notes(STR("<!DOCTYPE a>" SOAP_11), request, "DOCTYPE");
    check_notes(STR("<Envelope xmlns='http://www.w3.org/2001/12/soap-envelope'/>"), request,
                "draft");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b003_b004_type_follows_the_envelope),
        cmocka_unit_test(b003_given_type_goes_as_it_is_but_for_a_field_name_in_front),
        cmocka_unit_test(b010_b011_action_is_quoted_once_and_keeps_its_three_states),
        cmocka_unit_test(b012_soap12_without_addressing_takes_the_action_as_a_parameter),
        cmocka_unit_test(usual_messages_get_no_remark),
        cmocka_unit_test(b005_b008_type_that_does_not_fit_the_envelope_is_remarked),
        cmocka_unit_test(b009_soap11_without_an_action_is_remarked),
        cmocka_unit_test(b013_different_actions_are_remarked),
        cmocka_unit_test(b014_b015_missing_addressing_blocks_are_remarked),
        cmocka_unit_test(b016_addressing_none_is_remarked),
        cmocka_unit_test(b017_b018_empty_body_and_wrong_coding_are_remarked),
        cmocka_unit_test(b087_b157_byte_order_mark_is_remarked),
        cmocka_unit_test(b091_b092_contradictory_encodings_are_remarked),
        cmocka_unit_test(broken_and_odd_envelopes_are_remarked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
