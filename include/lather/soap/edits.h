/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_EDITS_H
#define LATHER_SOAP_EDITS_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"
#include "lather/soap/slot.h"
#include "lather/soap/wsse.h"

/* A text or a slot that an edit puts into the message. */
struct edit_part {
    bool is_slot;
    bool is_of_message_id;
    size_t slot;      /* index into slots */
    size_t text_from; /* into texts */
    size_t text_len;
};

/* Bytes [from, to) give way to parts; from == to: nothing is lost. */
struct edit {
    size_t from;
    size_t to;
    size_t first_part;
    size_t part_count;
};

/*
 * What is to be changed in a text, in places of that text: found by soap/placeholder and
 * soap/refresh, carried out by soap/template_builder. Everything else stays byte for byte.
 */
struct edits {
    struct edit *list;
    size_t count;
    size_t capacity;
    struct edit_part *parts;
    size_t part_count;
    size_t part_capacity;
    struct slot *slots;
    size_t slot_count;
    size_t slot_capacity;
    struct buf texts;
    bool has_message_id; /* where the content of wsa:MessageID stands */
    size_t message_id_from;
    size_t message_id_to;
    struct wsse_key *key; /* of the digests; NULL when there are none */
};

/* Nothing to change; deinit frees what was added. */
void edits_init(struct edits *edits);
void edits_deinit(struct edits *edits);

/* Begins an edit of [from, to); what is added next belongs to it. Edits may not overlap. */
void edits_begin(struct edits *edits, size_t from, size_t to);

/* Adds bytes as they are to be sent (copied), or a slot (copied, but for what it borrows). */
void edits_add_text(struct edits *edits, struct str text);
void edits_add_slot(struct edits *edits, const struct slot *slot);

/* Marks what was added last as (a part of) the content of an inserted wsa:MessageID. */
void edits_mark_message_id(struct edits *edits);

/* Whether an edit takes bytes of [from, to), or inserts something inside of it. */
bool edits_touch(const struct edits *edits, size_t from, size_t to);

/* Puts the edits in the order of the text. Those at one place stay in the order they were added. */
void edits_sort(struct edits *edits);

/* The bytes of a text part. */
struct str edits_text(const struct edits *edits, const struct edit_part *part);

#endif
