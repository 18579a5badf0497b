/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_WATCH_H
#define LATHER_LOAD_WATCH_H

#include "lather/load/run_parts.h"

/*
 * What the main thread does while workers work. All of this is called on the thread of run->loop,
 * and works in the turns of that loop alone.
 */

/*
 * Of a run whose loop exists: from now on the first interrupt (Ctrl-C, and what stops a program on
 * this system) drains it, the second stops it. Signals that were ignored stay so, but for Ctrl-C.
 */
void watch_init(struct run *run);

/*
 * A stretch goes on from here to watch_end: run_events.progress is called every interval_ms
 * meanwhile, with what all workers have counted so far; not at all when there is no such function.
 */
void watch_begin(struct run *run);
void watch_end(struct run *run);

/* Gives interrupts back to the system; the handles close with the loop's next turn, until which
   run must stay. */
void watch_deinit(struct run *run);

#endif
