/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each note: there when its cause left its pattern in the figures, absent when it did not.
 * Rows of the conformance list: B005, B006, B007, B061, B122, B134, B153.
 */
#include "lather/measure/diagnose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/clock.h"

static const char *note_with(const struct summary *summary, const char *part)
{
    for (size_t i = 0; i < summary->note_count; i++) {
        if (strstr(summary->notes[i], part) != NULL) {
            return summary->notes[i];
        }
    }
    return NULL;
}

static void assert_noted(const struct summary *summary, const char *part)
{
    if (note_with(summary, part) == NULL) {
        fail_msg("no note with \"%s\" among %zu (first: %s)", part, summary->note_count,
                 summary->note_count > 0 ? summary->notes[0] : "none");
    }
}

static void assert_silent(const struct summary *summary)
{
    if (summary->note_count > 0) {
        fail_msg("unexpected: %s", summary->notes[0]);
    }
}

static void set_workers(struct summary *summary, size_t count, const struct summary_worker *workers)
{
    summary->health.workers = check_malloc(count * sizeof *workers);
    memcpy(summary->health.workers, workers, count * sizeof *workers);
    summary->health.worker_count = count;
}

/* An ok answer on a kept connection. */
static void add_answers(struct summary *summary, int count, uint64_t waiting_ns, uint64_t total_ns)
{
    for (int i = 0; i < count; i++) {
        struct sample sample = {.outcome = OUTCOME_OK,
                                .status = 200,
                                .waiting_ns = waiting_ns,
                                .total_ns = total_ns + (uint64_t)i};
        summary->tally->started++;
        summary->tally->traffic.answers_on_kept++;
        tally_add(summary->tally, &sample, NULL);
    }
}

static void add_failures(struct summary *summary, int count, enum outcome outcome, uint16_t status,
                         const char *reason)
{
    for (int i = 0; i < count; i++) {
        struct sample sample = {.outcome = outcome, .status = status, .total_ns = NS_PER_MS};
        struct group_key why = {.reason = str_from(reason)};
        summary->tally->started++;
        tally_add(summary->tally, &sample, &why);
    }
}

/* A run of a second: long enough to judge the client by. */
static struct summary *new_run(void)
{
    struct summary *summary = summary_new();
    summary->duration_ns = NS_PER_S;
    return summary;
}

static void an_ordinary_run_gets_no_note(void **state)
{
    (void)state;
    struct summary *summary = new_run();
    summary->plan.keep_alive = true;
    set_workers(summary, 2, (struct summary_worker[]){{100, 300, 1000}, {100, 890, 1000}});
    for (int i = 0; i < 100; i++) {
        histogram_add(summary->health.loop_lag, NS_PER_MS);
    }
    add_answers(summary, 100, 2 * NS_PER_MS, 3 * NS_PER_MS);
    diagnose_add_notes(summary);
    assert_silent(summary);
    assert_false(summary_client_was_limit(summary));
    summary_free(summary);
}

static void a_step_that_was_not_reached_tells_what_the_connections_can_make(void **state)
{
    (void)state;
    struct summary *summary = new_run();
    summary->plan.concurrency = 20;
    char verdict[] = "held";
    struct histogram *times = histogram_new();
    histogram_add(times, 200 * NS_PER_MS);
    struct summary_step step = {.rate_micro_per_s = 60000000,
                                .reached = true,
                                .backlog_peak = 3,
                                .backlog_end = 1,
                                .total = times,
                                .response = times,
                                .verdict = verdict};
    assert_true(summary_add_step(summary, &step));
    step.rate_micro_per_s = 120000000;
    step.reached = false;
    step.backlog_peak = 68;
    step.backlog_end = 68;
    assert_true(summary_add_step(summary, &step));
    histogram_free(times);
    diagnose_add_notes(summary);
    assert_noted(summary, "The rate of step 2, 120.00 a second, was not reached: up to 68");
    assert_noted(summary, "20 connections with a mean of 200.000 ms an answer can make 100.00 a");
    summary_free(summary);
}

static void a_condition_turned_round_is_told(void **state)
{
    (void)state;
    struct summary *summary = new_run();
    struct err err;
    assert_true(summary_add_condition(summary, STR("p95<500ms"), &err));
    assert_true(summary_add_condition(summary, STR("errors>1%"), &err));
    diagnose_add_condition_notes(summary);
    assert_int_equal(summary->note_count, 1);
    assert_noted(summary, "--fail-if p95<500ms fails a run that is good");
    summary_free(summary);
}

