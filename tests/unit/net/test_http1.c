/* SPDX-License-Identifier: Apache-2.0 */
/* An answer is read the same however its bytes are cut, and ends where RFC 9112 says it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/net/http1.h"

struct reading {
    struct http1_reader reader;
    struct http1_answer answer;
    struct buf body;
    size_t used; /* of all bytes fed */
};

static void reading_on_body(void *context, const char *data, size_t len)
{
    buf_append(&((struct reading *)context)->body, data, len);
}

static void reading_begin(struct reading *reading, enum http1_body body)
{
    *reading = (struct reading){.used = 0};
    http1_answer_init(&reading->answer);
    http1_begin(&reading->reader, &reading->answer, body, reading_on_body, reading);
}

static void reading_end(struct reading *reading)
{
    http1_answer_deinit(&reading->answer);
    buf_deinit(&reading->body);
}

/* Feeds text in pieces of `piece` bytes, until it ends or the answer does. */
static enum http1_progress reading_feed(struct reading *reading, const char *text, size_t piece)
{
    const size_t len = strlen(text);
    enum http1_progress progress = HTTP1_MORE;
    while (progress == HTTP1_MORE && reading->used < len) {
        /* A copy of its own size, so that a sanitizer sees any step beyond it. */
        const size_t left = len - reading->used;
        const size_t step = left < piece ? left : piece;
        char *copy = malloc(step);
        assert_non_null(copy);
        memcpy(copy, text + reading->used, step);
        size_t used = 0;
        progress = http1_feed(&reading->reader, copy, step, &used);
        free(copy);
        reading->used += used;
        assert_true(progress != HTTP1_MORE || used == step);
    }
    return progress;
}

static void assert_str(struct str actual, const char *expected)
{
    assert_int_equal(actual.len, strlen(expected));
    assert_memory_equal(actual.data, expected, actual.len);
}

static void assert_body(const struct reading *reading, const char *expected)
{
    assert_str(buf_view(&reading->body), expected);
    assert_int_equal(reading->answer.body_bytes, strlen(expected));
}

/* B027 B030 D05 D19: names in any case, the length ends the answer. */
static void an_answer_cut_anywhere_reads_the_same(void **state)
{
    (void)state;
    const char *text = "HTTP/1.1 415 Cannot process 'a'\r\nSERVER: IIS/10\r\n"
                       "content-type: text/xml; charset=utf-8\r\nContent-Encoding:gzip\r\n"
                       "content-LENGTH: 5\r\nlocation: /a\r\n\r\nhelloHTTP/1.1";
    for (size_t piece = 1; piece <= strlen(text); piece++) {
        struct reading reading;
        reading_begin(&reading, HTTP1_BODY_BY_HEAD);
        assert_int_equal(reading_feed(&reading, text, piece), HTTP1_DONE);
        assert_int_equal(reading.used, strlen(text) - strlen("HTTP/1.1"));
        assert_int_equal(reading.answer.status, 415);
        assert_str(http1_answer_reason(&reading.answer), "Cannot process 'a'");
        assert_str(http1_answer_field(&reading.answer, HTTP1_FIELD_SERVER), "IIS/10");
        assert_str(http1_answer_field(&reading.answer, HTTP1_FIELD_CONTENT_TYPE),
                   "text/xml; charset=utf-8");
        assert_str(http1_answer_field(&reading.answer, HTTP1_FIELD_CONTENT_ENCODING), "gzip");
        assert_str(http1_answer_field(&reading.answer, HTTP1_FIELD_LOCATION), "/a");
        assert_int_equal(reading.answer.content_length, 5);
        assert_true(reading.answer.keep_alive);
        assert_body(&reading, "hello");
        reading_end(&reading);
    }
}

/* B029 D06 */
static void a_chunked_body_is_joined_and_the_connection_stays_usable(void **state)
{
    (void)state;
    const char *text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                       "5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\n";
    for (size_t piece = 1; piece <= strlen(text); piece++) {
        struct reading reading;
        reading_begin(&reading, HTTP1_BODY_BY_HEAD);
        assert_int_equal(reading_feed(&reading, text, piece), HTTP1_DONE);
        assert_body(&reading, "hello world");
        assert_true(reading.answer.keep_alive);
        reading_end(&reading);
    }
}

