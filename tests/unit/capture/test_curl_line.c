/* SPDX-License-Identifier: Apache-2.0 */
/* curl commands as requests. */
#include "reading.h"

static void B113_every_dialect_gives_the_same_order(void **state)
{
    (void)state;
    static const char *const samples[] = {
        SAMPLES "capture_curl/order-bash",        SAMPLES "capture_curl/order-bash-ansi",
        SAMPLES "capture_curl/order-bash-double", SAMPLES "capture_curl/order-bash-one-line",
        SAMPLES "capture_curl/order-cmd-carets",  SAMPLES "capture_curl/order-cmd-carets-crlf",
        SAMPLES "capture_curl/order-cmd-doubled", SAMPLES "capture_curl/order-file",
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_sample_is_order(samples[i], CAPTURE_CURL);
    }
}

static void a_file_given_with_d_loses_its_line_ends(void **state)
{
    (void)state;
    struct capture capture;
    struct buf stripped;
    buf_init(&stripped);
    for (const char *at = ORDER_BODY; *at != '\0'; at++) {
        if (*at != '\n') {
            buf_append_byte(&stripped, *at);
        }
    }
    read_sample(&capture, SAMPLES "capture_curl/order-here");
    assert_order_head(&capture.messages[0]);
    assert_body(&capture.messages[0], buf_view(&stripped));
    assert_note(&capture, CAPTURE_NOTE_REMARK, "line ends were taken out of the file");
    capture_deinit(&capture);
    buf_deinit(&stripped);
}

static void read_curl(struct capture *capture, const char *text)
{
    read_content(capture, str_from(text), SAMPLES "capture_curl/none.sh");
}

static void data_is_joined_and_only_some_options_read_files(void **state)
{
    (void)state;
    struct capture capture;
    read_curl(&capture, "curl http://h/ -d a=1 --data-raw '@x' --data-binary b --data-ascii c");
    assert_body(&capture.messages[0], STR("a=1&@x&b&c"));
    assert_string_equal(capture.messages[0].method, "POST");
    assert_string_equal(field(&capture.messages[0], "Content-Type"),
                        "application/x-www-form-urlencoded");
    capture_deinit(&capture);
    read_curl(&capture, "curl --json '{\"a\":' --json 1} http://h/");
    assert_body(&capture.messages[0], STR("{\"a\":1}"));
    assert_string_equal(field(&capture.messages[0], "Content-Type"), "application/json");
    assert_string_equal(field(&capture.messages[0], "Accept"), "application/json");
    capture_deinit(&capture);
}

static void the_method_follows_from_the_options(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        const char *method;
        const char *url;
    } cases[] = {
        {"curl http://h/x", "GET", "http://h/x"},
        {"curl -I http://h/x", "HEAD", "http://h/x"},
        {"curl -XDELETE http://h/x", "DELETE", "http://h/x"},
        {"curl --request PUT -d a http://h/x", "PUT", "http://h/x"},
        {"curl -sG -d a=1 -d b=2 --url 'http://h/x?c'", "GET", "http://h/x?c&a=1&b=2"},
        {"curl -d a -X '' --http1.1 h/x", "POST", "http://h/x"},
        {"curl -T order-body.txt http://h/x", "PUT", "http://h/x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct capture capture;
        read_curl(&capture, cases[i].command);
        assert_string_equal(capture.messages[0].method, cases[i].method);
        assert_string_equal(capture.messages[0].url, cases[i].url);
        capture_deinit(&capture);
    }
}

static void headers_may_be_empty_or_taken_out(void **state)
{
    (void)state;
    struct capture capture;
    read_curl(&capture, "curl http://h/ -H 'SOAPAction;' -H 'Expect:' -H 'X-A:  b ' -H 'none' "
                        "-A agent -e from --compressed -b a=1 -d '<a/>'");
    const struct capture_message *message = &capture.messages[0];
    assert_string_equal(field(message, "SOAPAction"), "");
    assert_int_equal(message->action, CAPTURE_ACTION_EMPTY);
    assert_string_equal(field(message, "Expect"), "(none)");
    assert_string_equal(field(message, "X-A"), "b");
    assert_string_equal(field(message, "User-Agent"), "agent");
    assert_string_equal(field(message, "Referer"), "from");
    assert_string_equal(field(message, "Accept-Encoding"), "gzip, deflate");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "dropped Cookie");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "-H \"none\" has no colon");
    capture_deinit(&capture);
}

static void a_form_type_nobody_gave_makes_room_for_soap(void **state)
{
    (void)state;
    struct capture capture;
    read_curl(&capture, "curl http://h/ -d '<e:Envelope "
                        "xmlns:e=\"http://www.w3.org/2003/05/soap-envelope\"/>'");
    assert_string_equal(field(&capture.messages[0], "Content-Type"),
                        "application/soap+xml; charset=utf-8");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "application/x-www-form-urlencoded");
    capture_deinit(&capture);
}

