/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/buf.h"
#include "lather/soap/judge.h"
#include "lather/soap/sax.h"

enum { TWELVE_MB = 12000000 };

/* What was read: its text, all of it. */
struct read {
    struct buf text;
    size_t elements;
};

static void on_start(void *context, const struct sax_element *element)
{
    (void)element;
    ((struct read *)context)->elements++;
}

static void on_end(void *context, unsigned depth)
{
    (void)context;
    (void)depth;
}

static void on_text(void *context, unsigned depth, struct str text)
{
    (void)depth;
    buf_append_str(&((struct read *)context)->text, text);
}

static enum sax_end read_in_pieces(struct read *read, struct str bytes, size_t piece)
{
    const struct sax_events events = {.start = on_start, .end = on_end, .text = on_text};
    *read = (struct read){.elements = 0};
    buf_init(&read->text);
    struct sax *sax = sax_new(&events, read, SAX_DOCTYPE_STOPS);
    sax_begin(sax, str_of(NULL, 0));
    while (bytes.len > 0) {
        struct str part = str_slice(bytes, 0, piece);
        bytes = str_slice(bytes, part.len, bytes.len);
        sax_feed(sax, part);
    }
    enum sax_end end = sax_finish(sax);
    sax_free(sax);
    return end;
}

static enum sax_end end_of(struct str bytes, size_t piece)
{
    struct read read;
    enum sax_end end = read_in_pieces(&read, bytes, piece);
    buf_deinit(&read.text);
    return end;
}

static void append_many(struct buf *text, struct str part, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += part.len) {
        buf_append_str(text, part);
    }
}

/* B094: whatever is in it: text that looks like its end, characters of several bytes. */
static void b094_cdata_of_twelve_megabytes_is_read_whole(void **state)
{
    (void)state;
    static const size_t pieces[] = {SIZE_MAX / 2, 100000, 65536, 4096};
    static const char *const contents[] = {"QUJD", "]]", "\xE2\x82\xAC]", "a>b]]<![CDATA[&"};
    for (size_t i = 0; i < 4; i++) {
        struct buf text;
        struct buf expected;
        struct read read;
        buf_init(&text);
        buf_init(&expected);
        append_many(&expected, str_from(contents[i]), i == 0 ? TWELVE_MB : TWELVE_MB / 10);
        buf_append_byte(&expected, 'x');
        buf_append_str(&text, STR("<a><b/><![CDATA["));
        buf_append_str(&text, buf_view(&expected));
        buf_append_str(&text, STR("]]><b/></a>"));
        assert_int_equal(read_in_pieces(&read, buf_view(&text), pieces[i]), SAX_WHOLE);
        assert_int_equal(read.elements, 3);
        assert_true(str_equals(buf_view(&read.text), buf_view(&expected)));
        buf_deinit(&read.text);
        buf_deinit(&expected);
        buf_deinit(&text);
    }
}

static void b094_long_cdata_is_read_where_it_is_converted(void **state)
{
    (void)state;
    struct buf text;
    struct read read;
    buf_init(&text);
    buf_append_str(&text, STR("<?xml version='1.0' encoding='iso-8859-1'?><a><![CDATA["));
    append_many(&text, STR("\xE9"), TWELVE_MB / 4);
    buf_append_str(&text, STR("]]></a>"));
    assert_int_equal(read_in_pieces(&read, buf_view(&text), 65536), SAX_WHOLE);
    assert_int_equal(read.text.len, TWELVE_MB / 2);
    buf_deinit(&read.text);
    buf_deinit(&text);
}

static void many_sections_of_any_length_are_read_whole(void **state)
{
    (void)state;
    struct buf text;
    struct read read;
    size_t expected = 0;
    buf_init(&text);
    buf_append_str(&text, STR("<a>"));
    for (size_t i = 0; i < 500; i++) {
        buf_append_str(&text, STR("<![CDATA["));
        append_many(&text, STR("x"), i);
        buf_append_str(&text, STR("]]>y"));
        expected += i + 1;
    }
    buf_append_str(&text, STR("</a>"));
    for (size_t piece = 1; piece < 20000; piece = piece * 7 + 1) {
        assert_int_equal(read_in_pieces(&read, buf_view(&text), piece), SAX_WHOLE);
        assert_int_equal(read.text.len, expected);
        buf_deinit(&read.text);
    }
    buf_deinit(&text);
}

/* What the parser must hold as a whole has a ceiling, and what comes of it has an end of its own.
 */
static void tags_comments_and_instructions_have_a_ceiling(void **state)
{
    (void)state;
    static const char *const begins[] = {"<a><!--", "<a b='", "<a><?p ", "<a><b ", "<a></", "<a><"};
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
        struct buf text;
        buf_init(&text);
        buf_append_str(&text, str_from(begins[i]));
        append_many(&text, STR("n>"), i < 3 ? TWELVE_MB : 0);
        append_many(&text, STR("n"), i < 3 ? 0 : TWELVE_MB);
        enum sax_end end = end_of(buf_view(&text), 65536);
        assert_true(end == SAX_TOO_LONG || end == SAX_NOT_WELL_FORMED);
        assert_true(i >= 3 || end == SAX_TOO_LONG);
        buf_deinit(&text);
    }
}

/* Beginnings of sections in a comment are not looked at one by one. */
static void what_looks_like_cdata_in_a_comment_costs_nothing(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("<a><!--"));
    append_many(&text, STR("<![CDATA["), 8 * 1024 * 1024);
    buf_append_str(&text, STR("--><![CDATA[ <![CDATA[ ]]></a>"));
    assert_int_equal(end_of(buf_view(&text), SIZE_MAX / 2), SAX_WHOLE);
    assert_int_equal(end_of(buf_view(&text), 5000), SAX_WHOLE);
    buf_deinit(&text);
}

static void an_open_section_is_cut_off(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("<a><![CDATA["));
    append_many(&text, STR("x"), 100000);
    assert_int_equal(end_of(buf_view(&text), 70000), SAX_CUT_OFF);
    buf_append_str(&text, STR("\x01]]></a>"));
    assert_int_equal(end_of(buf_view(&text), 70000), SAX_NOT_WELL_FORMED);
    buf_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b094_cdata_of_twelve_megabytes_is_read_whole),
        cmocka_unit_test(b094_long_cdata_is_read_where_it_is_converted),
        cmocka_unit_test(many_sections_of_any_length_are_read_whole),
        cmocka_unit_test(tags_comments_and_instructions_have_a_ceiling),
        cmocka_unit_test(what_looks_like_cdata_in_a_comment_costs_nothing),
        cmocka_unit_test(an_open_section_is_cut_off),
    };
    judge_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
