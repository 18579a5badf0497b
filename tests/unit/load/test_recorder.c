/* SPDX-License-Identifier: Apache-2.0 */
/* Every exchange that ends is counted once, with the verdict its answer deserves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exchange_fixture.h"
#include "lather/base/clock.h"
#include "lather/load/recorder.h"
#include "lather/soap/bodies.h"

#define ENVELOPE(header, body)                                                                     \
    "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope' "                               \
    "xmlns:a='http://www.w3.org/2005/08/addressing'><s:Header>" header "</s:Header>"               \
    "<s:Body>" body "</s:Body></s:Envelope>"
#define ANSWER(status, body)                                                                       \
    "HTTP/1.1 " status "\r\nServer: test/1 more\r\nContent-Type: "                                 \
    "application/soap+xml\r\n\r\n" body
#define RELATED(id) ANSWER("200 OK", ENVELOPE("<a:RelatesTo>" id "</a:RelatesTo>", "<r/>"))
#define FAULT                                                                                      \
    ENVELOPE("", "<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason>"                 \
                 "<s:Text xml:lang='en'>Order 17</s:Text></s:Reason></s:Fault>")

enum { PLACES = 8 };

struct fixture {
    struct plan *plan;
    struct recorder *recorder;
    atomic_uint_least64_t document_bytes;
    struct exchange_fixture exchanges[PLACES];
    struct recorder_place places[PLACES];
    size_t count;
};

static struct fixture fixture;

static int make_recorder(void **state)
{
    fixture = (struct fixture){.plan = plan_new()};
    const struct plan_request request = {.url = STR("http://host/"), .has_validate = true};
    struct buf notes;
    struct err err;
    buf_init(&notes);
    assert_true(plan_add_message(fixture.plan, &request, &notes, &err));
    fixture.plan->expect.validate = VALIDATE_SOAP;
    buf_deinit(&notes);
    *state = &fixture;
    return 0;
}

static int drop_recorder(void **state)
{
    struct fixture *f = *state;
    for (size_t i = 0; i < f->count; i++) {
        exchange_fixture_deinit(&f->exchanges[i]);
    }
    recorder_free(f->recorder);
    plan_free(f->plan);
    return 0;
}

/* Once the plan is as the test wants it. */
static void begin(struct fixture *f)
{
    struct err err;
    assert_true(expect_freeze(&f->plan->expect, &err));
    atomic_store(&f->document_bytes, UINT64_MAX);
    f->recorder = recorder_new(f->plan, &f->document_bytes, NULL);
    tally_begin(recorder_tally(f->recorder), 0);
    recorder_start(f->recorder, 0);
}

static struct exchange *take(struct fixture *f, struct str answer, enum transport_end end,
                             const char *message_id)
{
    assert_true(f->count < PLACES);
    struct exchange_fixture *made = &f->exchanges[f->count];
    exchange_fixture_init(
        made, &(struct exchange_setting){"POST /a HTTP/1.1\r\n\r\n", answer, end, 2 * NS_PER_MS});
    made->exchange.message_id = str_from(message_id);
    recorder_tally(f->recorder)->started++;
    recorder_take(f->recorder, &f->places[f->count], &made->exchange);
    f->count++;
    return &made->exchange;
}

static void take_answer(struct fixture *f, const char *answer, const char *message_id)
{
    (void)take(f, str_from(answer), TRANSPORT_END_ANSWERED, message_id);
}

/* Judges what waits, and then the books balance. */
static const struct tally *settle(struct fixture *f)
{
    struct err err;
    while (recorder_has_unjudged(f->recorder)) {
        recorder_judge_one(f->recorder);
    }
    const struct tally *tally = recorder_tally(f->recorder);
    if (!tally_check(tally, &err)) {
        fail_msg("%s", err.text);
    }
    return tally;
}

static void answers_wait_for_their_verdict_in_order(void **state)
{
    struct fixture *f = *state;
    begin(f);
    take_answer(f, ANSWER("500 Oops", FAULT), NULL);
    take_answer(f, ANSWER("200 OK", ENVELOPE("", "<r/>")), NULL);
    assert_true(recorder_has_unjudged(f->recorder));
    assert_int_equal(recorder_tally(f->recorder)->finished, 0);
    recorder_judge_one(f->recorder);
    assert_int_equal(recorder_tally(f->recorder)->outcomes[OUTCOME_FAULT], 1);
    const struct tally *tally = settle(f);
    assert_int_equal(tally->outcomes[OUTCOME_OK], 1);
    assert_int_equal(tally->judged, 2);
    assert_int_equal(tally->steps[STEP_FAULT], 1);
    const struct group_key *key = &groups_at(tally->failures, 0)->key;
    assert_int_equal(key->status, 500);
    assert_true(str_equals(key->reason, STR("Order #")));
    assert_true(str_equals(key->code, STR("{http://www.w3.org/2003/05/soap-envelope}Sender")));
}

