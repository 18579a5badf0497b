/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_CAPTURED_VERDICT_H
#define LATHER_CLI_CAPTURED_VERDICT_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/capture/capture.h"
#include "lather/cli/verdict_lines.h"

/*
 * Adds what a captured message expects of its answers (a SoapUI project's assertions). Expressions
 * that are not XPath 1.0 are left out. What is left out, and what the capture could not translate,
 * is appended to notes, a line each. False only for lines that no reader of captures writes.
 */
bool captured_verdict_add(struct verdict_lines *lines, const struct capture_message *message,
                          struct buf *notes, struct err *err) MUST_USE;

#endif
