/* SPDX-License-Identifier: Apache-2.0 */
/* The decision: exactly one outcome for every answer, the first that applies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <uv.h>

#include "lather/base/buf.h"
#include "lather/soap/bodies.h"
#include "lather/soap/judge.h"

#define ENVELOPE(inside)                                                                           \
    "<s:Envelope xmlns:s='" SOAP_11_NAMESPACE "'><s:Body>" inside "</s:Body></s:Envelope>"
#define GOOD ENVELOPE("<r xmlns='urn:x'/>")
#define FAULT                                                                                      \
    ENVELOPE("<s:Fault><faultcode>s:Server</faultcode><faultstring>Order 17 of 'Bob' failed"       \
             "</faultstring><detail><w xmlns='urn:w'/></detail></s:Fault>")

struct fixture {
    struct expect expect;
    struct judge *judge;
    struct verdict verdict;
};

static struct fixture fixture;

static int make_judge(void **state)
{
    expect_init(&fixture.expect);
    fixture.expect.validate = VALIDATE_SOAP;
    fixture.judge = judge_new(&fixture.expect);
    *state = &fixture;
    return 0;
}

static int drop_judge(void **state)
{
    (void)state;
    judge_free(fixture.judge);
    expect_deinit(&fixture.expect);
    return 0;
}

static struct answer answer_of(unsigned status, const char *type, struct str body)
{
    return (struct answer){.status = (uint16_t)status,
                           .reason_phrase = STR("Some Phrase"),
                           .content_type = str_from(type),
                           .body = body};
}

static void check_verdict(const struct verdict *verdict, enum outcome outcome, const char *reason)
{
    if (verdict->outcome != outcome) {
        fail_msg("%s: %.*s", outcome_name(verdict->outcome), STR_ARG(verdict->reason));
    }
    assert_int_equal(verdict->step == STEP_NONE, outcome == OUTCOME_OK);
    if (!str_equals(verdict->reason, str_from(reason))) {
        fail_msg("\"%.*s\" is not \"%s\"", STR_ARG(verdict->reason), reason);
    }
}

/* Judged whole and streamed in two pieces, with the same result. */
static void check(void **state, struct answer answer, enum outcome outcome, const char *reason)
{
    struct fixture *f = *state;
    judge_answer(f->judge, &answer, &f->verdict);
    check_verdict(&f->verdict, outcome, reason);
    struct judge_stream *stream = judge_stream_begin(f->judge, &answer);
    judge_stream_feed(stream, str_slice(answer.body, 0, answer.body.len / 2));
    judge_stream_feed(stream, str_slice(answer.body, answer.body.len / 2, answer.body.len));
    judge_stream_end(stream, &f->verdict);
    check_verdict(&f->verdict, outcome, reason);
}

static void good_answers_are_ok(void **state)
{
    struct fixture *f = *state;
    check(state, answer_of(200, "text/xml; charset=utf-8", STR(GOOD)), OUTCOME_OK, "");
    assert_true(f->verdict.judged);
    check(state, answer_of(202, "application/soap+xml", STR(GOOD)), OUTCOME_OK, "");
    check(state, answer_of(200, "", STR(GOOD)), OUTCOME_OK, "");
    check(state, answer_of(200, "application/xml", STR(GOOD)), OUTCOME_OK, "");
}

/* B004: quotes, case and blanks of a reply's type are forgiven. */
static void b004_types_are_read_liberally(void **state)
{
    check(state, answer_of(200, "Text/XML ; Charset=\"UTF-8\"", STR(GOOD)), OUTCOME_OK, "");
    check(state, answer_of(200, "TEXT/XML", STR(GOOD)), OUTCOME_OK, "");
    check(state, answer_of(200, "text/xml;charset= utf-8 ;x=y", STR(GOOD)), OUTCOME_OK, "");
}

/* B071, B072, B076: a Fault wins at any status, and is counted once. */
static void b071_b072_fault_wins_whatever_the_status(void **state)
{
    struct fixture *f = *state;
    static const unsigned statuses[] = {200, 202, 400, 500, 503};
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        check(state, answer_of(statuses[i], "text/xml", STR(FAULT)), OUTCOME_FAULT,
              "Order # of '...' failed");
        assert_true(str_equals(f->verdict.fault_code, STR("{" SOAP_11_NAMESPACE "}Server")));
        assert_true(str_equals(f->verdict.fault_detail, STR("{urn:w}w")));
        assert_int_equal(f->verdict.fault_subcodes.len, 0);
    }
}

/* B073, B074 */
static void b073_error_status_without_a_fault_is_a_status(void **state)
{
    check(state, answer_of(500, "text/xml", STR(GOOD)), OUTCOME_STATUS, "500 Some Phrase");
    check(state, answer_of(500, "text/xml", STR("")), OUTCOME_STATUS, "500 Some Phrase");
    check(state, answer_of(503, "text/html", STR("<html>Busy</html>")), OUTCOME_STATUS,
          "503 Some Phrase");
    check(state, answer_of(400, "", STR("")), OUTCOME_STATUS, "400 Some Phrase");
    check(state, answer_of(302, "text/html", STR("moved")), OUTCOME_STATUS, "302 Some Phrase");
    /* A Fault that breaks off is no well-formed Fault. */
    check(state, answer_of(500, "text/xml", str_slice(STR(FAULT), 0, sizeof(FAULT) - 5)),
          OUTCOME_STATUS, "500 Some Phrase");
    struct answer answer = answer_of(500, "text/xml", STR(""));
    answer.reason_phrase = str_of(NULL, 0);
    check(state, answer, OUTCOME_STATUS, "500");
}

static void reason_of_a_redirect_names_its_location_without_the_query(void **state)
{
    struct answer answer = answer_of(302, "text/html", STR("moved"));
    answer.location = STR("https://host:81/Login.aspx?ReturnUrl=%2f");
    check(state, answer, OUTCOME_STATUS,
          "302 Some Phrase, Location: https://host:81/Login.aspx?...");
    answer.location = STR(" /a\tb ");
    check(state, answer, OUTCOME_STATUS, "302 Some Phrase, Location: /a b");
    answer.status = 500;
    check(state, answer, OUTCOME_STATUS, "500 Some Phrase");
}

