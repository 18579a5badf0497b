/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_WATCH_H
#define LATHER_LOAD_WATCH_H

#include "lather/load/run_parts.h"

/* Of a run whose loop exists: from now on the first interrupt drains it, the second stops it. */
void watch_init(struct run *run);

/* A stretch goes on from here to watch_end: run_events.progress is called meanwhile. */
void watch_begin(struct run *run);
void watch_end(struct run *run);

/* Gives interrupts back to the system; the handles close with the loop's next turn. */
void watch_deinit(struct run *run);

#endif
