/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known about slots before the run: how long each can get, whether it always is as long,
 * what it needs to be filled before it, and the values of the feed as they must be written. Where
 * they lie in the request is soap/template_compile's. All sizes here are upper bounds that filling
 * relies on.
 */
#include "lather/soap/template_slots.h"

#include <stdint.h>
#include <stdlib.h>

#include "lather/base/check.h"
#include "lather/soap/template_items.h"
#include "lather/soap/template_layout.h"

enum { NUMBER_BYTES = 20 }; /* of 64 bits, sign included */

static size_t digits_of(uint64_t value)
{
    size_t digits = 1;
    while (value >= 10) {
        value /= 10;
        digits++;
    }
    return digits;
}

static size_t random_bytes(const struct slot *slot, bool *is_fixed)
{
    uint64_t most = (uint64_t)slot->least + slot->span;
    *is_fixed = slot->least >= 0 && digits_of((uint64_t)slot->least) == digits_of(most);
    return *is_fixed ? digits_of(most) : NUMBER_BYTES;
}

/* How long a slot's text is before it is encoded, at the most; *is_fixed: always. */
static size_t raw_bytes(const struct slot *slot, bool *is_fixed)
{
    *is_fixed = true;
    switch (slot->kind) {
    case SLOT_UUID:
        return ids_uuid_bytes(slot->style);
    case SLOT_NOW:
        *is_fixed = slot->format.is_fixed;
        return stamp_format_most_bytes(&slot->format);
    case SLOT_NONCE:
        return WSSE_NONCE_TEXT_BYTES;
    case SLOT_DIGEST:
        return WSSE_DIGEST_TEXT_BYTES;
    case SLOT_RANDOM:
        return random_bytes(slot, is_fixed);
    default:
        *is_fixed = false;
        return slot->kind == SLOT_DATA ? 0 : NUMBER_BYTES;
    }
}

/*
 * Whether the slot's text is ASCII that can stand there as it is. Dashes cannot in comments;
 * elsewhere only formats of moments can hold anything else, and their literals are the same in
 * every text they make.
 */
static bool needs_no_escape(const struct slot *slot)
{
    if (slot->kind != SLOT_NOW || slot->place.context == INSERT_COMMENT) {
        return slot->place.context != INSERT_COMMENT;
    }
    char sample[TEMPLATE_RAW_CEILING];
    CHECK(stamp_format_most_bytes(&slot->format) <= sizeof sample);
    size_t len = stamp_format_put(&slot->format, (struct stamp){0, 0}, sample);
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)sample[i] >= 0x80) {
            return false;
        }
    }
    struct insert_place narrow = {slot->place.context, INSERT_UTF8};
    return insert_keeps(narrow, str_of(sample, len));
}

static void measure(struct template_slot *target, const struct slot *slot)
{
    bool is_fixed;
    size_t raw = raw_bytes(slot, &is_fixed);
    size_t unit = insert_unit_bytes(slot->place.encoding);
    bool keeps = needs_no_escape(slot);
    *target = (struct template_slot){
        .slot = *slot,
        .is_fixed = is_fixed && keeps,
        .is_plain = keeps && unit == 1,
        .room = keeps ? raw * unit : raw * INSERT_MOST_GROWTH,
        .nonce = SIZE_MAX,
        .created = SIZE_MAX,
        .same_as = SIZE_MAX,
    };
}

/* Digests come after what they are made of, and the length of the body after its slots. */
static unsigned round_of(enum slot_kind kind)
{
    return kind == SLOT_DIGEST ? 1 : kind == SLOT_LENGTH ? 2 : 0;
}

/* Escaped values of a column, where some need it. Their bytes are still to move: only lengths. */
static void escape_cells(struct template *template, struct template_slot *slot)
{
    size_t rows = csv_row_count(template->data);
    bool all_keep = true;
    for (size_t row = 0; row < rows && all_keep; row++) {
        all_keep = insert_keeps(slot->slot.place, csv_cell(template->data, row, slot->slot.column));
    }
    if (all_keep) {
        return;
    }
    slot->cells = check_malloc(rows * sizeof(*slot->cells));
    for (size_t row = 0; row < rows; row++) {
        size_t from = template->cell_texts.len;
        insert_append(slot->slot.place, csv_cell(template->data, row, slot->slot.column),
                      &template->cell_texts);
        slot->cells[row] = str_of(NULL, template->cell_texts.len - from);
    }
}

static void make_cells(struct template *template)
{
    for (size_t i = 0; i < template->slot_count; i++) {
        if (template->slots[i].slot.kind == SLOT_DATA) {
            escape_cells(template, &template->slots[i]);
        }
    }
    size_t at = 0;
    for (size_t i = 0; i < template->slot_count; i++) {
        struct str *cells = template->slots[i].cells;
        for (size_t row = 0; cells != NULL && row < csv_row_count(template->data); row++) {
            cells[row].data = template->cell_texts.data + at;
            at += cells[row].len;
        }
    }
}

void template_slots_make(struct template *template, const struct template_items *items,
                         size_t *position)
{
    template->slots = check_calloc(items->slot_count + 1, sizeof(*template->slots));
    for (unsigned round = 0; round < 3; round++) {
        for (size_t i = 0; i < items->slot_count; i++) {
            const struct slot *slot = &items->slots[i];
            if (round_of(slot->kind) == round) {
                position[i] = template->slot_count;
                measure(&template->slots[template->slot_count++], slot);
            }
        }
    }
    for (size_t i = 0; i < template->slot_count; i++) {
        enum slot_kind kind = template->slots[i].slot.kind;
        template->uses_counter = template->uses_counter || kind == SLOT_COUNTER;
        template->uses_data = template->uses_data || kind == SLOT_DATA;
        template->uses_time = template->uses_time || kind == SLOT_NOW;
    }
    CHECK(!template->uses_data || template->data != NULL);
    make_cells(template);
}

static void connect(struct template *template, size_t index)
{
    struct template_slot *slot = &template->slots[index];
    for (size_t i = 0; i < index; i++) {
        const struct template_slot *earlier = &template->slots[i];
        bool is_of_token =
            slot->slot.kind == SLOT_DIGEST && earlier->slot.token == slot->slot.token;
        if (is_of_token && earlier->slot.kind == SLOT_NONCE) {
            slot->nonce = earlier->nonce;
        } else if (is_of_token && earlier->slot.kind == SLOT_NOW) {
            slot->created = i;
        } else if (slot->slot.share != 0 && slot->slot.share == earlier->slot.share &&
                   slot->same_as == SIZE_MAX) {
            slot->same_as = i;
        }
    }
}

void template_slots_make_rooms(struct template *template)
{
    for (size_t i = 0; i < template->slot_count; i++) {
        struct template_slot *slot = &template->slots[i];
        if (!slot->is_fixed && slot->slot.kind != SLOT_DATA) {
            slot->offset = template->storage_bytes;
            template->storage_bytes += slot->room;
        }
        if (slot->slot.kind == SLOT_NONCE) {
            slot->nonce = template->storage_bytes;
            template->storage_bytes += WSSE_NONCE_BYTES;
        }
        connect(template, i);
    }
}
