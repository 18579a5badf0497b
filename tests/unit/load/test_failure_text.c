/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a failed exchange can be read again as it was judged, and holds no secret. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <zlib.h>

#include "exchange_fixture.h"
#include "lather/load/failure_text.h"
#include "lather/net/cause.h"
#include "lather/net/saved_answer.h"

#define REQUEST                                                                                    \
    "POST /a HTTP/1.1\r\nAuthorization: Basic dXNlcjpzM2NyM3RwYXNz\r\nContent-length: 17\r\n\r\n"  \
    "<p>s3cr3tpass</p>"

static struct secret_mask *make_mask(void)
{
    static char first[] = "s3cr3tpass";
    static char second[] = "dXNlcjpzM2NyM3RwYXNz";
    char *const secrets[] = {first, second};
    return secret_mask_new(secrets, 2);
}

/* The text of an answer file; the caller frees it. */
static struct buf answer_text(struct str answer, enum transport_end end)
{
    struct exchange_fixture fixture;
    struct secret_mask *mask = make_mask();
    struct buf text;
    buf_init(&text);
    exchange_fixture_init(&fixture, &(struct exchange_setting){REQUEST, answer, end, 5000000});
    failure_text_answer(&text, &fixture.exchange, mask);
    exchange_fixture_deinit(&fixture);
    secret_mask_free(mask);
    return text;
}

static void assert_answer(const char *answer, enum transport_end end, const char *expected)
{
    struct buf text = answer_text(str_from(answer), end);
    assert_string_equal(text.data, expected);
    buf_deinit(&text);
}

static void secrets_are_masked_in_the_request_and_its_length_is_right(void **state)
{
    (void)state;
    struct exchange_fixture fixture;
    struct secret_mask *mask = make_mask();
    struct buf text;
    buf_init(&text);
    exchange_fixture_init(&fixture,
                          &(struct exchange_setting){REQUEST, STR(""), TRANSPORT_END_TIMEOUT, 1});
    failure_text_request(&text, &fixture.exchange, mask);
    assert_string_equal(text.data, "POST /a HTTP/1.1\r\nAuthorization: Basic ***\r\n"
                                   "Content-length: 10\r\n\r\n<p>***</p>");
    exchange_fixture_deinit(&fixture);
    secret_mask_free(mask);
    buf_deinit(&text);
}

static void chunks_are_joined_and_announced_by_their_length(void **state)
{
    (void)state;
    assert_answer("HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\nServer: s\r\n\r\n"
                  "2\r\n<a\r\n2\r\n/>\r\n0\r\n\r\n",
                  TRANSPORT_END_ANSWERED,
                  "HTTP/1.1 500 Oops\r\nServer: s\r\nContent-Length: 4\r\n\r\n<a/>");
    assert_answer("HTTP/1.1 500 Oops\r\n\r\n<a/>", TRANSPORT_END_ANSWERED,
                  "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\n<a/>");
}

static void interim_answers_are_left_out(void **state)
{
    (void)state;
    assert_answer("HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 500 Oops\r\nContent-Length: 4\r\n"
                  "\r\n<a/>",
                  TRANSPORT_END_ANSWERED, "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\n<a/>");
}

static void a_masked_body_is_announced_as_it_is_written(void **state)
{
    (void)state;
    assert_answer("HTTP/1.1 500 no s3cr3tpass\r\nX-Echo: s3cr3tpass\r\nContent-Length: 17\r\n\r\n"
                  "<p>s3cr3tpass</p>",
                  TRANSPORT_END_ANSWERED,
                  "HTTP/1.1 500 no ***\r\nX-Echo: ***\r\nContent-Length: 10\r\n\r\n<p>***</p>");
}

static struct buf gzipped(struct str text)
{
    struct buf packed;
    z_stream stream = {0};
    buf_init(&packed);
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)text.data;
    stream.avail_in = (uInt)text.len;
    stream.next_out = (Bytef *)buf_reserve(&packed, text.len + 100);
    stream.avail_out = (uInt)text.len + 100;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.len = stream.total_out;
    (void)deflateEnd(&stream);
    return packed;
}

/* A gzip answer whose body is this text, cut to a length. */
static struct buf gzip_answer(struct str body, size_t cut)
{
    struct buf answer;
    struct buf packed = gzipped(body);
    buf_init(&answer);
    buf_printf(&answer,
               "HTTP/1.1 500 Oops\r\nContent-Encoding: gzip\r\nContent-Length: %zu\r\n\r\n",
               packed.len - cut);
    buf_append(&answer, packed.data, packed.len - cut);
    buf_deinit(&packed);
    return answer;
}

static void a_compressed_body_stays_as_it_came(void **state)
{
    (void)state;
    struct buf answer = gzip_answer(STR("<a/>"), 0);
    struct buf text = answer_text(buf_view(&answer), TRANSPORT_END_ANSWERED);
    assert_int_equal(text.len, answer.len);
    assert_memory_equal(text.data, answer.data, text.len);
    buf_deinit(&text);
    buf_deinit(&answer);
}

