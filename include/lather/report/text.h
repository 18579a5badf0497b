/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_TEXT_H
#define LATHER_REPORT_TEXT_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"
#include "lather/report/options.h"

/* Whether progress lines are printed during the run: they decide how the head's line ends. */
enum text_progress { TEXT_PROGRESS_OFF = 0, TEXT_PROGRESS_ON, TEXT_PROGRESS_COUNT };

/* Appends "This is lather, Version ..." and an empty line: what -V prints and a run begins with. */
void text_banner(struct buf *out);

/*
 * Appends ab's "Benchmarking HOST (be patient)" as it stands before a run, and what completes the
 * line after it ("..done" when no progress was printed in between).
 */
void text_begin(struct buf *out, const char *host, enum text_progress progress);
void text_end(struct buf *out, enum text_progress progress);

/*
 * Appends ab's report, then the blocks that are ours (details_write). Labels, order and columns of
 * ab's part are what scripts search for; docs/METRICS.md defines every figure.
 */
void text_report(struct buf *out, const struct summary *summary,
                 const struct report_options *options);

#endif