static void an_empty_run_gets_no_note(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary->plan.keep_alive = true;
    diagnose_add_notes(summary);
    assert_silent(summary);
    summary_free(summary);
}

static void a_worker_at_90_percent_of_a_core_is_the_limit_B153(void **state)
{
    (void)state;
    struct summary *summary = new_run();
    set_workers(summary, 3,
                (struct summary_worker[]){{100, 300, 1000}, {100, 970, 1000}, {100, 900, 1000}});
    diagnose_add_notes(summary);
    assert_noted(summary, "client itself was the limit: 2 of 3 workers");
    assert_noted(summary, "worker 2: 97.0 %");
    assert_noted(summary, "--threads or another box");
    assert_true(summary->health.cpu_share_warning);
    assert_false(summary->health.loop_lag_warning);
    assert_true(summary_client_was_limit(summary));
    summary_free(summary);
}

static void loop_lag_above_1_ms_at_p99_is_the_limit(void **state)
{
    (void)state;
    struct summary *summary = new_run();
    for (int i = 0; i < 100; i++) {
        histogram_add(summary->health.loop_lag, i < 98 ? 1000 : 5 * NS_PER_MS);
    }
    diagnose_add_notes(summary);
    assert_noted(summary, "client itself was the limit: arriving bytes may have waited 5");
    assert_true(summary->health.loop_lag_warning);
    assert_false(summary->health.cpu_share_warning);
    summary_free(summary);
}

static struct summary *run_of_turns(int turns, int long_ones)
{
    struct summary *summary = new_run();
    for (int i = 0; i < turns; i++) {
        histogram_add(summary->health.loop_lag, i < long_ones ? 5 * NS_PER_MS : 1000);
    }
    diagnose_add_notes(summary);
    return summary;
}

/* In a fifth of a second much of the work is setting up, which is nobody's limit. */
static void a_short_run_blames_the_client_for_lasting_lag_alone(void **state)
{
    (void)state;
    for (int long_ones = 2; long_ones <= 150; long_ones += 148) {
        struct summary *summary = summary_new();
        summary->duration_ns = 499 * NS_PER_MS;
        set_workers(summary, 1, (struct summary_worker[]){{100, 990, 1000}});
        for (int i = 0; i < 200; i++) {
            histogram_add(summary->health.loop_lag, i < long_ones * 2 ? 5 * NS_PER_MS : 1000);
        }
        diagnose_add_notes(summary);
        assert_false(summary->health.cpu_share_warning);
        assert_int_equal(summary->health.loop_lag_warning, long_ones == 150);
        summary_free(summary);
    }
}

/* The first turns of every run start all connections: a short run is not blamed for them. */
static void loop_lag_of_a_few_turns_is_not_the_limit(void **state)
{
    (void)state;
    static const int turns[][2] = {{1, 1}, {9, 9}, {10, 5}, {99, 49}};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        struct summary *summary = run_of_turns(turns[i][0], turns[i][1]);
        assert_silent(summary);
        assert_false(summary->health.loop_lag_warning);
        summary_free(summary);
    }
}

static void loop_lag_of_most_turns_is_the_limit_however_few_they_are(void **state)
{
    (void)state;
    static const int turns[][2] = {{10, 6}, {18, 18}, {99, 50}};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        struct summary *summary = run_of_turns(turns[i][0], turns[i][1]);
        assert_noted(summary, "(loop lag, p50)");
        assert_true(summary->health.loop_lag_warning);
        summary_free(summary);
    }
}

static void rare_loop_lag_is_not_the_limit(void **state)
{
    (void)state;
    struct summary *summary = new_run();
    for (int i = 0; i < 100; i++) {
        histogram_add(summary->health.loop_lag, i < 99 ? 1000 : 5 * NS_PER_MS);
    }
    diagnose_add_notes(summary);
    assert_silent(summary);
    summary_free(summary);
}

static struct summary *delayed_ack_run(void)
{
    struct summary *summary = summary_new();
    summary->plan.keep_alive = true;
    add_answers(summary, 75, NS_PER_MS, 2 * NS_PER_MS);
    add_answers(summary, 25, NS_PER_MS, 44 * NS_PER_MS);
    return summary;
}

static void answers_that_cluster_at_44_ms_name_quickack(void **state)
{
    (void)state;
    struct summary *summary = delayed_ack_run();
    diagnose_add_notes(summary);
    assert_noted(summary, "25.0 % of the answers took 38 to 52 ms");
    assert_noted(summary, "--quickack");
    summary_free(summary);
}

