/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_UTF16_H
#define LATHER_SOAP_UTF16_H

#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"

enum utf16_order { UTF16_LITTLE = 0, UTF16_BIG };

/*
 * Appends UTF-16 as UTF-8. A surrogate without its partner becomes the three bytes that its value
 * would have, so that utf16_bytes still counts right; an odd last byte is left out.
 */
void utf16_append_as_utf8(struct str units, enum utf16_order order, struct buf *text);

/* How many bytes a text made by utf16_append_as_utf8, or a part of it, has in UTF-16. Linear. */
size_t utf16_bytes(struct str utf8);

/* Writes a character; returns 2 or 4. */
size_t utf16_put(char *place, uint32_t code, enum utf16_order order);

#endif
