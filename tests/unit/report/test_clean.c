/* SPDX-License-Identifier: Apache-2.0 */
/* Foreign text: what is clean stays, what is not is still told apart, and nothing gets through. */
#include "lather/report/clean.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MARK "\xEF\xBF\xBD"

static void assert_clean(void (*clean)(struct buf *, struct str), struct str text,
                         const char *expected)
{
    struct buf out;
    buf_init(&out);
    buf_append_str(&out, STR("<"));
    clean(&out, text);
    assert_int_equal(out.len, strlen(expected) + 1);
    assert_string_equal(out.data + 1, expected);
    buf_deinit(&out);
}

static void clean_text_is_unchanged(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "plain",
        "\xC3\xA9",
        "\xE2\x82\xAC",
        "\xF0\x9F\x98\x80",
        "\xF4\x8F\xBF\xBF",
        "\xED\x9F\xBF",
        "\xEE\x80\x80",
        "\xC2\xA0",
        MARK,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_clean(clean_utf8, str_from(texts[i]), texts[i]);
        assert_clean(clean_line, str_from(texts[i]), texts[i]);
        assert_clean(clean_html, str_from(texts[i]), texts[i]);
    }
}

static void bytes_of_no_sequence_become_the_replacement_character(void **state)
{
    (void)state;
    assert_clean(clean_utf8,
                 STR("a\xFF"
                     "b"),
                 "a" MARK "b");
    assert_clean(clean_utf8, STR("\x80"), MARK);
    assert_clean(clean_utf8, STR("a\0b"), "a" MARK "b");
    assert_clean(clean_utf8, STR("\xC0\xAF"), MARK MARK); /* overlong "/" */
    assert_clean(clean_utf8, STR("\xE0\x80\xAF"), MARK MARK MARK);
    assert_clean(clean_utf8, STR("\xF0\x80\x80\xAF"), MARK MARK MARK MARK);
    assert_clean(clean_utf8, STR("\xED\xA0\x80"), MARK MARK MARK); /* a surrogate */
    assert_clean(clean_utf8, STR("\xF4\x90\x80\x80"), MARK MARK MARK MARK);
    assert_clean(clean_utf8, STR("\xF5\x80\x80\x80"), MARK MARK MARK MARK);
    assert_clean(clean_utf8, STR("\xE2\x82z"), MARK MARK "z");
}

static void a_sequence_cut_at_the_end_is_not_read_beyond_it(void **state)
{
    (void)state;
    const char *text = "\xF0\x9F\x98\x80";
    assert_clean(clean_utf8, str_of(text, 1), MARK);
    assert_clean(clean_utf8, str_of(text, 2), MARK MARK);
    assert_clean(clean_utf8, str_of(text, 3), MARK MARK MARK);
}

static void control_characters_are_written_out_in_lines(void **state)
{
    (void)state;
    assert_clean(clean_line, STR("a\r\nb\tc\x1b[0m\x7f"), "a\\x0d\\x0ab\\x09c\\x1b[0m\\x7f");
    assert_clean(clean_line,
                 STR("\xC2\x9B"
                     "1m"),
                 "\\x9b1m");
    assert_clean(clean_html, STR("\x01<"), "\\x01&lt;");
    assert_clean(clean_utf8, STR("\x1b\n"), "\x1b\n"); /* JSON escapes them itself */
}

static void markup_becomes_entities(void **state)
{
    (void)state;
    assert_clean(clean_html, STR("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
}

static void cleaning_twice_changes_nothing_more(void **state)
{
    (void)state;
    struct buf once;
    buf_init(&once);
    for (int first = 0; first < 256; first++) {
        for (int second = 0; second < 256; second++) {
            buf_append_byte(&once, (char)first);
            buf_append_byte(&once, (char)second);
        }
    }
    struct buf cleaned;
    buf_init(&cleaned);
    clean_utf8(&cleaned, buf_view(&once));
    buf_reset(&once);
    clean_utf8(&once, buf_view(&cleaned));
    assert_true(str_equals(buf_view(&once), buf_view(&cleaned)));
    buf_deinit(&once);
    buf_deinit(&cleaned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_text_is_unchanged),
        cmocka_unit_test(bytes_of_no_sequence_become_the_replacement_character),
        cmocka_unit_test(a_sequence_cut_at_the_end_is_not_read_beyond_it),
        cmocka_unit_test(control_characters_are_written_out_in_lines),
        cmocka_unit_test(markup_becomes_entities),
        cmocka_unit_test(cleaning_twice_changes_nothing_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
