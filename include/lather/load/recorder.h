/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_RECORDER_H
#define LATHER_LOAD_RECORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/load/failure_files.h"
#include "lather/measure/message_tally.h"
#include "lather/measure/sample_log.h"
#include "lather/measure/tally.h"
#include "lather/net/transport.h"
#include "lather/plan/plan.h"

/*
 * Where every exchange that ended becomes a verdict and is counted, exactly once. An answer that
 * can be decided at once is; any other waits in a queue until the worker has time to judge it, one
 * at a time. One recorder a worker, on its thread.
 */
struct recorder;
struct bodies;

/* A slot's place in the queue of the unjudged; zeroed at first, at most one answer at a time. */
struct recorder_place {
    struct exchange *unjudged; /* NULL when none */
    struct recorder_place *next;
    struct recorder_place *previous;
};

/* What is known of the first whole answer, for the report's head. */
struct recorder_first {
    bool answered;
    uint64_t end_ns;
    uint64_t body_bytes;
    uint64_t server_date_s; /* its Date, since 1970; 0 when it had none */
    char *server_software;  /* Server field up to the first byte <= 32; owned by the recorder */
};

/*
 * plan is borrowed, and files (NULL: failures are not saved). document_bytes is the run's: the body
 * lengths of the first good answers of all workers by message, UINT64_MAX until there is one.
 */
struct recorder *recorder_new(const struct plan *plan, atomic_uint_least64_t *document_bytes,
                              struct failure_files *files) MUST_USE;

/* The run began (clock_now_ns); before the first exchange is taken. */
void recorder_start(struct recorder *recorder, uint64_t start_ns);
/* Frees it with all it counted. NULL is fine. */
void recorder_free(struct recorder *recorder);

/* Whether answers' bodies are looked at, so that the transport has to keep them. */
bool recorder_wants_body(const struct recorder *recorder);

/*
 * Takes an exchange that ended: counts it, or puts it into the queue at `place`, where it must stay
 * untouched until judged. Whatever still waited at that place is judged first.
 */
void recorder_take(struct recorder *recorder, struct recorder_place *place,
                   struct exchange *exchange);

/* Takes a piece of a body too large to gather (transport_events.stream). */
void recorder_stream(struct recorder *recorder, struct exchange *exchange, struct str bytes);

/*
 * With several messages, before each request: one of this message is sent. Returns where its bytes
 * are to be counted. What a message needs is made here, with its first request.
 */
struct traffic *recorder_start_message(struct recorder *recorder, uint32_t message);

/* After the last exchange: adds what was counted by message to the whole. Once. */
void recorder_end(struct recorder *recorder);

/* The books of each message; NULL with one. */
const struct message_tally *recorder_messages(const struct recorder *recorder);

/* Whether an answer waits for its verdict. */
bool recorder_has_unjudged(const struct recorder *recorder);

/* Judges and counts the answer that waits longest. About 6 us for 1.8 KB. */
void recorder_judge_one(struct recorder *recorder);

/* The books so far; `started` and `traffic` in them are the worker's to count. */
struct tally *recorder_tally(struct recorder *recorder);

/* The first whole answer it took; valid until the recorder is freed. */
const struct recorder_first *recorder_first(const struct recorder *recorder);

/* Adds the answers judged, by their bodies, to `all`; nothing without --count-bodies. */
void recorder_add_bodies(const struct recorder *recorder, struct bodies *all);

/*
 * The times of answered requests in order of their end, with absolute starts; the caller's to free.
 * NULL without plan->keep_samples, and when they were taken before.
 */
struct sample_log *recorder_take_samples(struct recorder *recorder) MUST_USE;

#endif
