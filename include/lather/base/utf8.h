/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_UTF8_H
#define LATHER_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/str.h"

enum { UTF8_MOST_BYTES = 4 };

/*
 * Takes the first character off *rest (RFC 3629: no overlong forms, no surrogates, nothing above
 * U+10FFFF). False, and *rest as it was, when it is not one, or when there is none.
 */
bool utf8_next(struct str *rest, uint32_t *code) MUST_USE;

/* Writes a character of up to 21 bits, surrogates as well; returns how many bytes (1 to 4). */
size_t utf8_put(char *place, uint32_t code);

/* The offset of the first byte that is no part of a valid character, or SIZE_MAX. */
size_t utf8_find_invalid(struct str text);

#endif
