/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_SUMMARY_H
#define LATHER_MEASURE_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/measure/condition.h"
#include "lather/measure/histogram.h"
#include "lather/measure/message_tally.h"
#include "lather/measure/percentiles.h"
#include "lather/measure/tally.h"

/* Why the run ended. */
enum run_end {
    RUN_END_DONE = 0,    /* all requests made */
    RUN_END_TIME,        /* the time limit */
    RUN_END_INTERRUPTED, /* Ctrl-C */
    RUN_END_UNREACHABLE, /* no connection ever succeeded: ended early */
    RUN_END_ROWS,        /* --data-order once: every row of the feed was taken */
    RUN_END_COUNT
};

/* "done", "time limit", "interrupted", "unreachable", "rows"; never NULL. */
const char *run_end_name(enum run_end end);

/* The end of that name; false when there is none. */
bool run_end_parse(struct str name, enum run_end *end) MUST_USE;

/* What was asked for: an echo of the plan as plain values. Strings are owned, never NULL. */
struct summary_plan {
    char *method;
    char *url;
    char *host;
    char *path;
    char *content_type; /* of the body sent; empty without a body */
    char *soap_version; /* "1.1", "1.2" or empty when the body is no envelope */
    char *soap_action;  /* as sent; empty when none */
    char *validate;     /* "off", "soap" */
    char *command_line; /* as typed, credentials masked */
    char *percentiles;  /* --percentiles, as percentiles_parse reads it; empty: those of old */
    char *transport;    /* "direct", "curl" */
    char *auth_scheme;  /* "Digest", "NTLM", "Negotiate"; empty without a handshake */
    char *proxy;        /* "http://proxy:8080"; empty without */
    uint16_t port;
    bool keep_alive;
    bool has_body;
    bool one_way;
    bool quickack;
    bool same_length;
    bool any_length;           /* -l: "Document Length: Variable" */
    uint64_t requests;         /* -n; 0 when only a time limit was given */
    uint64_t time_limit_ns;    /* -t; 0 without */
    uint64_t rate_micro_per_s; /* --rate in millionths a second; 0: closed loop */
    bool poisson;              /* --arrivals poisson */
    uint64_t think_min_ns;
    uint64_t think_max_ns; /* --think; 0: none */
    uint64_t sessions;     /* --sessions; 0: none */
    uint64_t session_calls;
    uint64_t session_burst;
    uint64_t session_think_ns;
    uint64_t concurrency;
    uint64_t threads;
    uint64_t timeout_ns;
    uint64_t connect_timeout_ns;
    uint64_t body_bytes; /* of the message sent */
    uint64_t seed;
    uint64_t warmup_requests; /* --warmup N; 0: none */
    uint64_t warmup_ns;       /* --warmup TIME; 0: none */
    uint64_t grace_ns;        /* --grace; 0: none */
    uint64_t start_at_ns;     /* --start-at, since 1970; 0: at once */
    uint64_t step_ns;         /* length of a step; 0: there are none */
    char *find_rate;          /* --find-rate; empty without */
};

/* The requests made before those that are measured; all 0 without a warm-up. */
struct summary_warmup {
    uint64_t finished;
    uint64_t failed; /* of finished */
    uint64_t cut;
    uint64_t requests_sent_whole; /* what the server's count has besides the run's */
    uint64_t requests_sent_again; /* of these */
    uint64_t requests_lost_maybe; /* of these */
    uint64_t auth_legs;           /* in no other count, but in the server's */
    uint64_t connections_opened;
    uint64_t bytes_sent;
    uint64_t bytes_received;
    uint64_t duration_ns;
};

/* One of the open loops that a run of steps is made of. */
struct summary_step {
    uint64_t rate_micro_per_s; /* asked for */
    uint64_t achieved_micro_per_s;
    uint64_t offset_ns; /* when it began, since the first one did */
    uint64_t duration_ns;
    uint64_t started;
    uint64_t finished;
    uint64_t failed; /* of finished */
    uint64_t cut;
    uint64_t backlog_peak;
    uint64_t backlog_end;
    uint64_t p50_ns; /* service times, of answers; 0 without one */
    uint64_t p95_ns;
    uint64_t p99_ns;
    uint64_t max_ns;
    uint64_t response_p50_ns; /* from the moment due */
    uint64_t response_p95_ns;
    uint64_t response_p99_ns;
    uint64_t response_max_ns;
    struct histogram *total;    /* service times of answers; NULL: not known (an older result);
                                   owned, as the next one, which is NULL as well then */
    struct histogram *response; /* response times */
    bool reached;               /* the rate was */
    bool held;                  /* and the condition of --find-rate held, if there is one */
    char *verdict;              /* "held", or why it did not; owned */
};

