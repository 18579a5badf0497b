/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_COMPARE_H
#define LATHER_MEASURE_COMPARE_H

#include <stdbool.h>

#include "lather/measure/summary.h"

/* The figures that are compared. */
enum compare_figure {
    COMPARE_RATE = 0, /* requests finished a second */
    COMPARE_ERRORS,   /* failed of the finished, 0 to 1 */
    COMPARE_MEAN,     /* latencies, ns */
    COMPARE_P50,
    COMPARE_P90,
    COMPARE_P95,
    COMPARE_P99,
    COMPARE_COUNT
};

enum compare_verdict {
    COMPARE_UNKNOWN = 0, /* too little was measured to tell */
    COMPARE_SAME,        /* the interval holds "no change" */
    COMPARE_BETTER,
    COMPARE_WORSE,
    COMPARE_VERDICT_COUNT
};

/* One figure of two results. */
struct compare_row {
    double old_value;
    double new_value;
    double change; /* new by old, less 1; of errors: new less old */
    double low;    /* a 95 % interval of the change; only when the verdict is known */
    double high;
    enum compare_verdict verdict;
};

/*
 * Compares two results by what each one's own time shows: a circular block bootstrap (Politis and
 * Romano, 1992) over the whole intervals of its timeline, at most 128 of them, in blocks of the
 * cube root of their number, 1000 times with a fixed seed. A change is better or worse only when
 * its interval, widened by the width of the histograms' buckets, does not hold "none". Unknown:
 * fewer than 8 intervals, or fewer than 5 answers above a percentile. About half a second.
 */
void compare_results(const struct summary *old_result, const struct summary *new_result,
                     struct compare_row rows[COMPARE_COUNT]);

/* "rate", "errors", "mean", "p50"...; never NULL. */
const char *compare_figure_name(enum compare_figure figure);

#endif