/* B006, B007 */
static void b006_reason_phrase_of_a_415_is_kept(void **state)
{
    struct answer answer = answer_of(415, "", STR(""));
    answer.reason_phrase = STR("Cannot process the message because the content type 'text/xml' was "
                               "not the expected type 'application/soap+msbin1'.");
    check(state, answer, OUTCOME_STATUS,
          "415 Cannot process the message because the content type 'text/xml' was "
          "not the expected type 'application/soap+msbin1'.");
    answer.reason_phrase = STR("a\r\n\x1B[31mb");
    check(state, answer, OUTCOME_STATUS, "415 a   [31mb");
}

/* B080, B081 */
static void b080_b081_empty_answer_to_a_two_way_call_is_no_soap(void **state)
{
    check(state, answer_of(200, "text/xml", STR("")), OUTCOME_NOT_SOAP, "empty answer");
    check(state, answer_of(202, "", STR("")), OUTCOME_NOT_SOAP, "empty answer");
    check(state, answer_of(200, "text/html", STR("")), OUTCOME_NOT_SOAP, "empty answer");
}

/* B082, B083, B084 */
static void b082_b083_b084_one_way_calls_take_empty_answers_and_envelopes(void **state)
{
    struct fixture *f = *state;
    f->expect.one_way = true;
    check(state, answer_of(202, "", STR("")), OUTCOME_OK, "");
    check(state, answer_of(200, "text/xml", STR("")), OUTCOME_OK, "");
    check(state, answer_of(200, "text/xml", STR(ENVELOPE(""))), OUTCOME_OK, "");
    check(state, answer_of(200, "text/xml", STR(GOOD)), OUTCOME_OK, "");
    check(state, answer_of(500, "text/xml", STR(FAULT)), OUTCOME_FAULT, "Order # of '...' failed");
    check(state, answer_of(200, "text/xml", STR(FAULT)), OUTCOME_FAULT, "Order # of '...' failed");
    check(state, answer_of(500, "", STR("")), OUTCOME_STATUS, "500 Some Phrase");
    check(state, answer_of(200, "text/html", STR("<html/>")), OUTCOME_NOT_SOAP,
          "media type text/html");
}

static void answers_that_cannot_be_soap_are_named_by_type(void **state)
{
    check(state, answer_of(200, "text/html; charset=utf-8", STR("<html><br></html>")),
          OUTCOME_NOT_SOAP, "media type text/html");
    check(state, answer_of(200, "application/soap+msbin1", STR("\x56\x02")), OUTCOME_NOT_SOAP,
          "media type application/soap+msbin1");
    check(state, answer_of(200, "application/json", STR("{}")), OUTCOME_NOT_SOAP,
          "media type application/json");
}

static void flaws_of_the_envelope_are_no_soap(void **state)
{
    check(state, answer_of(200, "text/xml", STR("<order/>")), OUTCOME_NOT_SOAP, "root is {}order");
    check(state, answer_of(200, "", STR("<s:Envelope xmlns:s='" SOAP_12_NAMESPACE "'/>")),
          OUTCOME_NOT_SOAP, "no Body");
    check(state, answer_of(200, "text/xml; charset=x-none", STR(GOOD)), OUTCOME_NOT_SOAP,
          "unknown charset x-none");
}

/* B156 */
static void b156_doctype_is_no_soap(void **state)
{
    check(state, answer_of(200, "text/xml", STR("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")),
          OUTCOME_NOT_SOAP, "DTD in a SOAP message");
    check(state, answer_of(500, "text/xml", STR("<!DOCTYPE a>" FAULT)), OUTCOME_STATUS,
          "500 Some Phrase");
}

/* Ceilings come before the status in the order of outcomes. */
static void depth_bomb_is_too_large_whatever_the_status(void **state)
{
    struct buf body;
    buf_init(&body);
    for (int i = 0; i < 1000; i++) {
        buf_append_str(&body, STR("<a>"));
    }
    check(state, answer_of(200, "text/xml", buf_view(&body)), OUTCOME_TOO_LARGE,
          "more than 256 elements inside one another");
    check(state, answer_of(500, "text/xml", buf_view(&body)), OUTCOME_TOO_LARGE,
          "more than 256 elements inside one another");
    buf_deinit(&body);
}

/* B037 */
static void b037_truncated_answer_is_told_from_a_broken_one(void **state)
{
    struct fixture *f = *state;
    struct answer answer = answer_of(200, "text/xml", str_slice(STR(GOOD), 0, 90));
    judge_answer(f->judge, &answer, &f->verdict);
    assert_int_equal(f->verdict.outcome, OUTCOME_NOT_SOAP);
    assert_true(str_starts_with(f->verdict.reason, STR("not well-formed: cut off after 90 bytes")));
}

/* B092 */
static void b092_contradicting_charsets_are_told_beside_the_outcome(void **state)
{
    struct fixture *f = *state;
    check(state,
          answer_of(200, "text/xml; charset=utf-8",
                    STR("<?xml version='1.0' encoding='iso-8859-1'?>" GOOD)),
          OUTCOME_OK, "");
    assert_true(f->verdict.charset_contradicts);
    check(state, answer_of(200, "text/xml; charset=utf-8", STR(GOOD)), OUTCOME_OK, "");
    assert_false(f->verdict.charset_contradicts);
}

static void with_validation_off_only_the_status_counts(void **state)
{
    struct fixture *f = *state;
    f->expect.validate = VALIDATE_OFF;
    assert_false(judge_wants_body(f->judge));
    check(state, answer_of(200, "text/html", STR("hello")), OUTCOME_OK, "");
    assert_false(f->verdict.judged);
    check(state, answer_of(200, "text/xml", STR(FAULT)), OUTCOME_OK, "");
    check(state, answer_of(200, "", STR("")), OUTCOME_OK, "");
    check(state, answer_of(500, "text/xml", STR(FAULT)), OUTCOME_STATUS, "500 Some Phrase");
}

