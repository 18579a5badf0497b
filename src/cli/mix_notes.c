/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each remark once, with the messages it is about. It only compares lines: two that differ in a
 * name or a number stay two.
 */
#include "lather/cli/mix_notes.h"

#include <stdlib.h>

#include "lather/base/check.h"

enum { NAMES_SHOWN = 3 };

struct mix_note {
    char *line;
    char *names[NAMES_SHOWN];
    size_t count; /* of messages it is about */
};

void mix_notes_init(struct mix_notes *notes)
{
    *notes = (struct mix_notes){.count = 0};
}

void mix_notes_deinit(struct mix_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        free(notes->items[i].line);
        for (size_t k = 0; k < NAMES_SHOWN; k++) {
            free(notes->items[i].names[k]);
        }
    }
    free(notes->items);
    mix_notes_init(notes);
}

static struct mix_note *note_of(struct mix_notes *notes, struct str line)
{
    for (size_t i = 0; i < notes->count; i++) {
        if (str_equals(line, str_from(notes->items[i].line))) {
            return &notes->items[i];
        }
    }
    notes->items = check_realloc(notes->items, (notes->count + 1) * sizeof *notes->items);
    struct mix_note *added = &notes->items[notes->count++];
    *added = (struct mix_note){.line = str_dup(line)};
    return added;
}

void mix_notes_add(struct mix_notes *notes, const char *message, struct str lines)
{
    notes->messages++;
    while (lines.len > 0) {
        struct str line;
        (void)str_split(lines, '\n', &line, &lines);
        struct mix_note *note = note_of(notes, line);
        if (note->count < NAMES_SHOWN) {
            note->names[note->count] = str_dup(str_from(message));
        }
        note->count++;
    }
}

static void append_names(const struct mix_note *note, struct buf *out)
{
    for (size_t i = 0; i < note->count && i < NAMES_SHOWN; i++) {
        buf_append_str(out, i == 0 ? STR("") : STR(", "));
        buf_append_str(out, str_from(note->names[i]));
    }
    if (note->count > NAMES_SHOWN) {
        buf_printf(out, " and %zu more", note->count - NAMES_SHOWN);
    }
    buf_append_str(out, STR(": "));
}

void mix_notes_append(const struct mix_notes *notes, struct buf *out)
{
    for (size_t i = 0; i < notes->count; i++) {
        const struct mix_note *note = &notes->items[i];
        if (note->count < notes->messages) {
            append_names(note, out);
        }
        buf_append_str(out, str_from(note->line));
        buf_append_byte(out, '\n');
    }
}
