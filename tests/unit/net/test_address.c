/* SPDX-License-Identifier: Apache-2.0 */
/* Literals and names become addresses in order, each once, with the port in place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lather/net/address.h"

static void a_literal_is_one_address_with_its_port(void **state)
{
    (void)state;
    struct address_list list;
    struct err err = {0};
    char text[ADDRESS_TEXT_SIZE];
    assert_true(address_resolve(&list, "127.0.0.1", 40000, NULL, &err));
    assert_int_equal(list.count, 1);
    assert_string_equal(address_format(&list.items[0], text), "127.0.0.1:40000");
    assert_true(address_resolve(&list, "::1", 80, NULL, &err));
    assert_int_equal(list.count, 1);
    assert_string_equal(address_format(&list.items[0], text), "[::1]:80");
}

/* B046: the first try may fail, so every address is there, none twice. */
static void localhost_has_distinct_addresses(void **state)
{
    (void)state;
    struct address_list list;
    struct err err = {0};
    assert_true(address_resolve(&list, "localhost", 80, NULL, &err));
    assert_true(list.count >= 1);
    for (size_t i = 0; i < list.count; i++) {
        for (size_t k = i + 1; k < list.count; k++) {
            assert_memory_not_equal(&list.items[i], &list.items[k], sizeof(list.items[i]));
        }
    }
}

static void a_local_address_keeps_only_its_family(void **state)
{
    (void)state;
    struct address_list list;
    struct sockaddr_storage bind_to;
    struct err err = {0};
    assert_true(address_parse_literal(&bind_to, "127.0.0.1", &err));
    assert_true(address_resolve(&list, "localhost", 80, &bind_to, &err));
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.items[i].ss_family, AF_INET);
    }
    assert_false(address_resolve(&list, "::1", 80, &bind_to, &err));
    assert_int_equal(err.code, ERR_RESOLVE);
}

static void a_name_without_address_is_named_in_the_error(void **state)
{
    (void)state;
    struct address_list list;
    struct err err = {0};
    assert_false(address_resolve(&list, "no-such-host.invalid", 80, NULL, &err));
    assert_int_equal(err.code, ERR_RESOLVE);
    assert_non_null(strstr(err.text, "no-such-host.invalid"));
}

static void a_local_address_must_be_a_literal(void **state)
{
    (void)state;
    struct sockaddr_storage address;
    struct err err = {0};
    assert_false(address_parse_literal(&address, "eth0", &err));
    assert_non_null(strstr(err.text, "eth0"));
}

static void a_local_address_must_be_this_machines(void **state)
{
    (void)state;
    struct sockaddr_storage address;
    struct err err = {0};
    assert_true(address_parse_literal(&address, "127.0.0.1", &err));
    assert_true(address_check_local(&address, &err));
    assert_true(address_parse_literal(&address, "203.0.113.7", &err)); /* RFC 5737: nobody's */
    assert_false(address_check_local(&address, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, "-B 203.0.113.7"));
}

static void several_local_addresses_are_used_in_turn(void **state)
{
    (void)state;
    struct address_list list;
    struct err err = {0};
    char text[ADDRESS_TEXT_SIZE];
    assert_true(address_list_parse(&list, "127.0.0.1, ::1,127.0.0.2,127.0.0.1", &err));
    assert_int_equal(list.count, 3);
    static const char *const v4[] = {"127.0.0.1", "127.0.0.2", "127.0.0.1", "127.0.0.2"};
    size_t turn = 0;
    for (size_t i = 0; i < sizeof v4 / sizeof *v4; i++) {
        assert_string_equal(address_format_ip(address_list_take(&list, &turn, AF_INET), text),
                            v4[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(address_format_ip(address_list_take(&list, &turn, AF_INET6), text),
                            "::1");
    }
    assert_true(address_list_parse(&list, "127.0.0.1", &err));
    assert_null(address_list_take(&list, &turn, AF_INET6));
    assert_null(address_list_take(NULL, &turn, AF_INET));
}

static void each_local_address_must_be_a_literal(void **state)
{
    (void)state;
    static const char *const texts[] = {"",           "127.0.0.1,", "127.0.0.1,localhost",
                                        ",127.0.0.1", "a,b",        "127.0.0.1 127.0.0.2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct address_list list;
        struct err err = {0};
        if (address_list_parse(&list, texts[i], &err)) {
            assert_string_equal(texts[i], "127.0.0.1,"); /* a comma at the end does no harm */
        } else {
            assert_non_null(strstr(err.text, "-B"));
        }
    }
    struct address_list list;
    struct err err = {0};
    char many[ADDRESS_CEILING * 12 + 32] = "";
    for (int i = 0; i <= ADDRESS_CEILING; i++) {
        const size_t len = strlen(many);
        (void)snprintf(many + len, sizeof many - len, "%s127.0.0.%d", i > 0 ? "," : "", i + 1);
    }
    assert_false(address_list_parse(&list, many, &err));
    assert_non_null(strstr(err.text, "16"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_literal_is_one_address_with_its_port),
        cmocka_unit_test(localhost_has_distinct_addresses),
        cmocka_unit_test(a_local_address_keeps_only_its_family),
        cmocka_unit_test(a_name_without_address_is_named_in_the_error),
        cmocka_unit_test(a_local_address_must_be_a_literal),
        cmocka_unit_test(a_local_address_must_be_this_machines),
        cmocka_unit_test(several_local_addresses_are_used_in_turn),
        cmocka_unit_test(each_local_address_must_be_a_literal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
