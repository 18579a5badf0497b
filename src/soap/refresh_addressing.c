/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header blocks that name a message and its receiver: wsa:MessageID, wsa:To, WCF's ActivityId.
 * Of an id only the UUID in it is replaced, so that what is around it - "urn:uuid:", "uuid:", a
 * URL, nothing - stays as the service knows it. WCF compares scheme, port and path of To with its
 * own address, ignoring case and the host; the same is done here.
 */
#include "lather/soap/refresh_addressing.h"

#include "lather/base/url.h"
#include "lather/soap/addressing.h"
#include "lather/soap/refresh_work.h"

static bool is_word(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z');
}

/* The length of the UUID at the start of a text, 36 or 32, or 0. */
static size_t uuid_at(struct str text)
{
    size_t digits = 0;
    size_t at = 0;
    bool is_dashed = text.len > 8 && text.data[8] == '-';
    while (at < text.len && digits < 32) {
        bool is_dash_place = is_dashed && (at == 8 || at == 13 || at == 18 || at == 23);
        if (is_dash_place ? text.data[at] != '-' : str_hex_value(text.data[at]) < 0) {
            return 0;
        }
        digits += is_dash_place ? 0 : 1;
        at++;
    }
    bool ends = at == text.len || !is_word(text.data[at]);
    return digits == 32 && ends ? at : 0;
}

static enum ids_style style_of(struct str uuid)
{
    bool has_upper = false;
    bool has_lower = false;
    for (size_t i = 0; i < uuid.len; i++) {
        has_upper = has_upper || (uuid.data[i] >= 'A' && uuid.data[i] <= 'F');
        has_lower = has_lower || (uuid.data[i] >= 'a' && uuid.data[i] <= 'f');
    }
    unsigned style = uuid.len == 32 ? IDS_BARE : IDS_DASHED;
    return (enum ids_style)(style | (has_upper && !has_lower ? IDS_UPPER : 0));
}

/* The last UUID in a span of the text, and how it is written. False when there is none. */
static bool find_uuid(const struct refresh_work *work, struct markup_span span,
                      struct markup_span *found, enum ids_style *style)
{
    for (size_t at = span.to; at > span.from; at--) {
        struct str rest = str_slice(work->text, at - 1, span.to);
        bool begins = at - 1 == span.from || !is_word(work->text.data[at - 2]);
        size_t len = begins ? uuid_at(rest) : 0;
        if (len > 0) {
            *found = (struct markup_span){at - 1, at - 1 + len};
            *style = style_of(str_slice(rest, 0, len));
            return true;
        }
    }
    return false;
}

/* The number that equal captured ids share, from 1; 0 when it is not remembered. */
static unsigned share_of(struct refresh_work *work, struct str id)
{
    for (size_t i = 0; i < work->id_count; i++) {
        if (str_equals(buf_view(&work->ids[i]), id)) {
            return (unsigned)i + 1;
        }
    }
    if (id.len == 0 || work->id_count == REFRESH_IDS_REMEMBERED) {
        return 0;
    }
    buf_append_str(&work->ids[work->id_count++], id);
    return (unsigned)work->id_count;
}

/* An id without a UUID in it becomes one as a whole, but keeps a prefix that says what follows. */
static void replace_whole_id(struct refresh_work *work, const struct markup_leaf *leaf,
                             struct str id, unsigned share, bool is_first)
{
    bool is_short = str_starts_with(id, STR("uuid:"));
    refresh_work_begin_value(work, leaf);
    refresh_work_add_markup(work, is_short ? STR("uuid:") : STR("urn:uuid:"));
    if (is_first && leaf->element.is_empty) {
        edits_mark_message_id(work->edits);
    }
    struct slot slot = {.kind = SLOT_UUID, .style = IDS_DASHED, .share = share};
    refresh_work_add_slot(work, slot, INSERT_TEXT);
    if (is_first && leaf->element.is_empty) {
        edits_mark_message_id(work->edits);
    }
    refresh_work_end_value(work, leaf);
}

static void renew_id(struct refresh_work *work, const struct markup_leaf *leaf, bool is_first)
{
    struct buf id = refresh_work_value(work, leaf->value);
    unsigned share = share_of(work, buf_view(&id));
    struct markup_span uuid;
    struct slot slot = {.kind = SLOT_UUID, .share = share};
    bool is_plain = id.len == leaf->value.to - leaf->value.from;
    if (is_plain && find_uuid(work, leaf->value, &uuid, &slot.style)) {
        edits_begin(work->edits, uuid.from, uuid.to);
        refresh_work_add_slot(work, slot, INSERT_TEXT);
    } else {
        replace_whole_id(work, leaf, buf_view(&id), share, is_first);
    }
    buf_deinit(&id);
}