static void credentials_are_taken_for_basic_only_and_never_told(void **state)
{
    (void)state;
    struct capture capture;
    read_curl(&capture, "curl -u 'user:pass:word' http://h/");
    assert_string_equal(capture.messages[0].basic_credentials, "user:pass:word");
    capture_deinit(&capture);
    read_curl(&capture, "curl --ntlm -uuser:SECRET http://h/");
    assert_null(capture.messages[0].basic_credentials);
    assert_note(&capture, CAPTURE_NOTE_REMARK, "give -A and --ntlm");
    assert_false(has_note(&capture, CAPTURE_NOTE_REMARK, "SECRET"));
    capture_deinit(&capture);
    read_curl(&capture, "curl -u user http://h/");
    assert_null(capture.messages[0].basic_credentials);
    assert_note(&capture, CAPTURE_NOTE_REMARK, "without a password");
    capture_deinit(&capture);
}

static void unknown_options_are_told(void **state)
{
    (void)state;
    struct capture capture;
    read_curl(&capture, "curl --frobnicate -k --no-keepalive -m 5 http://h/");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "left out: --frobnicate");
    assert_note(&capture, CAPTURE_NOTE_REMARK, "curl's --insecure is of the connection");
    assert_string_equal(capture.messages[0].url, "http://h/");
    capture_deinit(&capture);
}

static void what_cannot_be_a_message_is_skipped_with_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        const char *part;
    } cases[] = {
        {"curl -d a", "it has no URL"},
        {"curl http://h/ -d", "its last option lacks a value"},
        {"curl http://h/ -F a=b", "a multipart form is not read here"},
        {"curl http://h/ -d @no-such-file", "no-such-file: cannot read it"},
        {"curl http://h/ -d @-", "from standard input"},
        {"cat x | curl http://h/ -d @-", "out of another command"},
        {"curl -X 'GET / HTTP/1.1' http://h/", "its method is no word"},
        {"curl 'http://h/", "a quote in it is never closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf text;
        struct capture capture;
        buf_init(&text);
        buf_printf(&text, "curl http://whole/\n%s\n", cases[i].command);
        read_curl(&capture, text.data);
        assert_int_equal(capture.count, 1);
        assert_note(&capture, CAPTURE_NOTE_SKIPPED, cases[i].part);
        assert_note(&capture, CAPTURE_NOTE_SKIPPED, "line 2: ");
        capture_deinit(&capture);
        buf_deinit(&text);
    }
}

static void a_file_is_looked_for_beside_the_capture(void **state)
{
    (void)state;
    struct capture capture;
    read_content(&capture, STR("curl http://h/ --data-binary @order-body.txt"),
                 SAMPLES "capture_curl/any");
    assert_body(&capture.messages[0], STR(ORDER_BODY));
    capture_deinit(&capture);
    read_content(&capture, STR("curl http://h/ --data-binary @- < order-body.txt"),
                 SAMPLES "capture_curl/any");
    assert_body(&capture.messages[0], STR(ORDER_BODY));
    capture_deinit(&capture);
    assert_refused(STR("curl http://h/ --data-binary @order-body.txt"), "any",
                   "its body lies in a file: order-body.txt");
}

static void several_commands_and_parts_are_several_messages(void **state)
{
    (void)state;
    struct capture capture;
    read_curl(&capture, "#!/bin/sh\nset -e\ncurl http://h/1 --next http://h/2 -: http://h/3 \\\n"
                        " | tee x\n\nA=1 /usr/bin/curl http://h/4 # the last\n");
    assert_int_equal(capture.count, 4);
    assert_string_equal(capture.messages[1].place, "line 3, part 2");
    assert_string_equal(capture.messages[3].place, "line 6");
    assert_string_equal(capture.messages[3].url, "http://h/4");
    assert_note(&capture, CAPTURE_NOTE_SKIPPED, "line 2: \"set\" is no curl command");
    capture_deinit(&capture);
}

static void other_tools_commands_are_refused_by_name(void **state)
{
    (void)state;
    assert_sample_refused(SAMPLES "capture_curl/power-shell", "PowerShell");
    assert_refused(STR("Invoke-RestMethod -Uri http://h/"), "x", "PowerShell");
    assert_refused(STR("fetch(\"http://h/\", {});"), "x", "JavaScript");
}

static void no_cut_breaks_the_reader(void **state)
{
    (void)state;
    static const char *const samples[] = {
        SAMPLES "capture_curl/order-bash-ansi", SAMPLES "capture_curl/order-cmd-carets-crlf",
        SAMPLES "capture_curl/order-cmd-doubled", SAMPLES "capture_curl/options"};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_cuts_are_told(samples[i], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(B113_every_dialect_gives_the_same_order),
        cmocka_unit_test(a_file_given_with_d_loses_its_line_ends),
        cmocka_unit_test(data_is_joined_and_only_some_options_read_files),
        cmocka_unit_test(the_method_follows_from_the_options),
        cmocka_unit_test(headers_may_be_empty_or_taken_out),
        cmocka_unit_test(a_form_type_nobody_gave_makes_room_for_soap),
        cmocka_unit_test(credentials_are_taken_for_basic_only_and_never_told),
        cmocka_unit_test(unknown_options_are_told),
        cmocka_unit_test(what_cannot_be_a_message_is_skipped_with_the_reason),
        cmocka_unit_test(a_file_is_looked_for_beside_the_capture),
        cmocka_unit_test(several_commands_and_parts_are_several_messages),
        cmocka_unit_test(other_tools_commands_are_refused_by_name),
        cmocka_unit_test(no_cut_breaks_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
