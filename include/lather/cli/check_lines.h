/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_CHECK_LINES_H
#define LATHER_CLI_CHECK_LINES_H

#include "lather/base/buf.h"
#include "lather/base/str.h"

/* Which lines stand together: those of the whole, or those of one message. */
enum check_indent { CHECK_INDENT_WHOLE = 0, CHECK_INDENT_MESSAGE, CHECK_INDENT_COUNT };

/*
 * Appends the line "LABEL:   TEXT", the texts of all lines beginning in one column. The text may
 * come from anywhere: it is made one line without control characters.
 */
void check_lines_add(struct buf *out, enum check_indent indent, struct str label, struct str text);

/* The same with a text as printf makes it. */
PRINTF_LIKE(4, 5)
void check_lines_printf(struct buf *out, enum check_indent indent, const char *label,
                        const char *format, ...);

/* Adds each line of "LABEL: TEXT\n" lines. */
void check_lines_add_all(struct buf *out, enum check_indent indent, struct str lines);

/* Adds each line of lines as a text under one label. */
void check_lines_add_under(struct buf *out, enum check_indent indent, const char *label,
                           struct str lines);

#endif