void refresh_addressing_message_id(struct refresh_work *work)
{
    struct markup_leaf leaf;
    if (!markup_read_leaf(work->markup, &leaf)) {
        return;
    }
    bool is_first = work->result->items[REFRESH_MESSAGE_ID].count == 0;
    enum refresh_state state = refresh_work_state(work, leaf.whole);
    if (state == REFRESH_RENEWED && !leaf.is_simple) {
        state = REFRESH_KEPT;
        buf_append_str(work->notes, STR("wsa:MessageID is not written in one piece: it is sent as "
                                        "captured, the same in every request\n"));
    }
    if (is_first && leaf.is_simple && !leaf.element.is_empty) {
        work->edits->has_message_id = true;
        work->edits->message_id_from = leaf.value.from;
        work->edits->message_id_to = leaf.value.to;
    }
    if (state == REFRESH_RENEWED) {
        renew_id(work, &leaf, is_first);
    }
    refresh_work_count(work, REFRESH_MESSAGE_ID, state);
}

/* A UUID within a span gets a new one. */
static void renew_uuid(struct refresh_work *work, struct markup_span span,
                       enum insert_context context)
{
    struct markup_span uuid;
    struct slot slot = {.kind = SLOT_UUID};
    if (find_uuid(work, span, &uuid, &slot.style)) {
        edits_begin(work->edits, uuid.from, uuid.to);
        refresh_work_add_slot(work, slot, context);
    }
}

void refresh_addressing_activity_id(struct refresh_work *work)
{
    struct markup_leaf leaf;
    struct markup_span correlation;
    bool is_correlated = markup_attribute(work->markup, STR("CorrelationId"), &correlation);
    if (!markup_read_leaf(work->markup, &leaf)) {
        return;
    }
    enum refresh_state state = refresh_work_state(work, leaf.whole);
    if (state == REFRESH_RENEWED) {
        if (is_correlated) {
            renew_uuid(work, correlation, INSERT_TAG);
        }
        renew_uuid(work, leaf.value, INSERT_TEXT);
    }
    refresh_work_count(work, REFRESH_ACTIVITY_ID, state);
}

static struct str without_query(const char *path)
{
    struct str head;
    struct str rest;
    (void)str_split(str_from(path), '?', &head, &rest);
    return head;
}

/* Whether a service at the target takes a message that is addressed so. */
static bool to_fits(const struct url *target, struct str to)
{
    struct url url = {0};
    bool has_path_template = str_find(str_from(target->path), STR("${")) != SIZE_MAX;
    if (str_find(to, STR("://")) == SIZE_MAX || addressing_is_anonymous(to)) {
        return true; /* a logical name: nothing can be compared */
    }
    if (!str_starts_with_nocase(to, STR("http://")) &&
        !str_starts_with_nocase(to, STR("https://"))) {
        return false;
    }
    bool fits = !url_parse(&url, to, NULL) ||
                (url.scheme == target->scheme && url.port == target->port &&
                 (has_path_template ||
                  str_equals_nocase(without_query(url.path), without_query(target->path))));
    url_deinit(&url);
    return fits;
}

/* What To should be; empty when it is right as it is. */
static void wanted_to(const struct refresh_options *options, struct str to, struct buf *wanted)
{
    if (options->to == REFRESH_TO_GIVEN) {
        buf_append_str(wanted, str_equals(to, options->to_uri) ? STR("") : options->to_uri);
    } else if (options->target != NULL && !to_fits(options->target, to)) {
        buf_printf(wanted, "%s://%s%s", url_scheme_name(options->target->scheme),
                   options->target->authority, options->target->path);
    }
}

static void note_wrong_to(struct refresh_work *work, struct str to, const char *why)
{
    buf_printf(work->notes,
               "wsa:To is %.*s, which differs from the URL in scheme, port or path%s: WCF answers "
               "DestinationUnreachable\n",
               STR_ARG(str_slice(to, 0, 200)), why);
}

static void rewrite_to(struct refresh_work *work, const struct markup_leaf *leaf, struct str to,
                       struct str wanted)
{
    refresh_work_begin_value(work, leaf);
    refresh_work_add_text(work, wanted);
    refresh_work_end_value(work, leaf);
    buf_reset(&work->result->to_before);
    buf_append_str(&work->result->to_before, to);
    buf_reset(&work->result->to_after);
    buf_append_str(&work->result->to_after, wanted);
}

void refresh_addressing_to(struct refresh_work *work)
{
    struct markup_leaf leaf;
    struct buf wanted;
    if (!markup_read_leaf(work->markup, &leaf)) {
        return;
    }
    struct buf to = refresh_work_value(work, leaf.value);
    buf_init(&wanted);
    enum refresh_state state = refresh_work_state(work, leaf.whole);
    if (state != REFRESH_TEMPLATED) {
        wanted_to(work->options, buf_view(&to), &wanted);
    }
    bool is_kept = work->options->to == REFRESH_TO_KEEP || work->options->mode == REFRESH_LOOKS;
    if (wanted.len == 0) {
        state = state == REFRESH_RENEWED ? REFRESH_KEPT : state;
    } else if (state == REFRESH_SIGNED) {
        note_wrong_to(work, buf_view(&to), "; a signature covers it, so it is not rewritten");
    } else if (is_kept || !leaf.is_simple) {
        state = REFRESH_KEPT;
        note_wrong_to(work, buf_view(&to), "");
    } else if (state == REFRESH_RENEWED) {
        rewrite_to(work, &leaf, buf_view(&to), buf_view(&wanted));
    }
    refresh_work_count(work, REFRESH_TO, state);
    buf_deinit(&to);
    buf_deinit(&wanted);
}
