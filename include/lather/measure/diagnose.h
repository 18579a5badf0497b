/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_DIAGNOSE_H
#define LATHER_MEASURE_DIAGNOSE_H

#include "lather/measure/summary.h"

/*
 * Looks at the figures and adds notes on what a tester should know: the client was the limit (CPU,
 * loop lag: sets the warnings in summary->health too), latencies that cluster at the delayed-ACK
 * time, SYN retries in the connect times, requests the server may not have seen, everything 415...
 * Changes no figure. Called once, after the books are closed and health is filled; the thresholds
 * are in docs/METRICS.md, "Notes".
 */
void diagnose_add_notes(struct summary *summary);

/* The same for its conditions, which come later: one that is true of a good run is perhaps turned
   round, and such a gate is never shut. */
void diagnose_add_condition_notes(struct summary *summary);

#endif
