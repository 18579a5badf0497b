/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_WORKER_END_H
#define LATHER_LOAD_WORKER_END_H

#include "lather/load/worker_parts.h"

/* Makes the next poll return at once, so that worker_on_check runs. */
void worker_stir(struct worker *worker);

/* Nothing new from here on; what is in flight may still be answered, for most_ns at the longest. */
void worker_drain(struct worker *worker, uint64_t most_ns);

/*
 * The end: what is in flight is cut, what is unjudged is judged, every handle closes. Never from
 * inside a callback of the transport. Once is enough; again does nothing.
 */
void worker_halt(struct worker *worker);

/* The time limit is over: what is in flight is cut, or has --grace. */
void worker_on_limit(uv_timer_t *timer);

/*
 * A connect failed. When nothing has ever answered in this run and as many connects failed as were
 * tried at once, it is no use to go on: all workers are told.
 */
void worker_note_unconnected(struct worker *worker);

/* In whole milliseconds, rounded up: a limit is never early. */
uint64_t worker_ms(uint64_t ns);

/* For a timer: the loop's clock has lost up to a millisecond by being cut off to whole ones. */
uint64_t worker_timer_ms(uint64_t ns);

#endif