static void expected_statuses_are_the_users(void **state)
{
    struct fixture *f = *state;
    struct err err;
    f->expect.statuses = (struct status_set){{0}};
    assert_true(status_set_parse(&f->expect.statuses, STR("500"), &err));
    check(state, answer_of(500, "text/xml", STR(GOOD)), OUTCOME_OK, "");
    check(state, answer_of(200, "text/xml", STR(GOOD)), OUTCOME_STATUS, "200 Some Phrase");
    check(state, answer_of(500, "text/xml", STR(FAULT)), OUTCOME_FAULT, "Order # of '...' failed");
}

static void last_good_answer_is_known_byte_for_byte(void **state)
{
    struct fixture *f = *state;
    struct answer good = answer_of(200, "text/xml", STR(GOOD));
    assert_false(judge_is_last_good(f->judge, &good));
    judge_answer(f->judge, &good, &f->verdict);
    assert_true(judge_is_last_good(f->judge, &good));
    struct answer other = good;
    other.status = 201;
    assert_false(judge_is_last_good(f->judge, &other));
    other = good;
    other.content_type = STR("text/xml; charset=utf-8");
    assert_false(judge_is_last_good(f->judge, &other));
    other = good;
    other.content_encoding = STR("identity");
    assert_false(judge_is_last_good(f->judge, &other));
    char changed[sizeof(GOOD) - 1];
    for (size_t i = 0; i < sizeof(changed); i++) {
        memcpy(changed, GOOD, sizeof(changed));
        changed[i] ^= 1;
        other = answer_of(200, "text/xml", str_of(changed, sizeof(changed)));
        assert_false(judge_is_last_good(f->judge, &other));
        other.body = str_of(GOOD, i);
        assert_false(judge_is_last_good(f->judge, &other));
    }
    assert_true(judge_is_last_good(f->judge, &good));
}

static void failures_are_never_the_last_good(void **state)
{
    struct fixture *f = *state;
    struct answer fault = answer_of(200, "text/xml", STR(FAULT));
    judge_answer(f->judge, &fault, &f->verdict);
    assert_false(judge_is_last_good(f->judge, &fault));
    /* A good one stays known across failures. */
    struct answer good = answer_of(200, "text/xml", STR(GOOD));
    judge_answer(f->judge, &good, &f->verdict);
    judge_answer(f->judge, &fault, &f->verdict);
    assert_false(judge_is_last_good(f->judge, &fault));
    assert_true(judge_is_last_good(f->judge, &good));
}

/* Streams of several connections run side by side, each with a reader of its own. */
static void streams_side_by_side_do_not_mix(void **state)
{
    struct fixture *f = *state;
    enum { STREAMS = 20 };
    struct judge_stream *streams[STREAMS];
    struct verdict verdict;
    char type[] = "text/xml";
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < STREAMS; i++) {
            struct answer head = answer_of(200, type, STR(""));
            streams[i] = judge_stream_begin(f->judge, &head);
        }
        memset(type, '?', sizeof(type) - 1); /* heads are copied */
        for (size_t at = 0; at < sizeof(FAULT); at += 10) {
            for (int i = 0; i < STREAMS; i++) {
                struct str text = i % 2 == 0 ? STR(GOOD) : STR(FAULT);
                judge_stream_feed(streams[i], str_slice(text, at, at + 10));
            }
        }
        memcpy(type, "text/xml", sizeof(type));
        struct answer whole = answer_of(200, "text/xml", STR(FAULT));
        judge_answer(f->judge, &whole, &verdict);
        for (int i = 0; i < STREAMS; i++) {
            if (i % 5 == 0) {
                judge_stream_drop(streams[i]);
                continue;
            }
            judge_stream_end(streams[i], &verdict);
            assert_int_equal(verdict.outcome, i % 2 == 0 ? OUTCOME_OK : OUTCOME_FAULT);
        }
    }
}

/* Judged in another thread, as workers do. */
static void judge_bytes_no_conversion_takes(void *body)
{
    struct answer answer = answer_of(200, "text/xml", *(const struct str *)body);
    judge_answer(fixture.judge, &answer, &fixture.verdict);
}

static void nothing_is_printed_about_bytes_that_do_not_convert(void **state)
{
    (void)state;
    struct str body = STR("<?xml version='1.0' encoding='euc-kr'?><a>\x8A\x17\xE7\x27</a>");
    FILE *caught = tmpfile();
    assert_non_null(caught);
    int kept = dup(STDERR_FILENO);
    assert_true(dup2(fileno(caught), STDERR_FILENO) >= 0);
    uv_thread_t thread;
    assert_int_equal(uv_thread_create(&thread, judge_bytes_no_conversion_takes, &body), 0);
    assert_int_equal(uv_thread_join(&thread), 0);
    judge_bytes_no_conversion_takes(&body);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    (void)close(kept);

    assert_int_equal(fseek(caught, 0, SEEK_END), 0);
    assert_int_equal(ftell(caught), 0);
    (void)fclose(caught);
    assert_int_equal(fixture.verdict.outcome, OUTCOME_NOT_SOAP);
}

#define WSA "http://www.w3.org/2005/08/addressing"
#define RELATED(id)                                                                                \
    "<s:Envelope xmlns:s='" SOAP_12_NAMESPACE "' xmlns:a='" WSA "'><s:Header><a:RelatesTo>" id     \
    "</a:RelatesTo></s:Header><s:Body><r xmlns='urn:x'/></s:Body></s:Envelope>"

static struct answer related_answer(const char *body, const char *message_id)
{
    struct answer answer = answer_of(200, "application/soap+xml", str_from(body));
    answer.message_id = str_from(message_id);
    return answer;
}

