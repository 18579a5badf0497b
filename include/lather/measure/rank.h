/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_RANK_H
#define LATHER_MEASURE_RANK_H

#include <stdint.h>

/*
 * The nearest rank ceil(percent * count / 100) of a percentile, 0 < percent <= 100, from 1 to
 * count (1 when count is 0). Worked out in whole numbers, from percent to six decimals, as a double
 * would round: 99.9 % of 1000 is 999, not 1000.
 */
uint64_t rank_nearest(uint64_t count, double percent);

#endif
