/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_TEMPLATE_BUILDER_H
#define LATHER_SOAP_TEMPLATE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/soap/body_text.h"
#include "lather/soap/edits.h"
#include "lather/soap/placeholder.h"
#include "lather/soap/slot.h"
#include "lather/soap/template.h"

/*
 * Puts a request together, front to back, and compiles it. How a message becomes a template:
 *
 *     body_text_init(&body, bytes);              the envelope, or the root part of a MIME body
 *     edits_init(&edits);
 *     placeholder_find(...body.text..., &edits)  unless templates are off
 *     refresh_find(...&body..., &edits)          unless --verbatim
 *     builder = template_builder_new(data);
 *     template_builder_add_head(builder, head, names, TEMPLATE_LENGTH_COUNTED, err)
 *     template_builder_begin_body(builder);
 *     template_builder_add_body(builder, &body, &edits);
 *     template = template_builder_finish(builder);
 *     edits_deinit(&edits); body_text_deinit(&body); and the bytes can go as well
 */
struct template_builder;

/* data is the feed that slots of SLOT_DATA read; NULL when there is none. Borrowed for good. */
struct template_builder *template_builder_new(const struct csv *data) MUST_USE;
/* Drops what was not finished. NULL is fine. */
void template_builder_free(struct template_builder *builder);

/* Adds bytes as they are; they must stay where they are until the builder is finished. */
void template_builder_add_literal(struct template_builder *builder, struct str bytes);

/* Adds a text with the placeholders in it. names == NULL: it has none, whatever it looks like. */
bool template_builder_add_text(struct template_builder *builder,
                               const struct placeholder_text *text, const struct slot_names *names,
                               struct err *err) MUST_USE;

/* Adds a slot: SLOT_LENGTH for the length of the body, before it begins. */
void template_builder_add_slot(struct template_builder *builder, const struct slot *slot);

enum template_length {
    TEMPLATE_LENGTH_KEPT = 0, /* a Content-Length field is sent as it stands */
    TEMPLATE_LENGTH_COUNTED,  /* the value of the first one is the length of the body as filled */
};

/*
 * Adds the lines of a request's head, the empty one included, as plan/request_head writes them:
 * placeholders in the target of the request line are those of a URL's path, all others are those
 * of header fields. Errors begin with "the URL" or the field's name.
 */
bool template_builder_add_head(struct template_builder *builder, struct str head,
                               const struct slot_names *names, enum template_length length,
                               struct err *err) MUST_USE;

/* What is added from here on is the body: it counts into its length. */
void template_builder_begin_body(struct template_builder *builder);

/*
 * Adds a body (or the part of it that is XML) with its edits carried out. The bytes must stay
 * until the builder is finished; edits are sorted, and their texts, slots and key copied.
 */
void template_builder_add_body(struct template_builder *builder, const struct body_text *body,
                               struct edits *edits);

/* The content of wsa:MessageID where the edits do not tell it, in UTF-8 (copied). */
void template_builder_set_message_id(struct template_builder *builder, struct str message_id);

/* Compiles and frees the builder. The only copy of the message is then the template's. */
struct template *template_builder_finish(struct template_builder *builder) MUST_USE;

#endif
