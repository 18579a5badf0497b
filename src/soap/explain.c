/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message in words, for a tester who is about to send it a million times. It only tells: what
 * does not fit together is soap/notes's, what is changed is soap/refresh's. The order of the lines
 * is that of the questions: what is it, what becomes of it, what stands in the way.
 */
#include "lather/soap/explain.h"

#include "lather/soap/explain_binding.h"
#include "lather/soap/explain_needs.h"

/* "a, b": a word behind the ones before. */
static void append_word(struct buf *list, const char *word)
{
    buf_append_str(list, list->len > 0 ? STR(", ") : STR(""));
    buf_append_str(list, str_from(word));
}

/* A line, whatever line breaks the message has in its values. */
static void add_line(struct buf *lines, const char *label, struct str text)
{
    buf_printf(lines, "%s: ", label);
    for (size_t i = 0; i < text.len; i++) {
        const bool is_break = text.data[i] == '\n' || text.data[i] == '\r';
        buf_append_byte(lines, is_break ? ' ' : text.data[i]);
    }
    buf_append_byte(lines, '\n');
}

static void end_line(struct buf *lines, const char *label, struct buf *text)
{
    add_line(lines, label, buf_view(text));
    buf_deinit(text);
}

/* ---- what it is */

static void tell_envelope(const struct explain_request *request, struct buf *lines)
{
    const struct envelope *envelope = request->envelope;
    struct buf text;
    buf_init(&text);
    if (envelope->version != SOAP_VERSION_NONE) {
        buf_printf(&text, "SOAP %s", soap_version_name(envelope->version));
    } else {
        buf_append_str(&text, envelope->is_xml ? STR("none: XML that is no SOAP envelope")
                                               : STR("none: no XML"));
    }
    if (envelope->is_xml) {
        buf_printf(&text, ", %s%s", envelope->charset.name,
                   envelope->charset.bom_bytes > 0 ? " with a byte order mark" : "");
    }
    if (request->root->kind == ROOT_PART_PLAIN || request->root->kind == ROOT_PART_ENCODED) {
        buf_append_str(&text, STR(", the root part of a multipart body"));
    } else if (request->root->kind == ROOT_PART_BROKEN) {
        buf_append_str(&text, STR(" (the type says multipart, but no root part was found)"));
    }
    end_line(lines, "envelope", &text);
}

static void tell_addressing(const struct explain_request *request, struct buf *lines)
{
    const struct envelope *envelope = request->envelope;
    struct buf blocks;
    struct buf text;
    buf_init(&blocks);
    buf_init(&text);
    add_line(lines, "action",
             envelope->action[0] != '\0' ? str_from(envelope->action)
                                         : STR("none in the envelope"));
    if (!envelope->has_addressing) {
        buf_append_str(lines, STR("addressing: none\n"));
        return;
    }
    if (envelope->action[0] != '\0') {
        append_word(&blocks, "Action");
    }
    if (envelope->to[0] != '\0') {
        append_word(&blocks, "To");
    }
    if (envelope->message_ids > 0) {
        append_word(&blocks, "MessageID");
    }
    if (envelope->reply_to[0] != '\0') {
        append_word(&blocks, "ReplyTo");
    }
    buf_printf(&text, "WS-Addressing %s (%.*s)", addressing_version_name(envelope->addressing),
               STR_ARG(blocks.len > 0 ? buf_view(&blocks) : STR("none of the usual blocks")));
    end_line(lines, "addressing", &text);
    if (envelope->to[0] != '\0') {
        add_line(lines, "to", str_from(envelope->to));
    }
    if (envelope->reply_to[0] != '\0') {
        add_line(lines, "reply to", str_from(envelope->reply_to));
    }
    buf_deinit(&blocks);
}

/* "(digest, Nonce, Created)" of the UsernameToken as captured. */
static void append_token(const struct refresh_result *refreshed, struct buf *text)
{
    static const char *const words[] = {
        [REFRESH_PASSWORD_ABSENT] = "no password",
        [REFRESH_PASSWORD_TEXT] = "text",
        [REFRESH_PASSWORD_DIGEST] = "digest",
        [REFRESH_PASSWORD_OTHER] = "a password of unknown type",
    };
    buf_printf(text, " (%s%s%s)", words[refreshed->token.password],
               refreshed->token.has_nonce ? ", Nonce" : "",
               refreshed->token.has_created ? ", Created" : "");
}

