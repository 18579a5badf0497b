/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds in an envelope what goes stale, and plans how each request gets it anew. The walk goes
 * through the header only; the body is the user's. Bytes are never written here: all that comes
 * out are edits, and everything between them stays as captured. What a signature covers is left
 * alone, for a message with a broken signature is refused sooner than a stale one.
 */
#include "lather/soap/refresh.h"

#include <stdlib.h>
#include <string.h>

#include "lather/soap/addressing.h"
#include "lather/soap/refresh_addressing.h"
#include "lather/soap/refresh_security.h"
#include "lather/soap/refresh_work.h"

#define ADDRESSING_NAMESPACE  "http://www.w3.org/2005/08/addressing"
#define DIAGNOSTICS_NAMESPACE "http://schemas.microsoft.com/2004/09/ServiceModel/Diagnostics"

/* Where the parts of the envelope are, for what is to be added. */
struct envelope_places {
    struct str prefix; /* of Envelope */
    bool has_header;
    struct markup_element header;
    size_t header_end; /* where its end tag begins */
    bool has_body;
    size_t body_from;
    struct buf addressing_uri; /* of the first block of WS-Addressing */
};

const char *refresh_what_name(enum refresh_what what)
{
    static const char *const names[REFRESH_WHAT_COUNT] = {
        [REFRESH_MESSAGE_ID] = "MessageID",         [REFRESH_TIMESTAMP] = "Timestamp",
        [REFRESH_USERNAME_TOKEN] = "UsernameToken", [REFRESH_TO] = "To",
        [REFRESH_ACTIVITY_ID] = "ActivityId",       [REFRESH_ASSERTION] = "Assertion",
    };
    return names[what];
}

void refresh_result_init(struct refresh_result *result)
{
    *result = (struct refresh_result){.has_deadline = false};
}

void refresh_result_deinit(struct refresh_result *result)
{
    if (result->password.data != NULL) {
        memset(result->password.data, 0, result->password.len);
    }
    buf_deinit(&result->password);
    buf_deinit(&result->to_before);
    buf_deinit(&result->to_after);
    refresh_result_init(result);
}

static void skip_block(struct refresh_work *work)
{
    unsigned depth = markup_element(work->markup)->depth;
    enum markup_event event;
    do {
        event = markup_next(work->markup);
    } while (event < MARKUP_DONE &&
             (event != MARKUP_END || markup_element(work->markup)->depth != depth));
}

/* One header block, from its start to its end. */
static bool read_block(struct refresh_work *work, struct envelope_places *places, struct err *err)
{
    const struct markup_element *element = markup_element(work->markup);
    bool is_addressing = addressing_is_namespace(element->uri);
    if (is_addressing && places->addressing_uri.len == 0) {
        buf_append_str(&places->addressing_uri, element->uri);
    }
    if (is_addressing && str_equals(element->name, STR("MessageID"))) {
        refresh_addressing_message_id(work);
    } else if (is_addressing && str_equals(element->name, STR("To"))) {
        refresh_addressing_to(work);
    } else if (str_equals(element->name, STR("ActivityId")) &&
               str_equals(element->uri, STR(DIAGNOSTICS_NAMESPACE))) {
        refresh_addressing_activity_id(work);
    } else if (str_equals(element->name, STR("Security")) &&
               str_find(element->uri, STR("secext")) != SIZE_MAX) {
        return refresh_security(work, err);
    } else {
        skip_block(work);
    }
    return true;
}

/* From the root to the start of the body. */
static bool walk(struct refresh_work *work, struct envelope_places *places, struct err *err)
{
    bool is_in_header = false;
    enum markup_event event;
    while ((event = markup_next(work->markup)) < MARKUP_DONE) {
        const struct markup_element *element = markup_element(work->markup);
        if (event == MARKUP_START && element->depth == 1) {
            places->prefix = element->prefix;
        } else if (event == MARKUP_START && element->depth == 2) {
            if (str_equals(element->name, STR("Body"))) {
                places->has_body = true;
                places->body_from = element->tag.from;
                return true;
            }
            is_in_header = str_equals(element->name, STR("Header")) && !places->has_header;
            if (is_in_header) {
                places->has_header = true;
                places->header = *element;
            }
        } else if (event == MARKUP_START && element->depth == 3 && is_in_header) {
            if (!read_block(work, places, err)) {
                return false;
            }
        } else if (event == MARKUP_END && element->depth == 2 && is_in_header) {
            places->header_end = element->end_tag.from;
            is_in_header = false;
        }
    }
    return true;
}

