/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_TEMPLATE_ITEMS_H
#define LATHER_SOAP_TEMPLATE_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"
#include "lather/soap/slot.h"
#include "lather/soap/wsse.h"

/*
 * What a request is made of, in the order of sending: gathered by soap/template_builder, made into
 * a template by soap/template_compile. Nobody else includes this.
 */
struct template_item {
    bool is_slot;
    bool is_in_body;
    bool is_of_message_id;         /* part of the content of wsa:MessageID */
    enum insert_encoding encoding; /* of a literal that is */
    const char *borrowed;          /* of a literal; NULL: it is in `own` */
    size_t from;                   /* of a literal in `own`; of a slot in `slots` */
    size_t len;
};

struct template_items {
    struct template_item *list;
    size_t count;
    size_t capacity;
    struct slot *slots;
    size_t slot_count;
    size_t slot_capacity;
    struct buf own;
    bool is_in_body; /* items that are added are */
    const struct csv *data;
    struct wsse_key *key;  /* owned; NULL: there are no digests */
    struct buf message_id; /* for messages whose items do not tell it */
};

/* No items; deinit frees what was added. */
void template_items_init(struct template_items *items);
void template_items_deinit(struct template_items *items);

/* Adds a literal that stays where it is, one that is copied, and a slot (copied). */
struct template_item *template_items_add_borrowed(struct template_items *items, struct str bytes);
struct template_item *template_items_add_copy(struct template_items *items, struct str bytes);
struct template_item *template_items_add_slot(struct template_items *items,
                                              const struct slot *slot);

/* The bytes of a literal. */
struct str template_items_literal(const struct template_items *items,
                                  const struct template_item *item);

#endif
