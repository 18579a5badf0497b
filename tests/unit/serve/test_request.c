/* SPDX-License-Identifier: Apache-2.0 */
/* Requests are the same in whatever pieces they come; what is too much or no HTTP is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/serve/request.h"

/* Feeds text in pieces of `size` until an event other than REQUEST_MORE, or the end. */
static enum request_event feed(struct request *request, struct str text, size_t size, size_t *taken)
{
    *taken = 0;
    while (*taken < text.len) {
        size_t used;
        struct str piece = str_slice(text, *taken, *taken + size);
        /* A copy of exact size, gone after the read but for the last. */
        char *exact = malloc(piece.len);
        assert_non_null(exact);
        memcpy(exact, piece.data, piece.len);
        enum request_event event = request_read(request, str_of(exact, piece.len), &used);
        assert_true(used <= piece.len);
        *taken += used;
        if (event == REQUEST_WHOLE) {
            struct buf copy;
            buf_init(&copy);
            buf_append_str(&copy, request_body(request));
            buf_deinit(&request->body);
            request->body = copy;
            request->span.len = 0;
        }
        free(exact);
        if (event != REQUEST_MORE) {
            return event;
        }
    }
    return REQUEST_MORE;
}

static void a_request_is_the_same_in_pieces_of_any_size(void **state)
{
    (void)state;
    struct str text =
        STR("\r\nPOST /a HTTP/1.1\r\nHost: h\r\ncontent-TYPE: text/xml;\tcharset=utf-8\r\n"
            "Content-Length: 11\r\n\r\nhello world");
    for (size_t size = 1; size <= text.len; size++) {
        struct request request;
        size_t taken;
        request_init(&request);
        for (int round = 0; round < 3; round++) {
            assert_int_equal(feed(&request, text, size, &taken), REQUEST_WHOLE);
            assert_int_equal(taken, text.len);
            assert_true(str_equals(request_body(&request), STR("hello world")));
            assert_true(str_equals(str_of(request.content_type.text, request.content_type.len),
                                   STR("text/xml;\tcharset=utf-8")));
            assert_int_equal(request_method(&request), HTTP_POST);
            assert_true(request.keeps_alive);
            assert_false(request_is_http_10(&request));
        }
        request_deinit(&request);
    }
}

static void chunks_are_put_together(void **state)
{
    (void)state;
    struct str text = STR("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "5;x=y\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\nA: b\r\n\r\n");
    for (size_t size = 1; size <= text.len; size++) {
        struct request request;
        size_t taken;
        request_init(&request);
        assert_int_equal(feed(&request, text, size, &taken), REQUEST_WHOLE);
        assert_true(str_equals(request_body(&request), STR("hello world")));
        request_deinit(&request);
    }
}

static void the_next_request_is_left_where_it_is(void **state)
{
    (void)state;
    struct str text = STR("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.0\r\n\r\n");
    struct request request;
    size_t used;
    request_init(&request);
    assert_int_equal(request_read(&request, text, &used), REQUEST_WHOLE);
    assert_int_equal(used, 19);
    assert_true(request.keeps_alive);
    assert_int_equal(request_read(&request, str_slice(text, used, text.len), &used), REQUEST_WHOLE);
    assert_int_equal(used, 19);
    assert_false(request.keeps_alive);
    assert_true(request_is_http_10(&request));
    request_deinit(&request);
}

static void an_expectation_is_told_before_the_body(void **state)
{
    (void)state;
    struct str head = STR("POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n");
    struct request request;
    size_t used;
    request_init(&request);
    assert_int_equal(request_read(&request, head, &used), REQUEST_EXPECTS);
    assert_int_equal(request_read(&request, STR("ab"), &used), REQUEST_WHOLE);
    assert_true(str_equals(request_body(&request), STR("ab")));
    assert_int_equal(
        request_read(&request, STR("POST / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n"), &used),
        REQUEST_WHOLE);
    request_deinit(&request);
    request_init(&request);
    assert_int_equal(request_read(&request, STR("POST / HTTP/1.1\r\nExpect: tea\r\n\r\n"), &used),
                     REQUEST_REFUSED);
    assert_int_equal(request.refusal, REQUEST_REFUSAL_EXPECT);
    request_deinit(&request);
}

static void what_is_no_http_is_refused(void **state)
{
    (void)state;
    const struct str bad[] = {
        STR("hello\r\n\r\n"),
        STR("GET\r\n\r\n"),
        STR("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        STR("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
        STR("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        STR("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        STR("POST / HTTP/1.1\r\nA: \0\r\n\r\n"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct request request;
        size_t taken;
        request_init(&request);
        if (feed(&request, bad[i], bad[i].len, &taken) != REQUEST_REFUSED) {
            fail_msg("taken: number %zu", i);
        }
        assert_int_equal(request.refusal, REQUEST_REFUSAL_SYNTAX);
        request_deinit(&request);
    }
}

static void heads_and_bodies_have_ceilings(void **state)
{
    (void)state;
    struct request request;
    size_t used;
    request_init(&request);
    assert_int_equal(
        request_read(&request, STR("POST / HTTP/1.1\r\nContent-Length: 67108865\r\n\r\n"), &used),
        REQUEST_REFUSED);
    assert_int_equal(request.refusal, REQUEST_REFUSAL_BODY);
    request_deinit(&request);

    request_init(&request);
    enum request_event event = request_read(&request, STR("GET / HTTP/1.1\r\nA: "), &used);
    char filler[1024];
    memset(filler, 'a', sizeof filler);
    size_t given = 0;
    while (event == REQUEST_MORE && given < 1000000) {
        event = request_read(&request, str_of(filler, sizeof filler), &used);
        given += sizeof filler;
    }
    assert_int_equal(event, REQUEST_REFUSED);
    assert_int_equal(request.refusal, REQUEST_REFUSAL_HEAD);
    assert_true(given <= REQUEST_HEAD_CEILING + sizeof filler);
    request_deinit(&request);
}

static void a_long_content_type_is_cut_and_says_so(void **state)
{
    (void)state;
    struct buf text;
    struct request request;
    size_t taken;
    buf_init(&text);
    buf_append_str(&text, STR("GET / HTTP/1.1\r\nContent-Type: "));
    for (int i = 0; i < 5000; i++) {
        buf_append_byte(&text, 'x');
    }
    buf_append_str(&text, STR("\r\n\r\n"));
    for (size_t size = 1; size < 4000; size += 999) {
        request_init(&request);
        assert_int_equal(feed(&request, buf_view(&text), size, &taken), REQUEST_WHOLE);
        assert_int_equal(request.content_type.len, 5000);
        request_deinit(&request);
    }
    buf_deinit(&text);
}

static void an_upgrade_changes_nothing(void **state)
{
    (void)state;
    struct str text = STR(
        "POST / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\nab");
    struct request request;
    size_t used;
    request_init(&request);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(request_read(&request, text, &used), REQUEST_WHOLE);
        assert_int_equal(used, text.len);
        assert_true(str_equals(request_body(&request), STR("ab")));
    }
    request_deinit(&request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_the_same_in_pieces_of_any_size),
        cmocka_unit_test(chunks_are_put_together),
        cmocka_unit_test(the_next_request_is_left_where_it_is),
        cmocka_unit_test(an_expectation_is_told_before_the_body),
        cmocka_unit_test(what_is_no_http_is_refused),
        cmocka_unit_test(heads_and_bodies_have_ceilings),
        cmocka_unit_test(a_long_content_type_is_cut_and_says_so),
        cmocka_unit_test(an_upgrade_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
