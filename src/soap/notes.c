/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a tester should know about a message before it is sent a million times: one sentence a
 * finding, from experience with services that answer such messages with 415, 400 or a Fault that
 * explains little. Only remarks: nothing is changed or refused. Each function below looks at one
 * thing.
 */
#include "lather/soap/notes.h"

#include "lather/soap/addressing.h"
#include "lather/soap/media.h"

static bool has_envelope(const struct binding_request *request)
{
    return request->envelope->version != SOAP_VERSION_NONE;
}

static struct str user_field(const struct binding_request *request, struct str name)
{
    return request->headers == NULL ? str_of(NULL, 0)
                                    : str_from(http_head_find(request->headers, name));
}

static bool user_has_field(const struct binding_request *request, struct str name)
{
    return request->headers != NULL && http_head_find(request->headers, name) != NULL;
}

/* The action HTTP carries, without quotes; *is_given tells an empty one from none. */
static struct str http_action(const struct binding_request *request, const struct binding *binding,
                              bool *is_given)
{
    struct str value = str_from(binding->soap_action);
    *is_given = binding->soap_action != NULL;
    if (user_has_field(request, STR("SOAPAction"))) {
        value = user_field(request, STR("SOAPAction"));
        *is_given = true;
    } else if (request->envelope->version == SOAP_VERSION_12) {
        struct str type;
        http_head_split_media_type(str_from(binding->content_type), &type, STR("action"), &value);
        *is_given = value.len > 0;
    }
    value = str_trim(value);
    if (value.len >= 2 && value.data[0] == '"' && value.data[value.len - 1] == '"') {
        value = str_slice(value, 1, value.len - 1);
    }
    return value;
}

static void note_body(const struct binding_request *request, struct buf *notes)
{
    const struct envelope *envelope = request->envelope;
    if (envelope->bytes == 0) {
        buf_append_str(notes, STR("the body is empty: a SOAP service answers 400\n"));
        return;
    }
    if (envelope->charset.bom_bytes > 0 &&
        str_equals(str_from(envelope->charset.name), STR("utf-8"))) {
        buf_append_str(notes, STR("the body starts with a byte order mark (EF BB BF), which some "
                                  "services reject; it is sent as it is\n"));
    }
    if (envelope->is_draft) {
        buf_append_str(notes, STR("the envelope is in the namespace of a draft of SOAP 1.2: "
                                  "services know only " SOAP_12_NAMESPACE "\n"));
    }
    if ((envelope->blocks & ENVELOPE_DOCTYPE) != 0) {
        buf_append_str(notes, STR("the body holds a DOCTYPE, which SOAP forbids\n"));
    }
    if (envelope->is_xml && !envelope->is_well_formed) {
        buf_printf(notes, "the body is no well-formed XML: %s\n", envelope->problem);
    } else if (envelope->is_xml && !has_envelope(request) && !envelope->is_draft) {
        buf_append_str(notes,
                       STR("the body is XML without a SOAP Envelope: services of SOAP answer "
                           "it with a Fault or 400, and unless --validate says so answers "
                           "are judged by their status alone\n"));
    } else if (has_envelope(request) && envelope->bodies != 1) {
        buf_printf(notes, "the envelope has %s Body element\n",
                   envelope->bodies == 0 ? "no" : "more than one");
    }
}

static void note_media_type(const struct binding_request *request, const struct binding *binding,
                            struct buf *notes)
{
    struct str type;
    struct str charset;
    enum media media = media_of(str_from(binding->content_type), &type, &charset);
    enum soap_version version = request->envelope->version;
    if (version == SOAP_VERSION_NONE || media == MEDIA_MULTIPART) {
        return;
    }
    const char *expected = version == SOAP_VERSION_12 ? "application/soap+xml" : "text/xml";
    bool fits = media == (version == SOAP_VERSION_12 ? MEDIA_SOAP_12 : MEDIA_SOAP_11);
    if (!fits) {
        buf_printf(notes,
                   "the envelope is SOAP %s but the content type is %.*s: a service that wants %s "
                   "answers 415\n",
                   soap_version_name(version), STR_ARG(type), expected);
    }
}

