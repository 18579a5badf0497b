/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_MERGE_STEPS_H
#define LATHER_MEASURE_MERGE_STEPS_H

#include "lather/measure/summary.h"

/*
 * Adds the steps of `from`, whose run began `shift_ns` later, to those of `into`, first to first
 * and so on: rates, counts, backlogs and times, exactly. A step holds when it held in both. Where
 * they are no steps of one test (another number, made at another time, a search, saved without
 * their histograms) `into` loses its steps, and a note with the name of `from` says why.
 */
void merge_steps(struct summary *into, const struct summary *from, const char *name,
                 uint64_t shift_ns);

#endif
