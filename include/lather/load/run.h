/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_RUN_H
#define LATHER_LOAD_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/measure/sample_log.h"
#include "lather/measure/summary.h"
#include "lather/net/transport.h"
#include "lather/plan/plan.h"

/* Which part of a run is under way. */
enum run_stretch {
    RUN_STRETCH_WHOLE = 0, /* there is one only */
    RUN_STRETCH_WARMUP,    /* its requests are counted apart */
    RUN_STRETCH_STEP,
    RUN_STRETCH_COUNT
};

/*
 * What can be seen of a run while it goes on; sums over all workers, read without a lock. Counts
 * are of all steps so far, and of the warm-up alone as long as it lasts.
 */
struct run_progress {
    uint64_t elapsed_ns;
    uint64_t finished;
    uint64_t failed;
    uint64_t in_flight;
    uint64_t backlog; /* open loop: due and not sent, within the last second_ms */
    bool has_times;   /* something was answered in the second before that */
    uint64_t p50_ns;  /* of that second alone */
    uint64_t p99_ns;
    bool stopping; /* drained after the first interrupt */
    enum run_stretch stretch;
    uint64_t step;             /* of steps: which one, from 1 */
    uint64_t rate_micro_per_s; /* of steps: its rate */
};

/* Which way traced bytes went. */
enum run_trace {
    RUN_TRACE_SENT = 0,
    RUN_TRACE_RECEIVED,
    RUN_TRACE_TLS, /* lines about the first handshake */
    RUN_TRACE_COUNT
};

struct run_events {
    /* Called on the calling thread before `started` with what the preflight remarks, one note a
       line; the summary gets the same. May be NULL. */
    void (*noted)(void *context, const struct buf *notes);
    /* Called on the calling thread when nothing stands in the way any more, just before the first
       request; may be NULL. */
    void (*started)(void *context);
    /* Called on the main thread about every interval_ms while the run goes on; may be NULL. */
    void (*progress)(void *context, const struct run_progress *progress);
    uint64_t interval_ms;
    uint64_t second_ms; /* how often workers are asked for their last second; costs each of them
                           some 50 us then. 0: never */
    /* Called from a worker thread, one at a time, with the bytes of heads (-v); may be NULL. */
    void (*trace)(void *context, enum run_trace direction, struct str bytes);
    /* Called likewise, with each exchange that ended, before it is judged; may be NULL. Only with
       `trace`. */
    void (*ended)(void *context, const struct exchange *exchange);
    void *context;
};

/*
 * Runs a frozen plan: resolves the host, checks this machine's limits, starts the workers, waits
 * for their end and closes the books. The calling thread handles platform_stop_signals meanwhile:
 * the first lets what is in flight finish for at most 5 s, the second stops at once; either way a
 * summary comes back. False only when nothing was sent: the name has no address, a limit stands in
 * the way.
 *
 * A warm-up is a stretch before, with connections of its own, and in no figure but those of
 * summary->warmup; --start-at is waited for behind it. Each step is a stretch, too: the next begins
 * when what was in flight has ended. The summary is that of all steps together.
 *
 * *summary is the caller's to free; its strings of plan.command_line are the caller's to fill.
 * *samples, the caller's to free, holds the times of each answered request, counted from the start
 * of the run; NULL without plan->keep_samples.
 */
bool run_load(const struct plan *plan, const struct run_events *events, struct summary **summary,
              struct sample_log **samples, struct err *err) MUST_USE;

#endif
