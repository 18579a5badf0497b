/* SPDX-License-Identifier: Apache-2.0 */
/* What is put into a request stays what it is there, and what cannot stand there is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/soap/insert.h"

static void assert_put(enum insert_context context, enum insert_encoding encoding, struct str text,
                       struct str expected)
{
    struct insert_place place = {context, encoding};
    struct err err = {0};
    if (!insert_check(place, text, &err)) {
        fail_msg("%s", err.text);
    }
    struct buf target;
    buf_init(&target);
    insert_append(place, text, &target);
    if (!str_equals(buf_view(&target), expected)) {
        fail_msg("\"%.*s\" instead of \"%.*s\"", STR_ARG(buf_view(&target)), STR_ARG(expected));
    }
    assert_true(target.len <= text.len * INSERT_MOST_GROWTH);
    assert_int_equal(insert_keeps(place, text), str_equals(text, expected));
    buf_deinit(&target);
}

static void markup_is_escaped_as_the_place_needs_it(void **state)
{
    (void)state;
    struct str text = STR("a<b>&\"c\"'d'\t\r\n\xC3\xA9");
    assert_put(INSERT_TEXT, INSERT_UTF8, text, STR("a&lt;b&gt;&amp;\"c\"'d'\t&#13;\n\xC3\xA9"));
    assert_put(INSERT_TAG, INSERT_UTF8, text,
               STR("a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;&#9;&#13;&#10;\xC3\xA9"));
    assert_put(INSERT_TEXT, INSERT_ASCII, text, STR("a&lt;b&gt;&amp;\"c\"'d'\t&#13;\n&#233;"));
    assert_put(INSERT_PLAIN, INSERT_UTF8, text, text);
    assert_put(INSERT_CDATA, INSERT_UTF8, text, text);
    assert_put(INSERT_CDATA, INSERT_UTF8, STR("x]]>y"), STR("x]]]]><![CDATA[>y"));
    assert_put(INSERT_CDATA, INSERT_UTF8, STR(">"), STR("]]><![CDATA[>"));
    assert_put(INSERT_CDATA, INSERT_UTF8, STR("a>b]"), STR("a>b]]]><![CDATA["));
    assert_put(INSERT_COMMENT, INSERT_UTF8, STR("a--b ?>"), STR("a__b __"));
}

static void paths_take_unreserved_characters_only(void **state)
{
    (void)state;
    assert_put(INSERT_PATH, INSERT_UTF8, STR("aZ09-._~"), STR("aZ09-._~"));
    assert_put(INSERT_PATH, INSERT_UTF8, STR("a b/c?d=&%\xC3\xA9:+\r\n"),
               STR("a%20b%2Fc%3Fd%3D%26%25%C3%A9%3A%2B%0D%0A"));
    assert_put(INSERT_PATH, INSERT_UTF8, STR("\0"), STR("%00"));
}

static void utf16_bodies_get_utf16(void **state)
{
    (void)state;
    assert_put(INSERT_TEXT, INSERT_UTF16LE, STR("a&\xF0\x9F\x98\x80"),
               STR("a\0&\0a\0m\0p\0;\0\x3D\xD8\x00\xDE"));
    assert_put(INSERT_TEXT, INSERT_UTF16BE, STR("\xE2\x82\xAC"), STR("\x20\xAC"));
    assert_put(INSERT_PLAIN, INSERT_UTF16BE, STR("<1>"), STR("\0<\0001\0>"));
}

static void B087_B104_B157_a_byte_order_mark_never_gets_into_mid_stream(void **state)
{
    (void)state;
    for (int context = 0; context < INSERT_CONTEXT_COUNT; context++) {
        assert_put((enum insert_context)context, INSERT_UTF8, STR("\xEF\xBB\xBFx"), STR("x"));
    }
    assert_put(INSERT_TEXT, INSERT_UTF16LE, STR("\xEF\xBB\xBFx"), STR("x\0"));
}

static void assert_refused(enum insert_context context, enum insert_encoding encoding,
                           struct str text, const char *sentence)
{
    struct err err = {0};
    assert_false(insert_check((struct insert_place){context, encoding}, text, &err));
    assert_string_equal(err.text, sentence);
}

static void what_cannot_stand_there_is_refused(void **state)
{
    (void)state;
    assert_refused(INSERT_TEXT, INSERT_UTF8, STR("ab\x01"),
                   "byte 3 is the character U+0001, which XML cannot hold");
    assert_refused(INSERT_TAG, INSERT_UTF8, STR("\0"),
                   "byte 1 is the character U+0000, which XML cannot hold");
    assert_refused(INSERT_CDATA, INSERT_UTF8, STR("\xEF\xBF\xBF"),
                   "byte 1 is the character U+FFFF, which XML cannot hold");
    assert_refused(INSERT_TEXT, INSERT_UTF8, STR("caf\xE9"), "byte 4 is not UTF-8");
    assert_refused(INSERT_PLAIN, INSERT_UTF16LE, STR("caf\xE9"), "byte 4 is not UTF-8");
    assert_refused(INSERT_CDATA, INSERT_ASCII, STR("caf\xC3\xA9"),
                   "byte 4 begins a character that this place and encoding of the message cannot "
                   "hold");
    assert_refused(INSERT_HEADER, INSERT_UTF8, STR("a\r\nX: y"),
                   "byte 2 is a line break, which no header field can hold");
    assert_refused(INSERT_HEADER, INSERT_UTF8, STR("a\nb"),
                   "byte 2 is a line break, which no header field can hold");
    assert_refused(INSERT_HEADER, INSERT_UTF8, STR("a\0"),
                   "byte 2 is a NUL, which no header field can hold");
    assert_true(
        insert_check((struct insert_place){INSERT_PLAIN, INSERT_UTF8}, STR("any\0\xFF\r\n"), NULL));
}

static void nothing_outgrows_its_room(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\"",   "]]>", "]]>]]>]]>", "\r", "\xC2\x80", "\xE2\x82\xAC", "\xF4\x8F\xBF\xBD",
        "&&&&", "-",   "'"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (int context = 0; context < INSERT_CONTEXT_COUNT; context++) {
            for (int encoding = 0; encoding < INSERT_ENCODING_COUNT; encoding++) {
                char target[128];
                struct str text = str_from(texts[i]);
                size_t len = insert_put((struct insert_place){(enum insert_context)context,
                                                              (enum insert_encoding)encoding},
                                        text, target);
                assert_true(len <= text.len * INSERT_MOST_GROWTH);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_is_escaped_as_the_place_needs_it),
        cmocka_unit_test(paths_take_unreserved_characters_only),
        cmocka_unit_test(utf16_bodies_get_utf16),
        cmocka_unit_test(B087_B104_B157_a_byte_order_mark_never_gets_into_mid_stream),
        cmocka_unit_test(what_cannot_stand_there_is_refused),
        cmocka_unit_test(nothing_outgrows_its_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
