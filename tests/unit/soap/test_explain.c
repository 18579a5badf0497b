/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of a message: one line a fact, whatever the message holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/soap/edits.h"
#include "lather/soap/explain.h"
#include "lather/soap/explain_needs.h"

#define WSSE "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
#define OPEN(header)                                                                               \
    "<s:Envelope xmlns:s='" SOAP_12_NAMESPACE "' xmlns:o='" WSSE "' "                              \
    "xmlns:a='http://www.w3.org/2005/08/addressing'><s:Header>" header "</s:Header>"
#define CLOSE "<s:Body><x/></s:Body></s:Envelope>"

static const struct stamp noon = {1704110400, 0}; /* 2024-01-01T12:00:00Z */

static void explain(struct buf *lines, const char *message, enum refresh_mode mode)
{
    const struct refresh_options options = {.mode = mode, .now = noon};
    struct root_part root;
    struct envelope envelope;
    struct body_text body;
    struct edits edits;
    struct refresh_result refreshed;
    struct buf notes;
    buf_init(lines);
    buf_init(&notes);
    root_part_find(&root, STR("application/soap+xml"), str_from(message));
    envelope_read(&envelope, root.text);
    body_text_init(&body, root.text);
    edits_init(&edits);
    refresh_result_init(&refreshed);
    assert_true(refresh_find(&options, &body, &envelope, &edits, &refreshed, &notes, NULL));
    explain_append(&(struct explain_request){.root = &root,
                                             .envelope = &envelope,
                                             .refreshed = &refreshed,
                                             .mode = mode,
                                             .content_type = STR("application/soap+xml"),
                                             .now = noon},
                   lines);
    refresh_result_deinit(&refreshed);
    edits_deinit(&edits);
    body_text_deinit(&body);
    envelope_deinit(&envelope);
    root_part_deinit(&root);
    buf_deinit(&notes);
}

static void assert_says(const struct buf *lines, const char *line)
{
    if (str_find(buf_view(lines), str_from(line)) == SIZE_MAX) {
        fail_msg("\"%s\" is not in:\n%s", line, lines->data);
    }
}

static void a_message_is_told_in_the_order_of_the_questions(void **state)
{
    (void)state;
    static const char *const labels[] = {
        "envelope: SOAP 1.2, utf-8\n",
        "action: urn:do\n",
        "addressing: WS-Addressing 1.0 (Action, To, MessageID, ReplyTo)\n",
        "to: http://h/s\n",
        "reply to: ",
        "security: Timestamp\n",
        "looks like: wsHttpBinding with security TransportWithMessageCredential\n",
        "refreshed: MessageID, Timestamp\n",
        ("accepted until: 2024-01-01T11:05:00Z (55 minutes ago) by the Timestamp's Expires, "
         "2024-01-01T11:10:00Z (50 minutes ago) by WCF's rules; each request gets a new one\n"),
    };
    struct buf lines;
    explain(&lines,
            OPEN("<a:Action>urn:do</a:Action><a:To>http://h/s</a:To><a:MessageID>urn:uuid:1"
                 "</a:MessageID><a:ReplyTo><a:Address>x</a:Address></a:ReplyTo><o:Security>"
                 "<o:Timestamp><o:Created>2024-01-01T11:00:00Z</o:Created><o:Expires>"
                 "2024-01-01T11:05:00Z</o:Expires></o:Timestamp></o:Security>") CLOSE,
            REFRESH_CHANGES);
    size_t at = 0;
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        assert_says(&lines, labels[i]);
        const size_t found = str_find(buf_view(&lines), str_from(labels[i]));
        assert_true(i == 0 || found > at);
        at = found;
    }
    buf_deinit(&lines);
}

static void a_value_cannot_begin_a_line_of_its_own(void **state)
{
    (void)state;
    struct buf lines;
    explain(&lines, OPEN("<a:Action>urn:do\nrefused: no</a:Action>") CLOSE, REFRESH_CHANGES);
    assert_says(&lines, "action: urn:do refused: no\n");
    buf_deinit(&lines);
}

static void without_expires_only_wcf_s_rule_is_told(void **state)
{
    (void)state;
    struct buf lines;
    explain(&lines,
            OPEN("<o:Security><o:Timestamp><o:Created>2024-01-01T11:58:00Z</o:Created>"
                 "</o:Timestamp></o:Security>") CLOSE,
            REFRESH_LOOKS);
    assert_says(&lines, "accepted until: 2024-01-01T12:08:00Z (in 8 minutes) by WCF's rules; "
                        "it is sent as captured\n");
    assert_says(&lines, "refreshed: nothing\n");
    assert_says(&lines, "as captured: Timestamp: nothing in the message is changed\n");
    buf_deinit(&lines);
}

static void names_of_sessions_count_only_with_a_value_and_once(void **state)
{
    (void)state;
    struct buf lines;
    buf_init(&lines);
    explain_needs_append(STR("<e><SessionID/><sessionId> </sessionId></e>"), &lines);
    assert_int_equal(lines.len, 0);
    explain_needs_append(STR("<e><SessionID>1</SessionID><n:sessionId xmlns:n='x'>2</n:sessionId>"
                             "<Session><SequenceNumber>3</SequenceNumber></Session></e>"),
                         &lines);
    assert_says(&lines, "needs: a fresh sessionId: ");
    assert_says(&lines, "needs: a fresh SequenceNumber: ");
    const size_t second = str_find(str_slice(buf_view(&lines), 20, lines.len), STR("sessionId"));
    assert_int_equal(second, SIZE_MAX);
    buf_reset(&lines);
    explain_needs_append(STR("<e><SequenceNumber>3</SequenceNumber></e>"), &lines);
    assert_int_equal(lines.len, 0);
    buf_deinit(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_told_in_the_order_of_the_questions),
        cmocka_unit_test(a_value_cannot_begin_a_line_of_its_own),
        cmocka_unit_test(without_expires_only_wcf_s_rule_is_told),
        cmocka_unit_test(names_of_sessions_count_only_with_a_value_and_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
