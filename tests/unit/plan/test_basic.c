/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of plan/basic: the vectors of RFC 4648 10, RFC 7617 2, and any length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/plan/basic.h"

static void assert_encodes(struct str credentials, const char *expected)
{
    struct buf text;
    buf_init(&text);
    basic_format(&text, credentials);
    assert_string_equal(text.data, expected);
    buf_deinit(&text);
}

static void the_vectors_of_the_standards_come_out(void **state)
{
    (void)state;
    assert_encodes(STR(""), "Basic ");
    assert_encodes(STR("f"), "Basic Zg==");
    assert_encodes(STR("fo"), "Basic Zm8=");
    assert_encodes(STR("foo"), "Basic Zm9v");
    assert_encodes(STR("foob"), "Basic Zm9vYg==");
    assert_encodes(STR("fooba"), "Basic Zm9vYmE=");
    assert_encodes(STR("foobar"), "Basic Zm9vYmFy");
    assert_encodes(STR("Aladdin:open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    assert_encodes(STR("test:123\xC2\xA3"), "Basic dGVzdDoxMjPCow==");
    assert_encodes(STR("\xFB\xFF\xFE"), "Basic +//+");
}

/* ab cuts at 1024 bytes. */
static void long_credentials_are_encoded_whole(void **state)
{
    (void)state;
    char credentials[6000];
    memset(credentials, 'a', sizeof credentials);
    struct buf text;
    buf_init(&text);
    basic_format(&text, str_of(credentials, sizeof credentials));
    assert_int_equal(text.len, sizeof "Basic " - 1 + 8000);
    buf_deinit(&text);
}

static void blanks_in_front_are_dropped(void **state)
{
    (void)state;
    assert_true(str_equals(basic_credentials(" \tuser: pass"), STR("user: pass")));
    assert_int_equal(basic_credentials(" ").len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vectors_of_the_standards_come_out),
        cmocka_unit_test(long_credentials_are_encoded_whole),
        cmocka_unit_test(blanks_in_front_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
