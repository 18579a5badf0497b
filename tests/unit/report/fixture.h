/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_TESTS_REPORT_FIXTURE_H
#define LATHER_TESTS_REPORT_FIXTURE_H

/*
 * Summaries that the tests of all formats share, and the comparison with golden files. To write
 * the golden files anew after a wanted change: LATHER_GOLDEN=update in the environment; then look
 * at what git says has changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/base/clock.h"
#include "lather/base/file.h"
#include "lather/measure/summary.h"

static inline void fixture_add(struct summary *summary, const struct sample *sample,
                               const struct group_key *why)
{
    summary->tally->started++;
    tally_add(summary->tally, sample, why);
}

static inline void fixture_plan(struct summary *summary)
{
    struct summary_plan *plan = &summary->plan;
    summary_set_text(&plan->method, STR("POST"));
    summary_set_text(&plan->url, STR("http://orders.example:8080/OrderService.svc"));
    summary_set_text(&plan->host, STR("orders.example"));
    summary_set_text(&plan->path, STR("/OrderService.svc"));
    summary_set_text(&plan->content_type, STR("application/soap+xml; charset=UTF-8"));
    summary_set_text(&plan->soap_version, STR("1.2"));
    summary_set_text(&plan->validate, STR("soap"));
    summary_set_text(&plan->command_line, STR("lather -n 200 -c 50 -p order.xml http://..."));
    summary_set_text(&plan->transport, STR("direct"));
    summary_set_text(&summary->server_software, STR("Microsoft-IIS/10.0"));
    plan->port = 8080;
    plan->has_body = true;
    plan->requests = 200;
    plan->concurrency = 50;
    plan->threads = 2;
    plan->timeout_ns = 30 * NS_PER_S;
    plan->body_bytes = 941;
    plan->seed = 18446744073709551615ULL;
    summary->wall_start_ns = 1136214245 * NS_PER_S; /* 2006-01-02T15:04:05Z */
}

/* 200 good answers in 1.25 s, one each 6 ms: 10.005 ms to 12.990 ms, each on its own connection. */
static inline struct summary *fixture_good(void)
{
    struct summary *summary = summary_new();
    fixture_plan(summary);
    for (uint64_t i = 0; i < 200; i++) {
        struct sample sample = {.outcome = OUTCOME_OK,
                                .status = 200,
                                .connected = true,
                                .judged = true,
                                .body_bytes = 1766 + i % 2,
                                .start_ns = i * 6 * NS_PER_MS,
                                .connect_ns = 45000 + i * 100,
                                .waiting_ns = 9 * NS_PER_MS + i * 10000};
        sample.total_ns = 10005000 + i * 15000;
        fixture_add(summary, &sample, NULL);
    }
    summary->duration_ns = 1250 * NS_PER_MS;
    summary->document_known = true;
    summary->document_bytes = 1766;
    summary->tally->traffic = (struct traffic){.connections_opened = 200,
                                               .connections_peak = 50,
                                               .requests_sent_whole = 200,
                                               .bytes_sent = 236800,
                                               .bytes_received = 412345};
    struct summary_health *health = &summary->health;
    health->worker_count = 2;
    health->workers = check_calloc(2, sizeof *health->workers);
    health->workers[0] = (struct summary_worker){100, 150 * NS_PER_MS, 1240 * NS_PER_MS};
    health->workers[1] = (struct summary_worker){100, 162 * NS_PER_MS, 1249 * NS_PER_MS};
    health->process_cpu_ns = 320 * NS_PER_MS;
    health->peak_memory_bytes = 6402048;
    health->in_flight_peak = 50;
    health->tail_ns = 12345678;
    health->ephemeral_ports = 28232;
    health->listen_backlog_limit = 4096;
    for (uint64_t i = 0; i < 500; i++) {
        histogram_add(health->loop_lag, 1000 + i * 100);
    }
    return summary;
}

