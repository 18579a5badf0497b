/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a SOAP message is bound to HTTP: Content-Type and SOAPAction (SOAP 1.1 section 6, SOAP 1.2
 * part 2 section 7, RFC 3902). Remarks on the result live in notes.c. The thing to know: absent,
 * empty and given are three different SOAPActions, and services tell them apart.
 */
#include "lather/soap/binding.h"

#include <stdlib.h>

#include "lather/soap/media.h"

/* UTF-16 with a mark is "utf-16", which services know; without one the byte order must be said. */
static struct str charset_name(const struct charset *charset)
{
    struct str name = str_from(charset->name);
    bool has_order = str_equals(name, STR("utf-16le")) || str_equals(name, STR("utf-16be"));
    return has_order && charset->bom_bytes > 0 ? STR("utf-16") : name;
}

/* The action in quotes; what is quoted already stays. */
static void append_quoted(struct buf *text, struct str action)
{
    bool is_quoted =
        action.len >= 2 && str_starts_with(action, STR("\"")) && str_ends_with(action, STR("\""));
    if (is_quoted) {
        buf_append_str(text, action);
        return;
    }
    buf_append_byte(text, '"');
    buf_append_str(text, action);
    buf_append_byte(text, '"');
}

static void append_default_type(struct buf *type, const struct envelope *envelope)
{
    if (!envelope->is_xml) {
        buf_append_str(type, STR("text/plain"));
        return;
    }
    buf_append_str(type, envelope->version == SOAP_VERSION_12 ? STR("application/soap+xml")
                                                              : STR("text/xml"));
    buf_append_str(type, STR("; charset="));
    buf_append_str(type, charset_name(&envelope->charset));
}

/* What was typed, without the field's name in front of it. */
static struct str without_field_name(struct str text)
{
    struct str name = STR("content-type:");
    text = str_trim(text);
    return str_starts_with_nocase(text, name) ? str_trim(str_slice(text, name.len, text.len))
                                              : text;
}

static bool action_is_parameter(const struct binding_request *request)
{
    return request->soap_action != NULL && request->envelope->version == SOAP_VERSION_12 &&
           !request->envelope->has_addressing;
}

static void append_action_parameter(struct buf *type, struct str action)
{
    struct str media;
    struct str present;
    http_head_split_media_type(buf_view(type), &media, STR("action"), &present);
    if (present.len == 0) {
        buf_append_str(type, STR("; action="));
        append_quoted(type, action);
    }
}

void binding_settle(const struct binding_request *request, struct binding *binding)
{
    struct buf type;
    buf_init(&type);
    if (request->content_type != NULL) {
        buf_append_str(&type, without_field_name(str_from(request->content_type)));
    } else {
        append_default_type(&type, request->envelope);
    }
    *binding = (struct binding){.soap_action = NULL};
    struct str action = str_trim(str_from(request->soap_action));
    if (action_is_parameter(request)) {
        append_action_parameter(&type, action);
    } else if (request->soap_action != NULL && request->envelope->version != SOAP_VERSION_12) {
        struct buf quoted;
        buf_init(&quoted);
        append_quoted(&quoted, action);
        binding->soap_action = buf_take(&quoted);
    }
    binding->content_type = buf_take(&type);
}

void binding_deinit(struct binding *binding)
{
    free(binding->content_type);
    free(binding->soap_action);
    *binding = (struct binding){.content_type = NULL};
}
