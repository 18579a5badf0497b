/* SPDX-License-Identifier: Apache-2.0 */
/* HOST:PORT is taken off the front of a text, brackets and empty parts included. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/base/host_port.h"

static void hosts_and_ports_are_taken(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *host;
        uint16_t port;
        const char *rest;
    } cases[] = {
        {"web:80", "web", 80, ""},
        {"10.0.0.1:65535", "10.0.0.1", 65535, ""},
        {"[::1]:8080", "::1", 8080, ""},
        {"[fe80::1%eth0]:1", "fe80::1%eth0", 1, ""},
        {"web", "web", 0, ""},
        {"[::1]", "::1", 0, ""},
        {"web:", "web", 0, ""},
        {"", "", 0, ""},
        {":", "", 0, ""},
        {":443", "", 443, ""},
        {"a:1:b:2", "a", 1, ":b:2"},
        {"::b:", "", 0, ":b:"},
        {"[::1]:1:[::2]:2", "::1", 1, ":[::2]:2"},
        {"my_pc-1.corp:1", "my_pc-1.corp", 1, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str text = str_from(cases[i].text);
        struct str host;
        uint16_t port = 7;
        if (!host_port_take(&text, &host, &port)) {
            fail_msg("refused: %s", cases[i].text);
        }
        assert_true(str_equals(host, str_from(cases[i].host)));
        assert_int_equal(port, cases[i].port);
        assert_true(str_equals(text, str_from(cases[i].rest)));
    }
}

static void what_is_no_host_or_port_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "web:0",
        "web:65536",
        "web:-1",
        "web:8o",
        "web: 80",
        "we b:80",
        "[::1",
        "[]:80",
        "[::1]x:80",
        "[we b]:80",
        "w/eb:80",
        "u@web:80",
        "web:99999999999999999999",
        "\x01:80",
        "web\x7f:80",
        "a b",
        "http://web:80",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct str text = str_from(texts[i]);
        struct str host;
        uint16_t port;
        if (host_port_take(&text, &host, &port)) {
            /* a scheme ends where a port would begin: the rest tells */
            assert_true(text.len > 0);
        }
    }
    struct str nul = str_of("we\0b:80", 7);
    struct str host;
    uint16_t port;
    assert_false(host_port_take(&nul, &host, &port));
}

static void every_beginning_of_a_text_is_safe(void **state)
{
    (void)state;
    const char *whole = "[fe80::1%eth0]:8080:[::2]:2";
    for (size_t len = 0; len <= strlen(whole); len++) {
        struct str text = str_of(whole, len);
        struct str host;
        uint16_t port;
        if (host_port_take(&text, &host, &port)) {
            assert_true(host.len <= len);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_and_ports_are_taken),
        cmocka_unit_test(what_is_no_host_or_port_is_refused),
        cmocka_unit_test(every_beginning_of_a_text_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
