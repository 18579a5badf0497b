/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What goes stale in a Security header: Timestamp, UsernameToken; and what cannot be renewed, a
 * SAML assertion. Elements are known by their local names inside of Security, since the utility
 * namespace has older spellings that services still take. Only what is there is renewed, because
 * some services insist on Nonce and Created and others refuse them; but a Timestamp must have
 * exactly one Created.
 */
#include "lather/soap/refresh_security.h"

#include <stdlib.h>

#include "lather/soap/refresh_work.h"

enum { DEFAULT_SPAN_S = 300, SKEW_S = 300, LIFE_S = 600, EXTRAS_CEILING = 8 };

/* Created or Expires: the first of the name, and those that should not be there. */
struct moment {
    size_t count;
    struct markup_leaf leaf;
    struct markup_span extras[EXTRAS_CEILING];
    bool is_read;
    struct stamp stamp;
    struct stamp_style style;
};

static const struct stamp_style DEFAULT_STYLE = {3, '.'};

static void read_moment(struct refresh_work *work, struct moment *moment)
{
    struct markup_leaf leaf;
    if (!markup_read_leaf(work->markup, &leaf)) {
        return;
    }
    if (moment->count == 0) {
        struct buf value = refresh_work_value(work, leaf.value);
        moment->leaf = leaf;
        moment->is_read = stamp_parse(buf_view(&value), &moment->stamp, &moment->style);
        moment->style = moment->is_read ? moment->style : DEFAULT_STYLE;
        buf_deinit(&value);
    } else if (moment->count <= EXTRAS_CEILING) {
        moment->extras[moment->count - 1] = leaf.whole;
    }
    moment->count++;
}

/* How long the captured one was valid. */
static struct stamp span_of(const struct moment *created, const struct moment *expires)
{
    if (created->is_read && expires->is_read && stamp_is_before(created->stamp, expires->stamp)) {
        return stamp_minus(expires->stamp, created->stamp);
    }
    return (struct stamp){DEFAULT_SPAN_S, 0};
}

static void renew_moment(struct refresh_work *work, const struct moment *moment,
                         struct stamp distance)
{
    if (moment->leaf.is_simple) {
        refresh_work_begin_value(work, &moment->leaf);
    } else {
        edits_begin(work->edits, moment->leaf.content.from, moment->leaf.content.to);
    }
    refresh_work_add_slot(work, refresh_work_moment(moment->style, distance, 0), INSERT_TEXT);
    refresh_work_end_value(work, &moment->leaf);
    for (size_t i = 1; i < moment->count && i <= EXTRAS_CEILING; i++) {
        edits_begin(work->edits, moment->extras[i - 1].from, moment->extras[i - 1].to);
    }
}

/* <prefix:name>moment</prefix:name> into the edit that is begun. */
static void add_moment(struct refresh_work *work, struct str prefix, const char *name,
                       struct stamp_style style, struct stamp distance, unsigned token)
{
    refresh_work_add_tag(work, "<", prefix, name);
    refresh_work_add_slot(work, refresh_work_moment(style, distance, token), INSERT_TEXT);
    refresh_work_add_tag(work, "</", prefix, name);
}

static void renew_timestamp(struct refresh_work *work, const struct markup_element *timestamp,
                            size_t end, const struct moment *created, const struct moment *expires)
{
    const struct stamp now = {0, 0};
    struct stamp span = span_of(created, expires);
    if (created->count > 0) {
        renew_moment(work, created, now);
    } else {
        refresh_work_begin_inside(work, timestamp,
                                  expires->count > 0 ? expires->leaf.whole.from : end);
        add_moment(work, timestamp->prefix, "Created",
                   expires->count > 0 ? expires->style : DEFAULT_STYLE, now, 0);
        if (expires->count == 0) {
            add_moment(work, timestamp->prefix, "Expires", DEFAULT_STYLE, span, 0);
        }
        refresh_work_end_inside(work, timestamp);
    }
    if (expires->count > 0) {
        renew_moment(work, expires, span);
    }
    if (created->count > 1 || expires->count > 1) {
        buf_append_str(work->notes, STR("the Timestamp has more than one Created or Expires: only "
                                        "the first is sent\n"));
    }
}