static bool was_there(const struct refresh_result *refreshed, enum refresh_what what)
{
    return refreshed->items[what].count > 0 && refreshed->items[what].state != REFRESH_ADDED;
}

static void tell_security(const struct explain_request *request, struct buf *lines)
{
    static const struct {
        unsigned block;
        const char *word;
    } blocks[] = {
        {ENVELOPE_SIGNATURE, "Signature"},
        {ENVELOPE_ENCRYPTED, "EncryptedData"},
        {ENVELOPE_CONTEXT_TOKEN, "a secure conversation"},
        {ENVELOPE_RELIABLE, "WS-ReliableMessaging"},
        {ENVELOPE_ASSERTION, "a SAML assertion"},
    };
    const struct envelope *envelope = request->envelope;
    struct buf text;
    buf_init(&text);
    if (envelope->has_timestamp) {
        append_word(&text, "Timestamp");
    }
    if (envelope->has_username_token) {
        append_word(&text, "UsernameToken");
        if (was_there(request->refreshed, REFRESH_USERNAME_TOKEN)) {
            append_token(request->refreshed, &text);
        }
    }
    if (envelope->has_certificate) {
        append_word(&text, "BinarySecurityToken");
    }
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        if ((envelope->blocks & blocks[i].block) != 0) {
            append_word(&text, blocks[i].word);
        }
    }
    if (text.len == 0) {
        buf_append_str(&text, envelope->has_security ? STR("a Security header without any of the "
                                                           "usual tokens")
                                                     : STR("none"));
    }
    end_line(lines, "security", &text);
}

static void tell_binding(const struct explain_request *request, struct buf *lines)
{
    struct buf text;
    buf_init(&text);
    explain_binding_append(request, &text);
    end_line(lines, "looks like", &text);
}

/* ---- what becomes of it */

/* "MessageID (2)", "UsernameToken (digest, Nonce, Created)". */
static void append_piece(const struct refresh_result *refreshed, enum refresh_what what,
                         struct buf *text)
{
    append_word(text, refresh_what_name(what));
    if (refreshed->items[what].count > 1) {
        buf_printf(text, " (%zu)", refreshed->items[what].count);
    }
    if (what == REFRESH_USERNAME_TOKEN && was_there(refreshed, what)) {
        append_token(refreshed, text);
    }
}

static void tell_made_anew(const struct refresh_result *refreshed, enum refresh_state state,
                           const char *label, struct buf *lines)
{
    struct buf text;
    buf_init(&text);
    for (int what = 0; what < REFRESH_WHAT_COUNT; what++) {
        if (what != REFRESH_TO && refreshed->items[what].state == state) {
            append_piece(refreshed, (enum refresh_what)what, &text);
        }
    }
    if (text.len == 0 && state == REFRESH_RENEWED) {
        buf_append_str(&text, STR("nothing"));
    }
    if (text.len > 0) {
        end_line(lines, label, &text);
    }
}

static const char *why_kept(const struct explain_request *request, enum refresh_what what)
{
    const struct refresh_result *refreshed = request->refreshed;
    switch (refreshed->items[what].state) {
    case REFRESH_SIGNED:
        return "a signature covers it";
    case REFRESH_TEMPLATED:
        return "a template of yours is in it";
    default:
        break;
    }
    if (request->mode == REFRESH_LOOKS) {
        return "nothing in the message is changed";
    }
    if (what != REFRESH_USERNAME_TOKEN) {
        return "it is not written in a way that can be changed";
    }
    return refreshed->token.password == REFRESH_PASSWORD_DIGEST
               ? "its digest needs the password, --wsse-user"
               : "it has nothing that goes stale";
}

