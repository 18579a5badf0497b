/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_ROWS_H
#define LATHER_REPORT_ROWS_H

#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"
#include "lather/measure/histogram.h"

/*
 * How rows of the text report look, so that all blocks have one shape: a label, its value in a
 * column of its own, one unit. Each function appends to `out` and keeps nothing.
 */

/* Labels take this much of a line, the indentation included, as in ab's report. */
enum { ROWS_LABEL_WIDTH = 24 };

/* "\nOutcomes\n": the line above a block. */
void rows_heading(struct buf *out, const char *text);

/* The label of an indented row; the value and the end of the line are the caller's. */
void rows_begin(struct buf *out, const char *label);

/* For what belongs to no block: a label of ab's kind, not indented. */
void rows_begin_line(struct buf *out, const char *label);

/* Whole indented rows, line end included. Text may be foreign: it is cleaned (report/clean.h). A
   time is given in ns and printed in ms, with three decimals. */
void rows_count(struct buf *out, const char *label, uint64_t count);
void rows_text(struct buf *out, const char *label, const char *text);
void rows_ms(struct buf *out, const char *label, uint64_t ns);

/* The spread of a histogram of ns, in ms, in one row. */
void rows_spread(struct buf *out, const char *label, const struct histogram *histogram);

/* As rows_count, but nothing for 0: what is rare is worth a line only when it happened. */
void rows_count_if_any(struct buf *out, const char *label, uint64_t count);

/*
 * Appends foreign text, cleaned, with a blank between a digit and a percent sign: "errors>1 %", as
 * "1%" would look like a row of ab's percentiles.
 */
void rows_clear(struct buf *out, struct str text);

#endif
