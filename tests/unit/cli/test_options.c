/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Promises of cli/options: what getopt_long reads is read the same way, values are held against
 * their bounds, and each wrong word gets a sentence that names it and what to do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/cli/options.h"

enum { WORDS_MOST = 24 };

/* Words up to the first NULL. */
static int count_words(const char *const *words)
{
    int count = 0;
    while (words[count] != NULL) {
        count++;
    }
    return count;
}

static void assert_reads(struct options *options, const char *const *words)
{
    struct err err = {0};
    options_init(options);
    if (!options_parse(options, COMMAND_RUN, count_words(words), words, &err)) {
        fail_msg("refused: %s", err.text);
    }
}

static void assert_refuses_for(enum command command, const char *sentence, const char *const *words)
{
    struct options options;
    struct err err = {0};
    options_init(&options);
    if (options_parse(&options, command, count_words(words), words, &err)) {
        fail_msg("accepted: %s", words[0]);
    }
    assert_int_equal(err.code, ERR_USAGE);
    assert_string_equal(err.text, sentence);
    options_deinit(&options);
}

#define REFUSES(sentence, ...)                                                                     \
    assert_refuses_for(COMMAND_RUN, sentence, (const char *const[WORDS_MOST]){__VA_ARGS__})

static void a_command_of_ab_is_read_with_its_meaning(void **state)
{
    (void)state;
    struct options options;
    assert_reads(&options, (const char *const[]){"-n", "200", "-c", "50", "-T",
                                                 "application/soap+xml; charset=UTF-8", "-p",
                                                 "data.xml", "http://host/OrderService.svc", NULL});
    assert_int_equal(options_number(&options, OPTION_REQUESTS, 0), 200);
    assert_int_equal(options_number(&options, OPTION_CONCURRENCY, 0), 50);
    assert_string_equal(options_text(&options, OPTION_CONTENT_TYPE),
                        "application/soap+xml; charset=UTF-8");
    assert_string_equal(options_text(&options, OPTION_POST), "data.xml");
    assert_int_equal(options.argument_count, 1);
    assert_string_equal(options.arguments[0], "http://host/OrderService.svc");
    options_deinit(&options);
}

static void letters_cluster_and_values_may_be_glued(void **state)
{
    (void)state;
    struct options options;
    assert_reads(&options, (const char *const[]){"-kqn200", "host/", "-c2", "-t1.5s", NULL});
    assert_true(options_has(&options, OPTION_KEEP_ALIVE));
    assert_true(options_has(&options, OPTION_QUIET));
    assert_int_equal(options_number(&options, OPTION_REQUESTS, 0), 200);
    assert_int_equal(options_number(&options, OPTION_CONCURRENCY, 0), 2);
    assert_int_equal(options_number(&options, OPTION_TIME, 0), 1500 * NS_PER_MS);
    assert_string_equal(options.arguments[0], "host/");
    options_deinit(&options);
}

static void long_names_take_their_value_in_both_ways(void **state)
{
    (void)state;
    struct options options;
    assert_reads(&options,
                 (const char *const[]){"--requests=200", "--concurrency", "7", "--keep-alive",
                                       "--soap-action=", "--header=X: a=b", NULL});
    assert_int_equal(options_number(&options, OPTION_REQUESTS, 0), 200);
    assert_int_equal(options_number(&options, OPTION_CONCURRENCY, 0), 7);
    assert_true(options_has(&options, OPTION_KEEP_ALIVE));
    assert_string_equal(options_text(&options, OPTION_SOAP_ACTION), "");
    assert_string_equal(options.values[OPTION_HEADER].texts[0], "X: a=b");
    options_deinit(&options);
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    struct options options;
    assert_reads(&options, (const char *const[]){"-k", "--", "-n", NULL});
    assert_false(options_has(&options, OPTION_REQUESTS));
    assert_int_equal(options.argument_count, 1);
    assert_string_equal(options.arguments[0], "-n");
    options_deinit(&options);
}

