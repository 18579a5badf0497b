/* SPDX-License-Identifier: Apache-2.0 */
/* Words of command lines, as bash and cmd.exe would give them to a program. */
#include "reading.h"

#include "lather/capture/shell.h"

static void assert_words(enum shell_dialect dialect, const char *text, size_t count,
                         const char *const *words)
{
    struct shell shell;
    struct shell_command command;
    shell_begin(&shell, str_from(text), dialect);
    assert_true(shell_next(&shell, &command));
    assert_int_equal(command.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(command.words[i].data == NULL ? "" : command.words[i].data, words[i]);
    }
    assert_false(command.is_cut);
    shell_command_deinit(&command);
}

#define WORDS(dialect, text, ...)                                                                  \
    assert_words(dialect, text, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),       \
                 (const char *const[]){__VA_ARGS__})

static void quotes_of_bash(void **state)
{
    (void)state;
    WORDS(SHELL_BASH, "a 'b c'd \"e f\"", "a", "b cd", "e f");
    WORDS(SHELL_BASH, "'it'\\''s' '' \"\"", "it's", "", "");
    WORDS(SHELL_BASH, "\"a\\\"b\\$c\\\\d\\ne\"", "a\"b$c\\d\\ne");
    WORDS(SHELL_BASH, "a\\ b\\\nc d \\\r\n e", "a bc", "d", "e");
    WORDS(SHELL_BASH, "'a\nb' \"c\\\nd\"", "a\nb", "cd");
    WORDS(SHELL_BASH, "a#b #c\n", "a#b");
}

static void ansi_quotes_of_bash(void **state)
{
    (void)state;
    WORDS(SHELL_BASH, "$'a\\n\\t\\'\\\"\\\\\\x41\\101\\q'", "a\n\t'\"\\AA\\q");
    WORDS(SHELL_BASH, "$'\\u00eb\\u2014\\u{'", "\xC3\xAB\xE2\x80\x94\\u{");
    WORDS(SHELL_BASH, "$'\\ud83c\\udf75' $'\\U0001f375'", "\xF0\x9F\x8D\xB5", "\xF0\x9F\x8D\xB5");
    WORDS(SHELL_BASH, "a$'b'c $\"d\"", "abc", "d");
}

static void commands_end_where_bash_ends_them(void **state)
{
    (void)state;
    struct shell shell;
    struct shell_command command;
    shell_begin(&shell, STR("# c\na 1; b 2 | c 3\n\nd && e\n"), SHELL_BASH);
    static const char *const programs[] = {"a", "b", "c", "d", "e"};
    static const size_t lines[] = {2, 2, 2, 4, 4};
    for (size_t i = 0; i < 5; i++) {
        assert_true(shell_next(&shell, &command));
        assert_string_equal(command.words[0].data, programs[i]);
        assert_int_equal(command.line, lines[i]);
        assert_int_equal(command.is_piped, i == 2);
        shell_command_deinit(&command);
    }
    assert_false(shell_next(&shell, &command));
}

static void input_of_bash_is_kept_and_output_is_not(void **state)
{
    (void)state;
    struct shell shell;
    struct shell_command command;
    shell_begin(&shell,
                STR("a <in.xml >out.txt 2>&1 b\nc <<EOF d\nx y\nEOF\ne <<<'here'\n"
                    "f <<-'E'\n\tg\n\tE\n"),
                SHELL_BASH);
    assert_true(shell_next(&shell, &command));
    assert_string_equal(command.input_file.data, "in.xml");
    assert_int_equal(command.count, 2);
    assert_string_equal(command.words[1].data, "b");
    shell_command_deinit(&command);
    static const char *const inputs[] = {"x y\n", "here\n", "g\n"};
    for (size_t i = 0; i < 3; i++) {
        assert_true(shell_next(&shell, &command));
        assert_true(command.has_input);
        assert_string_equal(command.input.data, inputs[i]);
        shell_command_deinit(&command);
    }
    assert_false(shell_next(&shell, &command));
}

static void expansions_are_seen_and_left(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool has;
    } cases[] = {{"a \"$B\"", true}, {"a $B", true},    {"a `b`", true},
                 {"a '$B'", false},  {"a \\$B", false}, {"a \"\\$B\"", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shell shell;
        struct shell_command command;
        shell_begin(&shell, str_from(cases[i].text), SHELL_BASH);
        assert_true(shell_next(&shell, &command));
        assert_int_equal(command.has_expansion, cases[i].has);
        shell_command_deinit(&command);
    }
}

