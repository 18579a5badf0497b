/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that a person wrote: which of them say something, and where they stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/cli/line_reader.h"

static void lines_that_say_nothing_are_left_out_and_counted(void **state)
{
    (void)state;
    struct line_reader reader;
    line_reader_begin(&reader, STR("\xEF\xBB\xBF# a\r\n\n one \r\n\t# b\ntwo#"), "x");
    assert_int_equal(reader.number, 0);
    assert_true(line_reader_next(&reader));
    assert_int_equal(reader.number, 3);
    assert_true(str_equals(reader.line, STR(" one ")));
    assert_true(line_reader_next(&reader));
    assert_int_equal(reader.number, 5);
    assert_true(str_equals(reader.line, STR("two#")));
    assert_false(line_reader_next(&reader));
    assert_false(line_reader_next(&reader));
}

static void an_empty_text_has_no_lines(void **state)
{
    (void)state;
    struct line_reader reader;
    line_reader_begin(&reader, STR(""), "x");
    assert_false(line_reader_next(&reader));
    line_reader_begin(&reader, STR("\xEF\xBB\xBF"), "x");
    assert_false(line_reader_next(&reader));
}

static void a_sentence_gets_the_place_of_the_line(void **state)
{
    (void)state;
    struct line_reader reader;
    struct err err;
    line_reader_begin(&reader, STR("\nwrong\nnext"), "a.expect");
    assert_true(line_reader_next(&reader));
    (void)err_set(&err, ERR_USAGE, "no option");
    assert_false(line_reader_blame(&reader, &err));
    assert_string_equal(err.text, "a.expect:2: no option");
    assert_int_equal(err.code, ERR_USAGE);
}

static void a_long_name_is_cut(void **state)
{
    (void)state;
    char name[400];
    char place[LINE_READER_PLACE_SIZE];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    (void)line_reader_place(name, SIZE_MAX, place);
    assert_true(str_ends_with(str_from(place), STR("n:18446744073709551615")) ||
                sizeof(size_t) < 8);
    assert_string_equal(line_reader_place("a", 0, place), "a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_say_nothing_are_left_out_and_counted),
        cmocka_unit_test(an_empty_text_has_no_lines),
        cmocka_unit_test(a_sentence_gets_the_place_of_the_line),
        cmocka_unit_test(a_long_name_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