static void relation_to_the_request_is_checked(void **state)
{
    struct fixture *f = *state;
    check(state, related_answer(RELATED("urn:uuid:1"), "urn:uuid:1"), OUTCOME_OK, "");
    assert_int_equal(f->verdict.relation, RELATION_SAME);
    check(state, related_answer(RELATED("urn:uuid:2"), "urn:uuid:1"), OUTCOME_MISMATCH,
          "RelatesTo is not the MessageID of the request");
    assert_int_equal(f->verdict.relation, RELATION_OTHER);
    check(state, related_answer(GOOD, "urn:uuid:1"), OUTCOME_OK, "");
    assert_int_equal(f->verdict.relation, RELATION_ABSENT);
    check(state, related_answer(RELATED("urn:uuid:2"), ""), OUTCOME_OK, "");
    assert_int_equal(f->verdict.relation, RELATION_UNKNOWN);
    f->expect.one_way = true;
    check(state, related_answer(RELATED("urn:uuid:2"), "urn:uuid:1"), OUTCOME_OK, "");
}

/* Answers that differ only in RelatesTo need no judging, but each id is still compared. */
static void last_good_answer_is_known_with_another_id(void **state)
{
    struct fixture *f = *state;
    struct answer answer = related_answer(RELATED("urn:uuid:1"), "urn:uuid:1");
    judge_answer(f->judge, &answer, &f->verdict);
    assert_true(judge_is_last_good(f->judge, &answer));
    struct answer next = related_answer(RELATED("urn:uuid:2"), "urn:uuid:2");
    assert_true(judge_is_last_good(f->judge, &next));
    judge_repeat(f->judge, &next, &f->verdict);
    assert_int_equal(f->verdict.outcome, OUTCOME_OK);
    assert_int_equal(f->verdict.relation, RELATION_SAME);
    assert_true(f->verdict.judged);
    next = related_answer(RELATED("urn:uuid:2"), "urn:uuid:3");
    assert_false(judge_is_last_good(f->judge, &next));
    next = related_answer(RELATED("urn:uuid:1"), "urn:uuid:2");
    assert_false(judge_is_last_good(f->judge, &next));
    next = related_answer(RELATED("urn:uuid:1"), "");
    assert_false(judge_is_last_good(f->judge, &next));
    next = related_answer(RELATED("urn:uuid:22"), "urn:uuid:22");
    assert_true(judge_is_last_good(f->judge, &next));
    next = related_answer(RELATED("urn:uuid:2") " ", "urn:uuid:2");
    assert_false(judge_is_last_good(f->judge, &next));
}

#define ORDER(text) ENVELOPE("<r xmlns='urn:x'><order>" text "</order></r>")

/* Whether an answer with another order is known, once one was judged under these expectations. */
static bool other_order_is_known(struct fixture *f, const char *type, const char *coding)
{
    struct judge *judge = judge_new(&f->expect);
    struct answer answer = answer_of(200, type, STR(ORDER("A-1")));
    answer.content_encoding = str_from(coding);
    judge_answer(judge, &answer, &f->verdict);
    assert_int_equal(f->verdict.outcome, OUTCOME_OK);
    answer.body = STR(ORDER("B-2 and more"));
    const bool is_known = judge_is_last_good(judge, &answer);
    judge_free(judge);
    return is_known;
}

/* Answers with the same markup and other texts need no judging while nothing asks for texts. */
static void last_good_answer_is_known_with_other_texts(void **state)
{
    struct fixture *f = *state;
    struct err err;
    assert_true(other_order_is_known(f, "text/xml; charset=utf-8", ""));
    assert_true(other_order_is_known(f, "text/xml", "identity"));
    assert_false(other_order_is_known(f, "text/xml; charset=iso-8859-1", ""));
    assert_true(expect_add_namespace(&f->expect, STR("x=urn:x"), &err));
    assert_true(expect_add_xpath(&f->expect, STR("//x:order"), &err));
    assert_true(expect_freeze(&f->expect, &err));
    assert_true(other_order_is_known(f, "text/xml", ""));
}

static void other_texts_are_judged_where_texts_are_asked_for(void **state)
{
    struct fixture *f = *state;
    struct err err;
    assert_true(expect_add_text(&f->expect, STR("order"), &err));
    assert_false(other_order_is_known(f, "text/xml", ""));
    assert_true(expect_add_rejected(&f->expect, STR("C-3"), &err));
    assert_false(other_order_is_known(f, "text/xml", ""));
}

static void other_texts_are_judged_where_an_expression_asks_for_them(void **state)
{
    struct fixture *f = *state;
    struct err err;
    assert_true(expect_add_namespace(&f->expect, STR("x=urn:x"), &err));
    assert_true(expect_add_xpath(&f->expect, STR("//x:order != 'C-3'"), &err));
    assert_true(expect_freeze(&f->expect, &err));
    assert_false(other_order_is_known(f, "text/xml", ""));
}

static void other_texts_of_a_large_answer_are_judged(void **state)
{
    struct fixture *f = *state;
    static char large[20000];
    memset(large, 'x', sizeof(large) - 1);
    for (size_t len = 16000; len <= 17000; len += 1000) {
        struct buf body;
        buf_init(&body);
        buf_printf(&body, ORDER("%.*s"), (int)len, large);
        struct answer answer = answer_of(200, "text/xml", buf_view(&body));
        judge_answer(f->judge, &answer, &f->verdict);
        assert_true(judge_is_last_good(f->judge, &answer));
        body.data[body.len / 2] = 'y';
        assert_int_equal(judge_is_last_good(f->judge, &answer), len == 16000);
        buf_deinit(&body);
    }
}

