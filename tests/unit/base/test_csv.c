/* SPDX-License-Identifier: Apache-2.0 */
/* Feeds are read as RFC 4180 writes them; what is wrong is named with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/csv.h"

static bool parse(struct str text, struct csv **csv, struct err *err)
{
    struct buf content;
    buf_init(&content);
    buf_append_str(&content, text);
    bool good = csv_parse("f.csv", &content, csv, err);
    assert_null(content.data);
    return good;
}

static struct csv *table(struct str text)
{
    struct csv *csv = NULL;
    struct err err = {0};
    if (!parse(text, &csv, &err)) {
        fail_msg("%s", err.text);
    }
    return csv;
}

static void assert_cell(const struct csv *csv, size_t row, size_t column, const char *expected)
{
    struct str cell = csv_cell(csv, row, column);
    if (!str_equals(cell, str_from(expected))) {
        fail_msg("row %zu, column %zu: \"%.*s\", not \"%s\"", row, column, STR_ARG(cell), expected);
    }
}

static void assert_refused(struct str text, const char *sentence)
{
    struct csv *csv = NULL;
    struct err err = {0};
    assert_false(parse(text, &csv, &err));
    assert_null(csv);
    assert_string_equal(err.text, sentence);
}

static void values_of_each_kind_are_read(void **state)
{
    (void)state;
    struct csv *csv = table(STR("id,name,note\r\n"
                                "1,plain,\r\n"
                                "2,\"with, comma\",\"a \"\"quoted\"\" word\"\r\n"
                                "3,\"two\r\nlines\", blanks stay \r\n"
                                "4,\"\",\"\"\"\"\r\n"));
    assert_int_equal(csv_row_count(csv), 4);
    assert_int_equal(csv_column_count(csv), 3);
    assert_int_equal(csv_find_column(csv, STR("note")), 2);
    assert_int_equal(csv_find_column(csv, STR("Note")), SIZE_MAX);
    assert_cell(csv, 0, 1, "plain");
    assert_cell(csv, 0, 2, "");
    assert_cell(csv, 1, 1, "with, comma");
    assert_cell(csv, 1, 2, "a \"quoted\" word");
    assert_cell(csv, 2, 1, "two\r\nlines");
    assert_cell(csv, 2, 2, " blanks stay ");
    assert_cell(csv, 3, 1, "");
    assert_cell(csv, 3, 2, "\"");
    assert_int_equal(csv_line(csv, 2), 4);
    assert_int_equal(csv_line(csv, 3), 6);
    csv_free(csv);
}

static void line_ends_and_the_last_one_do_not_matter(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "a,b\n1,2\n3,4",           "a,b\n1,2\n3,4\n",         "a,b\r\n1,2\r\n3,4\r\n",
        "a,b\r\n1,2\n3,4\r\n\r\n", "\n\na,b\n\n1,2\n\n3,4\n", "a,b\n1,2\n3,\"4\"",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct csv *csv = table(str_from(texts[i]));
        assert_int_equal(csv_row_count(csv), 2);
        assert_cell(csv, 0, 0, "1");
        assert_cell(csv, 1, 1, "4");
        csv_free(csv);
    }
}

/* B090 */
static void B090_a_byte_order_mark_is_no_part_of_the_first_name(void **state)
{
    (void)state;
    struct csv *csv = table(STR("\xEF\xBB\xBFid,name\n1,\xC3\xA9\n"));
    assert_int_equal(csv_find_column(csv, STR("id")), 0);
    assert_cell(csv, 0, 1, "\xC3\xA9");
    csv_free(csv);
}

static void one_column_is_a_table_and_empty_lines_are_skipped(void **state)
{
    (void)state;
    struct csv *csv = table(STR("id\n1\n\n\"\"\n2\n\n"));
    assert_int_equal(csv_row_count(csv), 3);
    assert_cell(csv, 1, 0, "");
    assert_cell(csv, 2, 0, "2");
    csv_free(csv);
}

