/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places in XML, to the byte. libxml2 says what a message is, but not reliably where in the bytes
 * it says so; this scanner does, and leaves judging to libxml2. It resolves namespaces, because
 * prefixes mean nothing. The trap is what is no element but may hold "<": comments, CDATA,
 * instructions, a DOCTYPE, and ">" inside of attributes.
 */
#include "lather/soap/markup.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/soap/reference.h"

enum { DEPTH_CEILING = 256, ATTRIBUTES_CEILING = 20000, BINDINGS_CEILING = 100000 };

struct binding {
    struct str prefix; /* empty: the default namespace */
    struct str uri;
    char *owned; /* what uri points into when it held references */
};

struct attribute {
    struct str name; /* without prefix */
    struct markup_span value;
};

struct markup {
    struct str text;
    size_t at;
    struct markup_element element;
    struct markup_span run;
    bool run_is_cdata;
    bool is_end_pending; /* of an empty element */
    bool is_broken;
    size_t depth;
    struct markup_element *open;
    size_t *bindings_before; /* of each open element */
    size_t open_capacity;
    struct binding *bindings;
    size_t binding_count;
    size_t binding_capacity;
    size_t bindings_kept; /* of them, from the next event on */
    struct attribute *attributes;
    size_t attribute_count;
    size_t attribute_capacity;
};

struct markup *markup_new(struct str text)
{
    struct markup *markup = check_calloc(1, sizeof(*markup));
    markup->text = text;
    return markup;
}

static void drop_bindings(struct markup *markup, size_t count)
{
    while (markup->binding_count > count) {
        free(markup->bindings[--markup->binding_count].owned);
    }
}

void markup_free(struct markup *markup)
{
    if (markup == NULL) {
        return;
    }
    drop_bindings(markup, 0);
    free(markup->bindings);
    free(markup->attributes);
    free(markup->bindings_before);
    free(markup->open);
    free(markup);
}