static void quickack_is_not_named_where_it_is_no_explanation(void **state)
{
    (void)state;
    struct summary *summary = delayed_ack_run();
    summary->plan.quickack = true;
    diagnose_add_notes(summary);
    assert_silent(summary);
    summary_free(summary);

    summary = delayed_ack_run();
    summary->plan.keep_alive = false;
    diagnose_add_notes(summary);
    assert_silent(summary);
    summary_free(summary);

    summary = delayed_ack_run();
    add_answers(summary, 50, NS_PER_MS, 2 * NS_PER_MS); /* 25 of 150: too small a share */
    diagnose_add_notes(summary);
    assert_silent(summary);
    summary_free(summary);

    summary = delayed_ack_run();
    add_answers(summary, 5, NS_PER_MS, 36 * NS_PER_MS); /* a broad hump, not a cluster */
    add_answers(summary, 5, NS_PER_MS, 54 * NS_PER_MS);
    diagnose_add_notes(summary);
    assert_silent(summary);
    summary_free(summary);

    summary = summary_new(); /* a server that takes 44 ms to its first byte */
    summary->plan.keep_alive = true;
    add_answers(summary, 100, 43 * NS_PER_MS, 44 * NS_PER_MS);
    diagnose_add_notes(summary);
    assert_silent(summary);
    summary_free(summary);
}

static void add_connects(struct summary *summary, int count, uint64_t connect_ns)
{
    for (int i = 0; i < count; i++) {
        struct sample sample = {.outcome = OUTCOME_CUT, .connected = true};
        sample.connect_ns = connect_ns + NS_PER_US * (unsigned)i;
        sample.total_ns = sample.connect_ns;
        summary->tally->started++;
        summary->tally->traffic.connections_opened++;
        tally_add(summary->tally, &sample, NULL);
    }
}

static void connects_at_1_3_and_7_s_name_the_listen_backlog_B134(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary->health.listen_backlog_limit = 4096;
    add_connects(summary, 9000, NS_PER_MS);
    add_connects(summary, 700, 1030 * NS_PER_MS);
    add_connects(summary, 200, 3050 * NS_PER_MS);
    add_connects(summary, 100, 7100 * NS_PER_MS);
    diagnose_add_notes(summary);
    assert_noted(summary, "1000 of 10000 connects took about 1, 3 or 7 s");
    assert_noted(summary, "listen backlog");
    assert_noted(summary, "at 4096");
    summary_free(summary);
}

static void slow_connects_of_every_length_are_not_called_retries(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    for (uint64_t ms = 100; ms < 3000; ms += 10) {
        add_connects(summary, 1, ms * NS_PER_MS);
    }
    diagnose_add_notes(summary);
    assert_silent(summary);
    summary_free(summary);
}

static void reopened_connections_are_told_as_no_failure_D07(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary->tally->traffic.connections_opened = 9;
    summary->tally->traffic.connections_reopened = 3;
    summary->tally->traffic.requests_sent_again = 3;
    diagnose_add_notes(summary);
    assert_noted(summary, "3 connections had been closed by the server while idle and were opened");
    assert_noted(summary, "3 requests were sent again");
    summary_free(summary);
}

static void keep_alive_that_the_server_refuses_is_told(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary->plan.keep_alive = true;
    add_answers(summary, 10, NS_PER_MS, 2 * NS_PER_MS);
    summary->tally->traffic.answers_on_kept = 0;
    diagnose_add_notes(summary);
    assert_noted(summary, "every answer ended its connection");
    summary_free(summary);
}

static void every_answer_415_shows_the_reason_phrase_B005(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary_set_text(&summary->plan.content_type, STR("text/xml; charset=utf-8"));
    add_failures(summary, 10, OUTCOME_STATUS, 415, "415 expected application/soap+xml");
    add_failures(summary, 2, OUTCOME_RECEIVE, 0, "reset");
    diagnose_add_notes(summary);
    assert_noted(summary, "Every answer was 415");
    assert_noted(summary, "does not take \"text/xml; charset=utf-8\"");
    assert_noted(summary,
                 "The reason phrase is the explanation: \"415 expected application/soap+xml\"");
    assert_noted(summary, "-T");
    assert_null(note_with(summary, "No request succeeded"));
    summary_free(summary);
}

static void a_415_with_the_standard_phrase_is_not_called_an_explanation(void **state)
{
    (void)state;
    static const char *const reasons[] = {"415 Unsupported Media Type", "415", ""};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        struct summary *summary = summary_new();
        add_failures(summary, 3, OUTCOME_STATUS, 415, reasons[i]);
        diagnose_add_notes(summary);
        assert_noted(summary, "Every answer was 415");
        assert_null(note_with(summary, "explanation"));
        summary_free(summary);
    }
}