static void names_lose_the_blanks_around_them(void **state)
{
    (void)state;
    struct csv *csv = table(STR("id , order no,\n1, 2,\n"));
    assert_int_equal(csv_find_column(csv, STR("id")), 0);
    assert_int_equal(csv_find_column(csv, STR("order no")), 1);
    assert_cell(csv, 0, 1, " 2");
    csv_free(csv);
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    (void)state;
    assert_refused(STR(""), "f.csv: it has no rows: it is empty");
    assert_refused(STR("\n\n"), "f.csv: it has no rows: it is empty");
    assert_refused(STR("\xEF\xBB\xBF"), "f.csv: it has no rows: it is empty");
    assert_refused(STR("a,b\n"), "f.csv: it has no rows under its header");
    assert_refused(STR("a,b\n1,2\n3\n"), "f.csv:3: 1 value where the header has 2");
    assert_refused(STR("a,b\n\n\"1\n\n\",2\n1,2,3"), "f.csv:6: 3 values where the header has 2");
    assert_refused(STR("a,b\n1,\"2\n3,4\n"), "f.csv:2: a quote is opened and never closed");
    assert_refused(STR("a,b\n1,\"2\"x\n"), "f.csv:2: text behind a closing quote");
    assert_refused(STR("a,b\n1,5\" pipe\n"),
                   "f.csv:2: a quote inside a value that does not begin with one: put the value in "
                   "quotes and write its quotes twice");
    assert_refused(STR("a\r1\r2\r"), "f.csv:1: a CR that no LF follows: put the value in quotes");
    assert_refused(STR("a,b,a\n1,2,3\n"), "f.csv:1: two columns are called a");
    assert_refused(STR("\xFF\xFE"
                       "a\0"),
                   "f.csv: it is UTF-16: save it as CSV in UTF-8");
    assert_refused(STR("a,b\n1,\0\n"), "f.csv: a NUL at byte 7: it is no text file");
}

static void other_separators_are_named(void **state)
{
    (void)state;
    assert_refused(STR("a;b\n1;2,5\n"), "f.csv:2: 2 values where the header has 1: semicolons part "
                                        "its columns: save it with commas between them");
    assert_refused(STR("a\tb\n1\t2,5\n"), "f.csv:2: 2 values where the header has 1: tabs part its "
                                          "columns: save it with commas between them");
    assert_refused(STR("\"a\";\"b\"\n"), "f.csv:1: a semicolon or tab behind a closing quote: save "
                                         "it with commas between columns");
    struct csv *csv = table(STR("a;b\n1;2\n"));
    assert_string_equal(csv_separator_advice(csv),
                        ": semicolons part its columns: save it with commas between them");
    csv_free(csv);
    csv = table(STR("a;b,c\n1,2\n"));
    assert_string_equal(csv_separator_advice(csv), "");
    csv_free(csv);
}

static void what_is_no_utf_8_is_named_with_its_line(void **state)
{
    (void)state;
    struct err err;
    struct csv *csv = table(STR("a,b\n1,\xC3\xA9\n\"x\ny\",M\xFCller\n"));
    assert_false(csv_check_utf8(csv, &err));
    assert_string_equal(err.text,
                        "f.csv:3: byte 0xFC is not UTF-8: save it as CSV in UTF-8 (it may "
                        "be in windows-1252 now, what Excel calls CSV without more)");
    csv_free(csv);
    csv = table(STR("a,b\n1,\xC3\xA9\n"));
    assert_true(csv_check_utf8(csv, &err));
    csv_free(csv);
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    struct csv *csv = NULL;
    struct err err = {0};
    assert_false(csv_read("tests/no-such-feed.csv", &csv, &err));
    assert_non_null(strstr(err.text, "no-such-feed.csv"));
}

static void too_many_columns_are_refused(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    for (int i = 0; i < CSV_COLUMNS_CEILING; i++) {
        buf_printf(&text, "c%d,", i);
    }
    buf_append_str(&text, STR("last\n"));
    struct csv *csv = NULL;
    struct err err = {0};
    assert_false(csv_parse("f.csv", &text, &csv, &err));
    assert_string_equal(err.text, "f.csv:1: more than 4096 values in a row");
}

static void any_bytes_end_in_a_table_or_a_sentence(void **state)
{
    (void)state;
    static const char sample[] = "\xEF\xBB\xBFid,\"na\"\"me\"\r\n1,\"x\r\ny\"\r\n2,z\r\n";
    for (size_t len = 0; len < sizeof sample; len++) {
        for (int byte = 0; byte < 256; byte += 3) {
            char text[sizeof sample];
            memcpy(text, sample, sizeof sample);
            text[len] = (char)byte;
            struct csv *csv = NULL;
            struct err err = {0};
            if (parse(str_of(text, len + 1), &csv, &err)) {
                for (size_t row = 0; row < csv_row_count(csv); row++) {
                    (void)csv_cell(csv, row, csv_column_count(csv) - 1);
                }
                csv_free(csv);
            } else {
                assert_non_null(strstr(err.text, "f.csv"));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_each_kind_are_read),
        cmocka_unit_test(line_ends_and_the_last_one_do_not_matter),
        cmocka_unit_test(B090_a_byte_order_mark_is_no_part_of_the_first_name),
        cmocka_unit_test(one_column_is_a_table_and_empty_lines_are_skipped),
        cmocka_unit_test(names_lose_the_blanks_around_them),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(other_separators_are_named),
        cmocka_unit_test(what_is_no_utf_8_is_named_with_its_line),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(too_many_columns_are_refused),
        cmocka_unit_test(any_bytes_end_in_a_table_or_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
