/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options beside a message: each line is read as on the command line, goes before it, and a wrong
 * one is named by file and line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lather/cli/expect_file.h"

static void parse(struct expect_file *file, const char *text)
{
    struct err err = {0};
    if (!expect_file_parse(file, str_from(text), "a.expect", "folder/", &err)) {
        fail_msg("refused: %s", err.text);
    }
}

static void assert_refuses(const char *text, const char *sentence)
{
    struct expect_file file;
    struct err err = {0};
    assert_false(expect_file_parse(&file, str_from(text), "a.expect", "", &err));
    assert_string_equal(err.text, sentence);
    assert_false(expect_file_has_any(&file));
}

static void values_go_to_the_end_of_their_line(void **state)
{
    (void)state;
    struct expect_file file;
    parse(&file, "\xEF\xBB\xBF# remark\r\n\n  --expect-text  \"a\" = b # c \r\n"
                 "--expect-fault\n--max-time=250ms\n--golden good.xml\n--xsd /x.xsd");
    assert_true(expect_file_has_any(&file));
    assert_string_equal(options_text(&file.options, OPTION_EXPECT_TEXT), "\"a\" = b # c");
    assert_string_equal(options_text(&file.options, OPTION_EXPECT_FAULT), "");
    assert_int_equal(options_number(&file.options, OPTION_MAX_TIME, 0), 250000000);
    assert_string_equal(options_text(&file.options, OPTION_GOLDEN), "folder/good.xml");
    assert_string_equal(options_text(&file.options, OPTION_XSD), "/x.xsd");
    expect_file_deinit(&file);
}

static void wrong_lines_are_named(void **state)
{
    (void)state;
    assert_refuses("\n#\n--one-way yes\n",
                   "a.expect:3: --one-way takes no value: leave out \"=yes\"");
    assert_refuses("--expect-text\n",
                   "a.expect:1: --expect-text needs a value: --expect-text TEXT");
    assert_refuses("one-way\n", "a.expect:1: \"one-way\" is no option: write one a line with its "
                                "long name, as --expect-fault Sender, and # before remarks");
    assert_refuses("--requests 5\n", "a.expect:1: --requests is about the whole run, not about one "
                                     "message: give it on the command line");
    assert_refuses(
        "--one-way\n--header foo\n",
        "a.expect:2: --header: header \"foo\" has no colon: write it as \"Name: value\"");
    assert_refuses("--expect-xpath '//a'\n",
                   "a.expect:1: --expect-xpath: an expression in quotes is a text, which is always "
                   "true: leave the quotes out, no shell reads this line");
}

static void the_file_goes_before_the_command_line(void **state)
{
    (void)state;
    static const char *const words[] = {"--expect-text=all",   "--max-time=1s", "--one-way",
                                        "--expect-status=200", "--requests=5",  "--xsd=x"};
    struct options base;
    struct options laid;
    struct expect_file file;
    struct err err;
    options_init(&base);
    assert_true(options_parse(&base, COMMAND_RUN, 6, words, &err));
    parse(&file, "--expect-text one\n--expect-text two\n--max-time 2s\n--expect-fault\n--wsdl w\n");
    expect_file_lay(&file, &base, &laid);
    assert_int_equal(laid.values[OPTION_EXPECT_TEXT].count, 3);
    assert_string_equal(laid.values[OPTION_EXPECT_TEXT].texts[0], "all");
    assert_string_equal(laid.values[OPTION_EXPECT_TEXT].texts[2], "two");
    assert_int_equal(options_number(&laid, OPTION_MAX_TIME, 0), 2000000000);
    assert_int_equal(options_number(&laid, OPTION_REQUESTS, 0), 5);
    assert_string_equal(options_text(&laid, OPTION_EXPECT_STATUS), "200");
    assert_true(options_has(&laid, OPTION_EXPECT_FAULT));
    assert_false(options_has(&laid, OPTION_ONE_WAY));
    assert_true(options_has(&laid, OPTION_WSDL));
    assert_false(options_has(&laid, OPTION_XSD));
    expect_file_drop(&base, &laid);
    expect_file_deinit(&file);
    options_deinit(&base);
}

static void what_a_one_way_message_cannot_have_is_put_out_by_the_file(void **state)
{
    (void)state;
    static const char *const asking[] = {"--expect-text=a", "--reject-text=b", "--expect-xpath=//c",
                                         "--golden=g",      "--ignore=//d",    "--max-time=1s"};
    static const char *const one_way[] = {"--one-way"};
    struct expect_file file;
    struct options base;
    struct options laid;
    struct err err;
    options_init(&base);
    assert_true(options_parse(&base, COMMAND_RUN, 6, asking, &err));
    parse(&file, "--one-way\n");
    expect_file_lay(&file, &base, &laid);
    assert_true(options_has(&laid, OPTION_ONE_WAY) && options_has(&laid, OPTION_MAX_TIME));
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        assert_true(!options_has(&laid, option) || option == OPTION_ONE_WAY ||
                    option == OPTION_MAX_TIME);
    }
    expect_file_drop(&base, &laid);
    expect_file_deinit(&file);
    options_deinit(&base);

    options_init(&base);
    assert_true(options_parse(&base, COMMAND_RUN, 1, one_way, &err));
    parse(&file, "--expect-text a\n");
    expect_file_lay(&file, &base, &laid);
    assert_false(options_has(&laid, OPTION_ONE_WAY));
    assert_int_equal(laid.values[OPTION_EXPECT_TEXT].count, 1);
    expect_file_drop(&base, &laid);
    expect_file_deinit(&file);
    parse(&file, "--expect-text a\n--one-way\n");
    expect_file_lay(&file, &base, &laid);
    assert_true(options_has(&laid, OPTION_ONE_WAY) && options_has(&laid, OPTION_EXPECT_TEXT));
    expect_file_drop(&base, &laid);
    expect_file_deinit(&file);
    options_deinit(&base);
}

static bool is_the_text(void *context, const struct options *line)
{
    const char *text = options_text(line, OPTION_EXPECT_TEXT);
    return text != NULL && strcmp(text, context) == 0;
}

static void the_line_to_blame_is_found(void **state)
{
    (void)state;
    struct expect_file file;
    struct err err;
    parse(&file, "--one-way\n\n--expect-text a\n--expect-text b\n");
    (void)err_set(&err, ERR_USAGE, "wrong");
    assert_false(expect_file_blame(&file, is_the_text, (char[]){"b"}, &err));
    assert_string_equal(err.text, "a.expect:4: wrong");
    (void)err_set(&err, ERR_USAGE, "wrong");
    assert_false(expect_file_blame(&file, is_the_text, (char[]){"c"}, &err));
    assert_string_equal(err.text, "a.expect: wrong");
    expect_file_deinit(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_go_to_the_end_of_their_line),
        cmocka_unit_test(wrong_lines_are_named),
        cmocka_unit_test(the_file_goes_before_the_command_line),
        cmocka_unit_test(what_a_one_way_message_cannot_have_is_put_out_by_the_file),
        cmocka_unit_test(the_line_to_blame_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
