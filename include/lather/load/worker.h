/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_WORKER_H
#define LATHER_LOAD_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "lather/base/check.h"
#include "lather/load/recorder.h"
#include "lather/load/run.h"
#include "lather/measure/histogram.h"
#include "lather/measure/span.h"
#include "lather/measure/tally.h"
#include "lather/net/address.h"
#include "lather/net/tls_context.h"
#include "lather/net/tls_facts.h"
#include "lather/plan/plan.h"
#include "lather/soap/template_source.h"

/*
 * A worker: one thread, one loop, its share of the connections and of the requests. Workers share
 * nothing but the few flags of struct run_shared, which the hot path never writes.
 */
struct worker;

/* What all workers of a run see. Plain fields are set before the first worker starts. */
struct run_shared {
    const struct plan *plan;
    const struct address_list *addresses;
    const struct address_list *origin_addresses; /* for a proxy; NULL: none needed */
    const struct address_list *sources;          /* NULL: the system's choice */
    const struct tls_context *tls;               /* NULL: plain */
    const struct run_events *events;
    struct failure_files *failure_files; /* NULL: failures are not saved */
    struct bodies *bodies;               /* --count-bodies: of all measured stretches so far */
    struct worker **workers;
    uint32_t worker_count;
    uint64_t start_ns;
    const struct template_taken *taken;    /* by worker: in earlier stretches of the run */
    uint64_t cpu_before_ns;                /* CPU time of the process that is not this stretch's */
    uint32_t stretch;                      /* which stretch of the run this is, from 0 */
    uv_sem_t start;                        /* posted once a worker, when all threads are there */
    uv_mutex_t trace_lock;                 /* one traced message at a time */
    uv_async_t *ended;                     /* on the main loop; told by each worker that ends */
    atomic_uint_least32_t running;         /* workers that have not ended */
    atomic_bool called_off;                /* not all threads could be started */
    atomic_bool connected;                 /* some connection has been established */
    atomic_bool unreachable;               /* ended early: no connection ever was */
    atomic_uint_least64_t connects_failed; /* requests without a connection, until the first one */
    atomic_uint_least64_t *document_bytes; /* by message: body of the first good answer;
                                              UINT64_MAX: none yet */
};

/* What one worker did, readable after its thread has ended. */
struct worker_result {
    struct tally *tally; /* owned by the worker */
    struct histogram *loop_lag;
    uint64_t cpu_ns;
    uint64_t first_ns;      /* the first request began */
    uint64_t last_ns;       /* the last answer came, or the stop */
    uint64_t tail_start_ns; /* its first slot had nothing left to send; 0 when none had */
    uint64_t in_flight_peak;
    uint64_t backlog_peak; /* open loop: due and not sent, at the worst moment */
    uint64_t lateness_ns;  /* the same: of the request sent last, after it was due */
    uint64_t backlog_end;  /* the same, when the worker ended */
    uint64_t
        first_due_ns; /* the same: when the first request was due and the last went out; 0: none */
    uint64_t last_sent_ns;
    uint64_t sessions_begun;
    struct template_taken taken; /* since the run began */
    bool time_limit_reached;
    bool rows_ended; /* --data-order once: a request was due and there was no row for it */
    const struct recorder_first *first;
    const struct recorder *recorder; /* for what is counted by message or by body */
    struct tls_facts tls;            /* of its first handshake, when tally->traffic counts one */
};

/* What a worker gets of the whole. */
struct worker_share {
    uint32_t index;
    uint32_t workers; /* of the run */
    uint32_t slots;
    uint64_t requests; /* UINT64_MAX: no limit */
};

/* A worker with its thread waiting for shared->start. NULL when no thread could be made. */
struct worker *worker_new(struct run_shared *shared, const struct worker_share *share) MUST_USE;

/* Waits for the thread's end. Once. */
void worker_join(struct worker *worker);

/* After worker_join: what it did; valid until worker_free. */
const struct worker_result *worker_result(const struct worker *worker);

/* After worker_join: recorder_take_samples of its recorder. */
struct sample_log *worker_take_samples(struct worker *worker) MUST_USE;

/* Frees a joined worker with all it measured. NULL is fine. */
void worker_free(struct worker *worker);

#endif
