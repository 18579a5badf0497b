/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_MESSAGE_TALLY_H
#define LATHER_MEASURE_MESSAGE_TALLY_H

#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/outcome.h"
#include "lather/measure/histogram.h"
#include "lather/measure/tally.h"

/*
 * What was measured of one message of several. Each figure summed over the messages of a run is
 * that of the whole (struct tally); bytes that no request had asked for are in the whole only.
 */
struct message_tally {
    uint64_t started;                 /* requests begun; = finished + cut */
    uint64_t finished;                /* = the sum of outcomes without cut */
    uint64_t outcomes[OUTCOME_COUNT]; /* = started, with cut */
    uint64_t body_bytes;              /* of whole answers */
    struct traffic traffic;  /* bytes, and requests sent; connections are not a message's */
    struct histogram *total; /* start to end, of requests with a whole answer; NULL: there was none
                                yet, so that a message costs little until it is answered */
};

/* Frees what it holds; a tally of nothing is a zeroed one. */
void message_tally_deinit(struct message_tally *tally);

/* Counts one ended request, as tally_add does in the whole. */
void message_tally_add(struct message_tally *tally, const struct sample *sample);

/* Adds all of `from` to `into`. */
void message_tally_merge(struct message_tally *into, const struct message_tally *from);

/* Failed requests: all outcomes that are failures. */
uint64_t message_tally_failed(const struct message_tally *tally);

#endif
