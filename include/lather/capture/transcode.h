/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_TRANSCODE_H
#define LATHER_CAPTURE_TRANSCODE_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"

/*
 * Whether text in that encoding is the same bytes as in UTF-8: names of UTF-8, ASCII and no name.
 */
bool transcode_is_utf8(struct str charset);

/*
 * Before threads, as soap/codepage asks for it. Appends UTF-8 text in another encoding to out.
 * False when the encoding is unknown here or cannot hold a character of the text, or when the text
 * is no UTF-8; out is then as it was. UTF-16 without a byte order in its name gets a byte order
 * mark and is little-endian, as Windows writes it.
 */
bool transcode_from_utf8(struct str text, struct str charset, struct buf *out) MUST_USE;

/* Appends text of an encoding, without byte order mark, as UTF-8. False as above. */
bool transcode_to_utf8(struct str text, struct str charset, struct buf *out) MUST_USE;

#endif
