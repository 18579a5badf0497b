/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_HDR_H
#define LATHER_REPORT_HDR_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"

/*
 * Appends the latencies as HdrHistogram's percentile distribution (.hgrm), in ms: value,
 * percentile, how many up to it and 1/(1-percentile), five steps for each halving of what is left,
 * then mean, deviation, longest and count. Its plotters read it, and those of wrk2.
 */
void hdr_write(struct buf *out, const struct summary *summary);

#endif
