/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_SECRET_MASK_H
#define LATHER_LOAD_SECRET_MASK_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"

/*
 * Replaces secrets by *** in what is shown or written: as they are, as XML text holds them, and
 * both in UTF-16 of either order. A secret of less than SECRET_MASK_SHORT bytes is one only where
 * it stands alone, between bytes that are neither letters nor digits: a cookie "en" must not be
 * looked for in every word. Frozen; any thread may use it.
 */
struct secret_mask;

enum { SECRET_MASK_SHORT = 8 };

/* A mask of these texts; copies them. secret_mask_free takes NULL and wipes them. */
struct secret_mask *secret_mask_new(char *const *secrets, size_t count) MUST_USE;
void secret_mask_free(struct secret_mask *mask);

/* Appends text with its secrets replaced; whether there were any. Linear in the text. */
bool secret_mask_append(const struct secret_mask *mask, struct str text, struct buf *masked);

#endif
