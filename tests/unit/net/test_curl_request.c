/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request's bytes become what libcurl writes the same fields from: nothing is added, nothing is
 * lost, and frozen bytes are read once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/net/curl_request.h"

static bool has_line(const struct curl_request *request, const char *line)
{
    for (const struct curl_slist *at = request->lines; at != NULL; at = at->next) {
        if (strcmp(at->data, line) == 0) {
            return true;
        }
    }
    return false;
}

static enum curl_request_state read_text(struct curl_request *request, const char *text)
{
    const struct str piece = str_from(text);
    const struct exchange exchange = {.pieces = &piece, .piece_count = 1, .is_constant = true};
    return curl_request_read(request, &exchange);
}

#define POST                                                                                       \
    "POST /Order.svc?a=%20b HTTP/1.1\r\nConnection: Keep-Alive\r\nContent-length: 4\r\n"           \
    "Content-type: text/xml\r\nSOAPAction: \"urn:a\"\r\nX-Empty:\r\nHost: h:8080\r\n"              \
    "User-Agent: lather/1\r\nAccept: */*\r\n\r\n"

static void a_post_is_taken_apart(void **state)
{
    (void)state;
    struct curl_request request;
    curl_request_init(&request);
    assert_int_equal(read_text(&request, POST "<a/>"), CURL_REQUEST_NEW);
    assert_string_equal(request.method, "POST");
    assert_string_equal(request.target, "/Order.svc?a=%20b");
    assert_true(request.has_length);
    assert_true(str_equals(request.body, STR("<a/>")));
    assert_true(has_line(&request, "Connection: Keep-Alive"));
    assert_true(has_line(&request, "SOAPAction: \"urn:a\""));
    assert_true(has_line(&request, "Host: h:8080"));
    /* a field without value is named with a semicolon; the length is libcurl's to write */
    assert_true(has_line(&request, "X-Empty;"));
    assert_false(has_line(&request, "Content-length: 4"));
    /* B063, B066: what it would add of itself is held back */
    assert_true(has_line(&request, "Expect:"));
    assert_true(has_line(&request, "Proxy-Connection:"));
    assert_false(has_line(&request, "Accept:"));
    curl_request_deinit(&request);
}

static void fields_that_are_missing_are_not_added(void **state)
{
    (void)state;
    struct curl_request request;
    curl_request_init(&request);
    assert_int_equal(read_text(&request, "GET / HTTP/1.1\r\nHost: h\r\n\r\n"), CURL_REQUEST_NEW);
    assert_false(request.has_length);
    assert_int_equal(request.body.len, 0);
    assert_true(has_line(&request, "Accept:"));
    assert_true(has_line(&request, "User-Agent:"));
    assert_true(has_line(&request, "Content-Type:"));
    assert_false(has_line(&request, "Host:"));
    curl_request_deinit(&request);
}

static void a_length_that_is_not_the_bodys_is_sent_as_it_is(void **state)
{
    (void)state;
    struct curl_request request;
    curl_request_init(&request);
    assert_int_equal(
        read_text(&request, "POST / HTTP/1.1\r\nContent-Length: 99\r\nHost: h\r\n\r\n<a/>"),
        CURL_REQUEST_NEW);
    assert_true(has_line(&request, "Content-Length: 99"));
    curl_request_deinit(&request);
}

static void an_empty_body_keeps_its_length(void **state)
{
    (void)state;
    struct curl_request request;
    curl_request_init(&request);
    assert_int_equal(read_text(&request, "POST / HTTP/1.1\r\nContent-Length: 0\r\nHost: h\r\n\r\n"),
                     CURL_REQUEST_NEW);
    assert_true(request.has_length);
    assert_int_equal(request.body.len, 0);
    curl_request_deinit(&request);
}

static void frozen_bytes_are_read_once(void **state)
{
    (void)state;
    struct curl_request request;
    curl_request_init(&request);
    const char *text = POST "<a/>";
    assert_int_equal(read_text(&request, text), CURL_REQUEST_NEW);
    assert_int_equal(read_text(&request, text), CURL_REQUEST_SAME);
    assert_int_equal(read_text(&request, POST "<bb>"), CURL_REQUEST_BODY);
    assert_true(str_equals(request.body, STR("<bb>")));
    curl_request_deinit(&request);
}

/* Messages with ids of their own: the head stays, and its lines with it. */
static void a_head_is_read_again_when_it_or_the_length_changed(void **state)
{
    (void)state;
#define PUT "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n"
    struct curl_request request;
    curl_request_init(&request);
    assert_int_equal(read_text(&request, PUT "<a/>"), CURL_REQUEST_NEW);
    const struct curl_slist *lines = request.lines;
    assert_int_equal(read_text(&request, PUT "<b/>"), CURL_REQUEST_BODY);
    assert_true(str_equals(request.body, STR("<b/>")));
    assert_string_equal(request.method, "PUT");
    assert_ptr_equal(request.lines, lines);
    /* the length is no longer the body's, and so it is a line */
    assert_int_equal(read_text(&request, PUT "<bb/>"), CURL_REQUEST_NEW);
    assert_true(has_line(&request, "Content-Length: 4"));
    assert_int_equal(read_text(&request, POST "<bb/>"), CURL_REQUEST_NEW);
    assert_string_equal(request.method, "POST");
    assert_false(has_line(&request, "Host: h"));
    assert_int_equal(read_text(&request, "none\r\n\r\n"), CURL_REQUEST_BAD);
    assert_int_equal(read_text(&request, POST "<bb/>"), CURL_REQUEST_NEW);
    assert_true(has_line(&request, "Host: h:8080"));
    curl_request_deinit(&request);
}

