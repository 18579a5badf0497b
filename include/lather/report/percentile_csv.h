/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_PERCENTILE_CSV_H
#define LATHER_REPORT_PERCENTILE_CSV_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"

/*
 * Appends ab's -e file: a heading and 101 rows "PERCENT,MS" of the total times, 0 being the least,
 * the others by nearest rank as in the table. Without an answer there is only the heading.
 */
void percentile_csv_write(struct buf *out, const struct summary *summary);

#endif
