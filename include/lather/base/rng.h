/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_RNG_H
#define LATHER_BASE_RNG_H

#include <stdint.h>

/*
 * A small fast generator (xoshiro256**, Blackman and Vigna 2018) for choice and order, repeatable
 * by its seed. Never for ids or secrets. One a worker; not for two threads at once.
 */
struct rng {
    uint64_t state[4];
};

/* Starts from a seed (spread by SplitMix64); `stream` gives each worker a sequence of its own. */
void rng_init(struct rng *rng, uint64_t seed, uint64_t stream);

/* The next 64 bits, uniform. */
uint64_t rng_next(struct rng *rng);

/* Uniform in [0, bound), without bias; bound > 0. */
uint64_t rng_below(struct rng *rng, uint64_t bound);

/* Uniform in [0, 1). */
double rng_unit(struct rng *rng);

#endif