/* An id that is elsewhere in the body as well, or only there, must not be taken for RelatesTo. */
static void ids_elsewhere_in_the_body_are_no_relation(void **state)
{
    struct fixture *f = *state;
    static const char *const bodies[][2] = {
        {RELATED("id-1") "<!-- id-1 -->", RELATED("id-2") "<!-- id-2 -->"},
        {RELATED("id&#x2D;1") "<!--RelatesTo>id-1-->",
         RELATED("id&#x2D;1") "<!--RelatesTo>id-2-->"},
    };
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        struct answer answer = related_answer(bodies[i][0], "id-1");
        judge_answer(f->judge, &answer, &f->verdict);
        assert_int_equal(f->verdict.outcome, OUTCOME_OK);
        struct answer next = related_answer(bodies[i][1], "id-2");
        assert_false(judge_is_last_good(f->judge, &next));
    }
}

static void each_message_has_a_last_good_answer_of_its_own(void **state)
{
    struct fixture *f = *state;
    struct answer first = answer_of(200, "text/xml", STR(GOOD));
    struct answer second = answer_of(200, "text/xml", STR(ENVELOPE("<q/>")));
    second.message = 7;
    judge_answer(f->judge, &first, &f->verdict);
    judge_answer(f->judge, &second, &f->verdict);
    assert_true(judge_is_last_good(f->judge, &first));
    assert_true(judge_is_last_good(f->judge, &second));
    second.message = 0;
    assert_false(judge_is_last_good(f->judge, &second));
    second.message = UINT32_MAX;
    judge_answer(f->judge, &second, &f->verdict);
    assert_false(judge_is_last_good(f->judge, &second));
}

static void expected_fault_is_good_and_its_absence_is_not(void **state)
{
    struct fixture *f = *state;
    expect_set_fault(&f->expect, STR(""));
    check(state, answer_of(500, "text/xml", STR(FAULT)), OUTCOME_OK, "");
    assert_true(str_equals(f->verdict.fault_code, STR("{" SOAP_11_NAMESPACE "}Server")));
    check(state, answer_of(200, "text/xml", STR(GOOD)), OUTCOME_MISMATCH, "no Fault");
    check(state, answer_of(400, "text/xml", STR(GOOD)), OUTCOME_MISMATCH, "no Fault");
    check(state, answer_of(503, "text/html", STR("busy")), OUTCOME_STATUS, "503 Some Phrase");
    expect_set_fault(&f->expect, STR("Server"));
    check(state, answer_of(500, "text/xml", STR(FAULT)), OUTCOME_OK, "");
    expect_set_fault(&f->expect, STR("{" SOAP_11_NAMESPACE "}Server"));
    check(state, answer_of(500, "text/xml", STR(FAULT)), OUTCOME_OK, "");
    expect_set_fault(&f->expect, STR("{urn:x}Server"));
    check(state, answer_of(500, "text/xml", STR(FAULT)), OUTCOME_FAULT, "Order # of '...' failed");
    expect_set_fault(&f->expect, STR("Serve"));
    check(state, answer_of(500, "text/xml", STR(FAULT)), OUTCOME_FAULT, "Order # of '...' failed");
}

static void expected_fault_may_be_a_subcode(void **state)
{
    struct fixture *f = *state;
    static const char fault[] =
        "<s:Envelope xmlns:s='" SOAP_12_NAMESPACE "' xmlns:a='" WSA "'><s:Body><s:Fault><s:Code>"
        "<s:Value>s:Sender</s:Value><s:Subcode><s:Value>a:ActionNotSupported</s:Value><s:Subcode>"
        "<s:Value>7</s:Value></s:Subcode></s:Subcode></s:Code></s:Fault></s:Body></s:Envelope>";
    static const char *const codes[] = {"Sender", "ActionNotSupported", "7",
                                        "{" WSA "}ActionNotSupported",
                                        "{" SOAP_12_NAMESPACE "}Sender"};
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        expect_set_fault(&f->expect, str_from(codes[i]));
        check(state, answer_of(500, "", STR(fault)), OUTCOME_OK, "");
    }
    expect_set_fault(&f->expect, STR("Receiver"));
    check(state, answer_of(500, "", STR(fault)), OUTCOME_FAULT, "");
}

/* GOOD and FAULT as gzip would send them: stored blocks, so that no packing is needed here. */
static void append_gzip(struct buf *packed, struct str plain)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < plain.len; i++) {
        crc ^= (unsigned char)plain.data[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (0xEDB88320 & (0U - (crc & 1)));
        }
    }
    crc = ~crc;
    unsigned len = (unsigned)plain.len;
    const unsigned char head[] = {0x1F,
                                  0x8B,
                                  8,
                                  0,
                                  0,
                                  0,
                                  0,
                                  0,
                                  0,
                                  3,
                                  1,
                                  (unsigned char)len,
                                  (unsigned char)(len >> 8),
                                  (unsigned char)~len,
                                  (unsigned char)(~len >> 8)};
    buf_append(packed, head, sizeof(head));
    buf_append_str(packed, plain);
    for (int i = 0; i < 4; i++) {
        buf_append_byte(packed, (char)(crc >> (i * 8)));
    }
    for (int i = 0; i < 4; i++) {
        buf_append_byte(packed, (char)(len >> (i * 8)));
    }
}

/* B155, and a packed Fault is a Fault. */
static void b155_encoded_answers_are_decoded_or_break_the_protocol(void **state)
{
    struct buf packed;
    buf_init(&packed);
    append_gzip(&packed, STR(GOOD));
    struct answer answer = answer_of(200, "text/xml", buf_view(&packed));
    answer.content_encoding = STR("gzip");
    check(state, answer, OUTCOME_OK, "");
    answer.body = str_slice(answer.body, 0, packed.len - 5);
    check(state, answer, OUTCOME_PROTOCOL, "gzip: the data stops before its end");
    answer.status = 500;
    check(state, answer, OUTCOME_PROTOCOL, "gzip: the data stops before its end");
    answer.body = STR(GOOD);
    check(state, answer, OUTCOME_PROTOCOL, "gzip: incorrect header check");
    answer.content_encoding = STR("br");
    check(state, answer, OUTCOME_PROTOCOL, "unknown coding br");
    buf_reset(&packed);
    append_gzip(&packed, STR(FAULT));
    answer.content_encoding = STR("x-gzip");
    answer.body = buf_view(&packed);
    check(state, answer, OUTCOME_FAULT, "Order # of '...' failed");
    answer.body = STR("");
    answer.status = 200;
    check(state, answer, OUTCOME_NOT_SOAP, "empty answer");
    buf_deinit(&packed);
}

