/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_VERDICT_TEXT_H
#define LATHER_CLI_VERDICT_TEXT_H

#include "lather/base/buf.h"
#include "lather/soap/judge.h"

/*
 * Appends "OUTCOME: REASON (REMARKS)" without a line end: "fault: {ns}Client > {ns}X: The order was
 * refused (no RelatesTo)", "ok".
 */
void verdict_text_append(struct buf *text, const struct verdict *verdict);

#endif