static void a_place_taken_again_is_judged_first(void **state)
{
    struct fixture *f = *state;
    begin(f);
    take_answer(f, ANSWER("200 OK", ENVELOPE("", "<r/>")), NULL);
    struct exchange *second = &f->exchanges[1].exchange;
    exchange_fixture_init(&f->exchanges[1],
                          &(struct exchange_setting){"POST /a HTTP/1.1\r\n\r\n",
                                                     STR(ANSWER("500 Oops", FAULT)),
                                                     TRANSPORT_END_ANSWERED, NS_PER_MS});
    f->count = 2;
    recorder_tally(f->recorder)->started++;
    recorder_take(f->recorder, &f->places[0], second);
    assert_int_equal(recorder_tally(f->recorder)->outcomes[OUTCOME_OK], 1);
    assert_int_equal(settle(f)->outcomes[OUTCOME_FAULT], 1);
}

/* The like of the last good answer needs no wait; another id in RelatesTo is found all the same. */
static void answers_to_other_requests_are_found_among_equal_ones(void **state)
{
    struct fixture *f = *state;
    begin(f);
    take_answer(f, RELATED("urn:uuid:1"), "urn:uuid:1");
    (void)settle(f);
    take_answer(f, RELATED("urn:uuid:2"), "urn:uuid:2");
    assert_false(recorder_has_unjudged(f->recorder));
    take_answer(f, RELATED("urn:uuid:2"), "urn:uuid:3");
    take_answer(f, RELATED("urn:uuid:4"), "urn:uuid:4");
    take_answer(f, ANSWER("200 OK", ENVELOPE("", "<r/>")), "urn:uuid:5");
    const struct tally *tally = settle(f);
    assert_int_equal(tally->outcomes[OUTCOME_OK], 4);
    assert_int_equal(tally->outcomes[OUTCOME_MISMATCH], 1);
    assert_int_equal(tally->steps[STEP_RELATES_TO], 1);
    assert_int_equal(tally->relates_absent, 1);
}

static void failures_of_the_wire_are_counted_at_once(void **state)
{
    struct fixture *f = *state;
    begin(f);
    (void)take(f, STR(""), TRANSPORT_END_TIMEOUT, NULL);
    (void)take(f, STR("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<a"), TRANSPORT_END_RECEIVE,
               NULL);
    (void)take(f, STR("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<a"), TRANSPORT_END_TOO_LARGE,
               NULL);
    (void)take(f, STR(""), TRANSPORT_END_CUT, NULL);
    assert_false(recorder_has_unjudged(f->recorder));
    const struct tally *tally = settle(f);
    assert_int_equal(tally->outcomes[OUTCOME_TIMEOUT], 1);
    assert_int_equal(tally->outcomes[OUTCOME_RECEIVE], 1);
    assert_int_equal(tally->outcomes[OUTCOME_TOO_LARGE], 1);
    assert_int_equal(tally->outcomes[OUTCOME_CUT], 1);
    assert_int_equal(tally_answers(tally), 0);
    assert_int_equal(tally->judged, 0);
}

static void a_large_answer_is_judged_in_pieces(void **state)
{
    struct fixture *f = *state;
    begin(f);
    static const char body[] = ENVELOPE("", "<r/>");
    for (int whole = 0; whole < 2; whole++) {
        struct exchange_fixture *made = &f->exchanges[f->count++];
        exchange_fixture_init(
            made, &(struct exchange_setting){
                      "POST /a HTTP/1.1\r\n\r\n",
                      STR("HTTP/1.1 200 OK\r\nContent-Type: application/soap+xml\r\n\r\n"),
                      whole ? TRANSPORT_END_ANSWERED : TRANSPORT_END_RECEIVE, NS_PER_MS});
        recorder_tally(f->recorder)->started++;
        recorder_stream(f->recorder, &made->exchange, str_of(body, 30));
        if (whole) {
            recorder_stream(f->recorder, &made->exchange, str_slice(str_from(body), 30, SIZE_MAX));
        }
        recorder_take(f->recorder, &f->places[f->count - 1], &made->exchange);
        assert_null(made->exchange.stream);
    }
    const struct tally *tally = settle(f);
    assert_int_equal(tally->outcomes[OUTCOME_RECEIVE], 1);
    assert_int_equal(tally->outcomes[OUTCOME_OK], 1);
}

