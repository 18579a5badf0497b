/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_TEMPLATE_ID_H
#define LATHER_SOAP_TEMPLATE_ID_H

#include <stddef.h>

struct template;
struct template_items;

/*
 * Notes how the content of wsa:MessageID is put together from literals and slots, or, when no slot
 * is in it, what it is: part of soap/template_compile. position is that of template_slots_make.
 */
void template_id_make(struct template *template, const struct template_items *items,
                      const size_t *position);

#endif
