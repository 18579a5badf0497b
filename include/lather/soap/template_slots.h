/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_TEMPLATE_SLOTS_H
#define LATHER_SOAP_TEMPLATE_SLOTS_H

#include <stddef.h>

struct template;
struct template_items;

/*
 * The slots of a request, measured and in the order in which they are filled: part of
 * soap/template_compile. position[i] gets the place of the items' slot i in that order; there must
 * be room for all of them.
 */
void template_slots_make(struct template *template, const struct template_items *items,
                         size_t *position);

/*
 * Gives the slots that are not in the image, and nonces, their rooms behind it; ties digests to
 * nonce and moment of their token, and ids to the first one that is the same.
 */
void template_slots_make_rooms(struct template *template);

#endif
