/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Promises of cli/run_plan: ab's options mean what they mean there, in any order, and each kind of
 * bad input gets its one sentence. Message files are written into the current folder.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/file.h"
#include "lather/cli/run_plan.h"

#define FILE_NAME "test_run_plan.tmp"

enum { WORDS_MOST = 32 };

static bool build(const char *const *words, struct plan **plan, struct buf *notes, struct err *err)
{
    int count = 0;
    struct options options;
    options_init(&options);
    while (words[count] != NULL) {
        count++;
    }
    bool is_built = options_parse(&options, COMMAND_RUN, count, words, err) &&
                    run_plan_build(&options, plan, notes, err);
    options_deinit(&options);
    return is_built;
}

static struct plan *assert_builds(const char *const *words)
{
    struct plan *plan = NULL;
    struct err err = {0};
    struct buf notes;
    buf_init(&notes);
    if (!build(words, &plan, &notes, &err)) {
        fail_msg("refused: %s", err.text);
    }
    buf_deinit(&notes);
    return plan;
}

static void assert_refuses_words(const char *sentence, const char *const *words)
{
    struct plan *plan = NULL;
    struct err err = {0};
    struct buf notes;
    buf_init(&notes);
    if (build(words, &plan, &notes, &err)) {
        fail_msg("accepted, wanted: %s", sentence);
    }
    assert_null(plan);
    assert_string_equal(err.text, sentence);
    buf_deinit(&notes);
}

#define BUILDS(...) assert_builds((const char *const[WORDS_MOST]){__VA_ARGS__})
#define REFUSES(sentence, ...)                                                                     \
    assert_refuses_words(sentence, (const char *const[WORDS_MOST]){__VA_ARGS__})

static int write_message(void **state)
{
    (void)state;
    struct err err;
    return file_write(FILE_NAME,
                      STR("<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\">"
                          "<s:Body/></s:Envelope>"),
                      &err)
               ? 0
               : -1;
}

static int remove_message(void **state)
{
    (void)state;
    (void)remove(FILE_NAME);
    return 0;
}

static void the_command_of_ab_makes_its_plan(void **state)
{
    (void)state;
    struct plan *plan = BUILDS("-n", "200", "-c", "50", "-T", "application/soap+xml; charset=UTF-8",
                               "-p", FILE_NAME, "http://host/OrderService.svc");
    assert_int_equal(plan->requests, 200);
    assert_int_equal(plan->concurrency, 50);
    assert_string_equal(plan->method, "POST");
    assert_string_equal(plan->message.content_type, "application/soap+xml; charset=UTF-8");
    assert_int_equal(plan->expect.validate, VALIDATE_SOAP);
    assert_false(plan->keep_alive);
    plan_free(plan);
}

static void every_figure_reaches_the_plan(void **state)
{
    (void)state;
    struct plan *plan =
        BUILDS("-n", "9", "-c", "3", "--threads", "2", "-t", "5", "-s", "2s", "--connect-timeout",
               "100ms", "-k", "-b", "64k", "-B", "127.0.0.1", "--seed", "42", "--quickack", "-v",
               "2", "-l", "-g", "samples", "host/");
    assert_true(plan->time_limit_ns == 5 * NS_PER_S);
    assert_true(plan->timeout_ns == 2 * NS_PER_S);
    assert_true(plan->connect_timeout_ns == 100 * NS_PER_MS);
    assert_int_equal(plan->threads, 2);
    assert_true(plan->keep_alive);
    assert_int_equal(plan->window_bytes, 65536);
    assert_string_equal(plan->bind_address, "127.0.0.1");
    assert_int_equal(plan->seed, 42);
    assert_true(plan->quickack);
    assert_true(plan->any_length);
    assert_true(plan->keep_samples);
    assert_int_equal(plan->verbosity, 2);
    plan_free(plan);
}

/* ab forgets -n when -t follows it. */
static void time_and_requests_hold_together_in_any_order(void **state)
{
    (void)state;
    struct plan *plan = BUILDS("-n", "1000000", "-t", "10", "host/");
    assert_int_equal(plan->requests, 1000000);
    assert_true(plan->time_limit_ns == 10 * NS_PER_S);
    plan_free(plan);
    plan = BUILDS("-t", "10", "-n", "1000000", "host/");
    assert_int_equal(plan->requests, 1000000);
    plan_free(plan);
    plan = BUILDS("-t", "10", "-c", "50", "host/");
    assert_int_equal(plan->requests, 0);
    plan_free(plan);
}