/* B031 D04: only the field of that full name counts. */
static void a_field_that_ends_in_content_length_is_not_it(void **state)
{
    (void)state;
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    const char *text = "HTTP/1.1 200 OK\r\nX-Content-Length: 5\r\n"
                       "Set-Cookie: Content-Length: 3\r\nContent-Length: 9\r\n\r\n123456789";
    assert_int_equal(reading_feed(&reading, text, 7), HTTP1_DONE);
    assert_body(&reading, "123456789");
    reading_end(&reading);
}

/* B032 D20 */
static void head_204_and_304_have_no_body(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n",
    };
    for (size_t i = 0; i < 2; i++) {
        struct reading reading;
        reading_begin(&reading, HTTP1_BODY_BY_HEAD);
        assert_int_equal(reading_feed(&reading, texts[i], 4), HTTP1_DONE);
        assert_body(&reading, "");
        assert_true(reading.answer.keep_alive);
        reading_end(&reading);
    }
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_NONE);
    assert_int_equal(reading_feed(&reading, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", 9),
                     HTTP1_DONE);
    assert_body(&reading, "");
    reading_end(&reading);
}

/* B033 */
static void a_body_without_length_ends_with_the_close(void **state)
{
    (void)state;
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    assert_int_equal(reading_feed(&reading, "HTTP/1.1 200 OK\r\n\r\nall of it", 3), HTTP1_MORE);
    assert_int_equal(http1_end(&reading.reader), HTTP1_DONE);
    assert_body(&reading, "all of it");
    assert_false(reading.answer.keep_alive);
    reading_end(&reading);
}

/* B034 */
static void a_close_before_the_announced_end_is_not_an_answer(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 100 Continue\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct reading reading;
        reading_begin(&reading, HTTP1_BODY_BY_HEAD);
        assert_int_equal(reading_feed(&reading, texts[i], 5), HTTP1_MORE);
        assert_int_equal(http1_end(&reading.reader), HTTP1_MORE);
        reading_end(&reading);
    }
}

/* B028 B035: what decides whether the connection may be used again. */
static void keep_alive_follows_version_and_connection_field(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool keep_alive;
    } cases[] = {
        {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true},
        {"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", true},
        {"HTTP/1.1 200 OK\nContent-Length: 0\n\n", true},
        {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false},
        {"HTTP/1.1 200 OK\r\nConnection: Close, x\r\nContent-Length: 0\r\n\r\n", false},
        {"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false},
        {"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading reading;
        reading_begin(&reading, HTTP1_BODY_BY_HEAD);
        assert_int_equal(reading_feed(&reading, cases[i].text, 100), HTTP1_DONE);
        assert_int_equal(reading.answer.keep_alive, cases[i].keep_alive);
        assert_int_equal(reading.answer.status, 200);
        reading_end(&reading);
    }
}

static void transfer_encoding_overrides_a_length_beside_it(void **state)
{
    (void)state;
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    const char *text = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
                       "5\r\nhello\r\n0\r\n\r\n";
    assert_int_equal(reading_feed(&reading, text, 6), HTTP1_DONE);
    assert_body(&reading, "hello");
    reading_end(&reading);
}

/* B154: interim answers are skipped, counted, and leave nothing behind. */
static void interim_answers_are_skipped(void **state)
{
    (void)state;
    const char *text = "HTTP/1.1 100 Continue\r\n\r\n"
                       "HTTP/1.1 103 Early Hints\r\nServer: hint\r\nLink: </a>\r\n\r\n"
                       "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok";
    for (size_t piece = 1; piece <= strlen(text); piece++) {
        struct reading reading;
        reading_begin(&reading, HTTP1_BODY_BY_HEAD);
        assert_int_equal(reading_feed(&reading, text, piece), HTTP1_DONE);
        assert_int_equal(reading.answer.status, 200);
        assert_int_equal(reading.answer.interim, 2);
        assert_int_equal(http1_answer_field(&reading.answer, HTTP1_FIELD_SERVER).len, 0);
        assert_int_equal(http1_answer_reason(&reading.answer).len, 0);
        assert_body(&reading, "ok");
        reading_end(&reading);
    }
}

static void a_tls_alert_is_named(void **state)
{
    (void)state;
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    assert_int_equal(reading_feed(&reading, "\x15\x03\x01\x02\x02\x16", 6), HTTP1_BAD);
    assert_non_null(strstr(http1_error(&reading.reader), "TLS"));
    reading_end(&reading);
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    assert_int_equal(reading_feed(&reading, "SSH-2.0-OpenSSH_9.2\r\n", 50), HTTP1_BAD);
    assert_null(strstr(http1_error(&reading.reader), "TLS"));
    reading_end(&reading);
}

static void what_is_not_http_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "SSH-2.0-OpenSSH_9.2\r\n",
        "\x15\x03\x01\x02\x02\x16",
        "<html>hello</html>",
        "HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 1000 Too much\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 65736 Wraps to 200\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 042 Too little\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        for (size_t piece = 1; piece < 12; piece++) {
            struct reading reading;
            reading_begin(&reading, HTTP1_BODY_BY_HEAD);
            assert_int_equal(reading_feed(&reading, texts[i], piece), HTTP1_BAD);
            assert_true(strlen(http1_error(&reading.reader)) > 3);
            reading_end(&reading);
        }
    }
}

