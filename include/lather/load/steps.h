/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_STEPS_H
#define LATHER_LOAD_STEPS_H

#include "lather/load/run_parts.h"

/*
 * Makes the steps of plan->shape, until the last or until one does not end by its time limit (an
 * interrupt, nobody there). The summary of all, the caller's to free, with one summary_step each;
 * NULL when threads could not be made.
 */
struct summary *steps_run(struct run *run, const struct plan *plan, struct err *err) MUST_USE;

#endif