static void add_message_id(struct refresh_work *work, const struct envelope_places *places)
{
    struct buf tag;
    buf_init(&tag);
    buf_append_str(&tag, STR("<MessageID xmlns=\""));
    buf_append_str(&tag, places->addressing_uri.len > 0 ? buf_view(&places->addressing_uri)
                                                        : STR(ADDRESSING_NAMESPACE));
    buf_append_str(&tag, STR("\">"));
    refresh_work_add_markup(work, buf_view(&tag));
    refresh_work_add_markup(work, STR("urn:uuid:"));
    edits_mark_message_id(work->edits);
    refresh_work_add_slot(work, (struct slot){.kind = SLOT_UUID, .style = IDS_DASHED}, INSERT_TEXT);
    edits_mark_message_id(work->edits);
    refresh_work_add_markup(work, STR("</MessageID>"));
    refresh_work_count(work, REFRESH_MESSAGE_ID, REFRESH_ADDED);
    buf_deinit(&tag);
}

/* A Security header of its own; the caller has seen that there is none. */
static bool add_security(struct refresh_work *work, enum soap_version version, struct err *err)
{
    struct buf tag;
    buf_init(&tag);
    buf_printf(&tag, "<o:Security xmlns:o=\"%s\" xmlns:s=\"%s\" s:mustUnderstand=\"1\">",
               WSSE_NAMESPACE, version == SOAP_VERSION_12 ? SOAP_12_NAMESPACE : SOAP_11_NAMESPACE);
    refresh_work_add_markup(work, buf_view(&tag));
    buf_deinit(&tag);
    bool good = refresh_security_add(work, err);
    refresh_work_add_markup(work, STR("</o:Security>"));
    return good;
}

static bool lacks_token(const struct refresh_work *work)
{
    return work->options->adds_token != REFRESH_ADD_NOTHING && work->options->user != NULL &&
           (work->result->items[REFRESH_USERNAME_TOKEN].count == 0 ||
            work->result->items[REFRESH_TIMESTAMP].count == 0);
}

/* Into the Security header that is there. */
static bool add_to_security(struct refresh_work *work, struct err *err)
{
    if (refresh_work_is_closed(work, &work->security, work->security_end)) {
        buf_append_str(work->notes, STR("a signature covers the Security header: no token is "
                                        "added\n"));
        return true;
    }
    refresh_work_begin_inside(work, &work->security, work->security_end);
    bool good = refresh_security_add(work, err);
    refresh_work_end_inside(work, &work->security);
    return good;
}

/* New blocks at the end of the header, or a header in front of the body. */
static bool add_blocks(struct refresh_work *work, const struct envelope_places *places,
                       enum soap_version version, struct err *err)
{
    bool adds_id =
        work->options->adds_message_id && work->result->items[REFRESH_MESSAGE_ID].count == 0;
    bool adds_security = lacks_token(work) && !work->has_security;
    size_t at = places->has_header ? places->header_end : places->body_from;
    bool good = true;
    if (lacks_token(work) && work->has_security && !add_to_security(work, err)) {
        return false;
    }
    if ((!adds_id && !adds_security) || (!places->has_header && !places->has_body)) {
        return true;
    }
    if (places->has_header ? refresh_work_is_closed(work, &places->header, at)
                           : coverage_has(&work->coverage, at, at)) {
        buf_append_str(work->notes, STR("a signature covers the whole header: nothing is added\n"));
        return true;
    }
    if (places->has_header) {
        refresh_work_begin_inside(work, &places->header, at);
    } else {
        edits_begin(work->edits, at, at);
        refresh_work_add_tag(work, "<", places->prefix, "Header");
    }
    if (adds_id) {
        add_message_id(work, places);
    }
    if (adds_security) {
        good = add_security(work, version, err);
    }
    if (places->has_header) {
        refresh_work_end_inside(work, &places->header);
    } else {
        refresh_work_add_tag(work, "</", places->prefix, "Header");
    }
    return good;
}

/* A template may change what a signature covers: that is the user's wish, but he should know. */
static void note_templates(const struct coverage *coverage, const struct edits *edits,
                           struct buf *notes)
{
    for (size_t i = 0; i < edits->count; i++) {
        if (coverage_has(coverage, edits->list[i].from, edits->list[i].to)) {
            buf_append_str(notes, STR("a template changes what a signature covers: services will "
                                      "refuse the message\n"));
            return;
        }
    }
}

static void note_signed(const struct refresh_work *work, const struct envelope *envelope)
{
    bool is_told = false;
    for (size_t i = 0; i < REFRESH_WHAT_COUNT; i++) {
        is_told = is_told || work->result->items[i].state == REFRESH_SIGNED;
    }
    if (work->result->items[REFRESH_MESSAGE_ID].state == REFRESH_SIGNED) {
        buf_append_str(work->notes, STR("a signature covers wsa:MessageID, so it is sent as "
                                        "captured, the same in every request\n"));
    } else if (!is_told && (envelope->blocks & ENVELOPE_SIGNATURE) != 0) {
        buf_append_str(work->notes, STR("a signature covers parts of the message: they are sent as "
                                        "captured, and a service that detects replays refuses the "
                                        "second request\n"));
    }
}

