/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_WORKER_TALK_H
#define LATHER_LOAD_WORKER_TALK_H

#include "lather/load/worker.h"

/* How a worker is asked to end. */
enum worker_command {
    WORKER_RUN = 0,
    WORKER_DRAIN, /* nothing new; what is in flight may finish: --grace, else WORKER_DRAIN_MS */
    WORKER_STOP   /* at once */
};

enum { WORKER_DRAIN_MS = 5000 };

/* Asks for an end; any thread, any time before worker_join. The last command is the strongest. */
void worker_tell(struct worker *worker, enum worker_command command);

/*
 * Asks the worker for the second before now, and for its backlog. Any thread; some 50 us of the
 * worker's time, and nothing of a request's.
 */
void worker_ask_second(struct worker *worker);

/*
 * Adds the second asked for last (empty as long as there is no answer) to the span, and the backlog
 * to *backlog. Any thread.
 */
void worker_add_second(struct worker *worker, struct span *span, uint64_t *backlog);

/* Adds what is known of the worker so far to *progress. Any thread; reads without a lock. */
void worker_add_progress(const struct worker *worker, struct run_progress *progress);

/* The rest is for the worker*.c. */

/* Wakes all workers of the run that have not ended. Any thread. */
void worker_wake_all(struct run_shared *shared);

/* Of an ended worker: nobody sends to its wake-up any more, which closes. */
void worker_go_deaf(struct worker *worker);

/* In the worker's thread: it acts on what it was told and asked. */
void worker_on_wake(uv_async_t *wake);

#endif
