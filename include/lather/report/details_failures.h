/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_DETAILS_FAILURES_H
#define LATHER_REPORT_DETAILS_FAILURES_H

#include "lather/base/buf.h"
#include "lather/measure/groups.h"
#include "lather/measure/tally.h"

/* Blocks of details_write. Each appends nothing when it has nothing to say. */

/* Each outcome that occurred, with the times of failures. */
void details_write_outcomes(struct buf *out, const struct tally *tally);

/* Finer than the outcomes: which check refused an answer. */
void details_write_checks(struct buf *out, const struct tally *tally);

/* SOAP faults by code and reason, then the other failures by reason. */
void details_write_failures(struct buf *out, const struct groups *failures);

#endif
