/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_RESULTS_H
#define LATHER_LOAD_RESULTS_H

#include <stdint.h>

#include "lather/base/check.h"
#include "lather/load/worker.h"
#include "lather/measure/summary.h"

/*
 * What all workers of an ended run measured, added up in the order of their index, with an echo of
 * the plan and the client's health. Books that do not balance are said so in it. interrupts and
 * wall_start_ns (since 1970) are the run's. The summary is the caller's to free.
 */
struct summary *results_summarise(const struct run_shared *shared, unsigned interrupts,
                                  uint64_t wall_start_ns) MUST_USE;

/*
 * The times of every answered request of all workers in order of start, counted from the start of
 * the run; never NULL, the caller frees it. Linearithmic.
 */
struct sample_times *results_gather_samples(const struct run_shared *shared,
                                            uint64_t *count) MUST_USE;

#endif
