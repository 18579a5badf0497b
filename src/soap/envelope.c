/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks at a message that is to be sent: version, addressing, what makes it unfit for sending
 * again. It changes nothing and refuses nothing; whoever asks decides what a finding means. A
 * message that breaks off or is no XML still tells what was seen up to there, so that a tester who
 * sends garbage on purpose gets the same care.
 */
#include "lather/soap/envelope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/soap/addressing.h"
#include "lather/soap/sax.h"

enum { VALUE_CEILING = 4096 }; /* of an address or id; longer ones are cut */

/* What an open element is, as far as it matters; the place of its children depends on it. */
enum place {
    PLACE_OTHER = 0,
    PLACE_ENVELOPE,
    PLACE_HEADER,
    PLACE_BODY,
    PLACE_SECURITY,
    PLACE_ACTION,
    PLACE_TO,
    PLACE_MESSAGE_ID,
    PLACE_REPLY_TO,
    PLACE_REPLY_ADDRESS,
};

struct reading {
    struct envelope *envelope;
    struct buf value;
    enum place places[SAX_DEPTH_CEILING + 1];
};

static bool is(const struct sax_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

static bool has_namespace_start(const struct sax_element *element, const char *start)
{
    return strncmp(element->namespace_uri, start, strlen(start)) == 0;
}

/* Namespaces of one standard in its versions share their start. */
static void note_blocks(struct envelope *envelope, const struct sax_element *element,
                        enum place parent)
{
    if (is(element, "EncryptedData") &&
        has_namespace_start(element, "http://www.w3.org/2001/04/xmlenc#")) {
        envelope->blocks |= ENVELOPE_ENCRYPTED;
    }
    if (is(element, "SecurityContextToken")) {
        envelope->blocks |= ENVELOPE_CONTEXT_TOKEN;
    }
    if (has_namespace_start(element, "http://schemas.xmlsoap.org/ws/2005/02/rm") ||
        has_namespace_start(element, "http://schemas.xmlsoap.org/ws/2004/03/rm") ||
        has_namespace_start(element, "http://docs.oasis-open.org/ws-rx/wsrm/")) {
        envelope->blocks |= ENVELOPE_RELIABLE;
    }
    if (parent != PLACE_SECURITY) {
        return;
    }
    envelope->has_timestamp |= is(element, "Timestamp");
    envelope->has_username_token |= is(element, "UsernameToken");
    envelope->has_certificate |= is(element, "BinarySecurityToken");
    if (is(element, "Signature")) {
        envelope->blocks |= ENVELOPE_SIGNATURE;
    }
    if (is(element, "Assertion")) {
        envelope->blocks |= ENVELOPE_ASSERTION;
    }
}

static enum place place_of_root(struct envelope *envelope, const struct sax_element *element)
{
    struct str uri = str_from(element->namespace_uri);
    envelope->is_xml = true;
    if (!is(element, "Envelope")) {
        return PLACE_OTHER;
    }
    envelope->version = soap_version_of_namespace(uri);
    envelope->is_draft = soap_version_is_draft(uri);
    return envelope->version == SOAP_VERSION_NONE ? PLACE_OTHER : PLACE_ENVELOPE;
}

static enum place place_of_part(struct envelope *envelope, const struct sax_element *element)
{
    if (soap_version_of_namespace(str_from(element->namespace_uri)) != envelope->version) {
        return PLACE_OTHER;
    }
    if (is(element, "Header")) {
        return PLACE_HEADER;
    }
    if (is(element, "Body")) {
        envelope->bodies++;
        return PLACE_BODY;
    }
    return PLACE_OTHER;
}

static enum place place_of_block(struct envelope *envelope, const struct sax_element *element)
{
    struct str uri = str_from(element->namespace_uri);
    if (is(element, "Security") && (str_find(uri, STR("secext")) != SIZE_MAX)) {
        envelope->has_security = true;
        return PLACE_SECURITY;
    }
    envelope->has_none_addressing |= addressing_is_none_namespace(uri);
    enum addressing_version version = addressing_version_of_namespace(uri);
    if (version == ADDRESSING_ABSENT) {
        return PLACE_OTHER;
    }
    envelope->addressing = envelope->has_addressing ? envelope->addressing : version;
    envelope->has_addressing = true;
    if (is(element, "MessageID")) {
        envelope->message_ids++;
        return PLACE_MESSAGE_ID;
    }
    if (is(element, "Action")) {
        return PLACE_ACTION;
    }
    if (is(element, "To")) {
        return PLACE_TO;
    }
    return is(element, "ReplyTo") ? PLACE_REPLY_TO : PLACE_OTHER;
}

static void on_start(void *context, const struct sax_element *element)
{
    struct reading *reading = context;
    struct envelope *envelope = reading->envelope;
    enum place parent = reading->places[element->depth - 1];
    enum place place = PLACE_OTHER;
    note_blocks(envelope, element, parent);
    if (element->depth == 1) {
        place = place_of_root(envelope, element);
    } else if (parent == PLACE_ENVELOPE) {
        place = place_of_part(envelope, element);
    } else if (parent == PLACE_HEADER) {
        place = place_of_block(envelope, element);
    } else if (parent == PLACE_REPLY_TO && is(element, "Address")) {
        place = PLACE_REPLY_ADDRESS;
    }
    reading->places[element->depth] = place;
    buf_reset(&reading->value);
}

static char **target_of(struct envelope *envelope, enum place place)
{
    switch (place) {
    case PLACE_ACTION:
        return &envelope->action;
    case PLACE_TO:
        return &envelope->to;
    case PLACE_MESSAGE_ID:
        return &envelope->message_id;
    case PLACE_REPLY_ADDRESS:
        return &envelope->reply_to;
    default:
        return NULL;
    }
}

static void on_text(void *context, unsigned depth, struct str text)
{
    struct reading *reading = context;
    if (target_of(reading->envelope, reading->places[depth]) != NULL &&
        reading->value.len < VALUE_CEILING) {
        buf_append_str(&reading->value, str_slice(text, 0, VALUE_CEILING - reading->value.len));
    }
}

/* The first of several counts; a second one is the sender's mistake and is counted apart. */
static void on_end(void *context, unsigned depth)
{
    struct reading *reading = context;
    char **target = target_of(reading->envelope, reading->places[depth]);
    if (target != NULL && *target == NULL) {
        *target = str_dup(str_trim(buf_view(&reading->value)));
    }
    buf_reset(&reading->value);
}

/* The legs of a secure conversation carry no token yet, but their action tells. */
static bool is_conversation_action(const char *action)
{
    struct str text = str_from(action);
    return str_find(text, STR("/RST/SCT")) != SIZE_MAX ||
           str_find(text, STR("/RSTR/SCT")) != SIZE_MAX;
}

static void describe_problem(struct envelope *envelope, const struct sax *sax, enum sax_end end)
{
    static const char *const words[SAX_END_COUNT] = {
        [SAX_WHOLE] = "",
        [SAX_NOT_WELL_FORMED] = "not well-formed",
        [SAX_CUT_OFF] = "ends too early",
        [SAX_DOCTYPE] = "holds a DOCTYPE",
        [SAX_UNKNOWN_CHARSET] = "unknown charset",
        [SAX_TOO_DEEP] = "elements too deep",
        [SAX_TOO_MANY_ATTRIBUTES] = "too many attributes",
        [SAX_TOO_LONG] = "a tag or comment too long",
    };
    struct str problem = sax_problem(sax);
    envelope->problem[0] = '\0';
    if (end == SAX_NOT_WELL_FORMED || end == SAX_CUT_OFF) {
        (void)snprintf(envelope->problem, sizeof(envelope->problem), "%s, line %u: %.*s",
                       words[end], sax_line(sax), STR_ARG(problem));
    } else if (end != SAX_WHOLE) {
        (void)snprintf(envelope->problem, sizeof(envelope->problem), "%s%s%.*s", words[end],
                       problem.len > 0 ? " " : "", STR_ARG(problem));
    }
}

static void fill_absent(char **text)
{
    if (*text == NULL) {
        *text = str_dup(str_of(NULL, 0));
    }
}

void envelope_read(struct envelope *envelope, struct str bytes)
{
    *envelope = (struct envelope){.bytes = bytes.len};
    charset_detect(bytes, &envelope->charset);
    struct reading *reading = check_calloc(1, sizeof(*reading));
    reading->envelope = envelope;
    const struct sax_events events = {.start = on_start, .end = on_end, .text = on_text};
    struct sax *sax = sax_new(&events, reading, SAX_DOCTYPE_IS_NOTED);
    /* The bytes' own encoding, so that a wrong declaration does not hide what is inside. */
    sax_begin(sax, str_from(envelope->charset.name));
    sax_feed(sax, bytes);
    enum sax_end end = sax_finish(sax);
    envelope->is_well_formed = end == SAX_WHOLE;
    describe_problem(envelope, sax, end);
    if (sax_has_doctype(sax)) {
        envelope->blocks |= ENVELOPE_DOCTYPE;
    }
    sax_free(sax);
    buf_deinit(&reading->value);
    free(reading);
    fill_absent(&envelope->action);
    fill_absent(&envelope->to);
    fill_absent(&envelope->message_id);
    fill_absent(&envelope->reply_to);
    if (is_conversation_action(envelope->action)) {
        envelope->blocks |= ENVELOPE_CONTEXT_TOKEN;
    }
}

void envelope_deinit(struct envelope *envelope)
{
    free(envelope->action);
    free(envelope->to);
    free(envelope->message_id);
    free(envelope->reply_to);
    *envelope = (struct envelope){.bytes = 0};
}
