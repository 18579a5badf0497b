/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_COUNTERS_H
#define LATHER_REPORT_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

/*
 * What the server's own counters said meanwhile: a table with a column of times and columns of
 * numbers, as Performance Monitor writes it (relog -f csv, typeperf -o) or any other program.
 */
struct counters;

/* How the stamps were understood, for the sentence about the clocks. */
enum counters_clock {
    COUNTERS_CLOCK_UTC = 0, /* they say how far they are from UTC, or count from 1970 */
    COUNTERS_CLOCK_LOCAL,   /* they do not: taken as this machine's local time */
    COUNTERS_CLOCK_COUNT
};

enum { COUNTERS_SERIES_CEILING = 64 };

/*
 * Reads the table. The column of times is the first one of a PDH-CSV, else the first whose name
 * has "time" or "date" in it, else the first. Times are 01/31/2006 15:04:05.000 (with the distance
 * from UTC of the PDH-CSV header), 2006-01-31T15:04:05Z or with an offset or a blank for the T, or
 * seconds, milliseconds, microseconds or nanoseconds since 1970. A column without any number is
 * left out; of the others the first COUNTERS_SERIES_CEILING are kept. Takes the bytes. False, with
 * name and line in err, when it is no such table. Free with counters_free.
 */
bool counters_parse(const char *name, struct buf *content, struct counters **counters,
                    struct err *err) MUST_USE;
void counters_free(struct counters *counters);

/* What the stamps were taken for. */
enum counters_clock counters_clock(const struct counters *counters);

/* Columns with numbers, and how many of them were left out beyond the ceiling. */
size_t counters_series(const struct counters *counters);
size_t counters_left_out(const struct counters *counters);

/* The name of a column; borrowed. */
struct str counters_name(const struct counters *counters, size_t series);

/* Rows, in order of their times, which are ns since 1970 by the counters' own clock. */
size_t counters_rows(const struct counters *counters);
uint64_t counters_time_ns(const struct counters *counters, size_t row);

/* A value; not a number (NAN) where there is none. */
double counters_value(const struct counters *counters, size_t series, size_t row);

#endif
