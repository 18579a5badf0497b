/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of n sorted values a percentile is, in one place, so that the histogram of the run and the
 * grains of its intervals cannot disagree. It knows no values.
 */
#include "lather/measure/rank.h"

#include <assert.h>
#include <math.h>

__extension__ typedef unsigned __int128 double_word;

uint64_t rank_nearest(uint64_t count, double percent)
{
    assert(percent > 0 && percent <= 100);
    const double_word whole = 100000000; /* 100 % in millionths of a percent */
    double_word part = (double_word)llround(percent * 1e6);
    double_word rank = (part * count + whole - 1) / whole;
    if (rank < 1 || count == 0) {
        return 1;
    }
    return rank > count ? count : (uint64_t)rank;
}
