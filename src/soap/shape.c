/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Services answer the same operation with the same markup and other texts: such an answer needs no
 * parser when the one before it was good, for well-formedness and envelope are the markup's. What
 * is walked here was read by the parser before, so it is known to be well-formed, and the walk is
 * short; what it does not know makes the shape empty, and every answer is parsed then. The trap: a
 * text is free only where no text is looked at, and only as long as it is plain: ASCII without
 * markup, references and control characters. Everything else is the parser's to judge.
 */
#include "lather/soap/shape.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/check.h"

enum { FREE_DEPTH = 3 }; /* of Envelope: 1. The text above is looked at, or is only blank */

struct shape_gap {
    size_t at; /* in the body the shape was taken of */
    size_t len;
};

/* A tag as it stands between '<' and '>'. */
struct tag {
    struct str text;
    bool is_end;
    bool is_empty; /* <name/>, and the declaration: opens nothing */
};

void shape_deinit(struct shape *shape)
{
    free(shape->gaps);
    *shape = (struct shape){.count = 0};
}

void shape_reset(struct shape *shape)
{
    shape->count = 0;
    shape->id_gap = SIZE_MAX;
}

/* --- taking --------------------------------------------------------------------------------- */

static void add_gap(struct shape *shape, size_t at, size_t len)
{
    if (shape->count == shape->capacity) {
        shape->capacity = shape->capacity == 0 ? 64 : 2 * shape->capacity;
        shape->gaps = check_realloc(shape->gaps, shape->capacity * sizeof(*shape->gaps));
    }
    shape->gaps[shape->count++] = (struct shape_gap){.at = at, .len = len};
}

/* Where the tag ends whose inside begins at `at`: at its '>', which one in quotes is not. */
static size_t tag_end(struct str body, size_t at)
{
    const struct str rest = str_slice(body, at, body.len);
    const struct str shortest = str_slice(rest, 0, str_find_byte(rest, '>'));
    if (shortest.len == 0 || (memchr(shortest.data, '"', shortest.len) == NULL &&
                              memchr(shortest.data, '\'', shortest.len) == NULL)) {
        return at + shortest.len;
    }
    char quote = '\0';
    for (; at < body.len && (quote != '\0' || body.data[at] != '>'); at++) {
        const char byte = body.data[at];
        if (quote == '\0' && (byte == '"' || byte == '\'')) {
            quote = byte;
        } else if (byte == quote) {
            quote = '\0';
        }
    }
    return at;
}

/* The tag that begins at `at`; false for comments and the like. */
static bool read_tag(struct str body, size_t at, struct tag *tag)
{
    const size_t end = tag_end(body, at + 1);
    if (end >= body.len || end == at + 1) {
        return false;
    }
    tag->text = str_of(body.data + at + 1, end - at - 1);
    const char first = tag->text.data[0];
    const bool is_declaration = first == '?' && at == 0 && str_starts_with(tag->text, STR("?xml "));
    tag->is_end = first == '/';
    tag->is_empty = is_declaration || tag->text.data[tag->text.len - 1] == '/';
    return first != '!' && (first != '?' || is_declaration);
}

/* Whether the text of the element is looked at for soap verdicts; judged by its local name. */
static bool text_decides(struct str start_tag)
{
    size_t end = 0;
    size_t local = 0;
    while (end < start_tag.len && (unsigned char)start_tag.data[end] > ' ') {
        if (start_tag.data[end++] == ':') {
            local = end;
        }
    }
    const struct str name = str_slice(start_tag, local, end);
    return str_equals(name, STR("RelatesTo")) || str_equals(name, STR("Action"));
}

/* The gap of one text, which stands directly behind a start tag. */
static void take_text(struct shape *shape, const struct tag *tag, struct str body, struct str text,
                      struct str id)
{
    if (!text_decides(tag->text)) {
        if (str_trim(text).len > 0) {
            add_gap(shape, (size_t)(text.data - body.data), text.len);
        }
    } else if (id.len > 0 && id.data >= text.data && id.data + id.len <= text.data + text.len) {
        shape->id_gap = shape->count;
        add_gap(shape, (size_t)(id.data - body.data), id.len);
    }
}

void shape_take(struct shape *shape, struct str body, struct str id)
{
    shape_reset(shape);
    unsigned depth = 0;
    size_t at = str_find_byte(body, '<');
    while (at < body.len) {
        struct tag tag;
        if (!read_tag(body, at, &tag) || (tag.is_end && depth == 0)) {
            shape_reset(shape);
            return;
        }
        const size_t from = at + 1 + tag.text.len + 1;
        const struct str rest = str_of(body.data + from, body.len - from);
        const struct str text = str_slice(rest, 0, str_find_byte(rest, '<'));
        if (tag.is_end) {
            depth--;
        } else if (!tag.is_empty && ++depth >= FREE_DEPTH) {
            take_text(shape, &tag, body, text, id);
        }
        at = from + text.len;
    }
    if (id.len > 0 && shape->id_gap == SIZE_MAX) {
        shape_reset(shape);
    }
}

/* --- comparing ------------------------------------------------------------------------------ */

/* Tab, line ends, and ASCII from blank to tilde but for '&', '<' and '>'. */
static bool is_plain(unsigned char byte)
{
    static const uint64_t plain[4] = {0xAFFFFFBF00002600U, 0x7FFFFFFFFFFFFFFFU, 0, 0};
    return (plain[byte >> 6] >> (byte & 63) & 1) != 0;
}

static size_t plain_bytes(struct str body, size_t from)
{
    size_t at = from;
    while (at < body.len && is_plain((unsigned char)body.data[at])) {
        at++;
    }
    return at - from;
}

/* Whether the body goes on at `at` as the model does from `from` on for len bytes. */
static bool goes_on(struct str body, size_t at, struct str model, size_t from, size_t len)
{
    return body.len - at >= len && memcmp(body.data + at, model.data + from, len) == 0;
}

/* How much of the body is the text that stands in the gap: the model's own, or a plain one. */
static size_t text_bytes(struct str body, size_t at, struct str model, const struct shape_gap *gap)
{
    const size_t end = at + gap->len;
    if (end < body.len && body.data[end] == '<' && goes_on(body, at, model, gap->at, gap->len)) {
        return gap->len;
    }
    return plain_bytes(body, at);
}

bool shape_has(const struct shape *shape, struct str model, struct str body, struct str id)
{
    size_t at = 0;
    size_t from = 0;
    for (size_t i = 0; i < shape->count; i++) {
        const struct shape_gap *gap = &shape->gaps[i];
        if (!goes_on(body, at, model, from, gap->at - from)) {
            return false;
        }
        at += gap->at - from;
        from = gap->at + gap->len;
        if (i != shape->id_gap) {
            at += text_bytes(body, at, model, gap);
        } else if (id.len > 0 && goes_on(body, at, id, 0, id.len)) {
            at += id.len;
        } else {
            return false;
        }
    }
    return shape->count > 0 && body.len - at == model.len - from &&
           goes_on(body, at, model, from, model.len - from);
}