static void lists_keep_every_value_and_others_the_last(void **state)
{
    (void)state;
    struct options options;
    assert_reads(&options, (const char *const[]){"-C", "a=1", "-n", "1", "-Cb=2", "-n9", NULL});
    assert_int_equal(options.values[OPTION_COOKIE].count, 2);
    assert_string_equal(options.values[OPTION_COOKIE].texts[0], "a=1");
    assert_string_equal(options.values[OPTION_COOKIE].texts[1], "b=2");
    assert_int_equal(options_number(&options, OPTION_REQUESTS, 0), 9);
    options_deinit(&options);
}

static void reading_stops_at_help(void **state)
{
    (void)state;
    struct options options;
    assert_reads(&options, (const char *const[]){"-h", "--nonsense", NULL});
    assert_true(options_has(&options, OPTION_HELP));
    options_deinit(&options);
}

static void durations_and_sizes_have_units(void **state)
{
    (void)state;
    struct options options;
    assert_reads(&options, (const char *const[]){"-s", "500ms", "--connect-timeout", "2", "-b",
                                                 "64k", "-t", "5m", NULL});
    assert_int_equal(options_number(&options, OPTION_TIMEOUT, 0), 500 * NS_PER_MS);
    assert_int_equal(options_number(&options, OPTION_CONNECT_TIMEOUT, 0), 2 * NS_PER_S);
    assert_int_equal(options_number(&options, OPTION_WINDOW, 0), 65536);
    assert_int_equal(options_number(&options, OPTION_TIME, 0), 300 * NS_PER_S);
    options_deinit(&options);
}

static void a_bare_max_time_is_in_milliseconds_whole_or_not(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t ns;
    } times[] = {
        {"800", 800 * NS_PER_MS}, {"0.5", NS_PER_MS / 2}, {"1.25", 1250 * NS_PER_US},
        {"2s", 2 * NS_PER_S},     {"0.5s", NS_PER_S / 2}, {"20us", 20 * NS_PER_US},
    };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        const char *const words[] = {"--max-time", times[i].text, "http://h/", NULL};
        struct options options;
        assert_reads(&options, words);
        assert_int_equal(options_number(&options, OPTION_MAX_TIME, 0), times[i].ns);
        options_deinit(&options);
    }
}

static void numbers_out_of_bounds_name_the_range(void **state)
{
    (void)state;
    REFUSES("-n: \"0\" is not allowed: write a whole number from 1 to 1000000000000", "-n", "0");
    REFUSES("-n: \"99999999999999999999\" is not allowed: write a whole number from 1 to "
            "1000000000000",
            "-n", "99999999999999999999");
    REFUSES("--requests: \"ten\" is not allowed: write a whole number from 1 to 1000000000000",
            "--requests=ten");
    REFUSES("-n: \"-5\" is not allowed: write a whole number from 1 to 1000000000000", "-n", "-5");
    REFUSES("-c: \"200000\" is not allowed: write a whole number from 1 to 60000", "-c", "200000");
    REFUSES("-t: \"0\" is too short: give at least 1.0 ms", "-t", "0");
    REFUSES("-s: \"0\" is too short: give at least 1.0 ms", "-s0");
    REFUSES("-b: \"2G\" is not allowed: give 1 to 1073741824 bytes", "-b", "2G");
}

static void the_bounds_themselves_are_allowed(void **state)
{
    (void)state;
    struct options options;
    assert_reads(&options, (const char *const[]){"-n", "1000000000000", "-c", "20000", "-t", "1ms",
                                                 "--seed", "9007199254740991", NULL});
    assert_int_equal(options_number(&options, OPTION_CONCURRENCY, 0), 20000);
    assert_true(options_number(&options, OPTION_SEED, 0) == (1ULL << 53) - 1);
    options_deinit(&options);
}