/* From when on WCF refuses the captured Timestamp: 5 minutes behind Expires, 10 behind Created. */
static void set_deadline(struct refresh_work *work, const struct moment *created,
                         const struct moment *expires)
{
    struct refresh_result *result = work->result;
    struct stamp by_created = stamp_plus(created->stamp, (struct stamp){LIFE_S, 0});
    struct stamp by_expires = stamp_plus(expires->stamp, (struct stamp){SKEW_S, 0});
    bool takes_expires =
        !created->is_read || (expires->is_read && stamp_is_before(by_expires, by_created));
    result->has_deadline = created->is_read || expires->is_read;
    result->deadline = takes_expires ? by_expires : by_created;
    result->has_expires = expires->is_read;
    result->expires = expires->stamp;
}

static void note_deadline(struct refresh_work *work, enum refresh_state state)
{
    const struct refresh_result *result = work->result;
    char text[STAMP_TEXT_SIZE];
    char age[STAMP_AGE_SIZE];
    const char *why = state == REFRESH_SIGNED
                          ? "a signature covers the Timestamp, so it is sent as captured"
                          : "the Timestamp is sent as captured";
    if (!result->has_deadline) {
        return;
    }
    const bool only_wcf = result->has_expires && stamp_is_before(result->deadline, result->expires);
    buf_printf(work->notes, "%s: %s it from %s on, %s", why,
               only_wcf ? "WCF refuses" : "services refuse", stamp_text(result->deadline, text),
               stamp_age(result->deadline, work->options->now, age));
    if (only_wcf) {
        buf_printf(work->notes, "; others from %s on, %s", stamp_text(result->expires, text),
                   stamp_age(result->expires, work->options->now, age));
    }
    buf_append_byte(work->notes, '\n');
}

static void read_timestamp(struct refresh_work *work)
{
    const struct markup_element timestamp = *markup_element(work->markup);
    struct moment created = {.count = 0};
    struct moment expires = {.count = 0};
    enum markup_event event;
    while ((event = markup_next(work->markup)) != MARKUP_END ||
           markup_element(work->markup)->depth != timestamp.depth) {
        const struct markup_element *element = markup_element(work->markup);
        if (event >= MARKUP_DONE) {
            return;
        }
        if (event == MARKUP_START && str_equals(element->name, STR("Created"))) {
            read_moment(work, &created);
        } else if (event == MARKUP_START && str_equals(element->name, STR("Expires"))) {
            read_moment(work, &expires);
        }
    }
    const struct markup_span end_tag = markup_element(work->markup)->end_tag;
    enum refresh_state state =
        refresh_work_state(work, (struct markup_span){timestamp.tag.from, end_tag.to});
    set_deadline(work, &created, &expires);
    if (state == REFRESH_RENEWED) {
        renew_timestamp(work, &timestamp, end_tag.from, &created, &expires);
    } else if (state != REFRESH_TEMPLATED) {
        note_deadline(work, state);
    }
    refresh_work_count(work, REFRESH_TIMESTAMP, state);
}

struct token {
    struct markup_element element;
    struct markup_span whole;
    struct markup_leaf username;
    struct markup_leaf password;
    struct markup_leaf nonce;
    bool has_username;
    bool has_nonce;
    enum refresh_password kind;
    struct moment created;
};

/* The profile's absent Type is PasswordText. */
static enum refresh_password password_kind_of(const struct refresh_work *work)
{
    struct markup_span span;
    if (!markup_attribute(work->markup, STR("Type"), &span)) {
        return REFRESH_PASSWORD_TEXT;
    }
    struct buf type = refresh_work_value(work, span);
    enum refresh_password kind = REFRESH_PASSWORD_OTHER;
    if (str_ends_with(buf_view(&type), STR("#PasswordDigest"))) {
        kind = REFRESH_PASSWORD_DIGEST;
    } else if (str_ends_with(buf_view(&type), STR("#PasswordText"))) {
        kind = REFRESH_PASSWORD_TEXT;
    }
    buf_deinit(&type);
    return kind;
}