static void a_status_that_is_none_is_named(void **state)
{
    (void)state;
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    assert_int_equal(reading_feed(&reading, "HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n", 50),
                     HTTP1_BAD);
    assert_non_null(strstr(http1_error(&reading.reader), "status code out of range"));
    reading_end(&reading);
}

/* The words are those for what libcurl refuses before the reader sees it. */
static void odd_heads_are_refused_in_common_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *words;
    } heads[] = {
        {"HTTP/2 200 OK\r\n\r\n", HTTP1_BAD_VERSION},
        {"HTTP/2.0 200 OK\r\n\r\n", HTTP1_BAD_VERSION},
        {"HTTP/1.2 200 OK\r\n\r\n", HTTP1_BAD_VERSION},
        {"HTTP/0.9 200 OK\r\n\r\n", HTTP1_BAD_VERSION},
        {"HTTP/1.1 20 OK\r\n\r\n", HTTP1_BAD_STATUS},
        {"HTTP/1.1 2000 OK\r\n\r\n", HTTP1_BAD_STATUS},
        {"HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", HTTP1_BAD_FIELD},
        {"HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n12345", HTTP1_BAD_LENGTH},
        {"HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", HTTP1_BAD_LENGTH},
        {"HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\n",
         "Content-Length overflow"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616\r\n\r\n",
         "Content-Length overflow"},
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        for (size_t piece = 1; piece < 70; piece += 3) {
            struct reading reading;
            reading_begin(&reading, HTTP1_BODY_BY_HEAD);
            assert_int_equal(reading_feed(&reading, heads[i].text, piece), HTTP1_BAD);
            assert_string_equal(http1_error(&reading.reader), heads[i].words);
            reading_end(&reading);
        }
    }
}

/* RFC 9112, 5.1 and 5.2: what a client is to pass over. */
static void a_length_is_read_behind_a_blank_and_on_a_folded_line(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\n12345",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n 5\r\n\r\n12345",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct reading reading;
        reading_begin(&reading, HTTP1_BODY_BY_HEAD);
        assert_int_equal(reading_feed(&reading, texts[i], 100), HTTP1_DONE);
        reading_end(&reading);
    }
}

static void a_nul_in_the_reason_is_refused(void **state)
{
    (void)state;
    static const char text[] = "HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n";
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    size_t used = 0;
    assert_int_equal(http1_feed(&reading.reader, text, sizeof text - 1, &used), HTTP1_BAD);
    assert_string_equal(http1_error(&reading.reader), HTTP1_NUL_IN_HEAD);
    reading_end(&reading);
}

/* RFC 9110, 5.5: who passes it on may be read in two ways. */
static void a_nul_in_a_field_is_refused(void **state)
{
    (void)state;
    static const char text[] = "HTTP/1.1 200 OK\r\nX-A: b\0c\r\nContent-Length: 0\r\n\r\n";
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    size_t used = 0;
    assert_int_equal(http1_feed(&reading.reader, text, sizeof text - 1, &used), HTTP1_BAD);
    assert_non_null(strstr(http1_error(&reading.reader), "NUL"));
    reading_end(&reading);
}

