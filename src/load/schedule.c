/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Due moments as a function of their number. Even moments are multiplied out, not added up, so that
 * a day at any rate ends on the right nanosecond's microsecond: 3 a second for 24 h is 259,200
 * moments, and the last is due at 86,399.667 s, not where 259,199 rounded thirds would put it.
 */
#include "lather/load/schedule.h"

#include <math.h>

#include "lather/base/clock.h"

void schedule_init(struct schedule *schedule, const struct schedule_options *options)
{
    const double between_ns = (double)NS_PER_S / options->rate_per_s;
    *schedule = (struct schedule){
        .arrivals = options->arrivals,
        .interval_ns = between_ns * options->workers,
        .first_ns = between_ns * options->worker,
        .start_ns = options->start_ns,
    };
    rng_init(&schedule->rng, options->seed, options->worker);
}

uint64_t schedule_next(struct schedule *schedule)
{
    if (schedule->arrivals == PLAN_ARRIVALS_EVEN) {
        schedule->offset_ns = schedule->first_ns + schedule->interval_ns * (double)schedule->index;
    } else {
        /* Inverse of the exponential distribution; 1 - u is never 0. */
        schedule->offset_ns -= schedule->interval_ns * log(1.0 - rng_unit(&schedule->rng));
    }
    schedule->index++;
    return schedule->start_ns + (uint64_t)schedule->offset_ns;
}