static void read_token_child(struct refresh_work *work, struct token *token)
{
    struct str name = markup_element(work->markup)->name;
    if (str_equals(name, STR("Username")) && !token->has_username) {
        token->has_username = markup_read_leaf(work->markup, &token->username);
    } else if (str_equals(name, STR("Password")) && token->kind == REFRESH_PASSWORD_ABSENT) {
        token->kind = password_kind_of(work);
        token->kind = markup_read_leaf(work->markup, &token->password) ? token->kind
                                                                       : REFRESH_PASSWORD_ABSENT;
    } else if (str_equals(name, STR("Nonce")) && !token->has_nonce) {
        token->has_nonce = markup_read_leaf(work->markup, &token->nonce);
    } else if (str_equals(name, STR("Created"))) {
        read_moment(work, &token->created);
    }
}

static void renew_name(struct refresh_work *work, const struct token *token)
{
    struct buf name = refresh_work_value(work, token->username.value);
    if (!str_equals(buf_view(&name), str_from(work->options->user))) {
        refresh_work_begin_value(work, &token->username);
        refresh_work_add_text(work, str_from(work->options->user));
        refresh_work_end_value(work, &token->username);
    }
    buf_deinit(&name);
}

static bool make_key(struct refresh_work *work, struct err *err)
{
    if (work->edits->key != NULL) {
        return true;
    }
    work->edits->key = check_malloc(sizeof(*work->edits->key));
    return wsse_key_init(work->edits->key, work->options->variant, work->options->password, err);
}

static bool renew_password(struct refresh_work *work, const struct token *token, unsigned number,
                           struct err *err)
{
    refresh_work_begin_value(work, &token->password);
    if (token->kind == REFRESH_PASSWORD_TEXT) {
        refresh_work_add_text(work, work->options->password);
    } else {
        if (!make_key(work, err)) {
            return false;
        }
        refresh_work_add_slot(work, (struct slot){.kind = SLOT_DIGEST, .token = number},
                              INSERT_TEXT);
    }
    refresh_work_end_value(work, &token->password);
    return true;
}

/* Nonce and moment of a token, if it has them. */
static void renew_proof(struct refresh_work *work, const struct token *token, unsigned number)
{
    if (token->has_nonce) {
        refresh_work_begin_value(work, &token->nonce);
        refresh_work_add_slot(work, (struct slot){.kind = SLOT_NONCE, .token = number},
                              INSERT_TEXT);
        refresh_work_end_value(work, &token->nonce);
    }
    if (token->created.count > 0) {
        refresh_work_begin_value(work, &token->created.leaf);
        refresh_work_add_slot(
            work, refresh_work_moment(token->created.style, (struct stamp){0, 0}, number),
            INSERT_TEXT);
        refresh_work_end_value(work, &token->created.leaf);
    }
}

static bool is_simple(const struct token *token)
{
    return (!token->has_username || token->username.is_simple) && token->password.is_simple &&
           (!token->has_nonce || token->nonce.is_simple) &&
           (token->created.count == 0 || token->created.leaf.is_simple);
}