/* B021: no small fixed limit, and yet an end. */
static void a_large_head_is_read_and_an_endless_one_refused(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "HTTP/1.1 200 OK\r\nX-Long: ");
    for (size_t i = 0; i < 60000; i++) {
        buf_append_byte(&text, 'x');
    }
    struct buf endless;
    buf_init(&endless);
    buf_append_str(&endless, buf_view(&text));
    buf_printf(&text, "\r\nContent-Length: 0\r\n\r\n");
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    assert_int_equal(reading_feed(&reading, text.data, 1448), HTTP1_DONE);
    reading_end(&reading);

    for (size_t i = 0; i < HTTP1_HEAD_CEILING; i++) {
        buf_append_byte(&endless, 'x');
    }
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    assert_int_equal(reading_feed(&reading, endless.data, 1448), HTTP1_BAD);
    assert_non_null(strstr(http1_error(&reading.reader), "96 KiB"));
    reading_end(&reading);
    buf_deinit(&text);
    buf_deinit(&endless);
}

/* A head of exactly so many bytes, however it arrives. */
static enum http1_progress read_head_of(size_t bytes, size_t slice)
{
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nX-Long: ");
    while (text.len < bytes - 4) {
        buf_append_byte(&text, 'x');
    }
    buf_printf(&text, "\r\n\r\nanswer");
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    const enum http1_progress progress = reading_feed(&reading, text.data, slice);
    reading_end(&reading);
    buf_deinit(&text);
    return progress;
}

static void a_head_has_the_same_ceiling_however_it_is_cut(void **state)
{
    (void)state;
    static const size_t slices[] = {
        1, 1448, 65536, HTTP1_HEAD_CEILING - 1, HTTP1_HEAD_CEILING, HTTP1_HEAD_CEILING + 100};
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
        assert_int_equal(read_head_of(HTTP1_HEAD_CEILING, slices[i]), HTTP1_DONE);
        assert_int_equal(read_head_of(HTTP1_HEAD_CEILING + 1, slices[i]), HTTP1_BAD);
    }
}

static void the_head_is_kept_as_lines_only_when_asked_for(void **state)
{
    (void)state;
    const char *text = "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 1\r\n\r\n!";
    struct reading reading;
    reading_begin(&reading, HTTP1_BODY_BY_HEAD);
    assert_int_equal(reading_feed(&reading, text, 100), HTTP1_DONE);
    assert_int_equal(reading.answer.lines.len, 0);
    http1_begin(&reading.reader, &reading.answer, HTTP1_BODY_BY_HEAD, NULL, NULL);
    http1_keep_lines(&reading.reader);
    reading.used = 0;
    assert_int_equal(reading_feed(&reading, text, 3), HTTP1_DONE);
    assert_str(buf_view(&reading.answer.lines),
               "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 1\r\n\r\n");
    reading_end(&reading);
}

/* --- heads seen before ---------------------------------------------------------------------- */

#define REMEMBERED                                                                                 \
    "HTTP/1.1 500 Oh no\r\nServer: IIS/10\r\nContent-Type: text/xml\r\nContent-Length: 5\r\n"      \
    "Connection: close\r\n\r\n"

/* Reads one answer with the memo, in pieces; the caller ends the reading. */
static enum http1_progress read_with(struct reading *reading, struct http1_memo *memo,
                                     const char *text, size_t piece)
{
    reading_begin(reading, HTTP1_BODY_BY_HEAD);
    http1_use_memo(&reading->reader, memo);
    return reading_feed(reading, text, piece);
}

static void a_head_read_before_means_the_same_again(void **state)
{
    (void)state;
    struct http1_memo memo;
    http1_memo_init(&memo);
    const char *const texts[] = {REMEMBERED "hello", REMEMBERED "world", REMEMBERED "againHTTP"};
    for (size_t i = 0; i < 3; i++) {
        struct reading reading;
        assert_int_equal(read_with(&reading, &memo, texts[i], SIZE_MAX), HTTP1_DONE);
        assert_int_equal(memo.head_len, strlen(REMEMBERED));
        assert_int_equal(reading.used, strlen(REMEMBERED) + 5);
        assert_int_equal(reading.answer.status, 500);
        assert_false(reading.answer.keep_alive);
        assert_int_equal(reading.answer.content_length, 5);
        assert_str(http1_answer_reason(&reading.answer), "Oh no");
        assert_str(http1_answer_field(&reading.answer, HTTP1_FIELD_SERVER), "IIS/10");
        assert_str(http1_answer_field(&reading.answer, HTTP1_FIELD_CONTENT_TYPE), "text/xml");
        assert_int_equal(reading.answer.body_bytes, 5);
        assert_memory_equal(reading.body.data, texts[i] + strlen(REMEMBERED), 5);
        assert_true(http1_has_head(&reading.reader));
        reading_end(&reading);
    }
    http1_memo_deinit(&memo);
}

