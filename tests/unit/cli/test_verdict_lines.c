/* SPDX-License-Identifier: Apache-2.0 */
/* Expectations out of lines: read as the same options, told by line, outdone by the command line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/cli/verdict_lines.h"

static void assert_refused(const char *text, const char *sentence)
{
    struct verdict_lines lines;
    struct err err;
    verdict_lines_init(&lines);
    assert_false(verdict_lines_add(&lines, str_from(text), "a.expect", &err));
    if (strstr(err.text, sentence) == NULL) {
        fail_msg("\"%s\" is not in: %s", sentence, err.text);
    }
    verdict_lines_deinit(&lines);
}

static void a_value_goes_to_the_end_of_its_line(void **state)
{
    (void)state;
    struct verdict_lines lines;
    struct err err;
    verdict_lines_init(&lines);
    assert_true(verdict_lines_add(&lines,
                                  STR("# a remark\r\n\n--expect-text  'a' = b \r\n--one-way\n"
                                      "--expect-text=c d\n--max-time 250\n--expect-status 200,500"),
                                  "a.expect", &err));
    const struct option_value *texts = &lines.options.values[OPTION_EXPECT_TEXT];
    assert_int_equal(texts->count, 2);
    assert_string_equal(texts->texts[0], " 'a' = b ");
    assert_string_equal(texts->texts[1], "c d");
    assert_true(options_has(&lines.options, OPTION_ONE_WAY));
    assert_int_equal(options_number(&lines.options, OPTION_MAX_TIME, 0), 250 * NS_PER_MS);
    assert_string_equal(options_text(&lines.options, OPTION_EXPECT_STATUS), "200,500");
    verdict_lines_deinit(&lines);
}

static void an_optional_value_may_stand_behind_a_blank(void **state)
{
    (void)state;
    struct verdict_lines lines;
    struct err err;
    verdict_lines_init(&lines);
    assert_true(verdict_lines_add(&lines, STR("--expect-fault Sender\n"), "a.expect", &err));
    assert_string_equal(options_text(&lines.options, OPTION_EXPECT_FAULT), "Sender");
    verdict_lines_deinit(&lines);
}

static void wrong_lines_are_told_by_their_number(void **state)
{
    (void)state;
    assert_refused("\n--expect-txt a\n", "a.expect:2: ");
    assert_refused("--expect-txt a\n", "--expect-text");
    assert_refused("accepted\n", "a.expect:1: \"accepted\" says nothing about an answer");
    assert_refused("--requests 5\n", "a.expect:1: ");
    assert_refused("--save-failures x\n", "a.expect:1: ");
    assert_refused("--request x\n", "says nothing about an answer");
    assert_refused("--help\n", "says nothing about an answer");
    assert_refused("--max-time soon\n", "a.expect:1: --max-time");
}

static void the_command_line_counts_more(void **state)
{
    (void)state;
    static const char *const words[] = {
        "--expect-status", "500",           "--expect-text", "b", "--expect-fault", "-n", "5",
        "--golden=g",      "--count-bodies"};
    struct verdict_lines lines;
    struct options options;
    struct err err;
    verdict_lines_init(&lines);
    options_init(&options);
    assert_true(options_parse(&options, COMMAND_RUN, 9, words, &err));
    assert_true(
        verdict_lines_add(&lines, STR("--expect-status 200\n--expect-text a\n"), "x", &err));
    verdict_lines_add_options(&lines, &options);
    assert_string_equal(options_text(&lines.options, OPTION_EXPECT_STATUS), "500");
    assert_int_equal(lines.options.values[OPTION_EXPECT_TEXT].count, 2);
    assert_true(options_has(&lines.options, OPTION_EXPECT_FAULT));
    assert_string_equal(options_text(&lines.options, OPTION_GOLDEN), "g");
    assert_false(options_has(&lines.options, OPTION_REQUESTS));
    options_deinit(&options);
    verdict_lines_deinit(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_goes_to_the_end_of_its_line),
        cmocka_unit_test(an_optional_value_may_stand_behind_a_blank),
        cmocka_unit_test(wrong_lines_are_told_by_their_number),
        cmocka_unit_test(the_command_line_counts_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
