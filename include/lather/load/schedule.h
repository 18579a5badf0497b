/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_SCHEDULE_H
#define LATHER_LOAD_SCHEDULE_H

#include <stdint.h>

#include "lather/base/rng.h"
#include "lather/plan/plan.h"

/*
 * The moments at which requests of an open loop are due, whatever the server does: at even
 * distances, or at exponential ones as independent users arrive (a Poisson process). The rate is
 * that of the whole run: with T workers, worker i takes every T-th even moment from the i-th on;
 * of a Poisson process each takes a T-th of the rate, and together they are one again. Pure.
 */
struct schedule {
    struct rng rng;
    enum plan_arrivals arrivals;
    double interval_ns; /* between this worker's moments, on average */
    double offset_ns;   /* of the last moment, from the start */
    double first_ns;    /* of the first even moment, from the start */
    uint64_t start_ns;
    uint64_t index; /* of the next moment */
};

/* What a schedule is made of. */
struct schedule_options {
    enum plan_arrivals arrivals;
    double rate_per_s; /* of the whole run, > 0 */
    uint64_t seed;
    uint32_t worker;
    uint32_t workers;
    uint64_t start_ns;
};

/* Starts a schedule; the same options give the same moments. */
void schedule_init(struct schedule *schedule, const struct schedule_options *options);

/* The next moment; never before the one given last. */
uint64_t schedule_next(struct schedule *schedule);

#endif