static void pieces_may_be_cut_anywhere(void **state)
{
    (void)state;
    const char *whole = POST "<a/>";
    const size_t len = strlen(whole);
    struct curl_request request;
    curl_request_init(&request);
    for (size_t cut = 0; cut <= len; cut++) {
        for (size_t second = cut; second <= len; second += 7) {
            const struct str pieces[3] = {str_of(whole, cut), str_of(whole + cut, second - cut),
                                          str_of(whole + second, len - second)};
            const struct exchange exchange = {.pieces = pieces, .piece_count = 3};
            assert_int_equal(curl_request_read(&request, &exchange),
                             cut + second == 0 ? CURL_REQUEST_NEW : CURL_REQUEST_BODY);
            assert_true(str_equals(request.body, STR("<a/>")));
            assert_true(has_line(&request, "Host: h:8080"));
        }
    }
    curl_request_deinit(&request);
}

/* A large message is not copied for each connection. */
static void a_body_in_a_piece_of_its_own_stays_where_it_is(void **state)
{
    (void)state;
    const struct str pieces[2] = {STR(POST), STR("<a/>")};
    const struct exchange exchange = {.pieces = pieces, .piece_count = 2};
    struct curl_request request;
    curl_request_init(&request);
    assert_int_equal(curl_request_read(&request, &exchange), CURL_REQUEST_NEW);
    assert_ptr_equal(request.body.data, pieces[1].data);
    /* what may have changed is looked at again */
    assert_int_equal(curl_request_read(&request, &exchange), CURL_REQUEST_BODY);
    assert_ptr_equal(request.body.data, pieces[1].data);
    curl_request_deinit(&request);
}

/* As the plan writes a message without slots: head and body in one piece. */
static void a_body_behind_its_head_stays_where_it_is(void **state)
{
    (void)state;
    const struct str piece = STR(POST "<a/>");
    const struct exchange exchange = {.pieces = &piece, .piece_count = 1};
    struct curl_request request;
    curl_request_init(&request);
    assert_int_equal(curl_request_read(&request, &exchange), CURL_REQUEST_NEW);
    assert_ptr_equal(request.body.data, piece.data + piece.len - 4);
    assert_false(request.is_in_pieces);
    curl_request_deinit(&request);
}

/* A large message with slots is read where it lies, from any place. */
static void a_large_body_in_pieces_stays_where_it_is(void **state)
{
    (void)state;
    static char large[CURL_REQUEST_JOIN_CEILING];
    memset(large, 'x', sizeof large);
    const struct str pieces[4] = {STR(POST "<a>"), STR("id"), str_of(large, sizeof large),
                                  STR("</a>")};
    const struct exchange exchange = {.pieces = pieces, .piece_count = 4, .is_constant = true};
    const size_t bytes = 3 + 2 + sizeof large + 4;
    struct curl_request request;
    curl_request_init(&request);
    assert_int_equal(curl_request_read(&request, &exchange), CURL_REQUEST_NEW);
    assert_true(request.is_in_pieces);
    assert_int_equal(request.pieces.bytes, bytes);
    assert_true(request.joined.len < 1024);
    for (size_t offset = 0; offset < 8; offset++) {
        char begun[8] = "";
        curl_body_seek(&request.pieces, offset);
        assert_int_equal(curl_body_read(&request.pieces, begun, 3), 3);
        assert_memory_equal(begun, &"<a>idxxxxxxx"[offset], 3);
    }
    curl_body_seek(&request.pieces, bytes - 5);
    char end[16] = "";
    assert_int_equal(curl_body_read(&request.pieces, end, sizeof end), 5);
    assert_memory_equal(end, "x</a>", 5);
    assert_int_equal(curl_body_read(&request.pieces, end, sizeof end), 0);
    curl_body_seek(&request.pieces, bytes);
    assert_int_equal(curl_body_read(&request.pieces, end, sizeof end), 0);
    /* the next exchange with the same bytes begins at the beginning, with pieces of its own */
    const struct str others[4] = {pieces[0], pieces[1], pieces[2], pieces[3]};
    const struct exchange next = {.pieces = others, .piece_count = 4, .is_constant = true};
    assert_int_equal(curl_request_read(&request, &next), CURL_REQUEST_SAME);
    assert_ptr_equal(request.pieces.pieces, others);
    assert_int_equal(curl_body_read(&request.pieces, end, 5), 5);
    assert_memory_equal(end, "<a>id", 5);
    curl_request_deinit(&request);
}

static void what_libcurl_cannot_send_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "POST / HTTP/1.1",
        "POST / HTTP/1.1\r\nHost: h\r\n",
        "POST / HTTP/1.0\r\nHost: h\r\n\r\n",
        "POST /\r\nHost: h\r\n\r\n",
        " / HTTP/1.1\r\nHost: h\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: h\r\n\r\n0\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct curl_request request;
        curl_request_init(&request);
        assert_int_equal(read_text(&request, texts[i]), CURL_REQUEST_BAD);
        curl_request_deinit(&request);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_post_is_taken_apart),
        cmocka_unit_test(fields_that_are_missing_are_not_added),
        cmocka_unit_test(a_length_that_is_not_the_bodys_is_sent_as_it_is),
        cmocka_unit_test(an_empty_body_keeps_its_length),
        cmocka_unit_test(frozen_bytes_are_read_once),
        cmocka_unit_test(a_head_is_read_again_when_it_or_the_length_changed),
        cmocka_unit_test(pieces_may_be_cut_anywhere),
        cmocka_unit_test(a_body_in_a_piece_of_its_own_stays_where_it_is),
        cmocka_unit_test(a_body_behind_its_head_stays_where_it_is),
        cmocka_unit_test(a_large_body_in_pieces_stays_where_it_is),
        cmocka_unit_test(what_libcurl_cannot_send_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
