/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_STRETCH_H
#define LATHER_LOAD_STRETCH_H

#include "lather/load/run_parts.h"

/*
 * One stretch by a plan of its own, begun at a moment of the wall clock (0: at once); its summary,
 * the caller's to free, or NULL when its threads could not be made. After an interrupt nothing is
 * sent any more. The workers stay to be looked at until stretch_free_workers, which comes before
 * the next stretch.
 */
struct summary *stretch_run(struct run *run, const struct plan *plan, uint64_t start_at_ns,
                            struct err *err) MUST_USE;

/* Once a stretch_run, whatever it returned. */
void stretch_free_workers(struct run_shared *shared);

/*
 * The same for a stretch that counts: its samples are kept (plan.keep_samples) and its workers gone
 * when it returns.
 */
struct summary *stretch_measure(struct run *run, const struct plan *plan, uint64_t start_at_ns,
                                struct err *err) MUST_USE;

/*
 * How long a stretch waits for what is in flight at its end when another comes behind it: none must
 * run into the next, unless it was asked for.
 */
uint64_t stretch_grace_ns(const struct plan *plan);

#endif