static void quotes_of_cmd(void **state)
{
    (void)state;
    WORDS(SHELL_CMD, "a \"b c\" ^\r\n  d^&e \"f\\\"g\"", "a", "b c", "d&e", "f\"g");
    WORDS(SHELL_CMD, "\"C:\\dir\\\\\" \"a\\b\" \"a^b\"", "C:\\dir\\", "a\\b", "a^b");
    WORDS(SHELL_CMD, "a \"\" b \"c\"\"d\"", "a", "", "b", "c\"d");
}

static void quotes_of_browsers_for_cmd(void **state)
{
    (void)state;
    WORDS(SHELL_CMD_CARETS, "a ^\"b ^\\^\"c^\\^\"^\" ^\n  ^\"100^%^\"", "a", "b \"c\"", "100%");
    WORDS(SHELL_CMD_CARETS, "^\"a^\n\nb\\\\c^\" ^\"^\"", "a\nb\\c", "");
    WORDS(SHELL_CMD_CARETS, "^\"a^\r\n\r\nb^\" ^\r\n c", "a\nb", "c");
    WORDS(SHELL_CMD_DOUBLED, "a \"b \"\"c\"\"\" \"100\"%\"\" \"d\\\\e\"", "a", "b \"c\"", "100%",
          "d\\e");
    WORDS(SHELL_CMD_DOUBLED, "\"a\"^\n\n\"b\" ^\n \"c\"", "a\n\nb", "c");
}

static void the_dialect_is_told_from_the_quotes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum shell_dialect dialect;
    } cases[] = {
        {"curl 'http://h/' -H 'a: \"\"b\"\"'", SHELL_BASH},
        {"curl \"http://h/\" \\\n -d \"a\"", SHELL_BASH},
        {"curl http://h/", SHELL_BASH},
        {"curl \"http://h/\" -d \"\" -H \"a: \\\"\\\"\"", SHELL_BASH},
        {"curl ^\"http://h/^\" ^\n -H ^\"a: it's^\"", SHELL_CMD_CARETS},
        {"curl \"http://h/\" -d \"a=\"\"b\"\">\"", SHELL_CMD_DOUBLED},
        {"curl \"http://h/\" ^\r\n -d \"a\"", SHELL_CMD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(shell_dialect_of(str_from(cases[i].text)), cases[i].dialect);
    }
}

static void quotes_without_an_end_are_told(void **state)
{
    (void)state;
    static const char *const texts[] = {"a 'b", "a \"b", "a $'b", "a <<E\nb\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct shell shell;
        struct shell_command command;
        shell_begin(&shell, str_from(texts[i]), SHELL_BASH);
        assert_true(shell_next(&shell, &command));
        assert_true(command.is_cut);
        shell_command_deinit(&command);
    }
}

static void words_have_a_ceiling(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    for (int i = 0; i < SHELL_WORDS_CEILING + 10; i++) {
        buf_append_str(&text, STR("x "));
    }
    for (int dialect = 0; dialect < SHELL_DIALECT_COUNT; dialect++) {
        struct shell shell;
        struct shell_command command;
        shell_begin(&shell, buf_view(&text), (enum shell_dialect)dialect);
        assert_true(shell_next(&shell, &command));
        assert_true(command.is_cut);
        assert_int_equal(command.count, SHELL_WORDS_CEILING);
        shell_command_deinit(&command);
    }
    buf_deinit(&text);
}

static void the_program_is_found_behind_prompts_and_assignments(void **state)
{
    (void)state;
    static const char *const yes[] = {"curl http://h/",        "# c\n\n$ curl x",
                                      "A=1 B='2' curl x",      "/usr/bin/curl x",
                                      "C:\\tools\\CURL.EXE x", "> curl x"};
    static const char *const no[] = {"curled x", "echo curl", "<a>curl</a>", "", "# curl"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        assert_true(shell_begins_with(str_from(yes[i]), STR("curl")));
    }
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        assert_false(shell_begins_with(str_from(no[i]), STR("curl")));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_of_bash),
        cmocka_unit_test(ansi_quotes_of_bash),
        cmocka_unit_test(commands_end_where_bash_ends_them),
        cmocka_unit_test(input_of_bash_is_kept_and_output_is_not),
        cmocka_unit_test(expansions_are_seen_and_left),
        cmocka_unit_test(quotes_of_cmd),
        cmocka_unit_test(quotes_of_browsers_for_cmd),
        cmocka_unit_test(the_dialect_is_told_from_the_quotes),
        cmocka_unit_test(quotes_without_an_end_are_told),
        cmocka_unit_test(words_have_a_ceiling),
        cmocka_unit_test(the_program_is_found_behind_prompts_and_assignments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
