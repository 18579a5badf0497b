/* SPDX-License-Identifier: Apache-2.0 */
/* Transfer encodings of parts, in pieces of every size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/buf.h"
#include "lather/soap/part_coding.h"

static void take(void *context, struct str bytes)
{
    buf_append_str(context, bytes);
}

static void check(const char *name, struct str encoded, const char *expected)
{
    for (size_t piece = 1; piece <= encoded.len; piece++) {
        struct part_coding coding;
        struct buf plain;
        buf_init(&plain);
        assert_true(part_coding_begin(&coding, str_from(name)));
        for (size_t at = 0; at < encoded.len; at += piece) {
            part_coding_undo(&coding, str_slice(encoded, at, at + piece), take, &plain);
        }
        if (!str_equals(buf_view(&plain), str_from(expected))) {
            fail_msg("%s, pieces of %zu: \"%.*s\"", name, piece, STR_ARG(buf_view(&plain)));
        }
        buf_deinit(&plain);
    }
}

static void base64_passes_over_what_is_no_digit(void **state)
{
    (void)state;
    check("base64", STR("PGU+"), "<e>");
    check(" BASE64 ", STR("PG\r\nU gYT\t0nMScv\r\nPg=="), "<e a='1'/>");
    check("base64", STR("===\r\n"), "");
}

static void quoted_printable_joins_lines_and_lets_wrong_escapes_stand(void **state)
{
    (void)state;
    check("quoted-printable", STR("a=3Db=\r\nc=\nd=c3=BC"), "a=bcd\xC3\xBC");
    check("Quoted-Printable", STR("=zz=3"), "=");
}

static void what_is_no_encoding_changes_nothing(void **state)
{
    (void)state;
    check("", STR("a=3D"), "a=3D");
    check("8bit", STR("a=3D"), "a=3D");
    check("7BIT", STR("a=3D"), "a=3D");
    check("binary", STR("a=3D"), "a=3D");
}

static void a_long_text_comes_out_whole(void **state)
{
    (void)state;
    struct part_coding coding;
    struct buf encoded;
    struct buf plain;
    buf_init(&encoded);
    buf_init(&plain);
    for (size_t i = 0; i < 3000; i++) {
        buf_append_str(&encoded, STR("YWJj"));
    }
    assert_true(part_coding_begin(&coding, STR("base64")));
    part_coding_undo(&coding, buf_view(&encoded), take, &plain);
    assert_int_equal(plain.len, 9000);
    assert_true(str_ends_with(buf_view(&plain), STR("abcabc")));
    buf_deinit(&encoded);
    buf_deinit(&plain);
}

static void an_unknown_encoding_is_refused(void **state)
{
    (void)state;
    struct part_coding coding;
    assert_false(part_coding_begin(&coding, STR("x-uuencode")));
    assert_int_equal(coding.kind, PART_CODING_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_passes_over_what_is_no_digit),
        cmocka_unit_test(quoted_printable_joins_lines_and_lets_wrong_escapes_stand),
        cmocka_unit_test(what_is_no_encoding_changes_nothing),
        cmocka_unit_test(a_long_text_comes_out_whole),
        cmocka_unit_test(an_unknown_encoding_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
