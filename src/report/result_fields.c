/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of the result's plain members. A member added to a summary gets its row here and its
 * line in docs/JSON.md; a test compares. A key says its unit; renaming or removing one, or changing
 * what it means, asks for a new schema number.
 */
#include "lather/report/result_fields.h"

#include "lather/measure/summary.h"

#define COUNT64(type, member)                                                                      \
    {                                                                                              \
#member, RESULT_FIELDS_COUNT64, offsetof(type, member)                                     \
    }
/* Of a member that results of older versions do not have: 0 then. */
#define LATER64(type, member)                                                                      \
    {                                                                                              \
#member, RESULT_FIELDS_LATER64, offsetof(type, member)                                     \
    }
#define COUNT32(type, member)                                                                      \
    {                                                                                              \
#member, RESULT_FIELDS_COUNT32, offsetof(type, member)                                     \
    }
#define COUNT16(type, member)                                                                      \
    {                                                                                              \
#member, RESULT_FIELDS_COUNT16, offsetof(type, member)                                     \
    }
#define YES_NO(type, member)                                                                       \
    {                                                                                              \
#member, RESULT_FIELDS_YES_NO, offsetof(type, member)                                      \
    }
#define LATER_TEXT(type, member)                                                                   \
    {                                                                                              \
#member, RESULT_FIELDS_LATER_TEXT, offsetof(type, member)                                  \
    }
#define TEXT(type, member)                                                                         \
    {                                                                                              \
#member, RESULT_FIELDS_TEXT, offsetof(type, member)                                        \
    }

/* A count in the books of a message. */
#define MESSAGE_COUNT(key, member)                                                                 \
    {                                                                                              \
#key, RESULT_FIELDS_COUNT64, offsetof(struct summary_message, tally.member)                \
    }

