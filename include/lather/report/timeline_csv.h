/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_TIMELINE_CSV_H
#define LATHER_REPORT_TIMELINE_CSV_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"

/*
 * Appends the run over time as CSV, a row a second, or longer ones when the run was too long for
 * that: when it began (UTC), offset and length in seconds, requests finished and failed, their rate
 * per second, KB of bodies per second, the percentiles of the row's own latencies (those of
 * --percentiles; else p50, p90, p99) and the longest, in ms. A time without an answer is empty.
 */
void timeline_csv_write(struct buf *out, const struct summary *summary);

/*
 * The same in the layout of Windows Performance Monitor's own logs ("PDH-CSV 4.0", as relog and
 * typeperf write it), so that it can be opened there beside the server's counters. Rows carry the
 * local time at which they end, as counters that were read then do.
 */
void timeline_csv_write_pdh(struct buf *out, const struct summary *summary);

#endif
