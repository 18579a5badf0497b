/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever way an answer was saved, its status, its fields and its body are found as on the wire.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/net/cause.h"
#include "lather/net/saved_answer.h"

static void assert_str(struct str actual, const char *expected)
{
    assert_int_equal(actual.len, strlen(expected));
    assert_memory_equal(actual.data, expected, actual.len);
}

static void read_text(struct saved_answer *saved, const char *text)
{
    saved_answer_init(saved);
    saved_answer_read(saved, str_from(text));
}

struct expected {
    enum saved_form form;
    enum transport_end end;
    uint16_t status;
    const char *content_type;
    const char *body;
};

static void assert_reads(const char *text, const struct expected *expected)
{
    struct saved_answer saved;
    read_text(&saved, text);
    struct answer answer = exchange_answer(&saved.exchange);
    assert_int_equal(saved.form, expected->form);
    assert_int_equal(saved.exchange.end, expected->end);
    assert_int_equal(answer.status, expected->status);
    assert_str(answer.content_type, expected->content_type);
    assert_str(answer.body, expected->body);
    saved_answer_deinit(&saved);
}

static void an_answer_with_its_head_is_read_as_from_the_wire(void **state)
{
    (void)state;
    const struct expected whole = {SAVED_FORM_HTTP, TRANSPORT_END_ANSWERED, 500, "text/xml",
                                   "<fault/>"};
    assert_reads("HTTP/1.1 500 Oops\r\nContent-Type: text/xml\r\nContent-Length: 8\r\n\r\n<fault/>",
                 &whole);
    assert_reads("HTTP/1.1 500 Oops\nContent-Type: text/xml\n\n<fault/>", &whole);
    assert_reads("\xEF\xBB\xBFHTTP/1.0 500\r\nContent-Type: text/xml\r\n\r\n<fault/>", &whole);
    assert_reads("\r\n\r\nHTTP/1.1 500 Oops\r\nContent-Type: text/xml\r\n\r\n<fault/>", &whole);
    assert_reads("HTTP/1.1 500 Oops\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "3\r\n<fa\r\n5;x=y\r\nult/>\r\n0\r\nTrailer: t\r\n\r\n",
                 &whole);
    assert_reads("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
                 "HTTP/1.1 500 Oops\r\nContent-Type: text/xml\r\nContent-Length: 8\r\n\r\n<fault/>",
                 &whole);
}

static void an_answer_without_a_body_is_whole_with_its_head(void **state)
{
    (void)state;
    assert_reads("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
                 &(struct expected){SAVED_FORM_HTTP, TRANSPORT_END_ANSWERED, 202, "", ""});
    assert_reads("HTTP/1.1 204 No Content\r\n\r\n",
                 &(struct expected){SAVED_FORM_HTTP, TRANSPORT_END_ANSWERED, 204, "", ""});
    assert_reads("HTTP/1.1 200 OK\r\n\r\n",
                 &(struct expected){SAVED_FORM_HTTP, TRANSPORT_END_ANSWERED, 200, "", ""});
}

/* curl -i and many recorders write so. */
static void chunks_that_were_joined_when_it_was_saved_are_no_error(void **state)
{
    (void)state;
    const struct expected whole = {SAVED_FORM_HTTP, TRANSPORT_END_ANSWERED, 200, "text/xml",
                                   "<?xml version='1.0'?><a/>"};
    assert_reads("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "<?xml version='1.0'?><a/>",
                 &whole);
    const struct expected fields = {SAVED_FORM_FIELDS, TRANSPORT_END_ANSWERED, 200, "text/xml",
                                    "\r\n--b\r\n"};
    assert_reads("Server: x\nTransfer-Encoding: chunked\nContent-Type: text/xml\n\n\r\n--b\r\n",
                 &fields);
}

static void fields_without_a_status_line_are_a_200(void **state)
{
    (void)state;
    const struct expected whole = {SAVED_FORM_FIELDS, TRANSPORT_END_ANSWERED, 200,
                                   "text/xml; charset=utf-8", "<a/>"};
    assert_reads("Date: today\r\nContent-Type: text/xml; charset=utf-8\r\n\r\n<a/>", &whole);
    assert_reads("Content-Type: text/xml; charset=utf-8\n\n<a/>", &whole);
}

static void what_has_no_head_is_a_body(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "<?xml version=\"1.0\"?>\n<a>\n\n</a>",
        "\xEF\xBB\xBF<a/>",
        "",
        "\r\n <a/>",
        "--uuid:6b1b+id=1\r\nContent-Type: text/xml\r\n\r\n<a/>\r\n--uuid:6b1b+id=1--\r\n",
        "Error: no database",
        "Error: no database\nat line 3\n\n",
        "Sorry, try again\n\nlater: maybe",
        "{\"error\": true}",
        "POST is not allowed",
        "\0\0",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        assert_reads(bodies[i], &(struct expected){SAVED_FORM_BODY, TRANSPORT_END_ANSWERED, 200, "",
                                                   bodies[i]});
    }
}

