/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_PLAN_MIX_H
#define LATHER_PLAN_MIX_H

#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"

/*
 * The order in which the messages of a run are sent: a cycle in which each stands as often as its
 * weight says, spread evenly, over and over again. Frozen: all workers read one.
 */
struct mix;

enum mix_order {
    MIX_IN_ORDER = 0, /* each cycle the same: those of equal weight as they were given */
    MIX_SHUFFLED,     /* each cycle in an order of its own, by the seed */
    MIX_ORDER_COUNT
};

/* Messages of a run, each with its books in every worker; and places in a cycle. */
enum { MIX_MESSAGES_CEILING = 1024, MIX_CYCLE_CEILING = 100000 };

/*
 * Weights are from 1; what divides them all is taken out first. Err when there are more messages
 * or longer cycles than the ceilings. Linearithmic in the length of the cycle.
 */
struct mix *mix_new(const uint32_t *weights, size_t count, enum mix_order order, uint64_t seed,
                    struct err *err) MUST_USE;
void mix_free(struct mix *mix);

/* How many requests a cycle has. */
size_t mix_cycle_length(const struct mix *mix);

/* What a worker sends of the whole. */
struct mix_share {
    uint32_t worker;   /* from 0 */
    uint32_t workers;  /* > worker */
    uint64_t requests; /* of all workers, dealt out evenly, the first get one more; 0: no limit */
    uint64_t grain;    /* so many are dealt out together (a session's); 0: 1 */
};

/*
 * A worker's way through the cycles, in caller's storage. The requests of a run are numbered, and
 * each worker has a run of numbers that lie side by side: so over all workers every cycle is
 * exact, and each worker on its own is, but for its first and last one. Without a limit each begins
 * at another place of cycles of its own.
 */
struct mix_walk {
    const struct mix *mix;
    uint64_t cycle;     /* the one it is in */
    uint32_t at;        /* place in it */
    uint32_t *shuffled; /* the order of this cycle; NULL in order */
};

/* Free with mix_walk_deinit, which is safe on a zeroed walk. */
void mix_walk_init(struct mix_walk *walk, const struct mix *mix, const struct mix_share *share);
void mix_walk_deinit(struct mix_walk *walk);

/* Which message the next request is. Constant; shuffling costs its share in each step. */
uint32_t mix_walk_next(struct mix_walk *walk);

#endif
