/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_CLEAN_H
#define LATHER_REPORT_CLEAN_H

#include "lather/base/buf.h"
#include "lather/base/str.h"

/*
 * Appends text from outside as valid UTF-8 (RFC 3629): each byte that belongs to no sequence, and
 * each NUL, becomes U+FFFD. Text that is clean already is unchanged.
 */
void clean_utf8(struct buf *out, struct str text);

/*
 * As clean_utf8, and control characters (C0, DEL, C1) are written as \xNN: what a server says can
 * neither end the line nor drive the terminal.
 */
void clean_line(struct buf *out, struct str text);

/* As clean_line, and & < > " ' are written as HTML entities: for text and attribute values. */
void clean_html(struct buf *out, struct str text);

#endif
