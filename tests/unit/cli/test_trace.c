/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of cli/trace: ab's words for heads, by verbosity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/cli/trace.h"

static void assert_prints(int verbosity, struct str answer, const char *expected)
{
    char text[1024];
    struct trace trace = {.stream = tmpfile(), .method = "POST", .verbosity = verbosity};
    assert_non_null(trace.stream);
    trace_print(&trace, RUN_TRACE_SENT, STR("POST / HTTP/1.1\r\n\r\n"));
    trace_print(&trace, RUN_TRACE_RECEIVED, answer);
    trace_print(&trace, RUN_TRACE_SENT, STR("POST / HTTP/1.1\r\n\r\n"));
    rewind(trace.stream);
    text[fread(text, 1, sizeof text - 1, trace.stream)] = '\0';
    assert_string_equal(text, expected);
    (void)fclose(trace.stream);
}

#define SENT "INFO: POST header == \n---\nPOST / HTTP/1.1\r\n\r\n\n---\n"

static void the_request_is_printed_once_and_each_answer(void **state)
{
    (void)state;
    assert_prints(2, STR("HTTP/1.1 200 OK\r\nA: b\r\n\r\n"),
                  SENT "LOG: header received:\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n\n");
}

static void the_status_is_printed_from_3_on_and_warned_of(void **state)
{
    (void)state;
    assert_prints(3, STR("HTTP/1.1 500 Oops\r\n\r\n"),
                  SENT "LOG: header received:\nHTTP/1.1 500 Oops\r\n\r\n\n"
                       "LOG: Response code = 500\nWARNING: Response code not 2xx (500)\n");
}

static void what_a_terminal_would_obey_is_written_out(void **state)
{
    (void)state;
    assert_prints(2, STR("HTTP/1.1 200 \x1b]0;x\x07\r\nA: \x9b\tb\nC: d\re\r\n\r\n"),
                  SENT "LOG: header received:\nHTTP/1.1 200 \\x1b]0;x\\x07\r\n"
                       "A: \xEF\xBF\xBD\\x09b\nC: d\\x0de\r\n\r\n\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_request_is_printed_once_and_each_answer),
        cmocka_unit_test(the_status_is_printed_from_3_on_and_warned_of),
        cmocka_unit_test(what_a_terminal_would_obey_is_written_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
