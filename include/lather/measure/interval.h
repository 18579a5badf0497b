/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_INTERVAL_H
#define LATHER_MEASURE_INTERVAL_H

#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"

/*
 * One interval of a timeline: its figures, and of its latencies the grains in use (measure/grain.h)
 * as sorted cells of one word each, the grain's number in the upper 12 bits and its count in the
 * lower 52. A zeroed one is an interval of nothing. A part of struct timeline, used by no one else.
 */
struct interval {
    uint64_t finished;
    uint64_t failed;
    uint64_t answers;
    uint64_t body_bytes;
    uint64_t max_ns;
    uint64_t sum_low; /* of the latencies, 128 bits */
    uint64_t sum_high;
    uint64_t *cells; /* owned; whoever has the interval frees them */
    uint32_t cell_count;
    uint32_t cell_capacity;
};

enum { INTERVAL_COUNT_BITS = 52 };
#define INTERVAL_COUNT_MOST (((uint64_t)1 << INTERVAL_COUNT_BITS) - 1)

static inline uint64_t interval_cell(uint32_t grain, uint64_t count)
{
    CHECK(count <= INTERVAL_COUNT_MOST);
    return (uint64_t)grain << INTERVAL_COUNT_BITS | count;
}

static inline uint32_t interval_cell_grain(uint64_t cell)
{
    return (uint32_t)(cell >> INTERVAL_COUNT_BITS);
}

static inline uint64_t interval_cell_count(uint64_t cell)
{
    return cell & INTERVAL_COUNT_MOST;
}

static inline void interval_add_sum(struct interval *interval, uint64_t low, uint64_t high)
{
    interval->sum_low += low;
    interval->sum_high += high + (interval->sum_low < low);
}

/* Makes room for so many cells in all. */
void interval_reserve(struct interval *interval, uint32_t needed);

/* Adds a count to one grain; returns how many grains came into use. A search and a move of cells.
 */
size_t interval_add(struct interval *interval, uint32_t grain, uint64_t count);

/* Adds all of `from`: figures and cells; returns how many grains came into use. */
size_t interval_merge(struct interval *into, const struct interval *from);

#endif
