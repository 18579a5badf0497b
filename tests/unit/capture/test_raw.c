/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP messages as text, as they come out of Fiddler, an editor or a clipboard. */
#include "reading.h"

static void a_session_is_read_whatever_its_line_ends(void **state)
{
    (void)state;
    static const char *const samples[] = {
        SAMPLES "capture_raw/order",
        SAMPLES "capture_raw/order-lf",
        SAMPLES "capture_raw/order-chunked",
        SAMPLES "capture_raw/order-path-only",
        SAMPLES "capture_raw/order-wrong-length",
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_sample_is_order(samples[i], CAPTURE_RAW);
    }
}

static void sessions_with_answers_and_rulers_are_all_read(void **state)
{
    (void)state;
    struct capture capture;
    read_sample(&capture, SAMPLES "capture_raw/order-with-answer");
    assert_int_equal(capture.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_order(&capture.messages[i]);
        assert_int_equal(capture.messages[i].answer_status, 500);
    }
    assert_string_equal(capture.messages[0].place, "session 1, line 1");
    assert_string_equal(capture.messages[1].place, "session 2, line 27");
    capture_deinit(&capture);
}

static void the_way_the_body_was_found_is_told(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, "POST http://h/ HTTP/1.1\nContent-Length: 4\n\n<a/>\n\n");
    assert_body(&capture.messages[0], STR("<a/>"));
    assert_note(&capture, CAPTURE_NOTE_ROUTINE, "found by Content-Length");
    capture_deinit(&capture);

    read_literal(&capture, "POST http://h/ HTTP/1.1\nContent-Length: 3\n\n<a/>\n");
    assert_body(&capture.messages[0], STR("<a/>\n"));
    assert_note(&capture, CAPTURE_NOTE_REMARK, "Content-Length says 3, but the body has 5");
    capture_deinit(&capture);

    read_literal(&capture, "POST http://h/ HTTP/1.1\n\n<a/>\n");
    assert_body(&capture.messages[0], STR("<a/>\n"));
    assert_note(&capture, CAPTURE_NOTE_ROUTINE, "no Content-Length");
    capture_deinit(&capture);
}

static void a_length_that_fits_is_believed_before_what_the_body_looks_like(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, "POST http://h/a HTTP/1.1\nContent-Length: 31\n\n"
                           "<a>\nGET http://x/ HTTP/1.1\n</a>\n"
                           "POST http://h/b HTTP/1.1\n\n<b/>");
    assert_int_equal(capture.count, 2);
    assert_body(&capture.messages[0], STR("<a>\nGET http://x/ HTTP/1.1\n</a>"));
    assert_string_equal(capture.messages[1].url, "http://h/b");
    capture_deinit(&capture);
}

static void a_boundary_of_dashes_ends_no_body(void **state)
{
    (void)state;
    struct capture capture;
    const char *body = "--------------------\nContent-Type: text/xml\n\n<a/>\n"
                       "----------------------\n";
    struct buf text;
    buf_init(&text);
    buf_printf(&text,
               "POST http://h/ HTTP/1.1\nContent-Type: multipart/related; "
               "boundary=\"------------------\"\n\n%sx",
               body);
    read_content(&capture, buf_view(&text), "capture.txt");
    assert_int_equal(capture.count, 1);
    assert_int_equal(capture.messages[0].body.len, strlen(body) + 1);
    capture_deinit(&capture);
    buf_deinit(&text);
}

static void connects_are_skipped(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, "CONNECT h:443 HTTP/1.1\nHost: h:443\n\n"
                           "A SSLv3-compatible ClientHello handshake was found.\n\n"
                           "HTTP/1.1 200 Connection Established\n\n"
                           "POST https://h/ HTTP/1.1\n\n<a/>");
    assert_int_equal(capture.count, 1);
    assert_string_equal(capture.messages[0].url, "https://h/");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "CONNECT h:443: a tunnel");
    capture_deinit(&capture);
    assert_sample_refused(SAMPLES "capture_raw/connect-only", "HTTPS was not decrypted");
}

