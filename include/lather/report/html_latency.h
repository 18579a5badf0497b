/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_HTML_LATENCY_H
#define LATHER_REPORT_HTML_LATENCY_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"

/*
 * Appends the page's sections on times: the curve of the percentiles and the distribution of the
 * latencies, and a table of all histograms that hold something, with the percentiles asked for.
 * Nothing when none does.
 */
void html_latency_write(struct buf *out, const struct summary *summary);

#endif
