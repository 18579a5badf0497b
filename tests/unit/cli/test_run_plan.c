/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Promises of cli/run_plan: ab's options mean what they mean there, in any order, and each kind of
 * bad input gets its one sentence. Message files are written into the current folder.
 */
#include "typed.h"

#include <stdio.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/file.h"
#include "lather/cli/run_plan.h"
#include "lather/soap/template.h"
#include "lather/soap/template_source.h"

#define FILE_NAME "test_run_plan.tmp"

static bool build(const char *const *words, struct plan **plan, struct buf *notes, struct err *err)
{
    struct options options;
    bool is_built = typed_parse(&options, COMMAND_RUN, words, err) &&
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
    assert_string_equal(plan->messages[0].method, "POST");
    assert_string_equal(plan->messages[0].content_type, "application/soap+xml; charset=UTF-8");
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
        assert_string_equal(plan->messages[0].method, cases[i].method);
        plan_free(plan);
    }
}

static void expectations_reach_the_plan(void **state)
{
    (void)state;
    struct plan *plan = BUILDS("--one-way", "--expect-status", "202,4xx", "--validate", "full",
                               "-p", FILE_NAME, "--same-length", "host/");
    assert_true(plan->expect.one_way);
    assert_true(plan->same_length);
    assert_true(status_set_has(&plan->expect.statuses, 202));
    assert_true(status_set_has(&plan->expect.statuses, 404));
    assert_false(status_set_has(&plan->expect.statuses, 200));
    assert_int_equal(plan->expect.validate, VALIDATE_FULL);
    plan_free(plan);
    REFUSES("--validate off looks at the status only, and --count-bodies asks what is in the "
            "answers: leave one of them out",
            "--count-bodies", "--validate", "off", "host/");
    REFUSES("--count-bodies counts answers that are looked into, and what is sent is no SOAP "
            "envelope: give --validate soap as well, or leave it out",
            "--count-bodies", "host/");
}

static void a_url_that_is_none_is_refused(void **state)
{
    (void)state;
    REFUSES("no URL given: lather [options] http://host/path (`lather --help` lists the options)",
            "-k");
    REFUSES("\"urn:x\" beside \"http://host/\" is no URL: a value with blanks needs quotes, and of "
            "several URLs each has a / in it",
            "-H", "SOAPAction:", "urn:x", "http://host/");
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
    REFUSES("-u is given more than once: one message is put; a mix is posted (-p)", "-u", "a", "-u",
            "b", "host/");
    REFUSES("--shuffle says nothing about a single message: give several of -p, a folder, or "
            "several URLs",
            "--shuffle", "host/");
    REFUSES("-c 50 is more than the number of requests, 10: lower -c or raise -n", "-n", "10", "-c",
            "50", "host/");
    REFUSES("-c 5 is more than the number of requests, 1: lower -c or raise -n", "-c", "5",
            "host/");
    REFUSES("--same-length and -l contradict each other: leave one of them out", "-l",
            "--same-length", "host/");
    REFUSES("-B nonsense is not an IP address: give a local address such as 127.0.0.1", "-B",
            "nonsense", "host/");
    REFUSES("--validate: \"half\" is no way to validate: off, soap, full or a part of the answers, as 50%", "--validate", "half",
            "host/");
}