static inline void fixture_fail(struct summary *summary, struct sample sample, int times,
                                const struct group_key *why)
{
    for (int i = 0; i < times; i++) {
        fixture_add(summary, &sample, why);
    }
}

/* Everything a report can have to tell at once. */
static inline struct summary *fixture_full(void)
{
    struct summary *summary = fixture_good();
    struct sample answered = {.total_ns = 1234567890,
                              .connect_ns = 1001000000,
                              .waiting_ns = 200000000,
                              .body_bytes = 700,
                              .judged = true,
                              .connected = true};
    /* begun before the run as the clock goes, ended at 1.2 s of it */
    struct sample unanswered = {.start_ns = 1200 * NS_PER_MS - 30 * NS_PER_S,
                                .total_ns = 30 * NS_PER_S};
    summary->plan.keep_alive = true;
    summary->plan.requests = 300;
    answered.outcome = OUTCOME_FAULT;
    answered.step = STEP_FAULT;
    answered.status = 500;
    fixture_fail(summary, answered, 12,
                 &(struct group_key){.code = STR("{http://www.w3.org/2003/05/soap-envelope}Sender"),
                                     .subcodes = STR("{urn:orders}NoStock/{urn:orders}Item"),
                                     .detail = STR("{urn:orders}StockFault"),
                                     .reason = STR("item # is not in stock")});
    answered.status = 200;
    fixture_fail(
        summary, answered, 1,
        &(struct group_key){.code = STR("{http://www.w3.org/2003/05/soap-envelope}Receiver"),
                            .reason = STR("\x1b[31mbad\xff\r\n<b>&amp;</b>")});
    answered.outcome = OUTCOME_STATUS;
    answered.step = STEP_STATUS;
    answered.status = 503;
    fixture_fail(summary, answered, 3,
                 &(struct group_key){.reason = STR("503 Service Unavailable")});
    answered.outcome = OUTCOME_NOT_SOAP;
    answered.step = STEP_EMPTY;
    answered.status = 200;
    fixture_fail(summary, answered, 2, &(struct group_key){.reason = STR("empty body")});
    answered.outcome = OUTCOME_MISMATCH;
    answered.step = STEP_LENGTH;
    answered.length_differs = true;
    fixture_fail(summary, answered, 4, &(struct group_key){.reason = STR("another length")});
    static const struct {
        enum outcome outcome;
        const char *reason;
    } ends[] = {
        {OUTCOME_LOCAL, "no ports left"},
        {OUTCOME_RESOLVE, "no address"},
        {OUTCOME_CONNECT, "Connection refused"},
        {OUTCOME_TLS, "handshake failed"},
        {OUTCOME_TIMEOUT, "no whole answer"},
        {OUTCOME_SEND, "Broken pipe"},
        {OUTCOME_RECEIVE, "reset"},
        {OUTCOME_PROTOCOL, "not HTTP"},
        {OUTCOME_TOO_LARGE, "above 64 MB"},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        unanswered.outcome = ends[i].outcome;
        fixture_fail(summary, unanswered, 1,
                     &(struct group_key){.reason = str_from(ends[i].reason)});
    }
    unanswered.outcome = OUTCOME_CUT;
    fixture_fail(summary, unanswered, 5, NULL);
    for (int i = 0; i < 30; i++) {
        char reason[32];
        (void)snprintf(reason, sizeof reason, "reset after %d bytes", i);
        unanswered.outcome = OUTCOME_RECEIVE;
        fixture_fail(summary, unanswered, 1, &(struct group_key){.reason = str_from(reason)});
    }
    groups_add_overflow(summary->tally->failures, 2);
    summary->tally->started += 2; /* two failures that found no room in the table */
    summary->tally->finished += 2;
    summary->tally->outcomes[OUTCOME_RECEIVE] += 2;
    for (int i = 0; i < 2; i++) {
        histogram_add(summary->tally->failed, 1);
        timeline_add(summary->tally->timeline,
                     &(struct timeline_sample){.end_ns = 1, .failed = true});
    }
    summary->end = RUN_END_INTERRUPTED;
    summary->not_started = 32;
    struct traffic *traffic = &summary->tally->traffic;
    traffic->connections_opened = 260;
    traffic->connections_failed = 4;
    traffic->connections_reopened = 7;
    traffic->requests_sent_whole = 270;
    traffic->requests_sent_again = 7;
    traffic->requests_sent_partly = 2;
    traffic->requests_lost_maybe = 3;
    traffic->write_errors = 1;
    traffic->interim_answers = 6;
    traffic->answers_on_kept = 150;
    traffic->connections_strayed = 2;
    traffic->stray_bytes = 77;
    traffic->name_lookups = 250;
    traffic->name_lookups_ns = 60000000;
    traffic->auth_handshakes = 52;
    traffic->auth_legs = 104;
    summary_set_text(&summary->plan.transport, STR("curl"));
    summary_set_text(&summary->plan.auth_scheme, STR("NTLM"));
    summary_set_text(&summary->plan.proxy, STR("http://proxy.example:3128"));
    for (uint64_t i = 0; i < 52; i++) {
        histogram_add(summary->tally->auth, 3000000 + i * 1000);
    }
    traffic->tls_full = 50;
    traffic->tls_resumed = 210;
    traffic->tls_full_ns = 61 * NS_PER_MS;
    traffic->tls_resumed_ns = 84 * NS_PER_MS;
    traffic->tls_failed = 1;
    struct summary_tls *tls = &summary->tls;
    tls->used = true;
    tls->resumes = true;
    tls->client_certificate = true;
    tls->key_bits = 2048;
    tls->cipher_bits = 256;
    summary_set_text(&tls->protocol, STR("TLSv1.3"));
    summary_set_text(&tls->cipher, STR("TLS_AES_256_GCM_SHA384"));
    summary_set_text(&tls->temp_key, STR("X25519 253 bits"));
    summary_set_text(&tls->server_name, STR("orders.example"));
    summary_set_text(&tls->subject, STR("CN=orders.example"));
    summary_set_text(&tls->issuer, STR("CN=Example CA"));
    summary->health.cpu_share_warning = true;
    static const char *const conditions[] = {"errors>1%", "p95<2s", "fault{<none>}>0"};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        assert_true(summary_add_condition(summary, str_from(conditions[i]), NULL));
    }
    summary_note(summary, "The client itself was the limit.");
    summary_note(summary, "A note that quotes \x1b<script> & \"marks\".");
    return summary;
}

