/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_GNUPLOT_H
#define LATHER_REPORT_GNUPLOT_H

#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/measure/sample_log.h"

enum { GNUPLOT_STAMP_SIZE = 64 };

/* ab's -g file on its way, row by row; the caller's storage, fields private. */
struct gnuplot {
    uint64_t wall_start_ns;
    uint64_t stamped_s; /* the second that the stamp is of: formatted once */
    size_t stamp_len;
    char stamp[GNUPLOT_STAMP_SIZE]; /* the first two columns */
};

/*
 * Appends its heading: tab-separated, ab's six columns (starttime as local time in ab's form,
 * seconds since 1970, ctime, dtime, ttime, wait in ms) and a seventh, offset: ms from the start of
 * the run. wall_start_ns is that start, since 1970.
 */
void gnuplot_begin(struct gnuplot *gnuplot, uint64_t wall_start_ns, struct buf *out);

/* Appends a row, about 100 bytes. Rows are to come in order of start. */
void gnuplot_add(struct gnuplot *gnuplot, const struct sample_times *sample, struct buf *out);

#endif