static struct str slice(const struct markup *markup, struct markup_span span)
{
    return str_slice(markup->text, span.from, span.to);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static bool ends_name(char byte)
{
    return is_blank(byte) || byte == '>' || byte == '/' || byte == '=' || byte == '<' ||
           byte == '"' || byte == '\'';
}

/* The byte at a place, NUL behind the end. */
static char byte_at(const struct markup *markup, size_t at)
{
    return at < markup->text.len ? markup->text.data[at] : '\0';
}

static size_t skip_blanks(const struct markup *markup, size_t at)
{
    while (at < markup->text.len && is_blank(markup->text.data[at])) {
        at++;
    }
    return at;
}

static size_t skip_name(const struct markup *markup, size_t at)
{
    while (at < markup->text.len && !ends_name(markup->text.data[at])) {
        at++;
    }
    return at;
}

/* The place behind the next `end`, or SIZE_MAX. */
static size_t find_behind(const struct markup *markup, size_t at, struct str end)
{
    size_t found = str_find(str_slice(markup->text, at, markup->text.len), end);
    return found == SIZE_MAX ? SIZE_MAX : at + found + end.len;
}

static bool starts_with(const struct markup *markup, struct str start)
{
    return str_starts_with(str_slice(markup->text, markup->at, markup->text.len), start);
}

static void split_name(struct str qname, struct str *prefix, struct str *name)
{
    if (!str_split(qname, ':', prefix, name)) {
        *name = qname;
        *prefix = str_slice(qname, 0, 0);
    }
}

static bool bind(struct markup *markup, struct str prefix, struct markup_span value)
{
    if (markup->binding_count == markup->binding_capacity) {
        markup->binding_capacity =
            markup->binding_capacity == 0 ? 16 : markup->binding_capacity * 2;
        markup->bindings =
            check_realloc(markup->bindings, markup->binding_capacity * sizeof(*markup->bindings));
    }
    struct binding binding = {.prefix = prefix, .uri = slice(markup, value)};
    if (str_find_byte(binding.uri, '&') != SIZE_MAX) {
        struct buf resolved;
        buf_init(&resolved);
        reference_append_resolved(binding.uri, &resolved);
        binding.uri.len = resolved.len;
        binding.owned = buf_take(&resolved);
        binding.uri.data = binding.owned;
    }
    markup->bindings[markup->binding_count++] = binding;
    return markup->binding_count < BINDINGS_CEILING;
}

static struct str uri_of(const struct markup *markup, struct str prefix)
{
    for (size_t i = markup->binding_count; i > 0; i--) {
        if (str_equals(markup->bindings[i - 1].prefix, prefix)) {
            return markup->bindings[i - 1].uri;
        }
    }
    return str_of(NULL, 0);
}

static bool add_attribute(struct markup *markup, struct str qname, struct markup_span value)
{
    struct str prefix;
    struct str name;
    split_name(qname, &prefix, &name);
    if (str_equals(qname, STR("xmlns"))) {
        return bind(markup, str_of(NULL, 0), value);
    }
    if (str_equals(prefix, STR("xmlns"))) {
        return bind(markup, name, value);
    }
    if (markup->attribute_count == markup->attribute_capacity) {
        markup->attribute_capacity =
            markup->attribute_capacity == 0 ? 16 : markup->attribute_capacity * 2;
        markup->attributes = check_realloc(markup->attributes, markup->attribute_capacity *
                                                                   sizeof(*markup->attributes));
    }
    markup->attributes[markup->attribute_count++] = (struct attribute){name, value};
    return markup->attribute_count < ATTRIBUTES_CEILING;
}

/* One attribute at *at; moves behind it. */
static bool read_attribute(struct markup *markup, size_t *at)
{
    size_t name_end = skip_name(markup, *at);
    struct str name = str_slice(markup->text, *at, name_end);
    size_t equals = skip_blanks(markup, name_end);
    size_t quote = skip_blanks(markup, equals + 1);
    char mark = byte_at(markup, quote);
    if (name.len == 0 || byte_at(markup, equals) != '=' || (mark != '"' && mark != '\'')) {
        return false;
    }
    size_t behind = find_behind(markup, quote + 1, str_of(&mark, 1));
    if (behind == SIZE_MAX) {
        return false;
    }
    *at = behind;
    return add_attribute(markup, name, (struct markup_span){quote + 1, behind - 1});
}

static enum markup_event broken(struct markup *markup)
{
    markup->is_broken = true;
    return MARKUP_BROKEN;
}

static enum markup_event end_element(struct markup *markup, struct markup_span end_tag)
{
    markup->depth--;
    markup->element = markup->open[markup->depth];
    markup->element.end_tag = end_tag;
    markup->at = end_tag.to;
    /* Its declarations go with the next event: the element still shows its namespace. */
    markup->bindings_kept = markup->bindings_before[markup->depth];
    return MARKUP_END;
}

/* Room for one more open element; false when they are too deep. */
static bool make_room(struct markup *markup)
{
    if (markup->depth == DEPTH_CEILING) {
        return false;
    }
    if (markup->depth == markup->open_capacity) {
        markup->open_capacity = markup->open_capacity == 0 ? 16 : markup->open_capacity * 2;
        markup->open = check_realloc(markup->open, markup->open_capacity * sizeof(*markup->open));
        markup->bindings_before = check_realloc(
            markup->bindings_before, markup->open_capacity * sizeof(*markup->bindings_before));
    }
    return true;
}

static enum markup_event read_start_tag(struct markup *markup)
{
    struct markup_element element = {.tag.from = markup->at};
    size_t at = skip_name(markup, markup->at + 1);
    element.qname = str_slice(markup->text, markup->at + 1, at);
    if (element.qname.len == 0 || !make_room(markup)) {
        return broken(markup);
    }
    markup->attribute_count = 0;
    markup->bindings_before[markup->depth] = markup->binding_count;
    at = skip_blanks(markup, at);
    while (byte_at(markup, at) != '>' && byte_at(markup, at) != '/') {
        if (!read_attribute(markup, &at)) {
            return broken(markup);
        }
        at = skip_blanks(markup, at);
    }
    element.is_empty = byte_at(markup, at) == '/';
    at += element.is_empty ? 1 : 0;
    if (byte_at(markup, at) != '>') {
        return broken(markup);
    }
    split_name(element.qname, &element.prefix, &element.name);
    element.uri = uri_of(markup, element.prefix);
    element.tag.to = at + 1;
    markup->open[markup->depth++] = element;
    element.depth = (unsigned)markup->depth;
    markup->open[markup->depth - 1].depth = element.depth;
    markup->element = element;
    markup->at = element.tag.to;
    markup->bindings_kept = markup->binding_count;
    markup->is_end_pending = element.is_empty;
    return MARKUP_START;
}

static enum markup_event read_end_tag(struct markup *markup)
{
    size_t behind = find_behind(markup, markup->at, STR(">"));
    if (behind == SIZE_MAX || markup->depth == 0) {
        return broken(markup);
    }
    return end_element(markup, (struct markup_span){markup->at, behind});
}

static enum markup_event tell_run(struct markup *markup, size_t to, size_t behind, bool is_cdata)
{
    markup->run = (struct markup_span){markup->at, to};
    markup->run_is_cdata = is_cdata;
    markup->at = behind;
    return MARKUP_TEXT;
}

/* A DOCTYPE ends at ">", but for those in its own brackets and quotes. */
static size_t behind_doctype(const struct markup *markup)
{
    size_t brackets = 0;
    char quote = 0;
    for (size_t at = markup->at; at < markup->text.len; at++) {
        char byte = markup->text.data[at];
        if (quote != 0) {
            quote = byte == quote ? 0 : quote;
        } else if (byte == '"' || byte == '\'') {
            quote = byte;
        } else if (byte == '[') {
            brackets++;
        } else if (byte == ']') {
            brackets -= brackets > 0;
        } else if (byte == '>' && brackets == 0) {
            return at + 1;
        }
    }
    return SIZE_MAX;
}

/* What is neither element nor text, at "<"; SIZE_MAX when it is not closed, 0 when it is not one.
 */
static size_t behind_aside(const struct markup *markup)
{
    if (starts_with(markup, STR("<!--"))) {
        return find_behind(markup, markup->at + 4, STR("-->"));
    }
    if (starts_with(markup, STR("<?"))) {
        return find_behind(markup, markup->at + 2, STR("?>"));
    }
    return starts_with(markup, STR("<!")) ? behind_doctype(markup) : 0;
}

static enum markup_event read_at_bracket(struct markup *markup)
{
    if (starts_with(markup, STR("<![CDATA["))) {
        markup->at += 9;
        size_t behind = find_behind(markup, markup->at, STR("]]>"));
        return behind == SIZE_MAX ? broken(markup) : tell_run(markup, behind - 3, behind, true);
    }
    return starts_with(markup, STR("</")) ? read_end_tag(markup) : read_start_tag(markup);
}

enum markup_event markup_next(struct markup *markup)
{
    if (markup->is_broken) {
        return MARKUP_BROKEN;
    }
    drop_bindings(markup, markup->bindings_kept);
    if (markup->is_end_pending) {
        markup->is_end_pending = false;
        return end_element(markup, (struct markup_span){markup->at, markup->at});
    }
    while (markup->at < markup->text.len) {
        if (markup->text.data[markup->at] != '<') {
            size_t next = str_find_byte(str_slice(markup->text, markup->at, markup->text.len), '<');
            size_t to = next == SIZE_MAX ? markup->text.len : markup->at + next;
            if (markup->depth > 0) {
                return tell_run(markup, to, to, false);
            }
            markup->at = to;
            continue;
        }
        size_t behind = behind_aside(markup);
        if (behind == 0 || starts_with(markup, STR("<![CDATA["))) {
            return read_at_bracket(markup);
        }
        if (behind == SIZE_MAX) {
            return broken(markup);
        }
        markup->at = behind;
    }
    return markup->depth == 0 ? MARKUP_DONE : broken(markup);
}

const struct markup_element *markup_element(const struct markup *markup)
{
    return &markup->element;
}

struct markup_span markup_text(const struct markup *markup)
{
    return markup->run;
}

bool markup_text_is_cdata(const struct markup *markup)
{
    return markup->run_is_cdata;
}

bool markup_attribute(const struct markup *markup, struct str name, struct markup_span *value)
{
    for (size_t i = 0; i < markup->attribute_count; i++) {
        if (str_equals(markup->attributes[i].name, name)) {
            *value = markup->attributes[i].value;
            return true;
        }
    }
    return false;
}

/* The run without white space around it. */
static struct markup_span trim_span(const struct markup *markup, struct markup_span span)
{
    while (span.from < span.to && is_blank(markup->text.data[span.from])) {
        span.from++;
    }
    while (span.to > span.from && is_blank(markup->text.data[span.to - 1])) {
        span.to--;
    }
    return span;
}

bool markup_read_leaf(struct markup *markup, struct markup_leaf *leaf)
{
    size_t runs = 0;
    *leaf = (struct markup_leaf){.element = markup->element, .is_simple = true};
    leaf->value = (struct markup_span){leaf->element.tag.to, leaf->element.tag.to};
    for (;;) {
        enum markup_event event = markup_next(markup);
        if (event == MARKUP_TEXT) {
            struct markup_span run = trim_span(markup, markup->run);
            if (run.from < run.to) {
                leaf->value = run;
                runs++;
            }
        } else if (event == MARKUP_START) {
            leaf->is_simple = false;
        } else if (event != MARKUP_END) {
            return false;
        } else if (markup->element.depth == leaf->element.depth) {
            break;
        }
    }
    const struct markup_span end_tag = markup->element.end_tag;
    leaf->element.uri = str_of(NULL, 0); /* it may go with the next event */
    leaf->whole = (struct markup_span){leaf->element.tag.from, end_tag.to};
    leaf->content = (struct markup_span){leaf->element.tag.to, end_tag.from};
    leaf->is_simple = leaf->is_simple && runs <= 1;
    return true;
}
