/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_STEP_VERDICT_H
#define LATHER_LOAD_STEP_VERDICT_H

#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/measure/summary.h"

/*
 * What one step came to, from the summary of that step alone: its figures, whether its rate was
 * reached, and whether find_rate (a condition that can be read; empty: there is none) held. What
 * was not measured does not hold. step->verdict points into `verdict`, which the caller owns.
 */
void step_verdict_of(const struct summary *stretch, const char *find_rate, uint64_t offset_ns,
                     struct buf *verdict, struct summary_step *step);

#endif
