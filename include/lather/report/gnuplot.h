/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_GNUPLOT_H
#define LATHER_REPORT_GNUPLOT_H

#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/measure/sample_log.h"

/*
 * Appends ab's -g file: tab-separated, ab's six columns (starttime as local time in ab's form,
 * seconds since 1970, ctime, dtime, ttime, wait in ms) and a seventh, offset: ms from the start of
 * the run. Rows stand as the samples do, which is in order of start. wall_start_ns is the run's
 * start since 1970. About 100 bytes a sample.
 */
void gnuplot_write(struct buf *out, uint64_t wall_start_ns, const struct sample_times *samples,
                   uint64_t count);

#endif