static void answers_beyond_the_ceiling_are_too_large(void **state)
{
    struct fixture *f = *state;
    f->expect.max_answer_bytes = sizeof(GOOD) - 1;
    check(state, answer_of(200, "text/xml", STR(GOOD)), OUTCOME_OK, "");
    f->expect.max_answer_bytes--;
    check(state, answer_of(200, "text/xml", STR(GOOD)), OUTCOME_TOO_LARGE,
          "the answer is larger than --max-answer");
    struct buf packed;
    buf_init(&packed);
    append_gzip(&packed, STR(GOOD));
    struct answer answer = answer_of(500, "text/xml", buf_view(&packed));
    answer.content_encoding = STR("gzip");
    check(state, answer, OUTCOME_TOO_LARGE, "the answer decodes to more than the ceiling");
    buf_deinit(&packed);
}

/* B100, B101 */
static void b100_b101_multipart_answers_are_unwrapped(void **state)
{
    struct fixture *f = *state;
    static const char type[] = "multipart/related; type=\"application/xop+xml\"; start=\"<0>\"; "
                               "boundary=\"b\"; start-info=\"application/soap+xml\"";
    static const char head[] =
        "--b\r\nContent-ID: <0>\r\nContent-Type: application/xop+xml\r\n\r\n";
    struct buf body;
    buf_init(&body);
    buf_append_str(&body, STR(head));
    buf_append_str(&body, STR(GOOD));
    buf_append_str(&body, STR("\r\n--b--\r\n"));
    check(state, answer_of(200, type, buf_view(&body)), OUTCOME_OK, "");
    assert_true(f->verdict.media_contradicts); /* start-info says 1.2 */
    check(state, answer_of(200, "", buf_view(&body)), OUTCOME_OK, "");
    check(state, answer_of(200, "multipart/related; boundary=c", buf_view(&body)), OUTCOME_NOT_SOAP,
          "multipart without parts");
    check(state, answer_of(200, type, str_slice(buf_view(&body), 0, body.len - 6)),
          OUTCOME_NOT_SOAP, "multipart without its last boundary");
    check(state, answer_of(500, type, str_slice(buf_view(&body), 0, body.len - 6)), OUTCOME_STATUS,
          "500 Some Phrase");
    buf_reset(&body);
    buf_append_str(&body, STR(head));
    buf_append_str(&body, STR(FAULT));
    buf_append_str(&body, STR("\r\n--b--\r\n"));
    check(state, answer_of(500, type, buf_view(&body)), OUTCOME_FAULT, "Order # of '...' failed");
    buf_deinit(&body);
}

static void type_of_the_other_version_is_told_beside_the_outcome(void **state)
{
    struct fixture *f = *state;
    check(state, answer_of(200, "application/soap+xml", STR(GOOD)), OUTCOME_OK, "");
    assert_true(f->verdict.media_contradicts);
    check(state, answer_of(200, "text/xml", STR(GOOD)), OUTCOME_OK, "");
    assert_false(f->verdict.media_contradicts);
}

static void windows_1252_is_read_without_help(void **state)
{
    static const char body[] = ENVELOPE(
        "<s:Fault><faultcode>s:Server</faultcode><faultstring>\x80 \x93x\x94 \xFC</faultstring>"
        "</s:Fault>");
    check(state, answer_of(500, "text/xml; charset=Windows-1252", STR(body)), OUTCOME_FAULT,
          "\xE2\x82\xAC '...' \xC3\xBC");
    check(state, answer_of(500, "text/xml; charset=cp1252", STR(body)), OUTCOME_FAULT,
          "\xE2\x82\xAC '...' \xC3\xBC");
}

/* The judge anew, with what was added to expect. */
static void renew(struct fixture *f)
{
    struct err err;
    judge_free(f->judge);
    if (!expect_freeze(&f->expect, &err)) {
        fail_msg("%s", err.text);
    }
    f->judge = judge_new(&f->expect);
}

static void expected_xpaths_must_be_true(void **state)
{
    struct fixture *f = *state;
    struct err err;
    assert_true(expect_add_xpath(&f->expect, STR("//x:r"), &err));
    assert_true(expect_add_xpath(&f->expect, STR("count(//x:r)=1"), &err));
    assert_true(expect_add_namespace(&f->expect, STR("x=urn:x"), &err));
    renew(f);
    check(state, answer_of(200, "text/xml", STR(GOOD)), OUTCOME_OK, "");
    check(state, answer_of(200, "text/xml", STR(ENVELOPE("<q/>"))), OUTCOME_MISMATCH,
          "XPath //x:r is not true");
    check(state, answer_of(200, "text/xml", STR(ENVELOPE("<r xmlns='urn:x'/><r xmlns='urn:x'/>"))),
          OUTCOME_MISMATCH, "XPath count(//x:r)=1 is not true");
    check(state, answer_of(200, "text/xml", STR(FAULT)), OUTCOME_FAULT, "Order # of '...' failed");
    check(state, answer_of(500, "text/xml", STR(GOOD)), OUTCOME_STATUS, "500 Some Phrase");
}

/* B096: found out at the first good answer, and said of each later one. */
static void b096_namespace_in_the_way_of_an_xpath_is_named(void **state)
{
    struct fixture *f = *state;
    struct err err;
    static const char advice[] = "XPath //r is not true; {urn:x}r is there: write p:r with --ns "
                                 "p=urn:x, or ~r for any namespace";
    assert_true(expect_add_xpath(&f->expect, STR("//r"), &err));
    renew(f);
    check(state, answer_of(200, "text/xml", STR(GOOD)), OUTCOME_MISMATCH, advice);
    check(state, answer_of(200, "text/xml", STR(GOOD)), OUTCOME_MISMATCH, advice);
}