bool refresh_find(const struct refresh_options *options, const struct body_text *body,
                  const struct envelope *envelope, struct edits *edits,
                  struct refresh_result *result, struct buf *notes, struct err *err)
{
    bool is_readable = body->is_searchable && envelope->is_well_formed &&
                       (envelope->blocks & ENVELOPE_DOCTYPE) == 0;
    if (envelope->version == SOAP_VERSION_NONE) {
        return true;
    }
    if (!is_readable) {
        buf_printf(notes, "the envelope %s: nothing in it is refreshed\n",
                   (envelope->blocks & ENVELOPE_DOCTYPE) != 0 ? "holds a DOCTYPE"
                                                              : "cannot be read as XML");
        return true;
    }
    struct refresh_work *work = check_calloc(1, sizeof(*work));
    work->options = options;
    work->text = body->text;
    work->encoding = body->encoding;
    work->edits = edits;
    work->result = result;
    work->notes = notes;
    struct envelope_places places = {.has_header = false};
    coverage_init(&work->coverage, body->text);
    work->markup = markup_new(body->text);
    note_templates(&work->coverage, edits, notes);
    bool good = walk(work, &places, err);
    if (good && options->mode == REFRESH_CHANGES) {
        good = add_blocks(work, &places, envelope->version, err);
    }
    note_signed(work, envelope);
    for (size_t i = 0; i < work->id_count; i++) {
        buf_deinit(&work->ids[i]);
    }
    buf_deinit(&places.addressing_uri);
    markup_free(work->markup);
    coverage_deinit(&work->coverage);
    free(work);
    return good;
}

/* "MessageID (2), Timestamp" of those in that state. */
static void append_names(const struct refresh_result *result, enum refresh_state state,
                         const char *introduction, struct buf *line)
{
    bool is_first = true;
    for (size_t i = 0; i < REFRESH_WHAT_COUNT; i++) {
        if (i == REFRESH_TO || result->items[i].changed == 0 || result->items[i].state != state) {
            continue;
        }
        if (is_first) {
            buf_printf(line, "%s%s", line->len > 0 ? "; " : "", introduction);
        }
        buf_printf(line, "%s%s", is_first ? "" : ", ", refresh_what_name((enum refresh_what)i));
        if (result->items[i].changed > 1) {
            buf_printf(line, " (%zu)", result->items[i].changed);
        }
        is_first = false;
    }
}

void refresh_append_line(const struct refresh_result *result, struct buf *line)
{
    struct buf text;
    buf_init(&text);
    append_names(result, REFRESH_RENEWED, "refreshing: ", &text);
    append_names(result, REFRESH_ADDED, "adding: ", &text);
    if (result->to_after.len > 0) {
        buf_printf(&text, "%sTo rewritten to %.*s (captured: %.*s)", text.len > 0 ? "; " : "",
                   STR_ARG(buf_view(&result->to_after)), STR_ARG(buf_view(&result->to_before)));
    }
    buf_append_str(line, buf_view(&text));
    buf_deinit(&text);
}

/* A leg of a negotiation carries no token yet, unlike a request to a token service. */
static bool is_negotiation(const struct envelope *envelope)
{
    return str_ends_with(str_from(envelope->action), STR("/trust/RST/Issue")) &&
           !envelope->has_username_token && (envelope->blocks & ENVELOPE_ASSERTION) == 0;
}

size_t refresh_list_blocks(const struct envelope *envelope,
                           struct refresh_block list[REFRESH_BLOCKS])
{
    static const struct refresh_block known[REFRESH_BLOCKS] = {
        {ENVELOPE_ENCRYPTED, true, "EncryptedData",
         "it is encrypted, and nothing in it can be made anew"},
        {ENVELOPE_CONTEXT_TOKEN, true, "SCT",
         "it belongs to a secure conversation (or opens or ends one), whose keys are gone"},
        {ENVELOPE_RELIABLE, true, "RM",
         "it is a numbered message of WS-ReliableMessaging, and its number has been used"},
        {ENVELOPE_SIGNATURE, false, "Signature", "what a signature covers is sent as captured"},
        {ENVELOPE_ASSERTION, false, "SAML", "a SAML assertion ends at its NotOnOrAfter"},
        {ENVELOPE_DOCTYPE, false, "DOCTYPE", "SOAP forbids a DOCTYPE, and nothing is refreshed"},
    };
    unsigned blocks = envelope->blocks;
    size_t count = 0;
    if (is_negotiation(envelope)) {
        blocks |= ENVELOPE_CONTEXT_TOKEN;
    }
    for (size_t i = 0; i < REFRESH_BLOCKS; i++) {
        if ((blocks & known[i].block) != 0) {
            list[count++] = known[i];
        }
    }
    return count;
}

bool refresh_check(const struct envelope *envelope, struct err *err)
{
    struct refresh_block list[REFRESH_BLOCKS];
    size_t count = refresh_list_blocks(envelope, list);
    for (size_t i = 0; i < count; i++) {
        if (list[i].is_refused) {
            return err_set(err, ERR_USAGE,
                           "the message cannot be replayed: %s (%s); --verbatim sends it as it is",
                           list[i].reason, list[i].name);
        }
    }
    return true;
}
