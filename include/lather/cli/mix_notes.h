/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_MIX_NOTES_H
#define LATHER_CLI_MIX_NOTES_H

#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"

/*
 * Remarks on the messages of a mix, gathered so that what holds of many is said once: with fifty
 * messages nobody reads fifty lines.
 */
struct mix_notes {
    struct mix_note *items;
    size_t count;
    size_t messages; /* that were looked at */
};

/* None at first. */
void mix_notes_init(struct mix_notes *notes);
/* Frees what was added. */
void mix_notes_deinit(struct mix_notes *notes);

/* What was noted about a message, a line each; may be empty. */
void mix_notes_add(struct mix_notes *notes, const char *message, struct str lines);

/*
 * Appends them, a line each: as they are when there is one message or when they are about all of
 * them, else behind the names, "a.xml, b.xml and 3 more: ...".
 */
void mix_notes_append(const struct mix_notes *notes, struct buf *out);

#endif