static void tell_kept(const struct explain_request *request, struct buf *lines)
{
    for (int i = 0; i < REFRESH_WHAT_COUNT; i++) {
        const enum refresh_what what = (enum refresh_what)i;
        const enum refresh_state state = request->refreshed->items[what].state;
        const bool is_kept =
            state == REFRESH_SIGNED || state == REFRESH_KEPT || state == REFRESH_TEMPLATED;
        if (!is_kept || what == REFRESH_TO || what == REFRESH_ASSERTION) {
            continue;
        }
        struct buf text;
        buf_init(&text);
        append_piece(request->refreshed, what, &text);
        buf_printf(&text, ": %s", why_kept(request, what));
        end_line(lines, "as captured", &text);
    }
}

static void tell_rewritten(const struct refresh_result *refreshed, struct buf *lines)
{
    struct buf text;
    buf_init(&text);
    if (refreshed->to_after.len > 0) {
        buf_printf(&text, "To: %.*s (captured: %.*s)", STR_ARG(buf_view(&refreshed->to_after)),
                   STR_ARG(buf_view(&refreshed->to_before)));
        end_line(lines, "rewritten", &text);
    }
}

/* "2009-12-25T15:48:22Z (16 years ago)" */
static void append_moment(const struct explain_request *request, struct stamp moment,
                          struct buf *text)
{
    char written[STAMP_TEXT_SIZE];
    char age[STAMP_AGE_SIZE];
    buf_printf(text, "%s (%s)", stamp_text(moment, written), stamp_age(moment, request->now, age));
}

/* Until when what is captured would do: WCF looks 5 minutes around Expires, 10 behind Created. */
static void tell_deadline(const struct explain_request *request, struct buf *lines)
{
    const struct refresh_result *refreshed = request->refreshed;
    struct buf text;
    buf_init(&text);
    if (!refreshed->has_deadline || !was_there(refreshed, REFRESH_TIMESTAMP)) {
        return;
    }
    if (refreshed->has_expires) {
        append_moment(request, refreshed->expires, &text);
        buf_append_str(&text, STR(" by the Timestamp's Expires, "));
    }
    append_moment(request, refreshed->deadline, &text);
    buf_append_str(&text, STR(" by WCF's rules; "));
    buf_append_str(&text, refreshed->items[REFRESH_TIMESTAMP].state == REFRESH_RENEWED
                              ? STR("each request gets a new one")
                              : STR("it is sent as captured"));
    end_line(lines, "accepted until", &text);
}

static void tell_assertion(const struct explain_request *request, struct buf *lines)
{
    const struct refresh_result *refreshed = request->refreshed;
    struct buf text;
    buf_init(&text);
    if (!refreshed->has_assertion_end) {
        return;
    }
    append_moment(request, refreshed->assertion_end, &text);
    buf_append_str(&text, STR(" by the SAML assertion"));
    buf_append_str(&text, stamp_is_before(refreshed->assertion_end, request->now)
                              ? STR(", which has expired and cannot be made anew")
                              : STR(", which cannot be made anew"));
    end_line(lines, "accepted until", &text);
}

/* ---- what stands in the way */

static void tell_blocks(const struct explain_request *request, struct buf *lines)
{
    struct refresh_block list[REFRESH_BLOCKS];
    const size_t count = refresh_list_blocks(request->envelope, list);
    for (size_t i = 0; i < count; i++) {
        buf_printf(lines, "%s: %s: %s%s\n", list[i].is_refused ? "not replayable" : "limited",
                   list[i].name, list[i].reason,
                   list[i].is_refused ? "; sent only with --verbatim" : "");
    }
}

void explain_append(const struct explain_request *request, struct buf *lines)
{
    const bool is_soap = request->envelope->version != SOAP_VERSION_NONE;
    tell_envelope(request, lines);
    if (is_soap) {
        tell_addressing(request, lines);
        tell_security(request, lines);
    }
    tell_binding(request, lines);
    if (is_soap) {
        tell_made_anew(request->refreshed, REFRESH_RENEWED, "refreshed", lines);
        tell_made_anew(request->refreshed, REFRESH_ADDED, "added", lines);
        tell_kept(request, lines);
        tell_rewritten(request->refreshed, lines);
        tell_deadline(request, lines);
        tell_assertion(request, lines);
        tell_blocks(request, lines);
    }
    explain_needs_append(request->root->text, lines);
}
