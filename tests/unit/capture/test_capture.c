/* SPDX-License-Identifier: Apache-2.0 */
/* The list of a capture's messages: its ceilings, its notes, its endings. */
#include "reading.h"

static void every_kind_has_a_name(void **state)
{
    (void)state;
    for (int kind = 0; kind < CAPTURE_KIND_COUNT; kind++) {
        assert_true(strlen(capture_kind_name((enum capture_kind)kind)) > 3);
    }
    assert_true(capture_kind_is_body(CAPTURE_BYTES));
    assert_true(capture_kind_is_body(CAPTURE_MIME));
    assert_false(capture_kind_is_body(CAPTURE_SAZ));
}

static void messages_have_a_ceiling_and_the_rest_is_told(void **state)
{
    (void)state;
    struct buf text;
    struct capture capture;
    buf_init(&text);
    for (int i = 0; i < CAPTURE_MESSAGES_CEILING + 5; i++) {
        buf_append_str(&text, STR("POST http://h/ HTTP/1.1\nContent-Length: 0\n\n"));
    }
    read_content(&capture, buf_view(&text), "many.txt");
    assert_int_equal(capture.count, CAPTURE_MESSAGES_CEILING);
    assert_true(capture.is_full);
    assert_int_equal(capture.note_count, CAPTURE_NOTES_CEILING);
    assert_true(capture.notes_left_out > 0);
    struct buf notes;
    buf_init(&notes);
    capture_append_notes(&capture, CAPTURE_NOTE_ROUTINE, &notes);
    assert_non_null(strstr(notes.data, "more notes are left out\n"));
    buf_deinit(&notes);
    capture_deinit(&capture);
    buf_deinit(&text);
}

static void notes_are_lines_with_file_and_place(void **state)
{
    (void)state;
    struct capture capture;
    struct buf text;
    buf_init(&text);
    read_content(&capture,
                 STR("CONNECT h:443 HTTP/1.1\n\nPOST http://h/ HTTP/1.1\nCookie: a=b\n\n<a/>"),
                 "day/x.txt");
    assert_string_equal(capture.folder, "day/");
    capture_append_notes(&capture, CAPTURE_NOTE_REMARK, &text);
    assert_string_equal(text.data,
                        "day/x.txt: session 1, line 1: CONNECT h:443: a tunnel, not a message; if "
                        "its host has no other request here, HTTPS was not decrypted when this was "
                        "recorded\n"
                        "day/x.txt: session 2, line 3: dropped Cookie: it belongs to a session "
                        "that was recorded; -C sends one\n");
    buf_reset(&text);
    capture_append_notes(&capture, CAPTURE_NOTE_SKIPPED, &text);
    assert_null(strstr(text.data, "Cookie"));
    buf_deinit(&text);
    capture_deinit(&capture);
}

/* The notes of a message that is skipped in the end must not fall to the next one. */
static void a_skipped_message_takes_its_notes_along(void **state)
{
    (void)state;
    struct capture capture;
    read_literal(&capture, "POST http://h/1 HTTP/1.1\nCookie: a\nContent-Length: 5\n\n\n"
                           "POST http://h/2 HTTP/1.1\nContent-Length: 4\n\n<a/>");
    assert_int_equal(capture.count, 1);
    assert_false(has_note(&capture, CAPTURE_NOTE_REMARK, "Cookie"));
    capture_deinit(&capture);
}

static void an_error_names_the_first_reason_and_counts_the_others(void **state)
{
    (void)state;
    assert_refused(STR("CONNECT a:443 HTTP/1.1\n\nCONNECT b:443 HTTP/1.1\n\nCONNECT c:443 "
                       "HTTP/1.1\n\n"),
                   "tunnels.txt", "CONNECT a:443: a tunnel");
    assert_refused(STR("CONNECT a:443 HTTP/1.1\n\nCONNECT b:443 HTTP/1.1\n\nCONNECT c:443 "
                       "HTTP/1.1\n\n"),
                   "tunnels.txt", "; 2 more like it");
}

static void a_large_body_is_read_whole(void **state)
{
    (void)state;
    struct buf text;
    struct capture capture;
    const size_t bytes = 64 << 20;
    buf_init(&text);
    buf_printf(&text, "POST http://h/ HTTP/1.1\r\nContent-Length: %zu\r\n\r\n", bytes);
    memset(buf_reserve(&text, bytes), 'x', bytes);
    text.len += bytes;
    read_content(&capture, buf_view(&text), "large.txt");
    assert_int_equal(capture.messages[0].body.len, bytes);
    capture_deinit(&capture);
    buf_deinit(&text);
}

static void deinit_is_safe_after_every_ending(void **state)
{
    (void)state;
    struct capture capture;
    struct err err;
    assert_false(capture_read(STR("PK\x03\x04"), "x", &capture, &err));
    capture_deinit(&capture);
    capture_deinit(&capture);
    assert_true(capture_read(str_of(NULL, 0), "-", &capture, NULL));
    assert_int_equal(capture.count, 1);
    capture_deinit(&capture);
    capture_deinit(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_name),
        cmocka_unit_test(messages_have_a_ceiling_and_the_rest_is_told),
        cmocka_unit_test(notes_are_lines_with_file_and_place),
        cmocka_unit_test(a_skipped_message_takes_its_notes_along),
        cmocka_unit_test(an_error_names_the_first_reason_and_counts_the_others),
        cmocka_unit_test(a_large_body_is_read_whole),
        cmocka_unit_test(deinit_is_safe_after_every_ending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