static const struct result_field plan_fields[] = {
    TEXT(struct summary_plan, method),
    TEXT(struct summary_plan, url),
    TEXT(struct summary_plan, host),
    COUNT16(struct summary_plan, port),
    TEXT(struct summary_plan, path),
    TEXT(struct summary_plan, content_type),
    TEXT(struct summary_plan, soap_version),
    TEXT(struct summary_plan, soap_action),
    TEXT(struct summary_plan, validate),
    TEXT(struct summary_plan, command_line),
    TEXT(struct summary_plan, percentiles),
    TEXT(struct summary_plan, transport),
    TEXT(struct summary_plan, auth_scheme),
    TEXT(struct summary_plan, proxy),
    YES_NO(struct summary_plan, keep_alive),
    YES_NO(struct summary_plan, has_body),
    YES_NO(struct summary_plan, one_way),
    YES_NO(struct summary_plan, quickack),
    YES_NO(struct summary_plan, same_length),
    YES_NO(struct summary_plan, any_length),
    COUNT64(struct summary_plan, requests),
    COUNT64(struct summary_plan, time_limit_ns),
    COUNT64(struct summary_plan, rate_micro_per_s),
    YES_NO(struct summary_plan, poisson),
    COUNT64(struct summary_plan, think_min_ns),
    COUNT64(struct summary_plan, think_max_ns),
    COUNT64(struct summary_plan, concurrency),
    COUNT64(struct summary_plan, threads),
    COUNT64(struct summary_plan, timeout_ns),
    COUNT64(struct summary_plan, connect_timeout_ns),
    COUNT64(struct summary_plan, body_bytes),
    COUNT64(struct summary_plan, seed),
    LATER64(struct summary_plan, warmup_requests),
    LATER64(struct summary_plan, warmup_ns),
    LATER64(struct summary_plan, sessions),
    LATER64(struct summary_plan, session_calls),
    LATER64(struct summary_plan, session_burst),
    LATER64(struct summary_plan, session_think_ns),
    LATER64(struct summary_plan, grace_ns),
    LATER64(struct summary_plan, start_at_ns),
    LATER64(struct summary_plan, step_ns),
    LATER_TEXT(struct summary_plan, find_rate),
    {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_plan = {"plan", plan_fields};

static const struct result_field run_fields[] = {
    COUNT64(struct summary, wall_start_ns),        COUNT64(struct summary, duration_ns),
    COUNT64(struct summary, backlog_peak),         COUNT64(struct summary, backlog_end),
    COUNT64(struct summary, lateness_ns),          COUNT64(struct summary, not_started),
    LATER64(struct summary, achieved_micro_per_s), LATER64(struct summary, found_micro_per_s),
    LATER64(struct summary, sessions_begun),       YES_NO(struct summary, unbalanced),
    TEXT(struct summary, server_software),         YES_NO(struct summary, document_known),
    COUNT64(struct summary, document_bytes),       COUNT64(struct summary, distinct_bodies),
    COUNT64(struct summary, server_date_s),        COUNT64(struct summary, server_date_at_ns),
    LATER64(struct summary, name_lookup_ns),       {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_run = {"run", run_fields};

static const struct result_field count_fields[] = {
    COUNT64(struct tally, started),
    COUNT64(struct tally, finished),
    COUNT64(struct tally, length_mismatches),
    COUNT64(struct tally, judged),
    COUNT64(struct tally, relates_absent),
    COUNT64(struct tally, charset_contradictions),
    COUNT64(struct tally, media_contradictions),
    COUNT64(struct tally, body_bytes),
    COUNT64(struct tally, body_bytes_min),
    COUNT64(struct tally, body_bytes_max),
    {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_counts = {"counts", count_fields};

static const struct result_field traffic_fields[] = {
    COUNT64(struct traffic, connections_opened),
    COUNT64(struct traffic, connections_failed),
    COUNT64(struct traffic, connections_reopened),
    COUNT64(struct traffic, connections_peak),
    COUNT64(struct traffic, requests_sent_whole),
    COUNT64(struct traffic, requests_sent_again),
    COUNT64(struct traffic, requests_sent_partly),
    COUNT64(struct traffic, requests_lost_maybe),
    COUNT64(struct traffic, bytes_sent),
    COUNT64(struct traffic, bytes_received),
    COUNT64(struct traffic, write_errors),
    COUNT64(struct traffic, interim_answers),
    COUNT64(struct traffic, answers_on_kept),
    COUNT64(struct traffic, connections_strayed),
    COUNT64(struct traffic, stray_bytes),
    LATER64(struct traffic, name_lookups),
    LATER64(struct traffic, name_lookups_ns),
    COUNT64(struct traffic, auth_handshakes),
    COUNT64(struct traffic, auth_legs),
    COUNT64(struct traffic, tls_full),
    COUNT64(struct traffic, tls_resumed),
    COUNT64(struct traffic, tls_full_ns),
    COUNT64(struct traffic, tls_resumed_ns),
    COUNT64(struct traffic, tls_failed),
    {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_traffic = {"traffic", traffic_fields};

static const struct result_field tls_fields[] = {
    YES_NO(struct summary_tls, used),      YES_NO(struct summary_tls, verified),
    YES_NO(struct summary_tls, resumes),   YES_NO(struct summary_tls, client_certificate),
    TEXT(struct summary_tls, server_name), TEXT(struct summary_tls, protocol),
    TEXT(struct summary_tls, cipher),      TEXT(struct summary_tls, temp_key),
    TEXT(struct summary_tls, subject),     TEXT(struct summary_tls, issuer),
    COUNT32(struct summary_tls, key_bits), COUNT32(struct summary_tls, cipher_bits),
    {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_tls = {"tls", tls_fields};

static const struct result_field health_fields[] = {
    COUNT64(struct summary_health, process_cpu_ns),
    COUNT64(struct summary_health, peak_memory_bytes),
    COUNT64(struct summary_health, in_flight_peak),
    COUNT64(struct summary_health, tail_ns),
    COUNT32(struct summary_health, ephemeral_ports),
    COUNT32(struct summary_health, listen_backlog_limit),
    YES_NO(struct summary_health, cpu_share_warning),
    YES_NO(struct summary_health, loop_lag_warning),
    {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_health = {"health", health_fields};

static const struct result_field part_fields[] = {
    TEXT(struct summary_part, name),
    COUNT64(struct summary_part, wall_start_ns),
    COUNT64(struct summary_part, duration_ns),
    COUNT64(struct summary_part, started),
    COUNT64(struct summary_part, finished),
    COUNT64(struct summary_part, bytes_sent),
    COUNT64(struct summary_part, bytes_received),
    {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_part = {"parts", part_fields};

static const struct result_field message_fields[] = {
    TEXT(struct summary_message, name),
    TEXT(struct summary_message, method),
    TEXT(struct summary_message, path),
    TEXT(struct summary_message, soap_action),
    COUNT64(struct summary_message, weight),
    COUNT64(struct summary_message, body_bytes),
    MESSAGE_COUNT(started, started),
    MESSAGE_COUNT(finished, finished),
    MESSAGE_COUNT(answer_body_bytes, body_bytes),
    MESSAGE_COUNT(bytes_sent, traffic.bytes_sent),
    MESSAGE_COUNT(bytes_received, traffic.bytes_received),
    MESSAGE_COUNT(requests_sent_whole, traffic.requests_sent_whole),
    MESSAGE_COUNT(requests_sent_again, traffic.requests_sent_again),
    MESSAGE_COUNT(requests_sent_partly, traffic.requests_sent_partly),
    {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_message = {"messages", message_fields};

static const struct result_field worker_fields[] = {
    COUNT64(struct summary_worker, requests),
    COUNT64(struct summary_worker, cpu_ns),
    COUNT64(struct summary_worker, wall_ns),
    {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_worker = {"workers", worker_fields};

static const struct result_field warmup_fields[] = {
    COUNT64(struct summary_warmup, finished),
    COUNT64(struct summary_warmup, failed),
    COUNT64(struct summary_warmup, cut),
    COUNT64(struct summary_warmup, requests_sent_whole),
    COUNT64(struct summary_warmup, requests_sent_again),
    COUNT64(struct summary_warmup, requests_lost_maybe),
    LATER64(struct summary_warmup, auth_legs),
    COUNT64(struct summary_warmup, connections_opened),
    COUNT64(struct summary_warmup, bytes_sent),
    COUNT64(struct summary_warmup, bytes_received),
    COUNT64(struct summary_warmup, duration_ns),
    {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_warmup = {"warmup", warmup_fields};

static const struct result_field step_fields[] = {
    COUNT64(struct summary_step, rate_micro_per_s),
    COUNT64(struct summary_step, achieved_micro_per_s),
    COUNT64(struct summary_step, offset_ns),
    COUNT64(struct summary_step, duration_ns),
    COUNT64(struct summary_step, started),
    COUNT64(struct summary_step, finished),
    COUNT64(struct summary_step, failed),
    COUNT64(struct summary_step, cut),
    COUNT64(struct summary_step, backlog_peak),
    COUNT64(struct summary_step, backlog_end),
    COUNT64(struct summary_step, p50_ns),
    COUNT64(struct summary_step, p95_ns),
    COUNT64(struct summary_step, p99_ns),
    COUNT64(struct summary_step, max_ns),
    COUNT64(struct summary_step, response_p50_ns),
    COUNT64(struct summary_step, response_p95_ns),
    COUNT64(struct summary_step, response_p99_ns),
    COUNT64(struct summary_step, response_max_ns),
    YES_NO(struct summary_step, reached),
    YES_NO(struct summary_step, held),
    TEXT(struct summary_step, verdict),
    {NULL, RESULT_FIELDS_COUNT, 0},
};
const struct result_fields result_fields_step = {"steps", step_fields};