/* An open loop of 20 a second that met a stall: what was due meanwhile went out late, one by one.
 */
static inline struct summary *fixture_open(void)
{
    struct summary *summary = summary_new();
    fixture_plan(summary);
    summary->plan.rate_micro_per_s = 20000000;
    summary->plan.requests = 60;
    for (uint64_t i = 0; i < 60; i++) {
        const uint64_t due_ns = i * 50 * NS_PER_MS;
        const uint64_t late_ns = i >= 20 && i < 30 ? (30 - i) * 45 * NS_PER_MS : 0;
        fixture_add(summary,
                    &(struct sample){.outcome = OUTCOME_OK,
                                     .status = 200,
                                     .judged = true,
                                     .body_bytes = 1766,
                                     .start_ns = due_ns + late_ns,
                                     .total_ns = 4 * NS_PER_MS + i * 1000,
                                     .response_ns = late_ns + 4 * NS_PER_MS + i * 1000},
                    NULL);
    }
    summary->duration_ns = 2954 * NS_PER_MS;
    summary->achieved_micro_per_s = 20000000;
    summary->backlog_peak = 9;
    summary->document_known = true;
    summary->document_bytes = 1766;
    return summary;
}

/* One request of a message, in its books and in those of the whole. */
static inline void fixture_add_of(struct summary *summary, struct summary_message *message,
                                  const struct sample *sample, const char *reason)
{
    struct traffic *whole = &summary->tally->traffic;
    const struct traffic one = {.bytes_sent = message->body_bytes + 200,
                                .bytes_received = sample->body_bytes + 150,
                                .requests_sent_whole = 1};
    message->tally.started++;
    message_tally_add(&message->tally, sample);
    traffic_merge(&message->tally.traffic, &one);
    traffic_merge(whole, &one);
    fixture_add(
        summary, sample,
        &(struct group_key){.reason = str_from(reason), .message = str_from(message->name)});
}

