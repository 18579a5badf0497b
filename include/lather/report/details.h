/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_DETAILS_H
#define LATHER_REPORT_DETAILS_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"
#include "lather/report/options.h"

/*
 * Appends the blocks of the text report that ab does not have: the tail of the times, how the run
 * ended, outcomes, faults and other failures by reason, answers by status, what was sent,
 * connections, the client's own health, notes. No line of it can be taken for one of ab's.
 */
void details_write(struct buf *out, const struct summary *summary,
                   const struct report_options *options);

/* One sentence on why the run ended and what it left undone; of both text and HTML. */
void details_run_end(struct buf *out, const struct summary *summary);

#endif
