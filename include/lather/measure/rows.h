/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_ROWS_H
#define LATHER_MEASURE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/measure/span.h"
#include "lather/measure/summary.h"

/*
 * A run's timeline as rows of one length, to its end: a row in which nothing happened is there as
 * well. Made for one walk from the first to the last.
 */
struct rows {
    const struct timeline *timeline;  /* borrowed */
    const struct timeline *responses; /* borrowed; NULL: not an open loop's */
    struct span *span;                /* the current row */
    struct span *response_span;       /* its response times; NULL without */
    uint64_t length_ns;               /* of a row: a multiple of the timeline's intervals */
    size_t per_row;                   /* intervals */
    size_t responses_per_row;         /* the same of `responses` */
    size_t count;                     /* rows; 0 without a timeline */
    size_t next;
    uint64_t end_ns; /* the run's, since its start */
};

/*
 * Rows of at least `least_ns`, no more than `most` of them if that is not 0: the row is a whole
 * number of intervals, and of seconds when it is longer than one.
 */
void rows_init(struct rows *rows, const struct summary *summary, uint64_t least_ns, size_t most);
void rows_deinit(struct rows *rows);

/* Moves to the next row; false when there is none. Its figures are then in the spans. */
bool rows_next(struct rows *rows);

/* Of the current row: when it begins, since the start, and how much of the run is in it. */
uint64_t rows_from_ns(const struct rows *rows);
uint64_t rows_lasted_ns(const struct rows *rows);

/* Requests finished a second in the current row; the last row may be a short one. */
double rows_rate_per_s(const struct rows *rows);

#endif