/* Whether there is something to renew, and what is needed for it. */
static enum refresh_state token_state(struct refresh_work *work, const struct token *token)
{
    enum refresh_state state = refresh_work_state(work, token->whole);
    bool has_proof = token->has_nonce || token->created.count > 0;
    bool has_user = work->options->user != NULL;
    if (state == REFRESH_SIGNED && (has_proof || token->kind == REFRESH_PASSWORD_DIGEST)) {
        buf_append_str(work->notes, STR("a signature covers the UsernameToken, so it is sent as "
                                        "captured: a service that remembers nonces or limits their "
                                        "life refuses it\n"));
    }
    if (state != REFRESH_RENEWED) {
        return state;
    }
    if (token->kind == REFRESH_PASSWORD_DIGEST && !has_user) {
        buf_append_str(work->notes, STR("the UsernameToken is sent as captured, since its digest "
                                        "can only be made with the password (--wsse-user): a "
                                        "service that remembers nonces or limits their life "
                                        "refuses it\n"));
        return REFRESH_KEPT;
    }
    bool is_known = token->kind == REFRESH_PASSWORD_TEXT || token->kind == REFRESH_PASSWORD_DIGEST;
    return is_known && is_simple(token) && (has_proof || has_user) ? REFRESH_RENEWED : REFRESH_KEPT;
}

static bool read_token(struct refresh_work *work, struct err *err)
{
    struct token token = {.element = *markup_element(work->markup)};
    enum markup_event event;
    while ((event = markup_next(work->markup)) != MARKUP_END ||
           markup_element(work->markup)->depth != token.element.depth) {
        if (event >= MARKUP_DONE) {
            return true;
        }
        if (event == MARKUP_START) {
            read_token_child(work, &token);
        }
    }
    token.whole =
        (struct markup_span){token.element.tag.from, markup_element(work->markup)->end_tag.to};
    enum refresh_state state = token_state(work, &token);
    if (token.kind == REFRESH_PASSWORD_TEXT && work->result->password.len == 0) {
        buf_deinit(&work->result->password);
        work->result->password = refresh_work_value(work, token.password.value);
    }
    work->result->token.password = token.kind;
    work->result->token.has_nonce = token.has_nonce;
    work->result->token.has_created = token.created.count > 0;
    bool good = true;
    if (state == REFRESH_RENEWED) {
        unsigned number = ++work->token_count;
        if (work->options->user != NULL) {
            if (token.has_username) {
                renew_name(work, &token);
            }
            good = renew_password(work, &token, number, err);
        }
        renew_proof(work, &token, number);
    }
    refresh_work_count(work, REFRESH_USERNAME_TOKEN, state);
    return good;
}

/* NotOnOrAfter of the element that has just started, if it has one. */
static void read_assertion_end(struct refresh_work *work)
{
    struct refresh_result *result = work->result;
    struct markup_span span;
    struct stamp end;
    struct stamp_style style;
    if (!markup_attribute(work->markup, STR("NotOnOrAfter"), &span)) {
        return;
    }
    struct buf value = refresh_work_value(work, span);
    if (stamp_parse(buf_view(&value), &end, &style) &&
        (!result->has_assertion_end || stamp_is_before(end, result->assertion_end))) {
        result->has_assertion_end = true;
        result->assertion_end = end;
    }
    buf_deinit(&value);
}

static void note_assertion(struct refresh_work *work)
{
    const struct refresh_options *options = work->options;
    struct stamp end = work->result->assertion_end;
    char text[STAMP_TEXT_SIZE];
    char age[STAMP_AGE_SIZE];
    if (!work->result->has_assertion_end) {
        return;
    }
    if (stamp_is_before(end, options->now)) {
        buf_printf(work->notes, "the SAML assertion ended at %s, %s: services refuse it\n",
                   stamp_text(end, text), stamp_age(end, options->now, age));
    } else if (options->has_end && stamp_is_before(end, options->end)) {
        buf_printf(work->notes, "the SAML assertion ends at %s, %s, before the run does\n",
                   stamp_text(end, text), stamp_age(end, options->now, age));
    }
}

static void read_assertion(struct refresh_work *work)
{
    unsigned depth = markup_element(work->markup)->depth;
    enum markup_event event;
    while ((event = markup_next(work->markup)) != MARKUP_END ||
           markup_element(work->markup)->depth != depth) {
        if (event >= MARKUP_DONE) {
            return;
        }
        if (event == MARKUP_START) {
            read_assertion_end(work);
        }
    }
    refresh_work_count(work, REFRESH_ASSERTION, REFRESH_KEPT);
    note_assertion(work);
}

