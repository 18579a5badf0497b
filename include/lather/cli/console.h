/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_CONSOLE_H
#define LATHER_CLI_CONSOLE_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"

/* "lather: sentence" on standard error. */
void console_error(const struct err *err);

/* "lather: note: line" on standard error for each line of notes. */
void console_notes(const struct buf *notes);

/*
 * Text on standard output, out at once; false when not all of it, or of what went before, could be
 * written.
 */
bool console_print(const struct buf *text, struct err *err) MUST_USE;

#endif