/* A mix of three: a good message, one that fails for two reasons, one that is never answered. */
static inline struct summary *fixture_mix(void)
{
    static const struct {
        const char *name;
        const char *path;
        uint64_t weight;
    } messages[] = {{"place-order.xml", "/OrderService.svc", 3},
                    {"100% <odd> \xc3\xa4.xml", "/OrderService.svc", 1},
                    {"GET /slow?a=99%25", "/slow?a=99%25", 1}};
    struct summary *summary = summary_new();
    fixture_plan(summary);
    for (size_t i = 0; i < 3; i++) {
        struct summary_message *message = summary_add_message(summary);
        summary_set_text(&message->name, str_from(messages[i].name));
        summary_set_text(&message->method, i < 2 ? STR("POST") : STR("GET"));
        summary_set_text(&message->path, str_from(messages[i].path));
        message->weight = messages[i].weight;
        message->body_bytes = i < 2 ? 941 : 0;
    }
    for (uint64_t i = 0; i < 60; i++) {
        struct sample sample = {.outcome = OUTCOME_OK,
                                .status = 200,
                                .judged = true,
                                .body_bytes = 1766,
                                .start_ns = i * 6 * NS_PER_MS,
                                .total_ns = 10005000 + i * 15000};
        fixture_add_of(summary, &summary->messages[0], &sample, NULL);
    }
    for (uint64_t i = 0; i < 20; i++) {
        struct sample sample = {.outcome = i % 2 == 0 ? OUTCOME_FAULT : OUTCOME_STATUS,
                                .step = i % 2 == 0 ? STEP_FAULT : STEP_STATUS,
                                .status = i % 2 == 0 ? 500 : 503,
                                .judged = true,
                                .body_bytes = 700,
                                .start_ns = i * 6 * NS_PER_MS,
                                .total_ns = 123456789 + i * NS_PER_MS};
        fixture_add_of(summary, &summary->messages[1], &sample,
                       i % 2 == 0 ? "no stock" : "503 Service Unavailable");
    }
    for (uint64_t i = 0; i < 20; i++) {
        struct sample sample = {.outcome = i < 15 ? OUTCOME_TIMEOUT : OUTCOME_CUT,
                                .start_ns = i,
                                .total_ns = 400 * NS_PER_MS};
        fixture_add_of(summary, &summary->messages[2], &sample, "no whole answer");
    }
    summary->plan.requests = 100;
    summary->duration_ns = 500 * NS_PER_MS;
    summary->tally->traffic.connections_opened = 100;
    return summary;
}

