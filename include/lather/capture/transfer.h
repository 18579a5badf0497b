/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_TRANSFER_H
#define LATHER_CAPTURE_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"

/*
 * Takes the chunk framing off (RFC 9112 7.1), trailer fields included. Appends the body to out and
 * sets *used to the bytes the framing took. False, with out as it was, when the bytes are not
 * chunked from first to last: recorded bodies often are plain although their head says otherwise.
 */
bool transfer_dechunk(struct str bytes, struct buf *out, size_t *used) MUST_USE;

#endif