static void wrong_xpaths_name_their_option(void **state)
{
    struct fixture *f = *state;
    struct err err;
    assert_true(expect_add_xpath(&f->expect, STR("//y:r"), &err));
    assert_false(expect_freeze(&f->expect, &err));
    assert_string_equal(err.text, "--expect-xpath: XPath //y:r: the prefix y is not declared: give "
                                  "it with --ns y=URI");
    assert_false(expect_add_xpath(&f->expect, STR("  "), &err));
}

/* B077 */
static void b077_texts_must_and_must_not_be_there(void **state)
{
    struct fixture *f = *state;
    struct err err;
    assert_true(expect_add_text(&f->expect, STR("\xC3\xBC>"), &err));
    assert_true(expect_add_rejected(&f->expect, STR("E35"), &err));
    renew(f);
    check(state, answer_of(200, "text/xml", STR(ENVELOPE("<\xC3\xBC>x</\xC3\xBC>"))), OUTCOME_OK,
          "");
    check(state, answer_of(200, "text/xml; charset=iso-8859-1", STR(ENVELOPE("<\xFC>x</\xFC>"))),
          OUTCOME_OK, "");
    check(state, answer_of(200, "text/xml", STR(GOOD)), OUTCOME_MISMATCH,
          "the text \"\xC3\xBC>\" is missing");
    check(state, answer_of(200, "text/xml", STR(ENVELOPE("<\xC3\xBC>E35</\xC3\xBC>"))),
          OUTCOME_MISMATCH, "the text \"E35\" is there");
    assert_false(expect_add_text(&f->expect, STR(""), &err));
}

static void the_check_that_refused_an_answer_is_named(void **state)
{
    struct fixture *f = *state;
    struct err err;
    assert_true(expect_add_text(&f->expect, STR("r"), &err));
    assert_true(expect_add_xpath(&f->expect, STR("~r"), &err));
    f->expect.max_time_ns = 10;
    f->expect.max_answer_bytes = 400;
    renew(f);
    static const struct {
        unsigned status;
        const char *type;
        const char *body;
        enum step step;
    } cases[] = {
        {200, "text/xml", GOOD, STEP_NONE},
        {404, "text/xml", GOOD, STEP_STATUS},
        {200, "text/html", GOOD, STEP_MEDIA_TYPE},
        {200, "text/xml", "", STEP_EMPTY},
        {200, "multipart/related; boundary=b", "no part", STEP_MULTIPART},
        {200, "text/xml; charset=ebcdic-9", GOOD, STEP_CHARSET},
        {200, "text/xml", "<!DOCTYPE a><a/>", STEP_DTD},
        {200, "text/xml", "<a></b>", STEP_XML},
        {200, "text/xml", "<a>", STEP_CUT_OFF},
        {200, "text/xml", "<a/>", STEP_ENVELOPE},
        {500, "text/xml", FAULT, STEP_FAULT},
        {200, "text/xml", ENVELOPE("<q/>"), STEP_XPATH},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer = answer_of(cases[i].status, cases[i].type, str_from(cases[i].body));
        judge_answer(f->judge, &answer, &f->verdict);
        assert_int_equal(f->verdict.step, cases[i].step);
    }
    struct answer answer = answer_of(200, "text/xml", STR(GOOD));
    answer.content_encoding = STR("gzip");
    judge_answer(f->judge, &answer, &f->verdict);
    assert_int_equal(f->verdict.step, STEP_DECODING);
    answer.content_encoding = STR("");
    answer.elapsed_ns = 11;
    judge_answer(f->judge, &answer, &f->verdict);
    assert_int_equal(f->verdict.step, STEP_TIME);
    f->expect.max_answer_bytes = sizeof(GOOD) - 2;
    judge_answer(f->judge, &answer, &f->verdict);
    assert_int_equal(f->verdict.step, STEP_SIZE);
}

static void slow_answers_are_a_mismatch(void **state)
{
    struct fixture *f = *state;
    f->expect.max_time_ns = 5000000;
    struct answer answer = answer_of(200, "text/xml", STR(GOOD));
    answer.elapsed_ns = 5000000;
    check(state, answer, OUTCOME_OK, "");
    assert_true(judge_is_last_good(f->judge, &answer));
    answer.elapsed_ns = 5000001;
    assert_false(judge_is_last_good(f->judge, &answer));
    check(state, answer, OUTCOME_MISMATCH, "slower than 5.0 ms");
    answer.body = STR(FAULT);
    check(state, answer, OUTCOME_FAULT, "Order # of '...' failed");
    struct judge_stream *stream = judge_stream_begin(f->judge, &answer);
    judge_stream_feed(stream, STR(GOOD));
    judge_stream_set_elapsed(stream, 1);
    judge_stream_end(stream, &f->verdict);
    assert_int_equal(f->verdict.outcome, OUTCOME_OK);
}

static void a_share_of_the_answers_is_judged(void **state)
{
    struct fixture *f = *state;
    struct err err;
    assert_true(expect_set_validate(&f->expect, STR("12.5%"), &err));
    struct answer fault = answer_of(200, "text/xml", STR(FAULT));
    unsigned judged = 0;
    unsigned judged_tenth = 0; /* of the answers 0, 10, 20...: no rhythm may hide */
    for (unsigned i = 0; i < 20000; i++) {
        judge_answer(f->judge, &fault, &f->verdict);
        assert_int_equal(f->verdict.outcome, f->verdict.judged ? OUTCOME_FAULT : OUTCOME_OK);
        judged += f->verdict.judged;
        judged_tenth += f->verdict.judged && i % 10 == 0;
    }
    assert_in_range(judged, 2350, 2650);
    assert_in_range(judged_tenth, 200, 300);
    struct answer status = answer_of(500, "text/xml", STR(GOOD));
    for (unsigned i = 0; i < 100; i++) {
        judge_answer(f->judge, &status, &f->verdict);
        assert_int_equal(f->verdict.outcome, OUTCOME_STATUS);
    }
}