/* A search for a rate, with a warm-up and a moment to begin at. */
static inline struct summary *fixture_steps(void)
{
    struct summary *summary = fixture_open();
    summary->plan.rate_micro_per_s = 0;
    summary->plan.requests = 0;
    summary->plan.step_ns = NS_PER_S;
    summary->plan.warmup_requests = 25;
    summary->plan.grace_ns = 2 * NS_PER_S;
    summary->plan.start_at_ns = summary->wall_start_ns - 412 * NS_PER_US;
    summary->server_date_s = 1136214248;
    summary->server_date_at_ns = summary->wall_start_ns + 4 * NS_PER_MS;
    summary->name_lookup_ns = 213000;
    summary->found_micro_per_s = 20000000;
    summary_set_text(&summary->plan.find_rate, STR("errors<1%"));
    summary->warmup = (struct summary_warmup){.finished = 25,
                                              .failed = 1,
                                              .requests_sent_whole = 26,
                                              .requests_sent_again = 1,
                                              .auth_legs = 3,
                                              .connections_opened = 25,
                                              .bytes_sent = 29600,
                                              .bytes_received = 50000,
                                              .duration_ns = 125 * NS_PER_MS};
    static const struct summary_step steps[] = {
        {.rate_micro_per_s = 20000000,
         .achieved_micro_per_s = 19980000,
         .duration_ns = NS_PER_S,
         .started = 20,
         .finished = 20,
         .p50_ns = 4008192,
         .p95_ns = 4016384,
         .p99_ns = 4019000,
         .max_ns = 4019000,
         .response_p50_ns = 4008192,
         .response_p95_ns = 4016384,
         .response_p99_ns = 4019000,
         .response_max_ns = 4019000,
         .reached = true,
         .held = true,
         .verdict = (char *)"held"},
        {.rate_micro_per_s = 40000000,
         .achieved_micro_per_s = 31250000,
         .offset_ns = 1100 * NS_PER_MS,
         .duration_ns = 1200 * NS_PER_MS,
         .started = 40,
         .finished = 40,
         .backlog_peak = 12,
         .backlog_end = 9,
         .verdict = (char *)"rate not reached; 2 of 40, 5.000 %"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct summary_step step = steps[i];
        step.total = histogram_new();
        step.response = histogram_new();
        for (uint64_t j = 0; i == 0 && j < step.finished; j++) {
            histogram_add(step.total, 4000000 + 1000 * j);
            histogram_add(step.response, 4000000 + 1000 * j);
        }
        assert_true(summary_add_step(summary, &step));
        histogram_free(step.total);
        histogram_free(step.response);
    }
    return summary;
}

/* Nothing could be reached. */
static inline struct summary *fixture_unreachable(void)
{
    struct summary *summary = summary_new();
    fixture_plan(summary);
    summary_set_text(&summary->server_software, STR(""));
    fixture_fail(summary, (struct sample){.outcome = OUTCOME_CONNECT, .total_ns = 123456}, 50,
                 &(struct group_key){.reason = STR("Connection refused")});
    summary->end = RUN_END_UNREACHABLE;
    summary->not_started = 150;
    summary->duration_ns = 2 * NS_PER_MS;
    summary->tally->traffic.connections_failed = 50;
    return summary;
}

/* The content with the program's version taken out, as golden files outlive versions. */
static inline void fixture_hide_version(struct buf *content)
{
    struct buf hidden;
    buf_init(&hidden);
    struct str rest = buf_view(content);
    for (;;) {
        size_t at = str_find(rest, STR(LATHER_VERSION));
        buf_append_str(&hidden, str_slice(rest, 0, at));
        if (at == SIZE_MAX) {
            break;
        }
        buf_append_str(&hidden, STR("VERSION"));
        rest = str_slice(rest, at + strlen(LATHER_VERSION), rest.len);
    }
    buf_deinit(content);
    *content = hidden;
}

static inline void fixture_compare_golden(const char *name, struct buf *content)
{
    struct buf path;
    struct buf golden;
    struct err err;
    buf_init(&path);
    buf_init(&golden);
    buf_printf(&path, "tests/unit/report/golden/%s", name);
    fixture_hide_version(content);
    const char *update = getenv("LATHER_GOLDEN");
    if (update != NULL && strcmp(update, "update") == 0) {
        assert_true(file_write(path.data, buf_view(content), &err));
    }
    assert_true(file_read(path.data, 1 << 20, &golden, &err));
    if (!str_equals(buf_view(&golden), buf_view(content))) {
        fail_msg("%s differs; what is written now:\n%s", path.data, content->data);
    }
    buf_deinit(&golden);
    buf_deinit(&path);
}

#endif