static void unknown_options_name_the_nearest(void **state)
{
    (void)state;
    REFUSES("unknown option --request: did you mean --requests or -n (requests to make)?",
            "--request", "5");
    REFUSES("unknown option --time-out: did you mean --timeout or -s (longest time for one "
            "request, its connect included)?",
            "--time-out=5");
    REFUSES("unknown option --jsno: did you mean --json (write the whole result as JSON)?",
            "--jsno");
    REFUSES("unknown option --frobnicate: `lather --help` lists the options", "--frobnicate");
    REFUSES("unknown option -K: did you mean --keep-alive or -k (keep connections open for the "
            "next request; without, each request has its own)?",
            "-qK");
    REFUSES("unknown option -9: `lather --help` lists the options", "-9");
    REFUSES("--port is an option of `lather serve`, not of `lather run`", "--port", "80");
    REFUSES("-requests: long names have two dashes: --requests", "-requests");
    assert_refuses_for(COMMAND_SERVE, "-n is an option of `lather run`, not of `lather serve`",
                       (const char *const[]){"-n", "1", NULL});
    assert_refuses_for(COMMAND_JUDGE, "-n is an option of `lather run`, not of `lather judge`",
                       (const char *const[]){"-n", "1", NULL});
    assert_refuses_for(COMMAND_SERVE,
                       "--golden is an option of `lather run`, not of `lather serve`",
                       (const char *const[]){"--golden", "x", NULL});
}

/* What is asked of one answer is the same for both; what is asked of many is a run's. */
static void judging_takes_what_a_run_asks_of_each_answer(void **state)
{
    (void)state;
    for (enum option option = OPTION_VALIDATE; option <= OPTION_MAX_ANSWER; option++) {
        assert_true(option_table_has(COMMAND_RUN, option_table_row(option)));
        assert_true(option_table_has(COMMAND_JUDGE, option_table_row(option)));
        assert_false(option_table_has(COMMAND_SERVE, option_table_row(option)));
    }
    for (enum option option = OPTION_COUNT_BODIES; option <= OPTION_ANY_LENGTH; option++) {
        assert_true(option_table_has(COMMAND_RUN, option_table_row(option)));
        assert_false(option_table_has(COMMAND_JUDGE, option_table_row(option)));
    }
}

static void a_value_that_is_missing_or_too_much_is_named(void **state)
{
    (void)state;
    REFUSES("-n needs a value: -n N", "-n");
    REFUSES("--json needs a value: --json FILE", "--json");
    REFUSES("--keep-alive takes no value: leave out \"=yes\"", "--keep-alive=yes");
    REFUSES("-T: the value is empty: give TYPE", "-T", "");
}

static void typographic_marks_are_named(void **state)
{
    (void)state;
    REFUSES("-T \xE2\x80\x9C"
            "application/soap+xml;: the value begins with a typographic quote (\xE2\x80\x9C), as "
            "text from a web page does: type plain \" or ' instead",
            "-T",
            "\xE2\x80\x9C"
            "application/soap+xml;",
            "charset=UTF-8\xE2\x80\x9D");
    REFUSES("--post \xC2\xAB"
            "a.xml\xC2\xBB: the value begins with a typographic quote "
            "(\xC2\xAB), as text from a web page does: type plain \" or ' instead",
            "--post=\xC2\xAB"
            "a.xml\xC2\xBB");
    REFUSES("charset=UTF-8\xE2\x80\x9D holds a typographic quote, as text from a web page does: "
            "type plain \" or ' instead",
            "charset=UTF-8\xE2\x80\x9D");
    REFUSES("\"\xE2\x80\x93n\" begins with a typographic dash, as text from a web page does: type "
            "a plain - instead",
            "\xE2\x80\x93n", "200");
}

static void typographic_marks_inside_a_value_are_left_alone(void **state)
{
    (void)state;
    struct options options;
    assert_reads(&options, (const char *const[]){"-H", "X-Note: the \xE2\x80\x9Cnote\xE2\x80\x9D",
                                                 "-A", "\xC3\xA9:p", "http://host/\xC3\xA9", NULL});
    assert_int_equal(options.argument_count, 1);
    options_deinit(&options);
}