static void validate_words_and_shares_are_read(void **state)
{
    struct fixture *f = *state;
    struct err err;
    static const struct {
        const char *text;
        enum validate validate;
        uint32_t share;
    } good[] = {
        {"off", VALIDATE_OFF, 10000}, {"full", VALIDATE_FULL, 10000}, {"10%", VALIDATE_SOAP, 1000},
        {"0.01%", VALIDATE_SOAP, 1},  {"100%", VALIDATE_SOAP, 10000}, {"2.5%", VALIDATE_SOAP, 250},
    };
    static const char *const wrong[] = {"0%",     "101%", "100.01%", "%",     "-1%",
                                        "1.234%", ".%",   "x%",      "0.00%", "1.%"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_true(expect_set_validate(&f->expect, str_from(good[i].text), &err));
        assert_int_equal(f->expect.validate, good[i].validate);
        assert_int_equal(f->expect.judged_share, good[i].share);
    }
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_false(expect_set_validate(&f->expect, str_from(wrong[i]), &err));
        assert_int_equal(err.code, ERR_USAGE);
    }
}

static void full_validation_compares_the_action(void **state)
{
    struct fixture *f = *state;
    static const char answer[] = "<s:Envelope xmlns:s='" SOAP_12_NAMESPACE "' xmlns:a='" WSA
                                 "'><s:Header><a:Action>urn:other</a:Action></s:Header><s:Body/>"
                                 "</s:Envelope>";
    f->expect.action = str_dup(STR("urn:do"));
    check(state, answer_of(200, "", STR(answer)), OUTCOME_OK, "");
    f->expect.validate = VALIDATE_FULL;
    check(state, answer_of(200, "", STR(answer)), OUTCOME_MISMATCH, "wsa:Action is urn:other");
    check(state, answer_of(200, "", STR(GOOD)), OUTCOME_OK, "");
}

/* B078 */
static void b078_distinct_bodies_are_counted_apart_from_refreshed_ids(void **state)
{
    struct fixture *f = *state;
    assert_null(judge_bodies(f->judge));
    f->expect.counts_bodies = true;
    renew(f);
    char id[] = "urn:uuid:0";
    for (int i = 0; i < 10; i++) {
        id[9] = (char)('0' + i);
        struct buf body;
        buf_init(&body);
        buf_printf(&body, RELATED("%s"), id);
        check(state, related_answer(body.data, id), OUTCOME_OK, "");
        struct answer again = related_answer(body.data, id);
        assert_false(judge_is_last_good(f->judge, &again));
        buf_deinit(&body);
    }
    check(state, answer_of(200, "text/html", STR("<p>")), OUTCOME_NOT_SOAP, "media type text/html");
    check(state, answer_of(200, "text/html", STR("<q>")), OUTCOME_NOT_SOAP, "media type text/html");
    const struct bodies *bodies = judge_bodies(f->judge);
    assert_int_equal(bodies_distinct(bodies), 3);
    assert_int_equal(bodies_at(bodies, 0).count, 20);
    assert_int_equal(bodies_at(bodies, 2).count, 2);
    assert_true(str_equals(bodies_at(bodies, 2).sample, STR("<q>")));
}

int main(void)
{
    judge_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_printed_about_bytes_that_do_not_convert,
                                        make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(good_answers_are_ok, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(b004_types_are_read_liberally, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(b071_b072_fault_wins_whatever_the_status, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(b073_error_status_without_a_fault_is_a_status, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(b006_reason_phrase_of_a_415_is_kept, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(reason_of_a_redirect_names_its_location_without_the_query,
                                        make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(b080_b081_empty_answer_to_a_two_way_call_is_no_soap,
                                        make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(
            b082_b083_b084_one_way_calls_take_empty_answers_and_envelopes, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(answers_that_cannot_be_soap_are_named_by_type, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(flaws_of_the_envelope_are_no_soap, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(b156_doctype_is_no_soap, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(depth_bomb_is_too_large_whatever_the_status, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(b037_truncated_answer_is_told_from_a_broken_one, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(b092_contradicting_charsets_are_told_beside_the_outcome,
                                        make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(with_validation_off_only_the_status_counts, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(expected_statuses_are_the_users, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(last_good_answer_is_known_byte_for_byte, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(failures_are_never_the_last_good, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(streams_side_by_side_do_not_mix, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(relation_to_the_request_is_checked, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(last_good_answer_is_known_with_another_id, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(last_good_answer_is_known_with_other_texts, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(other_texts_are_judged_where_texts_are_asked_for,
                                        make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(other_texts_are_judged_where_an_expression_asks_for_them,
                                        make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(other_texts_of_a_large_answer_are_judged, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(ids_elsewhere_in_the_body_are_no_relation, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(each_message_has_a_last_good_answer_of_its_own, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(expected_fault_is_good_and_its_absence_is_not, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(expected_fault_may_be_a_subcode, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(b155_encoded_answers_are_decoded_or_break_the_protocol,
                                        make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(answers_beyond_the_ceiling_are_too_large, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(b100_b101_multipart_answers_are_unwrapped, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(type_of_the_other_version_is_told_beside_the_outcome,
                                        make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(windows_1252_is_read_without_help, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(expected_xpaths_must_be_true, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(b096_namespace_in_the_way_of_an_xpath_is_named, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(wrong_xpaths_name_their_option, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(b077_texts_must_and_must_not_be_there, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(the_check_that_refused_an_answer_is_named, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(slow_answers_are_a_mismatch, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(a_share_of_the_answers_is_judged, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(validate_words_and_shares_are_read, make_judge, drop_judge),
        cmocka_unit_test_setup_teardown(full_validation_compares_the_action, make_judge,
                                        drop_judge),
        cmocka_unit_test_setup_teardown(b078_distinct_bodies_are_counted_apart_from_refreshed_ids,
                                        make_judge, drop_judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
