/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_STRETCHES_H
#define LATHER_REPORT_STRETCHES_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"

/*
 * What a run was made of besides the requests that are measured: its warm-up, the moment it waited
 * for, its steps. Each of these appends nothing when there was nothing of the kind.
 */

/* Lines of the text report's head: `Warm-up:` and `Start:`, with a blank line behind them. */
void stretches_write_head(struct buf *out, const struct summary *summary);

/* The text report's block `Steps`. */
void stretches_write_steps(struct buf *out, const struct summary *summary);

/* What stands behind `Warm-up:` and `Start:`, for other formats; nothing is appended without one.
 */
void stretches_warmup(struct buf *out, const struct summary *summary);
void stretches_start(struct buf *out, const struct summary *summary);

/* The steps as a section of the page of html.h. */
void stretches_write_html(struct buf *out, const struct summary *summary);

#endif
