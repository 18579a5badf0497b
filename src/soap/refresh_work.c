/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How edits to an envelope are written: in the encoding of the message, into an element that may
 * be empty, and only where nothing forbids it. What is stale and how it is renewed is decided by
 * those who call. An element written as <a/> has no place for a value: its "/>" gives way to the
 * value and an end tag.
 */
#include "lather/soap/refresh_work.h"

#include "lather/soap/reference.h"

void refresh_work_count(struct refresh_work *work, enum refresh_what what, enum refresh_state state)
{
    work->result->items[what].state = state;
    work->result->items[what].count++;
    work->result->items[what].changed += state == REFRESH_RENEWED || state == REFRESH_ADDED;
}

enum refresh_state refresh_work_state(const struct refresh_work *work, struct markup_span span)
{
    if (coverage_has(&work->coverage, span.from, span.to)) {
        return REFRESH_SIGNED;
    }
    if (edits_touch(work->edits, span.from, span.to)) {
        return REFRESH_TEMPLATED;
    }
    return work->options->mode == REFRESH_LOOKS ? REFRESH_KEPT : REFRESH_RENEWED;
}

struct buf refresh_work_value(const struct refresh_work *work, struct markup_span value)
{
    struct buf text;
    buf_init(&text);
    reference_append_resolved(str_slice(work->text, value.from, value.to), &text);
    return text;
}

void refresh_work_add_markup(struct refresh_work *work, struct str markup)
{
    struct buf encoded;
    buf_init(&encoded);
    insert_append((struct insert_place){INSERT_PLAIN, work->encoding}, markup, &encoded);
    edits_add_text(work->edits, buf_view(&encoded));
    buf_deinit(&encoded);
}

void refresh_work_add_text(struct refresh_work *work, struct str text)
{
    struct buf encoded;
    buf_init(&encoded);
    insert_append((struct insert_place){INSERT_TEXT, work->encoding}, text, &encoded);
    edits_add_text(work->edits, buf_view(&encoded));
    buf_deinit(&encoded);
}

void refresh_work_add_slot(struct refresh_work *work, struct slot slot, enum insert_context context)
{
    slot.place = (struct insert_place){context, work->encoding};
    edits_add_slot(work->edits, &slot);
}

void refresh_work_add_tag(struct refresh_work *work, const char *open, struct str prefix,
                          const char *name)
{
    struct buf tag;
    buf_init(&tag);
    buf_printf(&tag, "%s%.*s%s%s>", open, STR_ARG(prefix), prefix.len > 0 ? ":" : "", name);
    refresh_work_add_markup(work, buf_view(&tag));
    buf_deinit(&tag);
}

bool refresh_work_is_closed(const struct refresh_work *work, const struct markup_element *element,
                            size_t at)
{
    return element->is_empty ? coverage_has(&work->coverage, element->tag.to - 2, element->tag.to)
                             : coverage_has(&work->coverage, at, at);
}

void refresh_work_begin_inside(struct refresh_work *work, const struct markup_element *element,
                               size_t at)
{
    if (element->is_empty) {
        edits_begin(work->edits, element->tag.to - 2, element->tag.to);
        refresh_work_add_markup(work, STR(">"));
    } else {
        edits_begin(work->edits, at, at);
    }
}

void refresh_work_end_inside(struct refresh_work *work, const struct markup_element *element)
{
    if (element->is_empty) {
        struct buf tag;
        buf_init(&tag);
        buf_printf(&tag, "</%.*s>", STR_ARG(element->qname));
        refresh_work_add_markup(work, buf_view(&tag));
        buf_deinit(&tag);
    }
}

void refresh_work_begin_value(struct refresh_work *work, const struct markup_leaf *leaf)
{
    if (leaf->element.is_empty) {
        refresh_work_begin_inside(work, &leaf->element, leaf->element.tag.to);
    } else {
        edits_begin(work->edits, leaf->value.from, leaf->value.to);
    }
}

void refresh_work_end_value(struct refresh_work *work, const struct markup_leaf *leaf)
{
    refresh_work_end_inside(work, &leaf->element);
}

struct slot refresh_work_moment(struct stamp_style style, struct stamp distance, unsigned token)
{
    struct slot slot = {.kind = SLOT_NOW, .distance = distance, .token = token};
    stamp_format_iso(&slot.format, style);
    return slot;
}
