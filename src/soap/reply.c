/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an answer's envelope from the events of the push parser. Each open element has a place;
 * the place of a child follows from that of its parent and its name, and most are PLACE_OTHER,
 * which costs nothing. It finds and never decides: reply_flaw.c says what is wrong in what was
 * found, judge.c what follows from it. The trap: a fault's code is a name in text, so the prefixes
 * in scope at that very element must be known; they are kept for the path to the Fault only.
 */
#include "lather/soap/reply.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lather/soap/addressing.h"
#include "lather/soap/scope.h"

enum place {
    PLACE_OTHER = 0,
    PLACE_ENVELOPE,
    PLACE_HEADER,
    PLACE_BODY,
    PLACE_RELATES_TO,
    PLACE_ACTION,
    PLACE_FAULT,
    PLACE_CODE_GROUP, /* SOAP 1.2 Code */
    PLACE_CODE,       /* SOAP 1.1 faultcode; SOAP 1.2 Code/Value */
    PLACE_SUBCODE_GROUP,
    PLACE_SUBCODE,
    PLACE_REASON_GROUP,
    PLACE_REASON, /* SOAP 1.1 faultstring; SOAP 1.2 Reason/Text */
    PLACE_DETAIL,
};

struct reply {
    struct sax *sax;
    struct str message_id;
    void (*observer)(void *context, const struct sax_element *element);
    void *observer_context;
    struct reply_facts facts;
    uint8_t places[SAX_DEPTH_CEILING + 1];
    struct scope scope; /* on the path to the Fault */
    bool is_english;    /* the reason kept */
    bool reason_is_english;
    bool relation_is_other; /* the open RelatesTo relates something else than a reply */
    struct buf text;        /* of the open element whose text is wanted */
    struct buf code;
    struct buf subcodes;
    struct buf reason;
    struct buf detail;
    struct buf relates_to;
    struct buf action;
};

