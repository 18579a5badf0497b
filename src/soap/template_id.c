/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The id that an answer must name in its RelatesTo, as the service reads it: UTF-8, references
 * resolved, no white space around it. It may be a captured one with a new UUID in it, or whatever
 * a template makes of it. An id that never changes is kept as one text.
 */
#include "lather/soap/template_id.h"

#include <stdint.h>
#include <stdlib.h>

#include "lather/base/check.h"
#include "lather/soap/markup.h"
#include "lather/soap/reference.h"
#include "lather/soap/template_items.h"
#include "lather/soap/template_layout.h"
#include "lather/soap/utf16.h"

static size_t longest_cell(const struct csv *data, size_t column)
{
    size_t most = 0;
    for (size_t row = 0; row < csv_row_count(data); row++) {
        size_t len = csv_cell(data, row, column).len;
        most = len > most ? len : most;
    }
    return most;
}

/* A literal as its reader sees it. */
static void append_literal(struct template *template, const struct template_items *items,
                           const struct template_item *item)
{
    struct buf text;
    buf_init(&text);
    struct str bytes = template_items_literal(items, item);
    if (insert_unit_bytes(item->encoding) == 2) {
        utf16_append_as_utf8(bytes, item->encoding == INSERT_UTF16LE ? UTF16_LITTLE : UTF16_BIG,
                             &text);
    } else {
        buf_append_str(&text, bytes);
    }
    reference_append_resolved(buf_view(&text), &template->id_literals);
    buf_deinit(&text);
}

static void add_part(struct template *template, struct template_id_part part)
{
    template->id_parts = check_realloc(template->id_parts,
                                       (template->id_part_count + 1) * sizeof(*template->id_parts));
    template->id_parts[template->id_part_count++] = part;
}

static void add_item(struct template *template, const struct template_items *items,
                     const struct template_item *item, const size_t *position)
{
    if (item->is_slot) {
        const struct template_slot *slot = &template->slots[position[item->from]];
        template->id_room += slot->slot.kind == SLOT_DATA
                                 ? longest_cell(template->data, slot->slot.column)
                                 : slot->room;
        add_part(template, (struct template_id_part){.slot = position[item->from]});
        return;
    }
    size_t from = template->id_literals.len;
    append_literal(template, items, item);
    size_t len = template->id_literals.len - from;
    template->id_room += len;
    add_part(template, (struct template_id_part){.slot = SIZE_MAX, .from = from, .len = len});
}

/* White space before the first part and behind the last is no part of the id. */
static void trim(struct template *template)
{
    struct str literals = buf_view(&template->id_literals);
    struct template_id_part *first = &template->id_parts[0];
    struct template_id_part *last = &template->id_parts[template->id_part_count - 1];
    while (first->slot == SIZE_MAX && first->len > 0 &&
           str_trim(str_slice(literals, first->from, first->from + 1)).len == 0) {
        first->from++;
        first->len--;
    }
    while (last->slot == SIZE_MAX && last->len > 0 &&
           str_trim(str_slice(literals, last->from + last->len - 1, last->from + last->len)).len ==
               0) {
        last->len--;
    }
}

void template_id_make(struct template *template, const struct template_items *items,
                      const size_t *position)
{
    bool has_slot = false;
    for (size_t i = 0; i < items->count; i++) {
        const struct template_item *item = &items->list[i];
        if (item->is_of_message_id) {
            add_item(template, items, item, position);
            has_slot = has_slot || item->is_slot;
        }
    }
    if (has_slot) {
        trim(template);
        template->id_offset = template->storage_bytes;
        template->storage_bytes += template->id_room;
        return;
    }
    struct buf whole = template->id_part_count > 0 ? template->id_literals : items->message_id;
    struct str id = str_trim(buf_view(&whole));
    struct buf kept;
    buf_init(&kept);
    buf_append_str(&kept, id);
    buf_deinit(&template->id_literals);
    template->id_literals = kept;
    template->id_part_count = 0;
}
