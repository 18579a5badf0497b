/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of cli/command_line: what a shell would take, without what is secret. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/cli/command_line.h"

static void assert_echoes(const char *expected, int argc, const char *const *argv)
{
    struct options options;
    struct err err = {0};
    struct buf text;
    options_init(&options);
    buf_init(&text);
    assert_true(options_parse(&options, COMMAND_RUN, argc, argv, &err));
    command_line_format(&text, &options, argc, argv);
    assert_string_equal(text.data, expected);
    buf_deinit(&text);
    options_deinit(&options);
}

#define ECHOES(expected, ...)                                                                      \
    assert_echoes(expected, sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *),          \
                  (const char *const[]){__VA_ARGS__})

static void words_are_quoted_where_a_shell_needs_it(void **state)
{
    (void)state;
    ECHOES("lather -n 200 -T 'application/soap+xml; charset=UTF-8' -p data.xml http://h/a.svc",
           "-n", "200", "-T", "application/soap+xml; charset=UTF-8", "-p", "data.xml",
           "http://h/a.svc");
    ECHOES("lather -H 'X: it'\\''s' --soap-action '' 'h/?a&b'", "-H", "X: it's", "--soap-action",
           "", "h/?a&b");
}

static void passwords_never_show(void **state)
{
    (void)state;
    ECHOES("lather -A 'bob:***' h/ -qA 'eve:***'", "-A", "bob:secret:er", "h/", "-qA",
           "eve:hidden");
}

static void secrets_are_found_in_every_spelling(void **state)
{
    (void)state;
    ECHOES("lather '-kAbob:***' '--user=eve:***' --user 'amy:***' h/", "-kAbob:s3", "--user=eve:s4",
           "--user", "amy:s5", "h/");
    ECHOES("lather -C 'session=***' '-Cb=***' '-Hauthorization: ***' -H 'Cookie: ***' -H 'X-Open: "
           "1' h/",
           "-C", "session=abc", "-Cb=c", "-Hauthorization: Basic eDp5", "-H", "Cookie: a=b", "-H",
           "X-Open: 1", "h/");
    ECHOES("lather -A '***' h/", "-A", "nocolon", "h/");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_quoted_where_a_shell_needs_it),
        cmocka_unit_test(passwords_never_show),
        cmocka_unit_test(secrets_are_found_in_every_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
