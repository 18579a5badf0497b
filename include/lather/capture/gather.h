/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_GATHER_H
#define LATHER_CAPTURE_GATHER_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"

/*
 * Appends the message, whose content moves to the capture (*message is zeroed). False, and the
 * message is freed, when a ceiling is met: the capture is then full, which a note says once.
 */
bool gather_message(struct capture *capture, struct capture_message *message);

/* Adds a note about a message in the list, or CAPTURE_WHOLE. Controls in the text become '?'. */
void gather_note(struct capture *capture, enum capture_note_kind kind, size_t message,
                 const char *format, ...) PRINTF_LIKE(4, 5);

/* Adds the note that the part of the capture at `place` was skipped: "PLACE: REASON". */
void gather_skip(struct capture *capture, const char *place, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Appends text from outside for a sentence: on one line, without controls, cut at `most` bytes. */
void gather_append_clean(struct buf *text, struct str outside, size_t most);

/* The same as a new NUL-ended text; the caller frees it. */
char *gather_clean(struct str outside) MUST_USE;

#endif
