/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guesses the binding from what can be seen. The rules are WCF's, whose bindings fix envelope,
 * addressing and security together; other stacks are named where they commonly send the same. A
 * guess is for reading only: nothing is decided by it.
 */
#include "lather/soap/explain_binding.h"

#include "lather/base/http_head.h"
#include "lather/soap/media.h"

static bool has(const struct explain_request *request, unsigned block)
{
    return (request->envelope->blocks & block) != 0;
}

/* Bodies without an envelope in text. */
static void append_other(const struct explain_request *request, struct buf *text)
{
    struct str type;
    struct str charset;
    (void)media_of(request->content_type, &type, &charset);
    if (str_starts_with_nocase(type, STR("application/soap+msbin1"))) {
        buf_append_str(text, STR("netHttpBinding or a custom binding with binary encoding: its "
                                 "bytes are opaque and are sent as they are"));
    } else if (request->envelope->is_draft) {
        buf_append_str(text, STR("a service of a draft of SOAP 1.2"));
    } else if (request->envelope->is_xml) {
        buf_append_str(text, STR("webHttpBinding, or another service that takes XML without SOAP"));
    } else {
        buf_append_str(text, STR("no SOAP service"));
    }
}

/* SOAP 1.1: basicHttpBinding unless something of WS-* is in it. */
static void append_11(const struct explain_request *request, struct buf *text)
{
    const struct envelope *envelope = request->envelope;
    if (has(request, ENVELOPE_ENCRYPTED | ENVELOPE_SIGNATURE)) {
        buf_append_str(text, STR("basicHttpBinding with security Message, or a Java service with "
                                 "WS-Security"));
    } else if (envelope->has_addressing) {
        buf_append_str(text, STR("a Java service, or a custom binding: SOAP 1.1 with "
                                 "WS-Addressing"));
    } else if (envelope->has_security) {
        buf_append_str(text, STR("basicHttpBinding with security TransportWithMessageCredential, "
                                 "or a Java service with WS-Security"));
    } else {
        buf_append_str(text, STR("basicHttpBinding"));
        buf_append_str(text, request->is_https ? STR(" with security Transport")
                                               : STR(" with security None"));
        buf_append_str(text, STR(", ASMX, BizTalk's WCF-BasicHttp"));
    }
}

static void append_ws_security(const struct explain_request *request, struct buf *text)
{
    const struct envelope *envelope = request->envelope;
    if (has(request, ENVELOPE_CONTEXT_TOKEN | ENVELOPE_ENCRYPTED)) {
        buf_append_str(text, STR(" with security Message or a secure conversation"));
    } else if (envelope->has_security) {
        buf_append_str(text, STR(" with security TransportWithMessageCredential"));
        if (has(request, ENVELOPE_SIGNATURE) || envelope->has_certificate) {
            buf_append_str(text, STR(" by certificate"));
        } else if (has(request, ENVELOPE_ASSERTION)) {
            buf_append_str(text, STR(" by an issued token"));
        }
    } else {
        buf_append_str(text, request->is_https ? STR(" with security Transport")
                                               : STR(" with security None"));
    }
}

static void append_12(const struct explain_request *request, struct buf *text)
{
    const struct envelope *envelope = request->envelope;
    if (!envelope->has_addressing && !has(request, ENVELOPE_CONTEXT_TOKEN)) {
        buf_append_str(text, STR("ASMX or a custom binding: SOAP 1.2 without WS-Addressing"));
        if (envelope->has_security) {
            buf_append_str(text, STR(", with WS-Security"));
        }
        return;
    }
    if (envelope->has_addressing && envelope->addressing != ADDRESSING_10) {
        buf_printf(text, "WSE, WS-Management or a custom binding: SOAP 1.2 with WS-Addressing %s",
                   addressing_version_name(envelope->addressing));
        return;
    }
    buf_append_str(text, STR("wsHttpBinding"));
    append_ws_security(request, text);
    if (has(request, ENVELOPE_RELIABLE)) {
        buf_append_str(text, STR(" and a reliable session"));
    }
}

/* MTOM's root part is of a type of its own (XOP 1.0, 4.1); attachments' is plain XML. */
static void append_encoding(const struct explain_request *request, struct buf *text)
{
    struct str type;
    struct str inner;
    if (request->root->kind == ROOT_PART_WHOLE) {
        return;
    }
    http_head_split_media_type(request->content_type, &type, STR("type"), &inner);
    buf_append_str(text, str_equals_nocase(inner, STR("application/xop+xml"))
                             ? STR(", in MTOM encoding")
                             : STR(", with attachments"));
}

void explain_binding_append(const struct explain_request *request, struct buf *text)
{
    switch (request->envelope->version) {
    case SOAP_VERSION_11:
        append_11(request, text);
        break;
    case SOAP_VERSION_12:
        append_12(request, text);
        break;
    default:
        append_other(request, text);
        return;
    }
    append_encoding(request, text);
}