static void fractions_are_parts_or_percents(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t ppm;
    } good[] = {{"0.05", 50000}, {"5%", 50000},   {"1", 1000000}, {"100%", 1000000},       {"0", 0},
                {".5", 500000},  {"0.000001", 1}, {"0.0001%", 1}, {"0.5000000000", 500000}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct options options;
        struct err err = {0};
        const char *words[] = {"--fault-rate", good[i].text};
        options_init(&options);
        assert_true(options_parse(&options, COMMAND_SERVE, 2, words, &err));
        assert_int_equal(options_number(&options, OPTION_SERVE_FAULT_RATE, 9), good[i].ppm);
        options_deinit(&options);
    }
    static const char *const bad[] = {"1.1",
                                      "101%",
                                      "-1",
                                      "",
                                      "%",
                                      ".",
                                      "1.",
                                      "0.0000001",
                                      "x",
                                      "0.5x",
                                      "99999999999999999999",
                                      "0.00001%"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct options options;
        struct err err = {0};
        const char *words[] = {"--fault-rate", bad[i]};
        options_init(&options);
        assert_false(options_parse(&options, COMMAND_SERVE, 2, words, &err));
        assert_non_null(strstr(err.text, "--fault-rate: "));
        options_deinit(&options);
    }
}

static bool share_a_command(const struct option_row *one, const struct option_row *other)
{
    bool found = false;
    for (enum command command = 0; command < COMMAND_COUNT; command++) {
        found = found || (option_table_has(command, one) && option_table_has(command, other));
    }
    return found;
}

/* The table feeds parser and pages alike: each row must be whole, and every name its own in each
 * command. */
static void the_table_is_whole(void **state)
{
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_table_row(i);
        assert_int_equal(row->option, i);
        assert_non_null(row->name);
        assert_non_null(row->help);
        assert_true((row->rule.kind == OPTION_KIND_FLAG) == (row->rule.argument == NULL));
        for (enum option j = 0; j < i; j++) {
            const struct option_row *other = option_table_row(j);
            if (share_a_command(row, other)) {
                assert_string_not_equal(row->name, other->name);
            }
            assert_true(row->letter == 0 || row->letter != other->letter);
        }
    }
}

/* Scripts written for ab use these letters. */
static void every_letter_of_ab_asked_for_is_there(void **state)
{
    (void)state;
    for (const char *at = "nctkspumTHCAbBilrqvdSegwxyzVh"; *at != '\0'; at++) {
        assert_non_null(option_table_find_letter(COMMAND_RUN, *at));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_of_ab_is_read_with_its_meaning),
        cmocka_unit_test(letters_cluster_and_values_may_be_glued),
        cmocka_unit_test(long_names_take_their_value_in_both_ways),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(lists_keep_every_value_and_others_the_last),
        cmocka_unit_test(reading_stops_at_help),
        cmocka_unit_test(durations_and_sizes_have_units),
        cmocka_unit_test(a_bare_max_time_is_in_milliseconds_whole_or_not),
        cmocka_unit_test(numbers_out_of_bounds_name_the_range),
        cmocka_unit_test(the_bounds_themselves_are_allowed),
        cmocka_unit_test(unknown_options_name_the_nearest),
        cmocka_unit_test(judging_takes_what_a_run_asks_of_each_answer),
        cmocka_unit_test(a_value_that_is_missing_or_too_much_is_named),
        cmocka_unit_test(typographic_marks_are_named),
        cmocka_unit_test(typographic_marks_inside_a_value_are_left_alone),
        cmocka_unit_test(fractions_are_parts_or_percents),
        cmocka_unit_test(the_table_is_whole),
        cmocka_unit_test(every_letter_of_ab_asked_for_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