static void a_request_is_no_answer(void **state)
{
    (void)state;
    struct saved_answer saved;
    read_text(&saved, "POST /OrderService.svc HTTP/1.1\r\nHost: h\r\n\r\n<a/>");
    assert_int_equal(saved.form, SAVED_FORM_REQUEST);
    saved_answer_deinit(&saved);
}

static void the_body_of_a_message_is_behind_its_head(void **state)
{
    (void)state;
    assert_str(saved_answer_body(STR("POST /a HTTP/1.1\r\nHost: h\r\n\r\n<a/>")), "<a/>");
    assert_str(saved_answer_body(STR("Content-Type: text/xml\n\n<a/>")), "<a/>");
    assert_str(saved_answer_body(STR("HTTP/1.1 200 OK\r\n\r\n<a/>")), "<a/>");
    assert_str(saved_answer_body(STR("<a>\n\n</a>")), "<a>\n\n</a>");
    assert_str(saved_answer_body(STR("POST /a HTTP/1.1\r\nHost: h")), "");
}

static void assert_cause(const char *text, enum outcome outcome, const char *reason)
{
    char cause[CAUSE_TEXT_SIZE];
    struct saved_answer saved;
    read_text(&saved, text);
    assert_int_equal(cause_outcome(saved.exchange.end, saved.exchange.error), outcome);
    assert_non_null(strstr(cause_format(&saved.exchange, cause), reason));
    saved_answer_deinit(&saved);
}

static void what_is_not_whole_ends_as_on_the_wire(void **state)
{
    (void)state;
    assert_cause("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<a/>", OUTCOME_RECEIVE,
                 "closed after 4 of 9 body bytes");
    assert_cause("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<a/>\r\n",
                 OUTCOME_RECEIVE, "closed before the end of a chunked body");
    assert_cause("HTTP/1.1 200 OK\r\nContent-Le", OUTCOME_RECEIVE,
                 "closed before the answer's body");
    assert_cause("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n<a/>",
                 OUTCOME_PROTOCOL, "Content-Length");
    assert_cause("HTTP/x\r\n\r\n", OUTCOME_PROTOCOL, "");
    assert_cause("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfx\r\n", OUTCOME_PROTOCOL,
                 "chunk");
}

static void bytes_behind_the_end_are_counted_and_blanks_are_not(void **state)
{
    (void)state;
    struct saved_answer saved;
    read_text(&saved, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<a/>\r\n");
    assert_int_equal(saved.behind, 0);
    saved_answer_read(&saved, STR("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<a/>\n<more/>\n"));
    assert_int_equal(saved.behind, 7);
    saved_answer_deinit(&saved);
}

/* Each cut in memory of its own size, so that a sanitizer sees any step beyond it. */
static void a_file_that_ends_anywhere_is_read_within_its_bounds(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
         "2\r\n<a\r\n2\r\n/>\r\n0\r\n\r\nmore"),
        "Content-Type: text/xml\r\n folded\r\n\r\n<a/>",
        "POST /a HTTP/1.1\r\n\r\n<a/>",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t len = 0; len <= strlen(texts[i]); len++) {
            char *copy = malloc(len > 0 ? len : 1);
            assert_non_null(copy);
            memcpy(copy, texts[i], len);
            struct saved_answer saved;
            saved_answer_init(&saved);
            saved_answer_read(&saved, str_of(copy, len));
            assert_true(saved.exchange.body.len <= len);
            assert_true(saved_answer_body(str_of(copy, len)).len <= len);
            saved_answer_deinit(&saved);
            free(copy);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_with_its_head_is_read_as_from_the_wire),
        cmocka_unit_test(an_answer_without_a_body_is_whole_with_its_head),
        cmocka_unit_test(chunks_that_were_joined_when_it_was_saved_are_no_error),
        cmocka_unit_test(fields_without_a_status_line_are_a_200),
        cmocka_unit_test(what_has_no_head_is_a_body),
        cmocka_unit_test(a_request_is_no_answer),
        cmocka_unit_test(the_body_of_a_message_is_behind_its_head),
        cmocka_unit_test(what_is_not_whole_ends_as_on_the_wire),
        cmocka_unit_test(bytes_behind_the_end_are_counted_and_blanks_are_not),
        cmocka_unit_test(a_file_that_ends_anywhere_is_read_within_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