static bool is(const struct sax_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

static bool wants_text(enum place place)
{
    return place == PLACE_RELATES_TO || place == PLACE_ACTION || place == PLACE_CODE ||
           place == PLACE_SUBCODE || place == PLACE_REASON;
}

/* Whether names written below this place may need the prefixes declared at it. */
static bool keeps_scope(enum place place)
{
    return place == PLACE_ENVELOPE || place == PLACE_BODY || place >= PLACE_FAULT;
}

static enum place place_of_root(struct reply *reply, const struct sax_element *element)
{
    struct reply_facts *facts = &reply->facts;
    facts->root_name = element->name;
    facts->root_namespace = element->namespace_uri;
    if (is(element, "Envelope")) {
        facts->version = soap_version_of_namespace(str_from(element->namespace_uri));
    }
    return facts->version == SOAP_VERSION_NONE ? PLACE_OTHER : PLACE_ENVELOPE;
}

static enum place place_of_part(struct reply *reply, const struct sax_element *element)
{
    struct reply_facts *facts = &reply->facts;
    bool is_ours = strcmp(element->namespace_uri, facts->root_namespace) == 0;
    if (is_ours && is(element, "Header")) {
        facts->headers++;
        facts->header_is_late |= facts->bodies > 0;
        return PLACE_HEADER;
    }
    if (is_ours && is(element, "Body")) {
        facts->bodies++;
        return facts->bodies == 1 ? PLACE_BODY : PLACE_OTHER;
    }
    const char **stray = facts->bodies > 0 ? &facts->after_body : &facts->before_body;
    if (*stray == NULL) {
        *stray = element->name;
    }
    return PLACE_OTHER;
}

/* A relation of another type than reply (WS-Addressing 1.0, 3.1) says nothing about the request. */
static bool relates_otherwise(const struct sax_element *element)
{
    struct str type;
    if (!sax_attribute(element, "", "RelationshipType", &type)) {
        return false;
    }
    type = str_trim(type);
    return type.len > 0 && !str_ends_with(type, STR("/reply")) &&
           !str_ends_with(type, STR(":Reply")) && !str_equals(type, STR("Reply"));
}

static enum place place_of_block(struct reply *reply, const struct sax_element *element)
{
    bool is_relation = is(element, "RelatesTo");
    if ((!is_relation && !is(element, "Action")) ||
        !addressing_is_namespace(str_from(element->namespace_uri))) {
        return PLACE_OTHER;
    }
    if (!is_relation) {
        return PLACE_ACTION;
    }
    reply->relation_is_other = relates_otherwise(element);
    return PLACE_RELATES_TO;
}

static enum place place_of_content(struct reply *reply, const struct sax_element *element)
{
    struct reply_facts *facts = &reply->facts;
    facts->body_children++;
    if (facts->body_children > 1) {
        return PLACE_OTHER;
    }
    facts->child_name = element->name;
    facts->child_namespace = element->namespace_uri;
    facts->is_fault =
        is(element, "Fault") &&
        soap_version_of_namespace(str_from(element->namespace_uri)) != SOAP_VERSION_NONE;
    return facts->is_fault ? PLACE_FAULT : PLACE_OTHER;
}

static enum place place_in_fault(const struct sax_element *element)
{
    static const struct {
        const char *name;
        enum place place;
    } children[] = {
        {"faultcode", PLACE_CODE},      {"Code", PLACE_CODE_GROUP}, {"faultstring", PLACE_REASON},
        {"Reason", PLACE_REASON_GROUP}, {"detail", PLACE_DETAIL},   {"Detail", PLACE_DETAIL},
    };
    for (size_t i = 0; i < sizeof(children) / sizeof(children[0]); i++) {
        if (is(element, children[i].name)) {
            return children[i].place;
        }
    }
    return PLACE_OTHER;
}

static bool language_is_english(const struct sax_element *element)
{
    struct str language;
    return sax_attribute(element, "http://www.w3.org/XML/1998/namespace", "lang", &language) &&
           str_starts_with_nocase(language, STR("en"));
}

static enum place place_below_fault(struct reply *reply, const struct sax_element *element,
                                    enum place parent)
{
    switch (parent) {
    case PLACE_FAULT:
        return place_in_fault(element);
    case PLACE_CODE_GROUP:
    case PLACE_SUBCODE_GROUP:
        if (is(element, "Subcode")) {
            return PLACE_SUBCODE_GROUP;
        }
        if (!is(element, "Value")) {
            return PLACE_OTHER;
        }
        return parent == PLACE_CODE_GROUP ? PLACE_CODE : PLACE_SUBCODE;
    case PLACE_REASON_GROUP:
        reply->is_english = language_is_english(element);
        return is(element, "Text") ? PLACE_REASON : PLACE_OTHER;
    case PLACE_DETAIL:
        if (reply->detail.len == 0) {
            scope_append_name(element->namespace_uri, str_from(element->name), &reply->detail);
        }
        return PLACE_OTHER;
    default:
        return PLACE_OTHER;
    }
}

static void on_start(void *context, const struct sax_element *element)
{
    struct reply *reply = context;
    enum place parent = (enum place)reply->places[element->depth - 1];
    enum place place = PLACE_OTHER;
    if (reply->observer != NULL) {
        reply->observer(reply->observer_context, element);
    }
    if (element->depth == 1) {
        place = place_of_root(reply, element);
    } else if (parent == PLACE_ENVELOPE) {
        place = place_of_part(reply, element);
    } else if (parent == PLACE_HEADER) {
        place = place_of_block(reply, element);
    } else if (parent == PLACE_BODY) {
        place = place_of_content(reply, element);
    } else if (parent >= PLACE_FAULT) {
        place = place_below_fault(reply, element, parent);
    }
    reply->places[element->depth] = (uint8_t)place;
    if (place == PLACE_OTHER) {
        return;
    }
    if (element->namespace_count > 0 && keeps_scope(place)) {
        scope_enter(&reply->scope, element);
    }
    if (wants_text(place)) {
        buf_reset(&reply->text);
    }
}

static bool is_space(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.data[i];
        if (byte != ' ' && byte != '\t' && byte != '\n' && byte != '\r') {
            return false;
        }
    }
    return true;
}

static void on_text(void *context, unsigned depth, struct str text)
{
    struct reply *reply = context;
    enum place place = (enum place)reply->places[depth];
    if (wants_text(place)) {
        size_t room = REPLY_TEXT_CEILING - reply->text.len;
        buf_append_str(&reply->text, str_slice(text, 0, room));
    } else if (place == PLACE_ENVELOPE && !reply->facts.has_text) {
        reply->facts.has_text = !is_space(text);
    }
}