static void a_compressed_body_with_a_secret_is_written_plain(void **state)
{
    (void)state;
    for (size_t cut = 0; cut < 10; cut += 9) { /* whole, and without its end */
        struct buf answer = gzip_answer(STR("<p>s3cr3tpass</p>"), cut);
        struct buf text = answer_text(buf_view(&answer), TRANSPORT_END_ANSWERED);
        assert_non_null(strstr(text.data, "<p>***<"));
        assert_null(strstr(text.data, "gzip"));
        buf_deinit(&text);
        buf_deinit(&answer);
    }
}

/* Whatever an answer's end was, its file ends the same way. */
static void assert_ends_the_same(const char *answer, enum transport_end end, const char *reason)
{
    char cause[CAUSE_TEXT_SIZE];
    struct saved_answer saved;
    struct buf text = answer_text(str_from(answer), end);
    saved_answer_init(&saved);
    saved_answer_read(&saved, buf_view(&text));
    assert_int_equal(saved.exchange.end, TRANSPORT_END_RECEIVE);
    assert_string_equal(cause_format(&saved.exchange, cause), reason);
    saved_answer_deinit(&saved);
    buf_deinit(&text);
}

static void an_answer_that_was_cut_off_is_cut_off_in_its_file(void **state)
{
    (void)state;
    assert_ends_the_same("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<a/>", TRANSPORT_END_RECEIVE,
                         "closed after 4 of 9 body bytes");
    assert_ends_the_same("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", TRANSPORT_END_TIMEOUT,
                         "closed before the answer's body");
    assert_ends_the_same("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<a/>\r\n",
                         TRANSPORT_END_RECEIVE, "closed before the end of a chunked body");
    assert_ends_the_same("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                         TRANSPORT_END_RECEIVE, "closed before the answer's body");
    assert_ends_the_same("HTTP/1.1 200 OK\r\nServer", TRANSPORT_END_RECEIVE,
                         "closed before the answer's body");
}

/* Large bodies are judged while they arrive and not kept: the file must not look like an empty
   answer. */
static void a_body_that_was_not_kept_is_announced_all_the_same(void **state)
{
    (void)state;
    struct exchange_fixture fixture;
    struct secret_mask *mask = make_mask();
    struct buf text;
    buf_init(&text);
    exchange_fixture_init(
        &fixture,
        &(struct exchange_setting){REQUEST, STR("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<a/>"),
                                   TRANSPORT_END_ANSWERED, 1});
    fixture.exchange.body = str_of(NULL, 0);
    failure_text_answer(&text, &fixture.exchange, mask);
    assert_string_equal(text.data, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
    exchange_fixture_deinit(&fixture);
    secret_mask_free(mask);
    buf_deinit(&text);
}

static void why_tells_outcome_reason_and_times(void **state)
{
    (void)state;
    struct exchange_fixture fixture;
    struct secret_mask *mask = make_mask();
    struct buf text;
    buf_init(&text);
    exchange_fixture_init(&fixture,
                          &(struct exchange_setting){
                              REQUEST, STR("HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\n<a/>"),
                              TRANSPORT_END_ANSWERED, 12345000});
    const struct group_key kind = {.outcome = OUTCOME_FAULT,
                                   .status = 500,
                                   .code = STR("{urn:a}Client"),
                                   .subcodes = STR("{urn:a}b"),
                                   .detail = STR("{urn:d}e"),
                                   .reason = STR("bad s3cr3tpass\r\ntotal 1 ms")};
    failure_text_why(&text, &kind, &fixture.exchange, 999000000, mask);
    assert_string_equal(text.data, "outcome      fault\n"
                                   "status       500\n"
                                   "reason       bad ***  total 1 ms\n"
                                   "fault        {urn:a}Client\n"
                                   "subcode      {urn:a}b\n"
                                   "detail       {urn:d}e\n"
                                   "started at   1.000 ms\n"
                                   "connect      0.000 ms\n"
                                   "waiting      0.100 ms\n"
                                   "total        12.345 ms\n");
    exchange_fixture_deinit(&fixture);
    secret_mask_free(mask);
    buf_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_masked_in_the_request_and_its_length_is_right),
        cmocka_unit_test(chunks_are_joined_and_announced_by_their_length),
        cmocka_unit_test(interim_answers_are_left_out),
        cmocka_unit_test(a_masked_body_is_announced_as_it_is_written),
        cmocka_unit_test(a_compressed_body_stays_as_it_came),
        cmocka_unit_test(a_compressed_body_with_a_secret_is_written_plain),
        cmocka_unit_test(an_answer_that_was_cut_off_is_cut_off_in_its_file),
        cmocka_unit_test(a_body_that_was_not_kept_is_announced_all_the_same),
        cmocka_unit_test(why_tells_outcome_reason_and_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