/* One worker's own health. */
struct summary_worker {
    uint64_t requests; /* finished by it */
    uint64_t cpu_ns;   /* user and system */
    uint64_t wall_ns;  /* from its first request to its end */
};

/* The client's own health: was it the client that was measured? */
struct summary_health {
    struct histogram *loop_lag; /* how long an arriving byte may have waited for its stamp: time a
                                   loop turn was busy */
    struct summary_worker *workers;
    size_t worker_count;
    uint64_t process_cpu_ns;
    uint64_t peak_memory_bytes;
    uint64_t in_flight_peak;
    uint64_t tail_ns;         /* at the end of the run, with fewer than c in flight */
    uint32_t ephemeral_ports; /* 0 when not known */
    uint32_t listen_backlog_limit;
    bool cpu_share_warning; /* set by diagnose_add_notes: a worker used >= 90 % of a core */
    bool loop_lag_warning;  /* set by diagnose_add_notes: loop lag above 1 ms */
};

/* How TLS was spoken. Strings are owned, never NULL; empty where not known or not used. */
struct summary_tls {
    bool used;               /* the URL is https */
    bool verified;           /* the server's certificate had to be good; false: --insecure */
    bool resumes;            /* sessions were resumed where the server let us; false: --no-resume */
    bool client_certificate; /* there is one to show: -E */
    char *server_name;       /* sent to the server (SNI) */
    char *protocol;          /* of the first handshake, as the rest below: "TLSv1.3" */
    char *cipher;            /* "TLS_AES_256_GCM_SHA384" */
    char *temp_key;          /* "X25519 253 bits" */
    char *subject;           /* of the server's certificate */
    char *issuer;
    uint32_t key_bits; /* of the server's certificate */
    uint32_t cipher_bits;
};

/* One of the runs that a merged result was made of. */
struct summary_part {
    char *name; /* of the file it came from; owned */
    uint64_t wall_start_ns;
    uint64_t duration_ns;
    uint64_t started;
    uint64_t finished;
    uint64_t bytes_sent;
    uint64_t bytes_received;
};

/* One of several messages. Strings are owned, never NULL. */
struct summary_message {
    char *name;
    char *method;
    char *path;
    char *soap_action; /* as sent; empty when none */
    uint64_t weight;
    uint64_t body_bytes; /* of the message sent */
    struct message_tally tally;
};

enum {
    SUMMARY_NOTES_CEILING = 32,
    SUMMARY_CONDITIONS_CEILING = 32,
    SUMMARY_PARTS_CEILING = 256, /* boxes in one result */
    SUMMARY_STEPS_CEILING = 1000
};

/*
 * A whole run as plain values: the only input of every report. Filled by the load floor; owns all
 * it points to. Nothing here refers to a living run.
 */
struct summary {
    struct summary_plan plan;
    enum run_end end;
    uint64_t wall_start_ns; /* since 1970, for people */
    uint64_t duration_ns; /* first connect started to last answer or stop: "Time taken for tests" */
    uint64_t backlog_peak; /* open loop: due and not sent at the worst moment */
    uint64_t lateness_ns;  /* the same: of the last request sent, after it was due */
    uint64_t backlog_end;  /* the same when the run ended */
    uint64_t
        achieved_micro_per_s; /* the same: the rate of sending, see summary_achieved; 0: unknown */
    uint64_t sessions_begun;
    uint64_t not_started;  /* of plan.requests: never begun */
    bool unbalanced;       /* tally_check failed: a defect of ours; nobody must trust the figures */
    char *server_software; /* Server field of the first answer, up to the first byte <= 32; may be
                              empty */
    bool document_known;   /* an answer arrived, so document_bytes means something */
    uint64_t document_bytes;    /* body of the first good answer, else of the first answer */
    uint64_t server_date_s;     /* Date of the first answer, since 1970; 0: it had none */
    uint64_t server_date_at_ns; /* when that answer came by this machine's clock, since 1970 */
    uint64_t name_lookup_ns;  /* looking the host's name up before the run; 0: it had an address */
    uint64_t distinct_bodies; /* --count-bodies: different bodies judged; 0 when not counted */
    struct tally *tally;
    struct summary_health health;
    char *notes[SUMMARY_NOTES_CEILING]; /* sentences for the user: warnings, hints. Owned. */
    size_t note_count;
    char *conditions[SUMMARY_CONDITIONS_CEILING]; /* --fail-if, each one that can be read. Owned. */
    size_t condition_count;
    struct summary_tls tls;
    struct summary_part *parts; /* in order of their start; none but in a merged result */
    size_t part_count;
    struct summary_message *messages; /* in the order given; none when there was only one */
    size_t message_count;
    struct summary_warmup warmup;
    struct summary_step *steps; /* in order of time; none unless asked for */
    size_t step_count;
    uint64_t found_micro_per_s; /* --find-rate: the highest that held; 0: none, or broken off */
};

