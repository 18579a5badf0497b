/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of changes to a text that itself is never changed. Lists grow while the message is looked
 * at, once before the run; nothing of it is used while requests are sent. It does not know what
 * the changes mean, only that two of them must not want the same bytes.
 */
#include "lather/soap/edits.h"

#include <stdlib.h>
#include <string.h>

void edits_init(struct edits *edits)
{
    *edits = (struct edits){.count = 0};
}

void edits_deinit(struct edits *edits)
{
    free(edits->list);
    free(edits->parts);
    free(edits->slots);
    free(edits->key);
    buf_deinit(&edits->texts);
    edits_init(edits);
}

/* Room for one more element; returns the memory, moved or not. */
static void *grow(void *memory, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity) {
        return memory;
    }
    *capacity = *capacity == 0 ? 8 : *capacity * 2;
    return check_realloc(memory, *capacity * bytes);
}

void edits_begin(struct edits *edits, size_t from, size_t to)
{
    CHECK(from <= to);
    edits->list = grow(edits->list, edits->count, &edits->capacity, sizeof(*edits->list));
    edits->list[edits->count++] =
        (struct edit){.from = from, .to = to, .first_part = edits->part_count};
}

static void add_part(struct edits *edits, struct edit_part part)
{
    CHECK(edits->count > 0);
    edits->parts =
        grow(edits->parts, edits->part_count, &edits->part_capacity, sizeof(*edits->parts));
    edits->parts[edits->part_count++] = part;
    edits->list[edits->count - 1].part_count++;
}

void edits_add_text(struct edits *edits, struct str text)
{
    size_t from = edits->texts.len;
    buf_append_str(&edits->texts, text);
    add_part(edits, (struct edit_part){.text_from = from, .text_len = text.len});
}

void edits_add_slot(struct edits *edits, const struct slot *slot)
{
    edits->slots =
        grow(edits->slots, edits->slot_count, &edits->slot_capacity, sizeof(*edits->slots));
    edits->slots[edits->slot_count] = *slot;
    add_part(edits, (struct edit_part){.is_slot = true, .slot = edits->slot_count++});
}

void edits_mark_message_id(struct edits *edits)
{
    CHECK(edits->part_count > 0);
    edits->parts[edits->part_count - 1].is_of_message_id = true;
}

bool edits_touch(const struct edits *edits, size_t from, size_t to)
{
    for (size_t i = 0; i < edits->count; i++) {
        if (edits->list[i].from < to && edits->list[i].to > from) {
            return true;
        }
    }
    return false;
}

/* Parts are added in order of edits, so the first part tells which edit came first. */
static int compare(const void *a, const void *b)
{
    const struct edit *first = a;
    const struct edit *second = b;
    if (first->from != second->from) {
        return first->from < second->from ? -1 : 1;
    }
    if (first->to != second->to) {
        return first->to < second->to ? -1 : 1;
    }
    return first->first_part < second->first_part ? -1 : first->first_part > second->first_part;
}

void edits_sort(struct edits *edits)
{
    if (edits->count > 0) {
        qsort(edits->list, edits->count, sizeof(*edits->list), compare);
    }
    for (size_t i = 1; i < edits->count; i++) {
        CHECK(edits->list[i - 1].to <= edits->list[i].from);
    }
}

struct str edits_text(const struct edits *edits, const struct edit_part *part)
{
    return str_slice(buf_view(&edits->texts), part->text_from, part->text_from + part->text_len);
}