static void a_415_that_names_msbin_is_the_binary_encoding_B006(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    add_failures(summary, 3, OUTCOME_STATUS, 415, "type 'application/soap+msbin1' was expected");
    diagnose_add_notes(summary);
    assert_noted(summary, "binary encoding");
    summary_free(summary);
}

static void one_415_among_others_is_an_outcome_not_a_diagnosis_B007(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    add_answers(summary, 99, NS_PER_MS, NS_PER_MS);
    add_failures(summary, 1, OUTCOME_STATUS, 415, "x");
    diagnose_add_notes(summary);
    assert_silent(summary);
    summary_free(summary);
}

static void nothing_but_failures_names_the_commonest(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    add_failures(summary, 2, OUTCOME_TIMEOUT, 0, "no answer within 30 s");
    add_failures(summary, 5, OUTCOME_CONNECT, 0, "Connection refused");
    diagnose_add_notes(summary);
    assert_noted(summary, "No request succeeded");
    assert_noted(summary, "connect: Connection refused (5 of 7)");
    summary_free(summary);
}

static struct summary *run_refused(const char *host, const char *proxy, int answers)
{
    struct summary *summary = new_run();
    summary_set_text(&summary->plan.host, str_from(host));
    summary_set_text(&summary->plan.proxy, str_from(proxy));
    summary->plan.port = 8080;
    add_failures(summary, 5, OUTCOME_CONNECT, 0, "connection refused");
    add_answers(summary, answers, NS_PER_MS, NS_PER_MS);
    diagnose_add_notes(summary);
    return summary;
}