/*
 * An empty summary, the caller's to free: strings are "", tally and histograms are there and empty,
 * no workers, no notes.
 */
struct summary *summary_new(void) MUST_USE;
void summary_free(struct summary *summary);

/* Replaces one of the summary's strings by a copy of text, freeing the old one. */
void summary_set_text(char **string, struct str text);

/* Adds a sentence; beyond the ceiling it is dropped, and the last note says so. */
PRINTF_LIKE(2, 3)
void summary_note(struct summary *summary, const char *format, ...);

/*
 * Adds a condition (measure/condition.h). False, with what is wrong in err, when it cannot be read
 * or there are too many.
 */
bool summary_add_condition(struct summary *summary, struct str text, struct err *err) MUST_USE;

/* Takes all conditions out. */
void summary_forget_conditions(struct summary *summary);

/* Judges the condition by the summary's figures: true when it holds, so that the run is to fail. */
bool summary_judge_condition(const struct summary *summary, size_t index,
                             struct condition_verdict *verdict);

/* Whether at least one condition holds. */
bool summary_condition_holds(const struct summary *summary);

/* Whether the rate that --find-rate looked for decides, as there are no conditions: requests that
 * fail beyond it are part of the search. found_micro_per_s is 0 when the search failed. */
bool summary_is_search(const struct summary *summary);

/* The percentiles asked for, or those of `otherwise`, which must be a right list. */
void summary_percentiles(const struct summary *summary, const char *otherwise,
                         struct percentiles *percentiles);

/* Adds a part with a copy of the name; false when there are SUMMARY_PARTS_CEILING. */
bool summary_add_part(struct summary *summary, const struct summary_part *part) MUST_USE;

/* Adds a message of which nothing is known yet; valid until the next one is added. */
struct summary_message *summary_add_message(struct summary *summary);

/* Takes all messages out. */
void summary_forget_messages(struct summary *summary);

/*
 * Whether the messages, when there are any, add up to the whole: requests, outcomes, bytes, times.
 * False, with the first figure that does not in err.
 */
bool summary_check_messages(const struct summary *summary, struct err *err) MUST_USE;

/* Adds a step with copies of what it owns; false when there are SUMMARY_STEPS_CEILING. */
bool summary_add_step(struct summary *summary, const struct summary_step *step) MUST_USE;

/* Takes all steps out. */
void summary_forget_steps(struct summary *summary);

/* How long all parts ran at the same time; 0 when they never did, and without parts. */
uint64_t summary_overlap_ns(const struct summary *summary);

/*
 * Whether an open loop was one: when time ended it, by what it left over (at most 2 % of the
 * requests, and one more); when all requests were made, by how late the last one was sent (at most
 * 2 % of the duration).
 */
bool summary_rate_reached(const struct summary *summary);

/*
 * How many seconds the server's clock is before this machine's, by the Date of its first answer; 0
 * within the second that a Date can tell. False when the server told no time.
 */
bool summary_server_ahead(const struct summary *summary, int64_t *seconds);

/* Whether the client itself was the limit (set by diagnose_add_notes). */
bool summary_client_was_limit(const struct summary *summary);

/* Derived figures, by the formulas of docs/METRICS.md; 0 where they have no meaning. */
double summary_requests_per_s(const struct summary *summary);
double summary_time_per_request_ms(const struct summary *summary);        /* c * t / finished */
double summary_time_per_request_across_ms(const struct summary *summary); /* t / finished */
double summary_received_kb_per_s(const struct summary *summary);
double summary_sent_kb_per_s(const struct summary *summary);
double summary_total_kb_per_s(const struct summary *summary);
double summary_cpu_us_per_request(const struct summary *summary);

/* How many answers took more than half of the longest time: those a mean suffers from. */
uint64_t summary_slowest_band(const struct summary *summary);

/* CPU time by wall time, 1.0 being a whole core; 0 when the worker never ran. */
double summary_worker_cpu_share(const struct summary_worker *worker);

#endif
