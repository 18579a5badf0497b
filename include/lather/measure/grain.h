/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_GRAIN_H
#define LATHER_MEASURE_GRAIN_H

#include <stdint.h>

/*
 * Coarse classes of values, for the many small histograms of a timeline: values under 128 are
 * exact, each power of two above is cut into 64 equal grains, so that a grain is at most 1/64 of
 * its value wide. They are the buckets of struct histogram, sixteen put together, so no grain cuts
 * one of them.
 */
enum { GRAIN_HALF_BITS = 6, GRAIN_HALF = 1 << GRAIN_HALF_BITS, GRAIN_COUNT = 59 * GRAIN_HALF };

/* The grain of a value: 127 is in 127; 128 and 129 share 128; 256 to 259 share 192. About 1 ns. */
static inline uint32_t grain_of(uint64_t value)
{
    unsigned leading = (unsigned)__builtin_clzll(value | (2 * GRAIN_HALF - 1));
    unsigned shift = 63 - leading - GRAIN_HALF_BITS;
    return (uint32_t)(shift << GRAIN_HALF_BITS) + (uint32_t)(value >> shift);
}

/* The least value of a grain, and the greatest. */
static inline uint64_t grain_low(uint32_t grain)
{
    unsigned shift = grain < 2 * GRAIN_HALF ? 0 : (grain >> GRAIN_HALF_BITS) - 1;
    return ((uint64_t)grain - ((uint64_t)shift << GRAIN_HALF_BITS)) << shift;
}

static inline uint64_t grain_high(uint32_t grain)
{
    unsigned shift = grain < 2 * GRAIN_HALF ? 0 : (grain >> GRAIN_HALF_BITS) - 1;
    return grain_low(grain) + (((uint64_t)1 << shift) - 1);
}

#endif
