/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list between gathering a request and laying it out. Long literals are borrowed, since a body
 * may be large; short ones are copied, since they come from places that soon are gone. Pointers to
 * items are dead after the next one is added.
 */
#include "lather/soap/template_items.h"

#include <stdlib.h>

#include "lather/base/check.h"

void template_items_init(struct template_items *items)
{
    *items = (struct template_items){.count = 0};
}

void template_items_deinit(struct template_items *items)
{
    free(items->list);
    free(items->slots);
    free(items->key);
    buf_deinit(&items->own);
    buf_deinit(&items->message_id);
    template_items_init(items);
}

static struct template_item *add(struct template_items *items)
{
    if (items->count == items->capacity) {
        items->capacity = items->capacity == 0 ? 32 : items->capacity * 2;
        items->list = check_realloc(items->list, items->capacity * sizeof(*items->list));
    }
    struct template_item *item = &items->list[items->count++];
    *item = (struct template_item){.is_in_body = items->is_in_body};
    return item;
}

struct template_item *template_items_add_borrowed(struct template_items *items, struct str bytes)
{
    struct template_item *item = add(items);
    item->borrowed = bytes.data;
    item->len = bytes.len;
    return item;
}

struct template_item *template_items_add_copy(struct template_items *items, struct str bytes)
{
    struct template_item *item = add(items);
    item->from = items->own.len;
    item->len = bytes.len;
    buf_append_str(&items->own, bytes);
    return item;
}

struct template_item *template_items_add_slot(struct template_items *items, const struct slot *slot)
{
    if (items->slot_count == items->slot_capacity) {
        items->slot_capacity = items->slot_capacity == 0 ? 8 : items->slot_capacity * 2;
        items->slots = check_realloc(items->slots, items->slot_capacity * sizeof(*items->slots));
    }
    struct template_item *item = add(items);
    item->is_slot = true;
    item->from = items->slot_count;
    items->slots[items->slot_count++] = *slot;
    return item;
}

struct str template_items_literal(const struct template_items *items,
                                  const struct template_item *item)
{
    return item->borrowed != NULL ? str_of(item->borrowed, item->len)
                                  : str_of(items->own.data + item->from, item->len);
}
