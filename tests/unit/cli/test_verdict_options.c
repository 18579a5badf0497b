/* SPDX-License-Identifier: Apache-2.0 */
/* Each option that says what a good answer is reaches the expectation, or is refused by its name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lather/base/clock.h"
#include "lather/base/file.h"
#include "lather/cli/verdict_options.h"
#include "lather/soap/judge.h"

struct fixture {
    struct options options;
    struct expect expect;
    struct err err;
};

static struct fixture fixture;

static int make_expect(void **state)
{
    options_init(&fixture.options);
    expect_init(&fixture.expect);
    *state = &fixture;
    return 0;
}

static int drop_expect(void **state)
{
    struct fixture *f = *state;
    expect_deinit(&f->expect);
    options_deinit(&f->options);
    return 0;
}

static bool apply(struct fixture *f, const char *const *words)
{
    int count = 0;
    while (words[count] != NULL) {
        count++;
    }
    assert_true(options_parse(&f->options, COMMAND_JUDGE, count, words, &f->err));
    return verdict_options_apply(&f->options, &f->expect, &f->err) &&
           expect_freeze(&f->expect, &f->err);
}

#define APPLY(f, ...) apply(f, (const char *const[]){__VA_ARGS__, NULL})

static void assert_refused(void **state, const char *sentence, const char *const *words)
{
    struct fixture *f = *state;
    (void)drop_expect(state);
    (void)make_expect(state);
    assert_false(apply(f, words));
    if (strstr(f->err.text, sentence) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", sentence, f->err.text);
    }
    assert_int_equal(f->err.code, ERR_USAGE);
}

#define REFUSES(sentence, ...)                                                                     \
    assert_refused(state, sentence, (const char *const[]){__VA_ARGS__, NULL})

static void plain_options_set_what_they_say(void **state)
{
    struct fixture *f = *state;
    assert_true(APPLY(f, "--one-way", "--max-time", "1500", "--max-answer", "2M",
                      "--expect-status=202,5xx", "--validate", "full"));
    assert_true(f->expect.one_way);
    assert_int_equal(f->expect.max_time_ns, 1500 * NS_PER_MS);
    assert_int_equal(f->expect.max_answer_bytes, 2 << 20);
    assert_true(f->expect.limits_unread);
    assert_int_equal(f->expect.validate, VALIDATE_FULL);
    assert_true(status_set_has(&f->expect.statuses, 202));
    assert_true(status_set_has(&f->expect.statuses, 503));
    assert_false(status_set_has(&f->expect.statuses, 200));
}

static void without_options_the_defaults_hold(void **state)
{
    struct fixture *f = *state;
    assert_true(apply(f, (const char *const[]){NULL}));
    assert_false(f->expect.one_way || f->expect.wants_fault || f->expect.counts_bodies);
    assert_false(f->expect.limits_unread);
    assert_int_equal(f->expect.max_answer_bytes, EXPECT_MAX_ANSWER_BYTES);
    assert_int_equal(f->expect.judged_share, EXPECT_SHARE_ALL);
    assert_true(status_set_has(&f->expect.statuses, 200));
    assert_false(expect_asks_inside(&f->expect));
}

static void repeated_options_are_all_kept_whatever_their_order(void **state)
{
    struct fixture *f = *state;
    assert_true(APPLY(f, "--expect-xpath", "//o:a", "--expect-text", "x", "--reject-text", "y",
                      "--expect-xpath", "count(//~b) > 1", "--expect-text", "z", "--ns",
                      "o=urn:o"));
    assert_int_equal(f->expect.xpath_count, 2);
    assert_int_equal(f->expect.texts.count, 2);
    assert_int_equal(f->expect.rejected.count, 1);
    assert_true(expect_asks_inside(&f->expect));
}

static void a_fault_is_expected_of_a_code_or_of_any(void **state)
{
    struct fixture *f = *state;
    assert_true(APPLY(f, "--expect-fault"));
    assert_true(f->expect.wants_fault);
    assert_null(f->expect.fault_code);
    (void)drop_expect(state);
    (void)make_expect(state);
    assert_true(APPLY(f, "--expect-fault={urn:a}Busy"));
    assert_string_equal(f->expect.fault_code, "{urn:a}Busy");
    REFUSES("--expect-fault: \"Client \" has blanks around the code", "--expect-fault=Client ");
    REFUSES("has blanks around the code", "--expect-fault= Client");
    REFUSES("leave it out for any Fault", "--expect-fault= ");
}

static void a_share_is_soap_for_so_many(void **state)
{
    struct fixture *f = *state;
    assert_true(APPLY(f, "--validate", "2.5%"));
    assert_int_equal(f->expect.validate, VALIDATE_SOAP);
    assert_int_equal(f->expect.judged_share, 250);
}

static void wrong_values_name_their_option(void **state)
{
    REFUSES("--expect-status", "--expect-status", "20x0");
    REFUSES("--validate", "--validate", "strict");
    REFUSES("--validate", "--validate", "0%");
    REFUSES("--validate", "--validate", "101%");
    REFUSES("--ns", "--ns", "urn:o");
    REFUSES("--expect-xpath", "--expect-xpath", "//a[");
    REFUSES("give it with --ns o=URI", "--expect-xpath", "//o:a");
    REFUSES("--expect-xpath", "--expect-xpath", "//a = $b");
}

static void contradictions_name_both_sides(void **state)
{
    REFUSES("--one-way and --expect-fault contradict", "--one-way", "--expect-fault");
    REFUSES("--one-way and --expect-xpath contradict", "--one-way", "--expect-xpath", "//a");
    REFUSES("--one-way and --expect-text contradict", "--expect-text", "a", "--one-way");
    REFUSES("--one-way and --reject-text contradict", "--one-way", "--reject-text", "a");
    REFUSES("--one-way and --xsd contradict", "--one-way", "--xsd", "a.xsd");
    REFUSES("--one-way and --wsdl contradict", "--one-way", "--wsdl", "a.wsdl");
    REFUSES("--one-way and --golden contradict", "--one-way", "--golden", "a.xml");
    REFUSES("--xsd and --wsdl contradict", "--xsd", "a.xsd", "--wsdl", "a.wsdl");
    REFUSES("--ignore says nothing without --golden", "--ignore", "~a");
}

static void files_that_are_not_there_are_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const options[] = {"--xsd", "--wsdl", "--golden"};
    for (size_t i = 0; i < 3; i++) {
        (void)drop_expect(state);
        (void)make_expect(state);
        assert_false(APPLY(f, options[i], "/nonexistent/file"));
        assert_non_null(strstr(f->err.text, "/nonexistent/file"));
    }
}

static void files_are_read_when_options_are(void **state)
{
    struct fixture *f = *state;
    char path[] = "/tmp/lather-verdict-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    assert_true(file_write(path,
                           STR("<schema xmlns='http://www.w3.org/2001/XMLSchema' "
                               "targetNamespace='urn:o'><element name='a'/></schema>"),
                           &f->err));
    assert_true(APPLY(f, "--xsd", path));
    assert_non_null(f->expect.schema);
    (void)drop_expect(state);
    (void)make_expect(state);
    assert_true(file_write(path,
                           STR("<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' "
                               "xmlns:o='urn:o'><e:Body><o:a><o:b/></o:a></e:Body></e:Envelope>"),
                           &f->err));
    /* the golden answer's own prefixes serve in expressions */
    assert_true(APPLY(f, "--golden", path, "--expect-xpath", "//o:b", "--ignore", "//o:b"));
    assert_non_null(f->expect.golden);
    /* B096: at the start, when the golden answer shows it already */
    REFUSES("{urn:o}b is there", "--golden", path, "--expect-xpath", "//b");
    assert_int_equal(unlink(path), 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_expect, drop_expect)

int main(void)
{
    judge_setup();
    const struct CMUnitTest tests[] = {
        TEST(plain_options_set_what_they_say),
        TEST(without_options_the_defaults_hold),
        TEST(repeated_options_are_all_kept_whatever_their_order),
        TEST(a_fault_is_expected_of_a_code_or_of_any),
        TEST(a_share_is_soap_for_so_many),
        TEST(wrong_values_name_their_option),
        TEST(contradictions_name_both_sides),
        TEST(files_that_are_not_there_are_refused),
        TEST(files_are_read_when_options_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
