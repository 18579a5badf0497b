/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_RESULTS_H
#define LATHER_LOAD_RESULTS_H

#include <stdint.h>

#include "lather/base/check.h"
#include "lather/load/worker.h"
#include "lather/measure/summary.h"

/*
 * What all workers of an ended stretch measured, added up in the order of their index, with an echo
 * of the plan and the client's health. interrupts and wall_start_ns (since 1970) are the run's. The
 * summary is the caller's to free.
 */
struct summary *results_summarise(const struct run_shared *shared, unsigned interrupts,
                                  uint64_t wall_start_ns) MUST_USE;

/*
 * Once all stretches of a run are in the summary: checks its books, which are said in it when they
 * do not balance, and notes what stands out.
 */
void results_conclude(const struct run_shared *shared, struct summary *summary);

#endif
