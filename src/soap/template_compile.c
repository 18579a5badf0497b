/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lays a request out in pieces: runs that stay in the template, and stretches of the values in
 * which the slots lie. Every literal is copied once. What need not be decided for each request is
 * decided here. The trap is the length of the body: it stands in front of it, and is a literal
 * after all if every slot is always as long.
 */
#include "lather/soap/template_compile.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/soap/template.h"
#include "lather/soap/template_id.h"
#include "lather/soap/template_items.h"
#include "lather/soap/template_layout.h"
#include "lather/soap/template_slots.h"

/* A literal up to this length between two fixed slots is copied into the values: cheaper than two
   more pieces in every write. */
enum { MERGED_LITERAL_CEILING = 256 };

struct compiling {
    struct template *template;
    struct template_items *items;
    size_t *position; /* of each of the items' slots in the template */
    struct buf frozen;
    struct buf image;
    size_t piece_capacity;
};

static struct template_slot *slot_of(const struct compiling *compiling,
                                     const struct template_item *item)
{
    return &compiling->template->slots[compiling->position[item->from]];
}

/* The bytes of the body that are always there; false when slots add others. */
static bool measure_body(const struct compiling *compiling)
{
    struct template *template = compiling->template;
    bool is_constant = true;
    for (size_t i = 0; i < compiling->items->count; i++) {
        const struct template_item *item = &compiling->items->list[i];
        if (!item->is_in_body) {
            continue;
        }
        if (!item->is_slot) {
            template->fixed_body_bytes += item->len;
            continue;
        }
        struct template_slot *slot = slot_of(compiling, item);
        slot->is_in_body = true;
        template->fixed_body_bytes += slot->is_fixed ? slot->room : 0;
        is_constant = is_constant && slot->is_fixed;
    }
    return is_constant;
}

/* A length that never changes becomes a literal; its slot is among the last ones, and goes. */
static void freeze_length(struct compiling *compiling)
{
    struct template_items *items = compiling->items;
    for (size_t i = 0; i < items->count; i++) {
        struct template_item *item = &items->list[i];
        if (item->is_slot && items->slots[item->from].kind == SLOT_LENGTH) {
            char digits[24];
            int len = snprintf(digits, sizeof digits, "%zu", compiling->template->fixed_body_bytes);
            item->is_slot = false;
            item->from = items->own.len;
            item->len = (size_t)len;
            buf_append(&items->own, digits, item->len);
            compiling->template->slot_count--;
        }
    }
}

static struct template_piece *add_piece(struct compiling *compiling, enum template_piece_kind kind,
                                        size_t from)
{
    struct template *template = compiling->template;
    if (template->piece_count == compiling->piece_capacity) {
        compiling->piece_capacity =
            compiling->piece_capacity == 0 ? 8 : compiling->piece_capacity * 2;
        template->pieces =
            check_realloc(template->pieces, compiling->piece_capacity * sizeof(*template->pieces));
    }
    struct template_piece *piece = &template->pieces[template->piece_count++];
    *piece = (struct template_piece){.kind = kind, .from = from};
    return piece;
}

/* Where a run of literals ends: at the next slot, the begin of the body, or the end of all. */
static size_t end_of_run(const struct template_items *items, size_t first, size_t *bytes)
{
    size_t i = first;
    *bytes = 0;
    while (i < items->count && !items->list[i].is_slot &&
           items->list[i].is_in_body == items->list[first].is_in_body) {
        *bytes += items->list[i++].len;
    }
    return i;
}

/* Whether a fixed slot of the same part of the request stands there. */
static bool is_fixed_slot_at(const struct compiling *compiling, size_t index, bool is_in_body)
{
    if (index == compiling->items->count) {
        return false;
    }
    const struct template_item *item = &compiling->items->list[index];
    return item->is_slot && item->is_in_body == is_in_body && slot_of(compiling, item)->is_fixed;
}

/* The last piece, if it is a stored one of this part of the request. */
static struct template_piece *open_stored_piece(const struct compiling *compiling, bool is_in_body)
{
    struct template *template = compiling->template;
    size_t least = is_in_body ? template->head_piece_count : 0;
    if (template->piece_count <= least) {
        return NULL;
    }
    struct template_piece *last = &template->pieces[template->piece_count - 1];
    return last->kind == TEMPLATE_PIECE_STORED ? last : NULL;
}