static void a_request_without_its_body_is_no_message(void **state)
{
    (void)state;
    assert_sample_refused(SAMPLES "capture_raw/headers-only", "were the headers saved alone?");
}

static void an_envelope_that_lost_its_end_is_no_message(void **state)
{
    (void)state;
    assert_refused(STR("POST http://h/ HTTP/1.1\nContent-Length: 900\n\n<a><b>"), "cut.txt",
                   "session 1, line 1: ends too early");
    struct capture capture;
    read_literal(&capture, "POST http://h/ HTTP/1.1\nContent-Length: 900\n\n<a><b>\n\n"
                           "POST http://h/ HTTP/1.1\nContent-Length: 900\n\n<a/>");
    assert_int_equal(capture.count, 1);
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "ends too early");
    capture_deinit(&capture);
}

static void answers_alone_are_no_capture(void **state)
{
    (void)state;
    assert_refused(STR("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<a/>"), "answer.txt",
                   "only the answer was saved");
}

static void what_is_no_message_is_told_with_its_lines(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, "POST http://h/ HTTP/1.1\nContent-Length: 0\n\n\n"
                           "POST http://h/ HTTP/1.1\nContent-Length: 4\n\n<a/>");
    assert_int_equal(capture.count, 2);
    assert_false(has_note(&capture, CAPTURE_NOTE_SKIPPED, ""));
    capture_deinit(&capture);
    struct buf chunks;
    buf_init(&chunks);
    buf_append_str(&chunks, STR("POST http://h/ HTTP/1.1\nTransfer-Encoding: chunked\n\n"
                                "4\n<a/>\n0\n\nfor the record\n"));
    read_content(&capture, buf_view(&chunks), "capture.txt");
    assert_body(&capture.messages[0], STR("<a/>"));
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "lines 8 to 8: no HTTP message");
    capture_deinit(&capture);
    buf_deinit(&chunks);
}

static void folded_and_damaged_fields_are_read_as_far_as_they_go(void **state)
{
    (void)state;
    struct capture capture;
    read_sample(&capture, SAMPLES "capture_raw/folded");
    assert_string_equal(field(&capture.messages[0], "Content-Type"),
                        "multipart/related; boundary=\"b\"");
    assert_int_equal(capture.messages[0].soap_version, SOAP_VERSION_11);
    assert_note(&capture, CAPTURE_NOTE_REMARK, "\"No colon\" among the header fields");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "header \"Bad name:x\"");
    capture_deinit(&capture);
}

static void more_fields_than_a_server_takes_are_refused(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("POST http://h/ HTTP/1.1\n"));
    for (int i = 0; i <= CAPTURE_FIELDS_CEILING; i++) {
        buf_append_str(&text, STR("X: y\n"));
    }
    buf_append_str(&text, STR("\n<a/>"));
    assert_refused(buf_view(&text), "many.txt", "more header fields than any server takes");
    buf_deinit(&text);
}

static void no_cut_breaks_the_reader(void **state)
{
    (void)state;
    assert_cuts_are_told(SAMPLES "capture_raw/order-with-answer", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_is_read_whatever_its_line_ends),
        cmocka_unit_test(sessions_with_answers_and_rulers_are_all_read),
        cmocka_unit_test(the_way_the_body_was_found_is_told),
        cmocka_unit_test(a_length_that_fits_is_believed_before_what_the_body_looks_like),
        cmocka_unit_test(a_boundary_of_dashes_ends_no_body),
        cmocka_unit_test(connects_are_skipped),
        cmocka_unit_test(a_request_without_its_body_is_no_message),
        cmocka_unit_test(an_envelope_that_lost_its_end_is_no_message),
        cmocka_unit_test(answers_alone_are_no_capture),
        cmocka_unit_test(what_is_no_message_is_told_with_its_lines),
        cmocka_unit_test(folded_and_damaged_fields_are_read_as_far_as_they_go),
        cmocka_unit_test(more_fields_than_a_server_takes_are_refused),
        cmocka_unit_test(no_cut_breaks_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
