/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_PACE_H
#define LATHER_LOAD_PACE_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "lather/base/check.h"
#include "lather/plan/plan.h"

/*
 * When a free slot sends its next request. Four paces, one of them chosen when the worker starts:
 *
 *  closed  at once: as hard as the connections can (ab)
 *  think   after a pause between two bounds (siege's delay)
 *  session at once within a burst, after a pause behind it (httperf's --wsess); as many calls as a
 *          session has, then the next session begins
 *  open    when the schedule says so, whatever the server does (--rate); what is due while no slot
 *          is free waits its turn, first due first sent, and is counted as backlog
 *
 * On the worker's thread and loop.
 */
struct pace;

/* Tells the worker to send on this slot now. due_ns: when it was due (open), else 0. */
typedef void pace_go_fn(void *context, uint32_t slot, uint64_t due_ns);

struct pace_options {
    const struct plan *plan;
    uv_loop_t *loop;
    uint32_t slots;
    uint32_t worker;
    uint32_t workers;
    uint64_t requests; /* this worker's share; UINT64_MAX: no limit */
    pace_go_fn *go;
    void (*parted)(void *context, uint32_t slot); /* the slot's session has ended */
    void *context;
};

/* A pace at rest. plan is borrowed. */
struct pace *pace_new(const struct pace_options *options) MUST_USE;

/* The load begins now: moments of the schedule count from start_ns (clock_now_ns). */
void pace_start(struct pace *pace, uint64_t start_ns);

/* A slot is free. `go` may be called before it returns. */
void pace_ready(struct pace *pace, uint32_t slot);

/* How many sessions have begun (session only). */
uint64_t pace_sessions_begun(const struct pace *pace);

/* How many requests were due and not sent at the worst moment seen so far (open only). */
uint64_t pace_backlog_peak(const struct pace *pace);

/* How long after its due moment the request sent last went out (open only). */
uint64_t pace_lateness_ns(const struct pace *pace);

/* When the first request was due and the last one went out (open only; 0: none did). */
uint64_t pace_first_due_ns(const struct pace *pace);
uint64_t pace_last_sent_ns(const struct pace *pace);

/* How many were due by now_ns and have not been sent (open only). */
uint64_t pace_backlog(struct pace *pace, uint64_t now_ns);

/* Nothing goes any more; the loop must run once more to close the pace's timers. */
void pace_stop(struct pace *pace);

/* After pace_stop and the loop's end. NULL is fine. */
void pace_free(struct pace *pace);

#endif