static void a_head_read_before_is_known_only_with_its_whole_body(void **state)
{
    (void)state;
    struct http1_memo memo;
    http1_memo_init(&memo);
    struct reading reading;
    assert_int_equal(read_with(&reading, &memo, REMEMBERED "hello", SIZE_MAX), HTTP1_DONE);
    reading_end(&reading);
    for (size_t piece = 1; piece < strlen(REMEMBERED "hello"); piece++) {
        assert_int_equal(read_with(&reading, &memo, REMEMBERED "world", piece), HTTP1_DONE);
        assert_body(&reading, "world");
        reading_end(&reading);
    }
    assert_int_equal(read_with(&reading, &memo, REMEMBERED "worl", SIZE_MAX), HTTP1_MORE);
    reading_end(&reading);
    http1_memo_deinit(&memo);
}

static void one_byte_makes_another_head(void **state)
{
    (void)state;
    struct http1_memo memo;
    http1_memo_init(&memo);
    struct reading reading;
    assert_int_equal(read_with(&reading, &memo, REMEMBERED "hello", SIZE_MAX), HTTP1_DONE);
    reading_end(&reading);
    char other[] = REMEMBERED "hello";
    *strchr(other, '5') = '4';
    assert_int_equal(read_with(&reading, &memo, other, SIZE_MAX), HTTP1_DONE);
    assert_int_equal(reading.answer.status, 400);
    reading_end(&reading);
    http1_memo_deinit(&memo);
}

static void what_its_length_does_not_end_is_never_remembered(void **state)
{
    (void)state;
    const char *const texts[] = {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
         "3\r\nabc\r\n0\r\n\r\n"),
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct http1_memo memo;
        http1_memo_init(&memo);
        struct reading reading;
        assert_int_equal(read_with(&reading, &memo, texts[i], SIZE_MAX), HTTP1_DONE);
        assert_int_equal(memo.head_len, 0);
        reading_end(&reading);
        http1_memo_deinit(&memo);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_cut_anywhere_reads_the_same),
        cmocka_unit_test(a_chunked_body_is_joined_and_the_connection_stays_usable),
        cmocka_unit_test(a_field_that_ends_in_content_length_is_not_it),
        cmocka_unit_test(head_204_and_304_have_no_body),
        cmocka_unit_test(a_body_without_length_ends_with_the_close),
        cmocka_unit_test(a_close_before_the_announced_end_is_not_an_answer),
        cmocka_unit_test(keep_alive_follows_version_and_connection_field),
        cmocka_unit_test(transfer_encoding_overrides_a_length_beside_it),
        cmocka_unit_test(interim_answers_are_skipped),
        cmocka_unit_test(a_tls_alert_is_named),
        cmocka_unit_test(what_is_not_http_is_refused_with_a_reason),
        cmocka_unit_test(a_status_that_is_none_is_named),
        cmocka_unit_test(odd_heads_are_refused_in_common_words),
        cmocka_unit_test(a_length_is_read_behind_a_blank_and_on_a_folded_line),
        cmocka_unit_test(a_nul_in_the_reason_is_refused),
        cmocka_unit_test(a_nul_in_a_field_is_refused),
        cmocka_unit_test(a_large_head_is_read_and_an_endless_one_refused),
        cmocka_unit_test(a_head_has_the_same_ceiling_however_it_is_cut),
        cmocka_unit_test(the_head_is_kept_as_lines_only_when_asked_for),
        cmocka_unit_test(a_head_read_before_means_the_same_again),
        cmocka_unit_test(a_head_read_before_is_known_only_with_its_whole_body),
        cmocka_unit_test(one_byte_makes_another_head),
        cmocka_unit_test(what_its_length_does_not_end_is_never_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