static void same_length_is_held_against_the_first_good_answer(void **state)
{
    struct fixture *f = *state;
    f->plan->same_length = true;
    begin(f);
    take_answer(f, ANSWER("500 Oops", FAULT), NULL); /* sets no length */
    take_answer(f, ANSWER("200 OK", ENVELOPE("", "<r/>")), NULL);
    take_answer(f, ANSWER("200 OK", ENVELOPE("", "<rr/>")), NULL);
    const struct tally *tally = settle(f);
    assert_int_equal(tally->outcomes[OUTCOME_OK], 1);
    assert_int_equal(tally->outcomes[OUTCOME_MISMATCH], 1);
    assert_int_equal(tally->length_mismatches, 1);
    assert_int_equal(tally->steps[STEP_LENGTH], 1);
}

static void the_time_of_the_request_is_held_against_the_limit(void **state)
{
    struct fixture *f = *state;
    f->plan->expect.max_time_ns = NS_PER_MS;
    begin(f);
    take_answer(f, ANSWER("200 OK", ENVELOPE("", "<r/>")), NULL);
    const struct tally *tally = settle(f);
    assert_int_equal(tally->steps[STEP_TIME], 1);
    assert_true(str_equals(groups_at(tally->failures, 0)->key.reason, STR("slower than 1.0 ms")));
}

static void a_hint_of_the_wire_stands_behind_the_reason(void **state)
{
    struct fixture *f = *state;
    begin(f);
    struct exchange_fixture *made = &f->exchanges[f->count++];
    exchange_fixture_init(made, &(struct exchange_setting){"POST /a HTTP/1.1\r\n\r\n",
                                                           STR("HTTP/1.1 400 Bad\r\n\r\n"),
                                                           TRANSPORT_END_ANSWERED, NS_PER_MS});
    made->exchange.hint = "use https://";
    recorder_tally(f->recorder)->started++;
    recorder_take(f->recorder, &f->places[0], &made->exchange);
    assert_true(
        str_equals(groups_at(settle(f)->failures, 0)->key.reason, STR("400 Bad: use https://")));
}

static void without_validation_answers_are_counted_by_status_at_once(void **state)
{
    struct fixture *f = *state;
    f->plan->expect.validate = VALIDATE_OFF;
    begin(f);
    assert_false(recorder_wants_body(f->recorder));
    take_answer(f, ANSWER("200 OK", FAULT), NULL);
    take_answer(f, ANSWER("500 Oops", FAULT), NULL);
    assert_false(recorder_has_unjudged(f->recorder));
    const struct tally *tally = settle(f);
    assert_int_equal(tally->outcomes[OUTCOME_OK], 1);
    assert_int_equal(tally->outcomes[OUTCOME_STATUS], 1);
    assert_int_equal(tally->judged, 0);
}

/* B078: refreshed ids apart. */
static void b078_different_bodies_are_counted(void **state)
{
    struct fixture *f = *state;
    f->plan->expect.counts_bodies = true;
    begin(f);
    take_answer(f, RELATED("urn:uuid:1"), "urn:uuid:1");
    take_answer(f, RELATED("urn:uuid:2"), "urn:uuid:2");
    take_answer(f, ANSWER("200 OK", ENVELOPE("", "<r/>")), "urn:uuid:3");
    (void)settle(f);
    struct bodies *all = bodies_new();
    recorder_add_bodies(f->recorder, all);
    assert_int_equal(bodies_distinct(all), 2);
    bodies_free(all);
}

static void the_first_answer_names_the_server(void **state)
{
    struct fixture *f = *state;
    begin(f);
    assert_false(recorder_first(f->recorder)->answered);
    take_answer(f, ANSWER("500 Oops", "<a/>"), NULL);
    take_answer(f, "HTTP/1.1 200 OK\r\nServer: other\r\n\r\n", NULL);
    (void)settle(f);
    assert_string_equal(recorder_first(f->recorder)->server_software, "test/1");
    assert_int_equal(recorder_first(f->recorder)->body_bytes, 4);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_recorder, drop_recorder)

int main(void)
{
    judge_setup();
    const struct CMUnitTest tests[] = {
        TEST(answers_wait_for_their_verdict_in_order),
        TEST(a_place_taken_again_is_judged_first),
        TEST(answers_to_other_requests_are_found_among_equal_ones),
        TEST(failures_of_the_wire_are_counted_at_once),
        TEST(a_large_answer_is_judged_in_pieces),
        TEST(same_length_is_held_against_the_first_good_answer),
        TEST(the_time_of_the_request_is_held_against_the_limit),
        TEST(a_hint_of_the_wire_stands_behind_the_reason),
        TEST(without_validation_answers_are_counted_by_status_at_once),
        TEST(b078_different_bodies_are_counted),
        TEST(the_first_answer_names_the_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