static void a_refusal_says_that_nobody_listens_and_where(void **state)
{
    (void)state;
    static const struct {
        const char *host;
        const char *proxy;
        int answers;
        const char *words;
    } cases[] = {
        {"web.example", "", 0, "nobody listens at web.example:8080. Is it started"},
        {"::1", "", 0, "nobody listens at [::1]:8080."},
        {"web.example", "http://gate:3128", 0, "nobody listens at the proxy http://gate:3128."},
        {"web.example", "", 3, "5 connects were refused: for a while nobody listened at web"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct summary *summary = run_refused(cases[i].host, cases[i].proxy, cases[i].answers);
        assert_noted(summary, cases[i].words);
        summary_free(summary);
    }
    struct summary *summary = new_run();
    add_failures(summary, 5, OUTCOME_CONNECT, 0, "no connection in time");
    diagnose_add_notes(summary);
    assert_null(note_with(summary, "listen"));
    summary_free(summary);
}

static void lost_requests_bound_the_servers_count(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary->tally->traffic.requests_sent_whole = 100;
    summary->tally->traffic.requests_lost_maybe = 4;
    diagnose_add_notes(summary);
    assert_noted(summary, "4 requests were sent whole, but no head of a final answer came");
    assert_noted(summary, "by up to 4");
    summary_free(summary);
}

/* Sets what was asked for; the summary owns copies. */
static void set_target(struct summary *summary, const char *method, const char *url)
{
    free(summary->plan.method);
    free(summary->plan.url);
    summary->plan.method = str_dup(str_from(method));
    summary->plan.url = str_dup(str_from(url));
}

static void a_forgotten_message_is_noted(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        const char *url;
        bool has_body;
        bool is_noted;
    } cases[] = {
        {"GET", "http://box/OrderService.svc", false, true},
        {"GET", "http://box/OrderService.SVC/soap", false, true},
        {"GET", "http://box/orders.asmx?op=Place", false, true},
        {"GET", "http://box/orders?wsdl", false, true},
        {"GET", "http://box/orders?singleWsdl&x=1", false, true},
        {"GET", "http://box/index.html", false, false},
        {"GET", "http://my.svchost/orders", false, false},
        {"GET", "http://my.svchost/OrderService.svc", false, true},
        {"GET", "http://box/old.svcs/Order.svc", false, true},
        {"GET", "http://box/.svc.svc.svcs", false, false},
        {"HEAD", "http://box/OrderService.svc", false, false},
        {"POST", "http://box/OrderService.svc", true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct summary *summary = summary_new();
        add_answers(summary, 3, 1000, 1000);
        set_target(summary, cases[i].method, cases[i].url);
        summary->plan.has_body = cases[i].has_body;
        diagnose_add_notes(summary);
        assert_int_equal(note_with(summary, "No message was given") != NULL, cases[i].is_noted);
        summary_free(summary);
    }
}

static void requests_cut_at_the_end_are_no_news(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    summary->tally->traffic.requests_sent_whole = 100;
    summary->tally->traffic.requests_lost_maybe = 4;
    summary->tally->outcomes[OUTCOME_CUT] = 4;
    diagnose_add_notes(summary);
    assert_null(note_with(summary, "sent whole"));
    summary_free(summary);
}

static void local_failures_make_the_run_not_trustworthy(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    add_answers(summary, 10, NS_PER_MS, NS_PER_MS);
    add_failures(summary, 1, OUTCOME_LOCAL, 0, "too many open files");
    diagnose_add_notes(summary);
    assert_noted(summary, "1 request failed for want of ports");
    assert_noted(summary, "not trustworthy");
    summary_free(summary);
}

static void a_413_with_a_client_certificate_is_the_read_ahead_B061(void **state)
{
    (void)state;
    static const struct {
        bool certificate;
        uint64_t body_bytes;
        bool noted;
    } cases[] = {{true, 49153, true}, {true, 49152, false}, {false, 100000, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct summary *summary = summary_new();
        summary->tls.client_certificate = cases[i].certificate;
        summary->plan.body_bytes = cases[i].body_bytes;
        add_answers(summary, 1, NS_PER_MS, 2 * NS_PER_MS);
        add_failures(summary, 3, OUTCOME_STATUS, 413, "413 Request Entity Too Large");
        diagnose_add_notes(summary);
        if (cases[i].noted) {
            assert_noted(summary, "3 answers were 413");
            assert_noted(summary, "UploadReadAheadSize");
        } else {
            assert_int_equal(summary->note_count, 0);
        }
        summary_free(summary);
    }
}

static void a_mean_above_p95_is_explained_B122(void **state)
{
    (void)state;
    struct summary *summary = summary_new();
    add_answers(summary, 990, NS_PER_MS, 2 * NS_PER_MS);
    add_answers(summary, 10, NS_PER_MS, 3 * NS_PER_S);
    diagnose_add_notes(summary);
    assert_noted(summary, "(10 took more than half of the longest");
    summary_free(summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ordinary_run_gets_no_note),
        cmocka_unit_test(an_empty_run_gets_no_note),
        cmocka_unit_test(a_step_that_was_not_reached_tells_what_the_connections_can_make),
        cmocka_unit_test(a_condition_turned_round_is_told),
        cmocka_unit_test(a_worker_at_90_percent_of_a_core_is_the_limit_B153),
        cmocka_unit_test(loop_lag_above_1_ms_at_p99_is_the_limit),
        cmocka_unit_test(a_short_run_blames_the_client_for_lasting_lag_alone),
        cmocka_unit_test(loop_lag_of_a_few_turns_is_not_the_limit),
        cmocka_unit_test(loop_lag_of_most_turns_is_the_limit_however_few_they_are),
        cmocka_unit_test(rare_loop_lag_is_not_the_limit),
        cmocka_unit_test(answers_that_cluster_at_44_ms_name_quickack),
        cmocka_unit_test(quickack_is_not_named_where_it_is_no_explanation),
        cmocka_unit_test(connects_at_1_3_and_7_s_name_the_listen_backlog_B134),
        cmocka_unit_test(slow_connects_of_every_length_are_not_called_retries),
        cmocka_unit_test(reopened_connections_are_told_as_no_failure_D07),
        cmocka_unit_test(keep_alive_that_the_server_refuses_is_told),
        cmocka_unit_test(every_answer_415_shows_the_reason_phrase_B005),
        cmocka_unit_test(a_415_with_the_standard_phrase_is_not_called_an_explanation),
        cmocka_unit_test(a_415_that_names_msbin_is_the_binary_encoding_B006),
        cmocka_unit_test(one_415_among_others_is_an_outcome_not_a_diagnosis_B007),
        cmocka_unit_test(nothing_but_failures_names_the_commonest),
        cmocka_unit_test(a_refusal_says_that_nobody_listens_and_where),
        cmocka_unit_test(lost_requests_bound_the_servers_count),
        cmocka_unit_test(a_forgotten_message_is_noted),
        cmocka_unit_test(requests_cut_at_the_end_are_no_news),
        cmocka_unit_test(local_failures_make_the_run_not_trustworthy),
        cmocka_unit_test(a_413_with_a_client_certificate_is_the_read_ahead_B061),
        cmocka_unit_test(a_mean_above_p95_is_explained_B122),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
