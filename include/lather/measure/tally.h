/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_TALLY_H
#define LATHER_MEASURE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/outcome.h"
#include "lather/base/step.h"
#include "lather/measure/groups.h"
#include "lather/measure/histogram.h"
#include "lather/measure/timeline.h"

/* One finished or cut request, as a value. */
struct sample {
    uint64_t
        start_ns; /* clock_now_ns when it began: before the connect, or before the first byte */
    uint64_t connect_ns; /* spent connecting; 0 on a reused connection */
    uint64_t
        waiting_ns; /* end of the write to first byte of the answer; 0 when the answer came first */
    uint64_t response_ns; /* due moment of an open loop to the end; 0 in a closed loop */
    uint64_t total_ns;    /* start to the last byte of the answer, or to the failure; not below
                             connect_ns or waiting_ns */
    uint64_t auth_ns;     /* of total_ns: spent on the legs of a handshake */
    uint64_t body_bytes; /* of the answer's body, framing removed, as received (not decompressed) */
    enum outcome outcome;
    enum step step;      /* the check that refused a whole answer; none without one */
    uint16_t status;     /* of a whole answer, whatever its verdict; 0 without one */
    bool authenticated;  /* it had legs of a handshake before it: auth_ns is in the figures */
    bool connected;      /* it opened a connection: connect_ns is in the connect figures */
    bool length_differs; /* the mismatch is --same-length's */
    bool judged; /* a SOAP verdict was made (not by --validate off, nor left out by sampling) */
    bool relates_absent;      /* the answer had no RelatesTo, though the message has a MessageID */
    bool charset_contradicts; /* Content-Type and the XML itself name different charsets */
    bool media_contradicts;   /* Content-Type is that of the other SOAP version */
};

/* What a worker's connections did; counted where it happens, whatever became of the request. */
struct traffic {
    uint64_t connections_opened; /* connects that succeeded */
    uint64_t connections_failed; /* connects that did not, each address counted; TLS included */
    uint64_t
        connections_reopened;  /* of the opened: replaced one the server had closed while idle */
    uint64_t connections_peak; /* the most open at one time; merged: the sum of the peaks */
    uint64_t
        requests_sent_whole; /* requests whose last byte went to the system; sent again included */
    uint64_t requests_sent_again;  /* of these: repeated after an idle close */
    uint64_t requests_sent_partly; /* begun, but the connection ended before their last byte */
    uint64_t requests_lost_maybe;  /* of requests_sent_whole: the server may not have taken them,
                                      no head of an answer came or it was a 408 */
    uint64_t bytes_sent;           /* head and body, after TLS */
    uint64_t bytes_received;       /* head and body, before TLS is taken off not counted */
    uint64_t write_errors;
    uint64_t interim_answers; /* 1xx skipped */
    uint64_t answers_on_kept; /* whole answers after which the connection stayed open */
    uint64_t tls_full;        /* handshakes that succeeded and did not resume a session */
    uint64_t tls_resumed; /* and that did; tls_full + tls_resumed = connections_opened with TLS */
    uint64_t tls_full_ns; /* time they took, TCP connect to the end of the handshake, summed up */
    uint64_t tls_resumed_ns;      /* the same */
    uint64_t tls_failed;          /* of connections_failed: TCP connected, but no handshake */
    uint64_t connections_strayed; /* closed because bytes came that no request had asked for */
    uint64_t name_lookups;        /* of connections_opened: their name was looked up for them */
    uint64_t name_lookups_ns;     /* time these took, summed up */
    uint64_t stray_bytes;         /* of bytes_received: those */
    uint64_t auth_handshakes; /* requests that had to authenticate before or as they were sent */
    uint64_t auth_legs; /* requests of handshakes, answered 401 and followed by the next; in no
                           other count of requests, but in the bytes */
};

enum { TALLY_STATUS_COUNT = 1000 };