static void note_charset(const struct binding_request *request, const struct binding *binding,
                         struct buf *notes)
{
    const struct charset *found = &request->envelope->charset;
    struct str type;
    struct str sent;
    (void)media_of(str_from(binding->content_type), &type, &sent);
    if (!request->envelope->is_xml) {
        return;
    }
    if (found->declaration_is_wrong) {
        buf_printf(notes, "the XML declaration says %s but the bytes are %s\n", found->declared,
                   found->name);
    }
    if (sent.len > 0 && !charset_agree(sent, str_from(found->name))) {
        buf_printf(notes,
                   "the content type says charset %.*s but the body is %s: services believe the "
                   "content type\n",
                   STR_ARG(sent), found->name);
    }
    if (has_envelope(request) && !charset_agree(str_from(found->name), STR("utf-8")) &&
        !charset_agree(str_from(found->name), STR("utf-16"))) {
        buf_printf(notes, "the body is %s: WCF takes utf-8 and utf-16 only and answers 415\n",
                   found->name);
    }
}

static void note_action(const struct binding_request *request, const struct binding *binding,
                        struct buf *notes)
{
    const struct envelope *envelope = request->envelope;
    struct str inside = str_from(envelope->action);
    bool is_given;
    struct str outside = http_action(request, binding, &is_given);
    if (envelope->version == SOAP_VERSION_11 && !is_given && inside.len == 0) {
        buf_append_str(notes, STR("a SOAP 1.1 envelope without SOAPAction: services that choose "
                                  "the operation by it answer ActionNotSupported; give it with "
                                  "--soap-action\n"));
    }
    if (request->soap_action != NULL && envelope->version == SOAP_VERSION_12 &&
        envelope->has_addressing && !user_has_field(request, STR("SOAPAction"))) {
        buf_append_str(notes, STR("the action given is not sent: a SOAP 1.2 envelope with "
                                  "WS-Addressing carries its own\n"));
        outside = str_trim(str_from(request->soap_action));
        is_given = true;
    }
    if (is_given && outside.len > 0 && inside.len > 0 && !str_equals(outside, inside)) {
        buf_printf(notes,
                   "the action of HTTP (%.*s) differs from wsa:Action (%s): WCF answers "
                   "with a Fault\n",
                   STR_ARG(outside), envelope->action);
    }
}

static void note_addressing(const struct binding_request *request, struct buf *notes)
{
    const struct envelope *envelope = request->envelope;
    if (envelope->has_none_addressing) {
        buf_append_str(notes, STR("the envelope has header blocks in WCF's addressing/none "
                                  "namespace, which come from its logs: a service drops such a "
                                  "message\n"));
    }
    if (!envelope->has_addressing) {
        return;
    }
    if (envelope->action[0] != '\0' && envelope->to[0] == '\0') {
        buf_append_str(notes, STR("the envelope has wsa:Action but no wsa:To: WCF answers "
                                  "DestinationUnreachable\n"));
    }
    if (envelope->message_ids == 0 && request->exchange == BINDING_TWO_WAY) {
        buf_append_str(notes, STR("the envelope has WS-Addressing but no wsa:MessageID: answers "
                                  "cannot be matched, and some services insist on it\n"));
    }
    if (envelope->message_ids > 1) {
        buf_append_str(notes, STR("the envelope has more than one wsa:MessageID\n"));
    }
    if (envelope->reply_to[0] != '\0' && !addressing_is_anonymous(str_from(envelope->reply_to))) {
        buf_printf(notes, "wsa:ReplyTo is %s: the answer goes there and not to this client\n",
                   envelope->reply_to);
    }
}

static void note_coding(const struct binding_request *request, struct buf *notes)
{
    struct str coding = str_trim(user_field(request, STR("Content-Encoding")));
    bool is_plain = request->envelope->is_xml || str_starts_with(str_trim(request->body), STR("<"));
    if (coding.len > 0 && !str_equals_nocase(coding, STR("identity")) && is_plain) {
        buf_printf(notes,
                   "Content-Encoding says %.*s but the body is plain: the service cannot "
                   "decode it\n",
                   STR_ARG(coding));
    }
}

void notes_append(const struct binding_request *request, const struct binding *binding,
                  struct buf *notes)
{
    note_body(request, notes);
    note_media_type(request, binding, notes);
    note_charset(request, binding, notes);
    note_action(request, binding, notes);
    note_addressing(request, notes);
    note_coding(request, notes);
}