bool refresh_security(struct refresh_work *work, struct err *err)
{
    const struct markup_element security = *markup_element(work->markup);
    enum markup_event event;
    bool good = true;
    while (good && ((event = markup_next(work->markup)) != MARKUP_END ||
                    markup_element(work->markup)->depth != security.depth)) {
        struct str name = markup_element(work->markup)->name;
        if (event >= MARKUP_DONE) {
            return true;
        }
        if (event != MARKUP_START || markup_element(work->markup)->depth != security.depth + 1) {
            continue;
        }
        if (str_equals(name, STR("Timestamp"))) {
            read_timestamp(work);
        } else if (str_equals(name, STR("UsernameToken"))) {
            good = read_token(work, err);
        } else if (str_equals(name, STR("Assertion"))) {
            read_assertion(work);
        }
    }
    if (!work->has_security) {
        work->has_security = true;
        work->security = security;
        work->security_end = markup_element(work->markup)->end_tag.from;
    }
    return good;
}

static void add_timestamp(struct refresh_work *work)
{
    refresh_work_add_markup(work, STR("<u:Timestamp xmlns:u=\"" WSSE_UTILITY_NAMESPACE "\">"));
    add_moment(work, STR("u"), "Created", DEFAULT_STYLE, (struct stamp){0, 0}, 0);
    add_moment(work, STR("u"), "Expires", DEFAULT_STYLE, (struct stamp){DEFAULT_SPAN_S, 0}, 0);
    refresh_work_add_markup(work, STR("</u:Timestamp>"));
    refresh_work_count(work, REFRESH_TIMESTAMP, REFRESH_ADDED);
}

static bool add_token(struct refresh_work *work, struct err *err)
{
    bool is_digest = work->options->adds_token == REFRESH_ADD_DIGEST;
    unsigned number = ++work->token_count;
    refresh_work_add_markup(work,
                            STR("<o:UsernameToken xmlns:o=\"" WSSE_NAMESPACE "\"><o:Username>"));
    refresh_work_add_text(work, str_from(work->options->user));
    refresh_work_add_markup(work, STR("</o:Username><o:Password Type=\"" WSSE_TYPE_START));
    if (is_digest) {
        if (!make_key(work, err)) {
            return false;
        }
        refresh_work_add_markup(work, STR("PasswordDigest\">"));
        refresh_work_add_slot(work, (struct slot){.kind = SLOT_DIGEST, .token = number},
                              INSERT_TEXT);
        refresh_work_add_markup(
            work, STR("</o:Password><o:Nonce EncodingType=\"" WSSE_BASE64_TYPE "\">"));
        refresh_work_add_slot(work, (struct slot){.kind = SLOT_NONCE, .token = number},
                              INSERT_TEXT);
        refresh_work_add_markup(
            work, STR("</o:Nonce><u:Created xmlns:u=\"" WSSE_UTILITY_NAMESPACE "\">"));
        refresh_work_add_slot(
            work, refresh_work_moment(DEFAULT_STYLE, (struct stamp){0, 0}, number), INSERT_TEXT);
        refresh_work_add_markup(work, STR("</u:Created></o:UsernameToken>"));
    } else {
        refresh_work_add_markup(work, STR("PasswordText\">"));
        refresh_work_add_text(work, work->options->password);
        refresh_work_add_markup(work, STR("</o:Password></o:UsernameToken>"));
    }
    refresh_work_count(work, REFRESH_USERNAME_TOKEN, REFRESH_ADDED);
    return true;
}

bool refresh_security_add(struct refresh_work *work, struct err *err)
{
    const struct refresh_result *result = work->result;
    if (result->items[REFRESH_TIMESTAMP].count == 0) {
        add_timestamp(work);
    }
    return result->items[REFRESH_USERNAME_TOKEN].count > 0 || add_token(work, err);
}
