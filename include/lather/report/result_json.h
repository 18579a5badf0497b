/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_RESULT_JSON_H
#define LATHER_REPORT_RESULT_JSON_H

#include "lather/base/buf.h"
#include "lather/measure/summary.h"

/* The name and version of the schema; docs/JSON.md describes it and says when the number changes.
 */
#define RESULT_JSON_SCHEMA "lather/1"

/*
 * Appends the whole summary as one JSON object, one line a member: every figure of the text report,
 * and the raw histograms, so that results merge exactly.
 */
void result_json_write(struct buf *out, const struct summary *summary);

#endif
