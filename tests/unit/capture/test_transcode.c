/* SPDX-License-Identifier: Apache-2.0 */
/* Text in other encodings: exact, or refused. */
#include "reading.h"

#include "lather/capture/transcode.h"

static void assert_bytes(const struct buf *buf, struct str expected)
{
    assert_int_equal(buf->len, expected.len);
    assert_memory_equal(buf->data, expected.data, expected.len);
    assert_int_equal(buf->data[buf->len], '\0');
}

static void known_encodings_give_their_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *charset;
        struct str bytes;
    } cases[] = {
        {"utf-8", {"\xC3\xA9<", 3}},      {"", {"\xC3\xA9<", 3}},
        {"US-ASCII", {"\xC3\xA9<", 3}},   {"ISO-8859-1", {"\xE9<", 2}},
        {"windows-1252", {"\xE9<", 2}},   {"utf-16", {"\xFF\xFE\xE9\0<\0", 6}},
        {" UTF-16BE ", {"\0\xE9\0<", 4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf out;
        buf_init(&out);
        assert_true(transcode_from_utf8(STR("\xC3\xA9<"), str_from(cases[i].charset), &out));
        assert_bytes(&out, cases[i].bytes);
        buf_deinit(&out);
    }
}

/* It is read only by soap/codepage, whose table serves here the other way round. */
static void the_windows_code_page_is_written_too(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    assert_true(transcode_from_utf8(STR("<\xE2\x82\xAC\xE2\x80\x94\xC3\xBF"), STR("cp1252"), &out));
    assert_bytes(&out, STR("<\x80\x97\xFF"));
    assert_false(transcode_from_utf8(STR("\xCE\xB1"), STR("Windows-1252"), &out));
    assert_false(transcode_from_utf8(STR("a\xFF"), STR("Windows-1252"), &out));
    assert_bytes(&out, STR("<\x80\x97\xFF"));
    buf_deinit(&out);
}

static void what_an_encoding_cannot_hold_is_refused(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    buf_append_str(&out, STR("kept"));
    /* U+2014 is not in Latin 1; a reference to it would be wrong outside of XML. */
    assert_false(transcode_from_utf8(STR("a\xE2\x80\x94"), STR("ISO-8859-1"), &out));
    assert_false(transcode_from_utf8(STR("a\xFF"), STR("ISO-8859-1"), &out));
    assert_false(transcode_from_utf8(STR("a"), STR("no-such-charset"), &out));
    assert_false(transcode_from_utf8(STR("a"), STR("ISO-8859-1//TRANSLIT"), &out));
    assert_false(transcode_from_utf8(STR("a"), str_of("latin\0 1", 8), &out));
    assert_bytes(&out, STR("kept"));
    buf_deinit(&out);
}

static void long_texts_are_cut_between_no_characters(void **state)
{
    (void)state;
    struct buf text;
    struct buf wide;
    struct buf again;
    buf_init(&text);
    buf_init(&wide);
    buf_init(&again);
    buf_append_byte(&text, 'a'); /* so that two and three bytes never align with a piece */
    for (int i = 0; i < 100000; i++) {
        buf_append_str(&text, i % 2 == 0 ? STR("\xC3\xA9") : STR("\xE2\x82\xAC"));
    }
    assert_true(transcode_from_utf8(buf_view(&text), STR("UTF-16LE"), &wide));
    assert_int_equal(wide.len, 2 * 100001);
    assert_true(transcode_to_utf8(buf_view(&wide), STR("UTF-16LE"), &again));
    assert_bytes(&again, buf_view(&text));
    buf_deinit(&text);
    buf_deinit(&wide);
    buf_deinit(&again);
}

static void half_a_character_is_refused(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    assert_false(transcode_to_utf8(str_of("a\0b", 3), STR("UTF-16LE"), &out));
    assert_int_equal(out.len, 0);
    buf_deinit(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_encodings_give_their_bytes),
        cmocka_unit_test(the_windows_code_page_is_written_too),
        cmocka_unit_test(what_an_encoding_cannot_hold_is_refused),
        cmocka_unit_test(long_texts_are_cut_between_no_characters),
        cmocka_unit_test(half_a_character_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
