/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_TEMPLATE_SOURCE_H
#define LATHER_SOAP_TEMPLATE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/rng.h"
#include "lather/soap/feed.h"
#include "lather/soap/ids.h"
#include "lather/soap/stamp.h"

/* The wall clock, passed in so that tests can supply their own. */
struct template_clock {
    uint64_t (*wall_ns)(void *context); /* since 1970; NULL: clock_wall_ns */
    void *context;
};

/* How far a worker has come; only messages that use rows, or the counter, take any. */
struct template_taken {
    uint64_t rows;
    uint64_t numbers;
};

struct template_source_options {
    uint32_t worker;  /* from 0 */
    uint32_t workers; /* > worker */
    uint64_t seed;    /* of ${random} and shuffled rows; never of ids */
    size_t rows;      /* of the feed; 0: there is none */
    enum feed_order order;
    struct stamp clock_offset;   /* --clock-offset: added to every moment */
    struct template_taken taken; /* by this worker in earlier stretches of the run */
    uint32_t stretch;            /* which stretch it is, from 0: chance goes on, too */
    struct template_clock clock;
    struct ids_origin ids; /* take == NULL: the system's */
};

/*
 * What a worker's requests are filled from; the same for all messages of a mix, so that counter
 * and rows go on from one to the other. Not for two threads at once. The fields are
 * soap/template's; others leave them alone.
 */
struct template_source {
    struct ids ids;
    struct rng rng;
    struct feed feed;
    struct template_clock clock;
    struct stamp clock_offset;
    uint64_t counter; /* the next number from 0, before the START of a slot is added */
    uint64_t step;
    uint32_t worker;
};

/*
 * Everything that filling needs is allocated here. Worker i of T counts i, i + T, i + 2T...: over
 * all workers each number comes once, and without gaps when worker i is asked for as many requests
 * as i + kT < n says.
 */
struct template_source *template_source_new(const struct template_source_options *options) MUST_USE;

/* What was taken since the run began: what the next stretch's source goes on from. */
struct template_taken template_source_taken(const struct template_source *source);

/* Frees the source and what it holds. */
void template_source_free(struct template_source *source);

#endif