/* B001, B026 */
static void a_message_that_is_no_file_is_refused(void **state)
{
    (void)state;
    REFUSES("-p: no-such-file.xml: cannot read it: No such file or directory; name a file that "
            "holds one message",
            "-p", "no-such-file.xml", "host/");
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

/* Whether the bytes of a request hold this text. */
static bool sends(const struct plan *plan, const char *text)
{
    const struct template *template = plan->messages[0].template;
    struct template_source *source =
        template_source_new(&(struct template_source_options){.workers = 1});
    struct template_values *values = template_values_new(template_values_bytes(template));
    struct buf request;
    buf_init(&request);
    assert_int_equal(template_fill(template, source, values), TEMPLATE_FILLED);
    template_append(template, values, &request);
    const bool is_there = strstr(request.data, text) != NULL;
    buf_deinit(&request);
    template_values_free(values);
    template_source_free(source);
    return is_there;
}

static void the_way_reaches_the_plan(void **state)
{
    (void)state;
    struct plan *plan = assert_builds((const char *const[]){
        "--ntlm", "-A", "CORP\\alice:secret", "-X", "proxy:3128", "-P", "bob:hidden", "-k",
        "--connect-to", "host:80:other:81", "host/", NULL});
    assert_int_equal(plan->way.transport, WAY_TRANSPORT_CURL);
    assert_int_equal(plan->way.auth, AUTH_SCHEME_NTLM);
    assert_string_equal(plan->way.user, "CORP\\alice");
    assert_string_equal(plan->way.password, "secret");
    assert_string_equal(plan->way.proxy.host, "proxy");
    assert_string_equal(plan->way.proxy_user, "bob");
    assert_string_equal(plan->way.connect_host, "other");
    assert_int_equal(plan->way.connect_port, 81);
    /* the credentials are the conversation's: no field carries them */
    assert_false(sends(plan, "Authorization"));
    plan_free(plan);
}

/* B062: Basic needs no conversation. */
static void basic_is_a_field_and_stays_direct(void **state)
{
    (void)state;
    struct plan *plan = assert_builds((const char *const[]){"-A", "alice:secret", "host/", NULL});
    assert_int_equal(plan->way.transport, WAY_TRANSPORT_DIRECT);
    assert_true(sends(plan, "Authorization: Basic "));
    plan_free(plan);
}

/* B065: the connection must outlive the handshake, whatever becomes of it afterwards. */
static void a_handshake_of_the_connection_is_not_closed_by_a_field(void **state)
{
    (void)state;
    struct plan *plan =
        assert_builds((const char *const[]){"--ntlm", "-A", "alice:secret", "host/", NULL});
    assert_false(plan->keep_alive);
    assert_false(sends(plan, "Connection: close"));
    plan_free(plan);
    plan = assert_builds((const char *const[]){"--digest", "-A", "alice:secret", "host/", NULL});
    assert_true(sends(plan, "Connection: close"));
    plan_free(plan);
}

/* B049 */
static void requests_per_connection_keeps_them_so_long(void **state)
{
    (void)state;
    struct plan *plan =
        assert_builds((const char *const[]){"--requests-per-connection", "5", "host/", NULL});
    assert_true(plan->keep_alive);
    assert_int_equal(plan->requests_per_connection, 5);
    plan_free(plan);
    plan =
        assert_builds((const char *const[]){"-k", "--requests-per-connection", "1", "host/", NULL});
    assert_false(plan->keep_alive);
    assert_int_equal(plan->requests_per_connection, 0);
    plan_free(plan);
}

static void ways_that_cannot_be_gone_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *words[8];
        const char *says;
    } cases[] = {
        {{"--ntlm", "--digest", "-A", "a:b", "host/", NULL}, "--digest and --ntlm contradict"},
        {{"--ntlm", "host/", NULL}, "--ntlm needs credentials"},
        {{"--digest", "-A", "alice", "host/", NULL}, "with --digest give USER:PASSWORD"},
        {{"--transport", "direct", "--http2", "host/", NULL}, "--transport direct and --http2"},
        {{"--transport", "wget", "host/", NULL}, "auto, direct or curl"},
        {{"-P", "a:b", "host/", NULL}, "-P without -X"},
        {{"-P", "a", "-X", "p:1", "host/", NULL}, "-P: give USER:PASSWORD"},
        {{"-X", "p", "host/", NULL}, "-X: \"p\" has no port"},
        {{"--spn", "HTTP/a", "host/", NULL}, "--negotiate"},
        {{"--negotiate", "--spn", "web", "host/", NULL}, "SERVICE/HOST"},
        {{"--connect-to", "web", "host/", NULL}, "HOST:PORT:HOST2:PORT2"},
        {{"-B", "127.0.0.1,web", "host/", NULL}, "-B web is not an IP address"},
        {{"--http2", "-H", "Transfer-Encoding: chunked", "host/", NULL}, "-H Transfer-Encoding"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan *plan = NULL;
        struct err err = {0};
        struct buf notes;
        buf_init(&notes);
        assert_false(build(cases[i].words, &plan, &notes, &err));
        if (strstr(err.text, cases[i].says) == NULL) {
            fail_msg("%s, wanted: %s", err.text, cases[i].says);
        }
        buf_deinit(&notes);
    }
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
        cmocka_unit_test(the_way_reaches_the_plan),
        cmocka_unit_test(basic_is_a_field_and_stays_direct),
        cmocka_unit_test(a_handshake_of_the_connection_is_not_closed_by_a_field),
        cmocka_unit_test(requests_per_connection_keeps_them_so_long),
        cmocka_unit_test(ways_that_cannot_be_gone_are_refused),
    };
    return cmocka_run_group_tests(tests, write_message, remove_message);
}