static void keep_first(struct buf *target, struct str text)
{
    if (target->len == 0) {
        buf_append_str(target, text);
    }
}

static void append_subcode(struct reply *reply, struct str text)
{
    if (reply->subcodes.len < REPLY_TEXT_CEILING) {
        if (reply->subcodes.len > 0) {
            buf_append_byte(&reply->subcodes, '/');
        }
        scope_append_resolved(&reply->scope, text, &reply->subcodes);
    }
}

static void take_text(struct reply *reply, enum place place)
{
    struct str text = str_trim(buf_view(&reply->text));
    switch (place) {
    case PLACE_RELATES_TO:
        if (!reply->relation_is_other) {
            reply->facts.relations++;
            reply->facts.relates_to_request |=
                reply->message_id.len > 0 && str_equals(text, reply->message_id);
            keep_first(&reply->relates_to, text);
        }
        break;
    case PLACE_ACTION:
        keep_first(&reply->action, text);
        break;
    case PLACE_CODE:
        if (reply->code.len == 0) {
            scope_append_resolved(&reply->scope, text, &reply->code);
        }
        break;
    case PLACE_SUBCODE:
        append_subcode(reply, text);
        break;
    default: /* a reason */
        if (reply->reason.len == 0 || (reply->is_english && !reply->reason_is_english)) {
            buf_reset(&reply->reason);
            buf_append_str(&reply->reason, text);
            reply->reason_is_english = reply->is_english;
        }
        break;
    }
}

static void on_end(void *context, unsigned depth)
{
    struct reply *reply = context;
    enum place place = (enum place)reply->places[depth];
    if (place == PLACE_OTHER) {
        return;
    }
    if (wants_text(place)) {
        take_text(reply, place);
    }
    scope_leave(&reply->scope, depth);
}

struct reply *reply_new(void)
{
    struct reply *reply = check_calloc(1, sizeof(*reply));
    const struct sax_events events = {.start = on_start, .end = on_end, .text = on_text};
    reply->sax = sax_new(&events, reply, SAX_DOCTYPE_STOPS);
    reply_begin(reply, str_of(NULL, 0), str_of(NULL, 0));
    return reply;
}

void reply_free(struct reply *reply)
{
    if (reply == NULL) {
        return;
    }
    sax_free(reply->sax);
    buf_deinit(&reply->text);
    buf_deinit(&reply->code);
    buf_deinit(&reply->subcodes);
    buf_deinit(&reply->reason);
    buf_deinit(&reply->detail);
    buf_deinit(&reply->relates_to);
    buf_deinit(&reply->action);
    free(reply);
}

void reply_observe(struct reply *reply,
                   void (*start)(void *context, const struct sax_element *element), void *context)
{
    reply->observer = start;
    reply->observer_context = context;
}

void reply_begin(struct reply *reply, struct str http_charset, struct str message_id)
{
    reply->message_id = message_id;
    sax_begin(reply->sax, http_charset);
    reply->facts = (struct reply_facts){
        .root_namespace = "", .root_name = "", .child_namespace = "", .child_name = ""};
    scope_reset(&reply->scope);
    reply->reason_is_english = false;
    reply->is_english = false;
    buf_reset(&reply->text);
    buf_reset(&reply->code);
    buf_reset(&reply->subcodes);
    buf_reset(&reply->reason);
    buf_reset(&reply->detail);
    buf_reset(&reply->relates_to);
    buf_reset(&reply->action);
}

void reply_feed(struct reply *reply, struct str bytes)
{
    reply->facts.bytes += bytes.len;
    sax_feed(reply->sax, bytes);
}

const struct reply_facts *reply_end(struct reply *reply)
{
    struct reply_facts *facts = &reply->facts;
    facts->end = sax_finish(reply->sax);
    facts->problem = sax_problem(reply->sax);
    facts->line = sax_line(reply->sax);
    facts->charset = sax_charset_used(reply->sax);
    facts->charset_contradicts = sax_charset_is_contradictory(reply->sax);
    facts->fault_code = buf_view(&reply->code);
    facts->fault_subcodes = buf_view(&reply->subcodes);
    facts->fault_reason = buf_view(&reply->reason);
    facts->fault_detail = buf_view(&reply->detail);
    facts->relates_to = buf_view(&reply->relates_to);
    facts->action = buf_view(&reply->action);
    return facts;
}
