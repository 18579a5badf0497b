/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_HTML_FAILURES_H
#define LATHER_REPORT_HTML_FAILURES_H

#include "lather/base/buf.h"
#include "lather/measure/tally.h"

/* Appends the page's table of outcomes, with each one's share of the requests started. */
void html_failures_write_outcomes(struct buf *out, const struct tally *tally);

/* Appends the tables of faults and of other failures by kind, the most frequent first. */
void html_failures_write_groups(struct buf *out, const struct groups *failures);

#endif
