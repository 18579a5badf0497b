/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_HTML_H
#define LATHER_REPORT_HTML_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"
#include "lather/report/counters.h"

/*
 * Appends the run as one HTML page that needs nothing else: what was run and how it went, latency,
 * rate and failures over time, the percentile curve, the distribution, outcomes, faults and the
 * other failures, connection times, the client's health, notes, and the whole text report. Charts
 * are inline SVG; it runs no script and loads nothing. counters may be NULL; else they are drawn
 * under the latency, on its axis of time. Some 100 KB.
 */
void html_write(struct buf *out, const struct summary *summary, const struct counters *counters);

#endif