/*
 * What one worker, or all together, measured: counters are exact, times are in histograms. The
 * comments say which set each is a subset of. One thread at a time.
 */
struct tally {
    uint64_t started;                      /* requests begun; = finished + cut */
    uint64_t finished;                     /* = the sum of outcomes without cut */
    uint64_t outcomes[OUTCOME_COUNT];      /* = started, with cut */
    uint64_t statuses[TALLY_STATUS_COUNT]; /* whole answers by status; their sum = total's count */
    uint64_t steps[STEP_COUNT];            /* refused answers by the check that refused them */
    uint64_t length_mismatches;            /* of outcomes[mismatch]: by --same-length */
    uint64_t judged;                       /* of finished: judged as SOAP */
    uint64_t relates_absent;               /* of judged: no RelatesTo where one was to come */
    uint64_t charset_contradictions;       /* of judged: header and XML name other charsets */
    uint64_t media_contradictions;         /* of judged: media type of the other SOAP version */
    uint64_t body_bytes;                   /* of whole answers: ab's "HTML transferred" */
    uint64_t body_bytes_min;               /* the least and greatest body of an ok answer; */
    uint64_t body_bytes_max;               /* both 0 without one */
    struct histogram *total;      /* start to end, of requests with a whole answer (a status) */
    struct histogram *connect;    /* of the same; 0 where the connection was reused, as ab counts */
    struct histogram *response;   /* of the same, in an open loop: from the moment due to the end */
    struct histogram *processing; /* total - connect, of the same */
    struct histogram *waiting;    /* of the same */
    struct histogram *failed;  /* start to failure, of finished requests without a whole answer */
    struct histogram *auth;    /* time spent on the legs of a handshake, of requests with any */
    struct histogram *opened;  /* connect time of connections really opened, answered or not */
    struct groups *failures;   /* every failure: outcome, status, fault code, reason */
    struct timeline *timeline; /* the finished by the time of their end; of an older result empty */
    struct timeline *responses; /* the same of an open loop, its times being response times */
    struct traffic traffic;
};

/* A tally of nothing, with its histograms, groups and timelines; the caller's to free. */
struct tally *tally_new(void) MUST_USE;
void tally_free(struct tally *tally);

/* When the run began, on the clock of the samples; 0 at first. Before the first sample. */
void tally_begin(struct tally *tally, uint64_t start_ns);

/*
 * Counts one ended request. `why` names its failure (outcome and status are taken from the sample)
 * and may be NULL for ok and cut. started is the caller's to count when a request begins.
 * Allocates nothing for an ok sample.
 */
void tally_add(struct tally *tally, const struct sample *sample, const struct group_key *why);

/* Adds all of `from` to `into`. */
void traffic_merge(struct traffic *into, const struct traffic *from);

/* Adds all of `from` to `into`; their timelines begin together. */
void tally_merge(struct tally *into, const struct tally *from);

/* The same of one that began shift_ns later; in the timeline to the nearest interval of `from`. */
void tally_merge_later(struct tally *into, const struct tally *from, uint64_t shift_ns);

/*
 * Checks the books: started = finished + cut; finished = sum of the other outcomes; each
 * histogram's count = the requests it claims; statuses add up to the answers, groups to the
 * failures; the timeline, if there is one, to the requests; no subset is greater than its set.
 * False, with the first page that does not balance in err.
 */
bool tally_check(const struct tally *tally, struct err *err) MUST_USE;

/* Failed requests: all outcomes that are failures. */
uint64_t tally_failed(const struct tally *tally);

/* Requests with a whole answer, whatever its verdict: those the latencies are of. */
uint64_t tally_answers(const struct tally *tally);

/* Failed requests in one of ab's brackets; the four add up to tally_failed. */
uint64_t tally_bracket(const struct tally *tally, enum outcome_bracket bracket);

/* Answers whose status is not 2xx. */
uint64_t tally_non_2xx(const struct tally *tally);

#endif
