/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded URLs become ones that can be sent to, or are dropped with the reason. */
#include "reading.h"

static void read_with_target(struct capture *capture, const char *target, const char *host)
{
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "POST %s HTTP/1.1\r\n", target);
    if (host != NULL) {
        buf_printf(&text, "Host: %s\r\n", host);
    }
    buf_append_str(&text, STR("\r\n<a/>"));
    read_content(capture, buf_view(&text), "capture.txt");
    assert_int_equal(capture->count, 1);
    buf_deinit(&text);
}

static void assert_url(const char *target, const char *host, const char *expected)
{
    struct capture capture;
    read_with_target(&capture, target, host);
    assert_string_equal(capture.messages[0].url, expected);
    capture_deinit(&capture);
}

static void whole_urls_stay_as_they_are(void **state)
{
    (void)state;
    assert_url("http://h:8080/S.svc?a=%20b", "other", "http://h:8080/S.svc?a=%20b");
    assert_url("https://[::1]/", NULL, "https://[::1]/");
}

static void a_path_gets_the_host_and_the_guess_is_told(void **state)
{
    (void)state;
    struct capture capture;
    read_with_target(&capture, "/S.svc", "biztalk:81");
    assert_string_equal(capture.messages[0].url, "http://biztalk:81/S.svc");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "http is a guess");
    capture_deinit(&capture);
    assert_url("/S.svc", "biztalk:443", "https://biztalk:443/S.svc");
}

static void useless_urls_are_dropped_with_the_reason(void **state)
{
    (void)state;
    static const char *const targets[] = {"/S.svc", "ftp://h/", "http:///x", "http://h:99999/",
                                          "http://{{base}}/x"};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        struct capture capture;
        read_with_target(&capture, targets[i], NULL);
        assert_string_equal(capture.messages[0].url, "");
        assert_note(&capture, CAPTURE_NOTE_REMARK, "give one on the command line");
        capture_deinit(&capture);
    }
}

static void user_information_becomes_credentials(void **state)
{
    (void)state;
    struct capture capture;
    read_with_target(&capture, "http://me%40x:p%3Aw@h/S.svc?q=a@b", NULL);
    assert_string_equal(capture.messages[0].url, "http://h/S.svc?q=a@b");
    assert_string_equal(capture.messages[0].basic_credentials, "me@x:p:w");
    assert_false(has_note(&capture, CAPTURE_NOTE_REMARK, "p:w"));
    capture_deinit(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_urls_stay_as_they_are),
        cmocka_unit_test(a_path_gets_the_host_and_the_guess_is_told),
        cmocka_unit_test(useless_urls_are_dropped_with_the_reason),
        cmocka_unit_test(user_information_becomes_credentials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
