/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses a part of the orders. Every tenth one would meet the same message of a mix of two or five
 * each time, and one by chance would be another part in each run. So the orders are cut into
 * intervals that hold one refusal each, and where in its interval it is is left to chance
 * (stratified sampling). The trap: intervals end inside of an order, so that two refusals may fall
 * on one; the second waits for the next order. Above a half the orders that pass are picked.
 */
#include "lather/serve/refusals.h"

#include <math.h>

enum { SEED = 1, MILLION = 1000000 };

static void draw_point(struct refusals *refusals)
{
    refusals->point = 1 + rng_below(&refusals->rng, MILLION);
}

void refusals_init(struct refusals *refusals, double rate, uint64_t index)
{
    const uint64_t millionths = (uint64_t)llround(rate * MILLION);
    *refusals = (struct refusals){.are_exceptions = millionths <= MILLION / 2};
    refusals->share = refusals->are_exceptions ? millionths : MILLION - millionths;
    rng_init(&refusals->rng, SEED, index);
    draw_point(refusals);
}

bool refusals_next(struct refusals *refusals)
{
    const uint64_t before = refusals->position;
    refusals->position += refusals->share;
    refusals->due += before < refusals->point && refusals->point <= refusals->position;
    if (refusals->position >= MILLION) {
        refusals->position -= MILLION;
        draw_point(refusals);
        refusals->due += refusals->point <= refusals->position;
    }
    const bool is_picked = refusals->due > 0;
    refusals->due -= is_picked;
    return is_picked == refusals->are_exceptions;
}
