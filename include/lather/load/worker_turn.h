/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_WORKER_TURN_H
#define LATHER_LOAD_WORKER_TURN_H

#include "lather/load/worker_parts.h"

/*
 * A turn of a worker's loop, as callbacks of its transport, its pace and libuv. Context is the
 * struct worker, index a slot.
 */

/* The transport is done with an exchange: it is noted, or waits for its verdict. */
void worker_on_done(void *context, uint32_t index, struct exchange *exchange);

/* The same with -v: told to run_events.trace first. */
void worker_on_done_traced(void *context, uint32_t index, struct exchange *exchange);

/* A piece of an answer that is judged while it streams through. */
void worker_on_stream(void *context, struct exchange *exchange, struct str bytes);

/* A slot can take its next request: the pace is asked when. May send from inside. */
void worker_on_ready(void *context, uint32_t index);

/* The pace says that this slot sends now; due_ns is when it was to. */
void worker_on_go(void *context, uint32_t index, uint64_t due_ns);

/* The pace says that this slot's session has ended: its connection goes with it. */
void worker_on_parted(void *context, uint32_t index);

/* Before a poll: how long this turn kept the loop from seeing what arrived meanwhile. */
void worker_on_prepare(uv_prepare_t *prepare);

/* After a poll: one verdict, then the next poll; or the worker's end. */
void worker_on_check(uv_check_t *check);

#endif
