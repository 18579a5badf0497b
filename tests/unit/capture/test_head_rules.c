/* SPDX-License-Identifier: Apache-2.0 */
/* What of a recorded head is sent again. */
#include "reading.h"

static void read_with_fields(struct capture *capture, const char *fields)
{
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "POST http://h/s HTTP/1.1\r\n%s\r\n<a/>", fields);
    read_content(capture, buf_view(&text), "capture.txt");
    assert_int_equal(capture->count, 1);
    buf_deinit(&text);
}

static void read_with_field(struct capture *capture, const char *name, const char *value)
{
    struct buf line;
    buf_init(&line);
    buf_printf(&line, "%s: %s\r\n", name, value);
    read_with_fields(capture, line.data);
    buf_deinit(&line);
}

static void fields_of_the_connection_are_dropped(void **state)
{
    (void)state;
    struct capture capture;
    read_with_fields(&capture, "host: h\r\nCONTENT-LENGTH: 4\r\nConnection: Keep-Alive\r\n"
                               "Keep-Alive: timeout=5\r\nProxy-Connection: close\r\n"
                               "Proxy-Authorization: Basic eA==\r\nTE: trailers\r\n"
                               "If-Modified-Since: now\r\nVsDebuggerCausalityData: uID\r\n"
                               "Expect: 100-continue\r\nUpgrade: h2c\r\n");
    assert_int_equal(capture.messages[0].head.count, 0);
    assert_note(&capture, CAPTURE_NOTE_ROUTINE, "CONTENT-LENGTH, Connection");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "dropped Expect");
    capture_deinit(&capture);
}

static void other_fields_keep_their_spelling_and_order(void **state)
{
    (void)state;
    struct capture capture;
    read_with_fields(&capture, "x-Custom: A\r\nContent-type:  TEXT/xml ;charset=\"UTF-8\"\r\n"
                               "Accept: */*\r\nUser-Agent: MS Web Services Client\r\n"
                               "soapAction: urn:x\r\nX-Content-Length: 5\r\n");
    const struct http_head *head = &capture.messages[0].head;
    assert_int_equal(head->count, 6);
    assert_string_equal(head->fields[0].name, "x-Custom");
    assert_string_equal(head->fields[1].name, "Content-type");
    assert_string_equal(head->fields[1].value, "TEXT/xml ;charset=\"UTF-8\"");
    assert_string_equal(head->fields[4].name, "soapAction");
    assert_string_equal(head->fields[5].value, "5");
    capture_deinit(&capture);
}

static void handshakes_are_dropped_and_their_secrets_not_told(void **state)
{
    (void)state;
    static const char *const values[] = {"Negotiate SECRET", "ntlm SECRET", "Digest SECRET",
                                         "Kerberos SECRET"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct capture capture;
        read_with_field(&capture, "Authorization", values[i]);
        assert_int_equal(capture.messages[0].head.count, 0);
        assert_note(&capture, CAPTURE_NOTE_REMARK, "dropped Authorization");
        assert_false(has_note(&capture, CAPTURE_NOTE_REMARK, "SECRET"));
        capture_deinit(&capture);
    }
}

static void basic_credentials_and_tokens_are_kept(void **state)
{
    (void)state;
    struct capture capture;
    read_with_field(&capture, "Authorization", "Basic dTpw");
    assert_string_equal(field(&capture.messages[0], "Authorization"), "Basic dTpw");
    assert_false(has_note(&capture, CAPTURE_NOTE_REMARK, "Authorization"));
    capture_deinit(&capture);
    read_with_field(&capture, "Authorization", "Bearer abc");
    assert_string_equal(field(&capture.messages[0], "Authorization"), "Bearer abc");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "may have expired");
    capture_deinit(&capture);
}

static void cookies_are_dropped_with_a_remark(void **state)
{
    (void)state;
    struct capture capture;
    read_with_field(&capture, "Cookie", "ASP.NET_SessionId=1");
    assert_string_equal(field(&capture.messages[0], "Cookie"), "(none)");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "dropped Cookie");
    capture_deinit(&capture);
}

static void accept_encoding_is_reduced(void **state)
{
    (void)state;
    static const struct {
        const char *recorded;
        const char *sent;
    } cases[] = {
        {"gzip, deflate, br", "gzip, deflate"},
        {"gzip", "gzip"},
        {"deflate;q=0.5", "deflate"},
        {"br, zstd", "(none)"},
        {"*", "gzip, deflate"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct capture capture;
        read_with_field(&capture, "Accept-Encoding", cases[i].recorded);
        assert_string_equal(field(&capture.messages[0], "Accept-Encoding"), cases[i].sent);
        capture_deinit(&capture);
    }
}

static void digests_are_kept_with_a_remark(void **state)
{
    (void)state;
    struct capture capture;
    read_with_fields(&capture, "Content-MD5: x\r\nX-Hmac: y\r\nX-Signature: z\r\n");
    assert_int_equal(capture.messages[0].head.count, 3);
    assert_note(&capture, CAPTURE_NOTE_REMARK, "kept Content-MD5");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "kept X-Hmac");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "kept X-Signature");
    capture_deinit(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_the_connection_are_dropped),
        cmocka_unit_test(other_fields_keep_their_spelling_and_order),
        cmocka_unit_test(handshakes_are_dropped_and_their_secrets_not_told),
        cmocka_unit_test(basic_credentials_and_tokens_are_kept),
        cmocka_unit_test(cookies_are_dropped_with_a_remark),
        cmocka_unit_test(accept_encoding_is_reduced),
        cmocka_unit_test(digests_are_kept_with_a_remark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