static void methods_follow_the_options(void **state)
{
    (void)state;
    static const struct {
        const char *words[5];
        const char *method;
    } cases[] = {
        {{"host/"}, "GET"},
        {{"-i", "host/"}, "HEAD"},
        {{"-u", FILE_NAME, "host/"}, "PUT"},
        {{"-p", FILE_NAME, "-mPATCH", "host/"}, "PATCH"},
        {{"-mPATCH", "-p", FILE_NAME, "host/"}, "PATCH"},
        {{"-m", "DELETE", "host/"}, "DELETE"},
        {{"-i", "-m", "HEAD", "host/"}, "HEAD"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct plan *plan = assert_builds(cases[i].words);
        assert_string_equal(plan->method, cases[i].method);
        plan_free(plan);
    }
}

static void expectations_reach_the_plan(void **state)
{
    (void)state;
    struct plan *plan = BUILDS("--one-way", "--expect-status", "202,4xx", "--validate", "off", "-p",
                               FILE_NAME, "--same-length", "host/");
    assert_true(plan->expect.one_way);
    assert_true(plan->same_length);
    assert_true(status_set_has(&plan->expect.statuses, 202));
    assert_true(status_set_has(&plan->expect.statuses, 404));
    assert_false(status_set_has(&plan->expect.statuses, 200));
    assert_int_equal(plan->expect.validate, VALIDATE_OFF);
    plan_free(plan);
}

static void a_url_that_is_none_is_refused(void **state)
{
    (void)state;
    REFUSES("no URL given: lather [options] http://host/path (`lather --help` lists the options)",
            "-k");
    REFUSES("more than one URL: \"host/a\" and \"host/b\"; a value with blanks needs quotes",
            "host/a", "host/b");
}

/* The sentences are the base floor's; here counts that each names the remedy. */
static void urls_are_refused_with_what_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        const char *named;
    } cases[] = {
        {"http:///path", "host"}, {"http://bob:secret@host/", "-A"}, {"http://host/a b", "%20"},
        {"ftp://host/", "ftp"},   {"http://host:99999/", "99999"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct plan *plan = NULL;
        struct err err = {0};
        struct buf notes;
        buf_init(&notes);
        assert_false(build((const char *const[]){cases[i].url, NULL}, &plan, &notes, &err));
        assert_int_equal(err.code, ERR_USAGE);
        assert_non_null(strstr(err.text, cases[i].named));
        assert_null(strstr(err.text, "secret"));
        buf_deinit(&notes);
    }
}

static void contradictions_name_both_sides(void **state)
{
    (void)state;
    REFUSES("-p and -u contradict each other: the message is either posted or put", "-p", "a", "-u",
            "b", "host/");
    REFUSES("-i and -p contradict each other: a HEAD request has no body", "-p", FILE_NAME, "-i",
            "host/");
    REFUSES("-i and -m PUT contradict each other: give one of them", "-m", "PUT", "-i", "host/");
    REFUSES("-p is given more than once: one message is sent", "-p", "a", "-p", "b", "host/");
    REFUSES("-c 50 is more than the number of requests, 10: lower -c or raise -n", "-n", "10", "-c",
            "50", "host/");
    REFUSES("-c 5 is more than the number of requests, 1: lower -c or raise -n", "-c", "5",
            "host/");
    REFUSES("--same-length and -l contradict each other: leave one of them out", "-l",
            "--same-length", "host/");
    REFUSES("-B nonsense is not an IP address: give a local address such as 127.0.0.1", "-B",
            "nonsense", "host/");
    REFUSES("--validate: \"half\" is no way to validate: off, soap or full", "--validate", "half",
            "host/");
}

/* B001, B026 */
static void a_message_that_is_no_file_is_refused(void **state)
{
    (void)state;
    REFUSES("-p: no-such-file.xml: cannot read it: No such file or directory; name a file that "
            "holds one message",
            "-p", "no-such-file.xml", "host/");
    REFUSES("-p: .: cannot read it: it is a directory; name a file that holds one message", "-p",
            ".", "host/");
    REFUSES("-u: \"<?xml version='1.0'?><a/>...\" is a message, not the name of a file: save it in "
            "a file and give the file's name",
            "-u", "<?xml version='1.0'?><a/>", "host/");
}

/* B017: an empty file is surely a mistake. */
static void an_empty_message_is_refused(void **state)
{
    (void)state;
    struct err err;
    assert_true(file_write(FILE_NAME, STR(""), &err));
    REFUSES("-p: " FILE_NAME " is empty, there is nothing to send: name a file with a message, or "
            "give only -m POST",
            "-p", FILE_NAME, "host/");
    assert_int_equal(write_message(NULL), 0);
}

static void a_header_with_a_line_break_is_refused(void **state)
{
    (void)state;
    REFUSES("-H: header \"X: a\" holds a line break or a NUL: give each header on its own", "-H",
            "X: a\r\nY: b", "host/");
    REFUSES("-C: the value holds a line break: take it out", "-C", "a=1\nX: y", "host/");
}

static void a_type_without_a_body_is_noted(void **state)
{
    (void)state;
    struct plan *plan = NULL;
    struct err err = {0};
    struct buf notes;
    buf_init(&notes);
    assert_true(build((const char *const[]){"-T", "text/xml", "host/", NULL}, &plan, &notes, &err));
    assert_string_equal(notes.data, "-T has no effect: there is no body\n");
    buf_deinit(&notes);
    plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_command_of_ab_makes_its_plan),
        cmocka_unit_test(every_figure_reaches_the_plan),
        cmocka_unit_test(time_and_requests_hold_together_in_any_order),
        cmocka_unit_test(methods_follow_the_options),
        cmocka_unit_test(expectations_reach_the_plan),
        cmocka_unit_test(a_url_that_is_none_is_refused),
        cmocka_unit_test(urls_are_refused_with_what_to_do),
        cmocka_unit_test(contradictions_name_both_sides),
        cmocka_unit_test(a_message_that_is_no_file_is_refused),
        cmocka_unit_test(an_empty_message_is_refused),
        cmocka_unit_test(a_header_with_a_line_break_is_refused),
        cmocka_unit_test(a_type_without_a_body_is_noted),
    };
    return cmocka_run_group_tests(tests, write_message, remove_message);
}