/* A run of literals; returns the item behind it. */
static size_t lay_out_literals(struct compiling *compiling, size_t first)
{
    const struct template_items *items = compiling->items;
    bool is_in_body = items->list[first].is_in_body;
    size_t bytes;
    size_t end = end_of_run(items, first, &bytes);
    struct template_piece *open = open_stored_piece(compiling, is_in_body);
    bool is_merged = open != NULL && bytes <= MERGED_LITERAL_CEILING &&
                     is_fixed_slot_at(compiling, end, is_in_body);
    if (is_merged) {
        open->len += bytes;
    } else if (bytes > 0) {
        add_piece(compiling, TEMPLATE_PIECE_LITERAL, compiling->frozen.len)->len = bytes;
    }
    for (size_t i = first; i < end; i++) {
        buf_append_str(is_merged ? &compiling->image : &compiling->frozen,
                       template_items_literal(items, &items->list[i]));
    }
    return end;
}

static void lay_out_slot(struct compiling *compiling, const struct template_item *item)
{
    struct template *template = compiling->template;
    struct template_slot *slot = slot_of(compiling, item);
    if (!slot->is_fixed) {
        slot->text = template->text_count++;
        (void)add_piece(compiling, TEMPLATE_PIECE_TEXT, slot->text);
        return;
    }
    struct template_piece *piece = open_stored_piece(compiling, item->is_in_body);
    if (piece == NULL) {
        piece = add_piece(compiling, TEMPLATE_PIECE_STORED, compiling->image.len);
    }
    slot->offset = compiling->image.len;
    piece->len += slot->room;
    memset(buf_reserve(&compiling->image, slot->room), ' ', slot->room);
    compiling->image.len += slot->room;
}

/* All that follows the head stands behind head_piece_count. */
static void lay_out(struct compiling *compiling)
{
    const struct template_items *items = compiling->items;
    struct template *template = compiling->template;
    bool is_in_head = true;
    size_t at = 0;
    while (at < items->count) {
        const struct template_item *item = &items->list[at];
        if (item->is_in_body && is_in_head) {
            is_in_head = false;
            template->head_piece_count = template->piece_count;
        }
        if (item->is_slot) {
            lay_out_slot(compiling, item);
            at++;
        } else {
            at = lay_out_literals(compiling, at);
        }
    }
    if (is_in_head) {
        template->head_piece_count = template->piece_count;
    }
}

/* Room for all literals at once: a message of 64 MB is copied once and not while growing. */
static void reserve_frozen(struct compiling *compiling)
{
    size_t bytes = 0;
    for (size_t i = 0; i < compiling->items->count; i++) {
        const struct template_item *item = &compiling->items->list[i];
        bytes += item->is_slot ? 0 : item->len;
    }
    compiling->frozen = (struct buf){.data = check_malloc(bytes + 1), .capacity = bytes + 1};
}

static void take_bytes(struct compiling *compiling)
{
    struct template *template = compiling->template;
    if (template->piece_count == 0) {
        (void)add_piece(compiling, TEMPLATE_PIECE_LITERAL, 0);
    }
    template->frozen_bytes = compiling->frozen.len;
    template->frozen = buf_take(&compiling->frozen);
    template->image_bytes = compiling->image.len;
    template->image = buf_take(&compiling->image);
    template->storage_bytes = template->image_bytes;
}

struct template *template_compile(struct template_items *items)
{
    struct template *template = check_calloc(1, sizeof(*template));
    struct compiling compiling = {.template = template, .items = items};
    compiling.position = check_malloc((items->slot_count + 1) * sizeof(*compiling.position));
    template->data = items->data;
    template->key = items->key;
    items->key = NULL;
    template_slots_make(template, items, compiling.position);
    if (measure_body(&compiling)) {
        freeze_length(&compiling);
    }
    reserve_frozen(&compiling);
    lay_out(&compiling);
    take_bytes(&compiling);
    template_slots_make_rooms(template);
    template_id_make(template, items, compiling.position);
    free(compiling.position);
    return template;
}
