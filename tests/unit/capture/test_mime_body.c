/* SPDX-License-Identifier: Apache-2.0 */
/* Multipart bodies in files. */
#include "reading.h"

#include "lather/capture/mime_body.h"

#define TYPE                                                                                       \
    "multipart/related; type=\"application/xop+xml\"; start=\"<root@orders.example>\"; "           \
    "start-info=\"text/xml\"; boundary=\"uuid:1\""

static void a_bare_body_gets_a_type_from_its_own_lines(void **state)
{
    (void)state;
    static const char *const samples[] = {SAMPLES "capture_mime/bare", SAMPLES "capture_mime/lf"};
    for (size_t i = 0; i < 2; i++) {
        struct capture capture;
        struct buf content;
        struct err err;
        buf_init(&content);
        assert_true(file_read(samples[i], 1 << 20, &content, &err));
        read_sample(&capture, samples[i]);
        assert_int_equal(capture.kind, CAPTURE_MIME);
        assert_string_equal(field(&capture.messages[0], "Content-Type"), TYPE);
        assert_int_equal(capture.messages[0].soap_version, SOAP_VERSION_11);
        assert_body(&capture.messages[0], buf_view(&content));
        assert_string_equal(capture.messages[0].method, "");
        assert_note(&capture, CAPTURE_NOTE_REMARK, "Content-Type made from the body's first lines");
        assert_ptr_equal(picked(&capture), &capture.messages[0]);
        capture_deinit(&capture);
        buf_deinit(&content);
    }
}

static void fields_in_front_of_the_body_are_the_messages(void **state)
{
    (void)state;
    struct capture capture;
    read_sample(&capture, SAMPLES "capture_mime/with-fields");
    const struct capture_message *message = &capture.messages[0];
    assert_string_equal(field(message, "Content-Type"), TYPE);
    assert_string_equal(field(message, "MIME-Version"), "1.0");
    assert_string_equal(field(message, "Date"), "(none)");
    assert_string_equal(message->soap_action, ORDER_ACTION);
    assert_true(str_starts_with(buf_view(&message->body), STR("--uuid:1\r\n")));
    capture_deinit(&capture);
}

static void text_with_dashes_is_no_multipart_body(void **state)
{
    (void)state;
    static const char *const texts[] = {"--", "-- a note\nand more", "--b\r\n\r\n<a/>",
                                        "Subject: x\r\n\r\n--b", "Content-Type: text/xml\r\n\r\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_false(mime_body_begins(str_from(texts[i])));
    }
    assert_true(mime_body_begins(STR("\n--b\nContent-Id: 1\n\n")));
    assert_true(mime_body_begins(STR("X: y\nContent-Type: multipart/related\n\n--b\n")));
}

static void a_boundary_that_cannot_be_sent_is_refused(void **state)
{
    (void)state;
    assert_refused(STR("MIME-Version: 1.0\r\n\r\nno boundary"), "x", "whose boundary cannot be");
    assert_refused(STR("MIME-Version: 1.0\r\n\r\n--b\"x\r\nContent-Type: a/b\r\n\r\n"), "x",
                   "whose boundary cannot be");
}

static void no_cut_breaks_the_reader(void **state)
{
    (void)state;
    assert_cuts_are_told(SAMPLES "capture_mime/with-fields", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_body_gets_a_type_from_its_own_lines),
        cmocka_unit_test(fields_in_front_of_the_body_are_the_messages),
        cmocka_unit_test(text_with_dashes_is_no_multipart_body),
        cmocka_unit_test(a_boundary_that_cannot_be_sent_is_refused),
        cmocka_unit_test(no_cut_breaks_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
