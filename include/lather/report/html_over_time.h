/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_HTML_OVER_TIME_H
#define LATHER_REPORT_HTML_OVER_TIME_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"
#include "lather/report/counters.h"

/*
 * Appends the charts over the run's time, all on one axis: latency, the server's counters (NULL:
 * none) with what is known of the two clocks, rate, failures; and the rows as a table.
 */
void html_over_time_write(struct buf *out, const struct summary *summary,
                          const struct counters *counters);

#endif
