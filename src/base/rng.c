/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repeatable choice: the same seed and stream give the same sequence on every machine. The
 * generator is xoshiro256** 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", 2018). It is no source of secrets or unique ids; those come from
 * platform_random_bytes.
 */
#include "lather/base/rng.h"

#include "lather/base/check.h"

/* The output function of SplitMix64 (Steele, Lea and Flood 2014): a bijection of 64 bits. */
static uint64_t mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

static uint64_t rotate_left(uint64_t value, unsigned bits)
{
    return (value << bits) | (value >> (64 - bits));
}

void rng_init(struct rng *rng, uint64_t seed, uint64_t stream)
{
    const uint64_t step = 0x9E3779B97F4A7C15ULL;
    /* Both are mixed before they meet: seed 1, stream 2 must not be seed 2, stream 1. The four
       words come from four different positions, so at most one of them can be zero. */
    uint64_t position = mix(seed + step) + mix(stream);
    for (size_t i = 0; i < 4; i++) {
        position += step;
        rng->state[i] = mix(position);
    }
}

uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    CHECK(bound > 0);
    /* 2^64 mod bound: the lowest values are refused so that each remainder is equally frequent. */
    uint64_t refused = (UINT64_MAX - bound + 1) % bound;
    uint64_t value = rng_next(rng);
    while (value < refused) {
        value = rng_next(rng);
    }
    return value % bound;
}

double rng_unit(struct rng *rng)
{
    /* A double holds 53 bits exactly; more would round up to 1. */
    return (double)(rng_next(rng) >> 11) * 0x1.0p-53;
}
