/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the bytes of a message to the template of its requests. Templates are looked for first and
 * refreshing second, so that what a user wrote himself is never overwritten. Sent verbatim, a
 * message is one literal run, but what is stale in it is still found and said.
 */
#include "lather/plan/compile.h"

#include "lather/base/clock.h"
#include "lather/soap/template_builder.h"

static bool reads_templates(const struct plan_renewal *renewal)
{
    return !renewal->is_verbatim && !renewal->ignores_templates;
}

/* A root part in a transfer encoding is looked into; its bytes cannot be changed in place. */
static bool is_changeable(const struct compile_request *request)
{
    return request->root->kind != ROOT_PART_ENCODED;
}

/* Images and other binary data may hold "${" by chance; no text has control characters. */
static bool is_binary(struct str bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        const unsigned char byte = (unsigned char)bytes.data[i];
        if (byte < ' ' && byte != '\t' && byte != '\r' && byte != '\n' && byte != '\f') {
            return true;
        }
    }
    return false;
}

static bool find_placeholders(const struct compile_request *request, const struct body_text *body,
                              struct edits *edits, struct err *err)
{
    if (!reads_templates(request->renewal) || !body->is_searchable ||
        (!request->envelope->is_xml && is_binary(request->root->bytes))) {
        return true;
    }
    const struct placeholder_text text = {
        .text = body->text,
        .kind = request->envelope->is_xml ? PLACEHOLDER_XML : PLACEHOLDER_PLAIN,
        .encoding = body->encoding,
        .name = request->body_name != NULL ? request->body_name : "the message",
    };
    return placeholder_find(&text, &request->renewal->names, edits, err);
}

static bool find_stale(const struct compile_request *request, const struct body_text *body,
                       struct edits *edits, struct buf *notes, struct err *err)
{
    const struct plan_renewal *renewal = request->renewal;
    if (!renewal->is_verbatim && !refresh_check(request->envelope, err)) {
        return false;
    }
    const struct stamp now = stamp_plus(stamp_of_ns(clock_wall_ns()), request->clock_offset);
    const struct refresh_options options = {
        .mode = renewal->is_verbatim || !is_changeable(request) ? REFRESH_LOOKS : REFRESH_CHANGES,
        .target = request->target,
        .to = renewal->to,
        .to_uri = renewal->to_uri,
        .adds_message_id = renewal->adds_message_id,
        .user = renewal->wsse_user,
        .password = renewal->wsse_password,
        .variant = renewal->wsse_variant,
        .adds_token = renewal->adds_token,
        .now = now,
        .has_end = request->time_limit_ns > 0,
        .end = stamp_plus(now, stamp_of_ns(request->time_limit_ns)),
    };
    if (!is_changeable(request)) {
        buf_append_str(notes, STR("the root part is in base64 or quoted-printable: nothing in it "
                                  "is made anew\n"));
    }
    if (!refresh_find(&options, body, request->envelope, edits, request->refreshed, notes, err)) {
        return false;
    }
    const size_t before = notes->len;
    refresh_append_line(request->refreshed, notes);
    if (notes->len > before) {
        buf_append_byte(notes, '\n');
    }
    return true;
}

static struct template *build(const struct compile_request *request, const struct body_text *body,
                              struct edits *edits, struct err *err)
{
    const struct slot_names *names =
        reads_templates(request->renewal) ? &request->renewal->names : NULL;
    struct template_builder *builder = template_builder_new(request->data);
    if (!template_builder_add_head(builder, request->head, names, TEMPLATE_LENGTH_COUNTED, err)) {
        template_builder_free(builder);
        return NULL;
    }
    template_builder_begin_body(builder);
    template_builder_add_literal(builder, request->root->before);
    if (is_changeable(request)) {
        template_builder_add_body(builder, body, edits);
    } else {
        template_builder_add_literal(builder, request->root->bytes);
    }
    template_builder_add_literal(builder, request->root->behind);
    if (!edits->has_message_id && request->envelope->message_id[0] != '\0') {
        template_builder_set_message_id(builder, str_from(request->envelope->message_id));
    }
    return template_builder_finish(builder);
}

struct template *compile_message(const struct compile_request *request, struct buf *notes,
                                 struct err *err)
{
    struct body_text body;
    struct edits edits;
    struct template *template = NULL;
    body_text_init(&body, request->root->text);
    edits_init(&edits);
    if ((!is_changeable(request) || find_placeholders(request, &body, &edits, err)) &&
        (request->envelope->version == SOAP_VERSION_NONE ||
         find_stale(request, &body, &edits, notes, err))) {
        template = build(request, &body, &edits, err);
    }
    edits_deinit(&edits);
    body_text_deinit(&body);
    return template;
}
