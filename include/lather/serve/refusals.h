/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_REFUSALS_H
#define LATHER_SERVE_REFUSALS_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/rng.h"

/* Which orders of one thread are refused: a part of them, evenly spread, but in no rhythm. */
struct refusals {
    struct rng rng;
    uint64_t share;    /* millionths that each order goes on in the interval */
    uint64_t position; /* in the interval, 0 to a million */
    uint64_t point;    /* where in the interval the one is, 1 to a million */
    uint64_t due;
    bool are_exceptions; /* else what is picked is the exception: an order that is not refused */
};

/*
 * rate is 0 to 1, to 1e-6. `index` is the thread's, which gives each a sequence of its own, the
 * same at each start.
 */
void refusals_init(struct refusals *refusals, double rate, uint64_t index);

/*
 * Whether the next order is refused. Of the first n orders it is n * rate of them, rounded down or
 * up; exactly n * rate when that is a whole number.
 */
bool refusals_next(struct refusals *refusals);

#endif
