/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds templates in texts. For XML it keeps track of where it is - text, tag, CDATA, comment -
 * since each wants another escaping; it is no XML parser, and a text that is not well-formed only
 * gets less fitting escapes. Values that never change are escaped here; those of the feed are
 * checked here, so that no request can fail on them in the middle of a run.
 */
#include "lather/soap/placeholder.h"

#include <string.h>

#include "lather/soap/utf16.h"

struct search {
    const struct placeholder_text *text;
    const struct slot_names *names;
    struct edits *edits;
    struct err *err;
    size_t at;
    enum insert_context context;
    char quote;             /* in a tag: of the attribute's value; 0 outside of one */
    struct str context_end; /* what ends CDATA, comment or instruction */
};

static enum insert_context first_context(enum placeholder_kind kind)
{
    static const enum insert_context contexts[PLACEHOLDER_KIND_COUNT] = {
        [PLACEHOLDER_PLAIN] = INSERT_PLAIN,
        [PLACEHOLDER_XML] = INSERT_TEXT,
        [PLACEHOLDER_PATH] = INSERT_PATH,
        [PLACEHOLDER_HEADER] = INSERT_HEADER,
    };
    return contexts[kind];
}

static struct str rest_of(const struct search *search)
{
    return str_slice(search->text->text, search->at, search->text->text.len);
}

/* "a.xml:3:14 (byte 92): ${cuonter}: " in front of the sentence, the way out behind it. */
static bool fail(struct search *search, struct str expression)
{
    struct str before = str_slice(search->text->text, 0, search->at);
    size_t line = 1;
    size_t column = str_starts_with(before, STR("\xEF\xBB\xBF")) ? 0 : 1; /* a mark is no column */
    for (size_t i = 0; i < before.len; i++) {
        bool is_line_end = before.data[i] == '\n';
        bool begins_character = (before.data[i] & 0xC0) != 0x80;
        line += is_line_end;
        column = is_line_end ? 1 : column + begins_character;
    }
    size_t byte = insert_unit_bytes(search->text->encoding) == 2 ? utf16_bytes(before) : before.len;
    struct err why = *search->err;
    return err_set(search->err, why.code,
                   "%.150s:%zu:%zu (byte %zu): ${%.*s}: %s (--no-template "
                   "sends ${ as it is)",
                   search->text->name, line, column, byte + 1, STR_ARG(expression), why.text);
}

static bool check_rows(struct search *search, const struct slot *slot)
{
    const struct csv *data = search->names->data;
    for (size_t row = 0; row < csv_row_count(data); row++) {
        struct err why = {0};
        if (!insert_check(slot->place, csv_cell(data, row, slot->column), &why)) {
            return err_set(search->err, ERR_FORMAT, "%.150s:%zu: in the value of %.*s %s",
                           csv_name(data), csv_line(data, row),
                           STR_ARG(str_slice(csv_column_name(data, slot->column), 0, 60)),
                           why.text);
        }
    }
    return true;
}

static bool add_slot(struct search *search, struct slot *slot)
{
    slot->place = (struct insert_place){search->context, search->text->encoding};
    if (slot->kind == SLOT_TEXT) {
        struct err why = {0};
        if (!insert_check(slot->place, slot->text, &why)) {
            return err_set(search->err, ERR_FORMAT, "in its value %s", why.text);
        }
        struct buf escaped;
        buf_init(&escaped);
        insert_append(slot->place, slot->text, &escaped);
        edits_add_text(search->edits, buf_view(&escaped));
        buf_deinit(&escaped);
        return true;
    }
    if (slot->kind == SLOT_DATA && !check_rows(search, slot)) {
        return false;
    }
    edits_add_slot(search->edits, slot);
    return true;
}

/* "${...}" at the place of the search; moves behind it. */
static bool take_placeholder(struct search *search)
{
    struct str rest = str_slice(rest_of(search), 2, 2 + PLACEHOLDER_BYTES_CEILING);
    size_t len = str_find_byte(rest, '}');
    struct err *err = search->err;
    if (len == SIZE_MAX) {
        (void)err_set(err, ERR_FORMAT, "it is not closed with }");
        size_t line_end = str_find_byte(rest, '\n');
        return fail(search, str_slice(rest, 0, line_end < 20 ? line_end : 20));
    }
    struct str expression = str_slice(rest, 0, len);
    struct slot slot;
    edits_begin(search->edits, search->at, search->at + 2 + len + 1);
    if (!slot_parse(expression, search->names, &slot, err) || !add_slot(search, &slot)) {
        return fail(search, expression);
    }
    search->at += 2 + len + 1;
    return true;
}

/* "$${" at the place of the search: its first character goes. */
static void take_escape(struct search *search)
{
    edits_begin(search->edits, search->at, search->at + 1);
    search->at += 3;
}

static void begin_section(struct search *search, enum insert_context context, const char *end)
{
    search->context = context;
    search->context_end = str_from(end);
}

/* One character of XML that is no template. */
static void step_in_xml(struct search *search)
{
    struct str rest = rest_of(search);
    char byte = rest.data[0];
    search->at++;
    if (search->context == INSERT_TEXT && byte == '<') {
        if (str_starts_with(rest, STR("<!--"))) {
            begin_section(search, INSERT_COMMENT, "-->");
            search->at += 3;
        } else if (str_starts_with(rest, STR("<![CDATA["))) {
            begin_section(search, INSERT_CDATA, "]]>");
        } else if (str_starts_with(rest, STR("<?"))) {
            begin_section(search, INSERT_COMMENT, "?>");
        } else {
            search->context = INSERT_TAG;
            search->quote = 0;
        }
    } else if (search->context == INSERT_TAG) {
        if (search->quote != 0) {
            search->quote = byte == search->quote ? 0 : search->quote;
        } else if (byte == '"' || byte == '\'') {
            search->quote = byte;
        } else if (byte == '>') {
            search->context = INSERT_TEXT;
        }
    } else if (search->context != INSERT_TEXT && str_starts_with(rest, search->context_end)) {
        search->at += search->context_end.len - 1;
        search->context = INSERT_TEXT;
    }
}

/* Whether a byte of XML can change where it is, or begin a template. */
static bool is_telling(char byte)
{
    switch (byte) {
    case '$':
    case '<':
    case '>':
    case '"':
    case '\'':
    case ']':
    case '-':
    case '?':
        return true;
    default:
        return false;
    }
}

/* Bodies may be large, and nearly all of their bytes tell nothing. */
static void skip_plain(struct search *search, enum placeholder_kind kind)
{
    struct str text = search->text->text;
    if (kind != PLACEHOLDER_XML) {
        size_t next = str_find_byte(rest_of(search), '$');
        search->at = next == SIZE_MAX ? text.len : search->at + next;
        return;
    }
    while (search->at < text.len && !is_telling(text.data[search->at])) {
        search->at++;
    }
}

bool placeholder_find(const struct placeholder_text *text, const struct slot_names *names,
                      struct edits *edits, struct err *err)
{
    struct err own_err = {0};
    struct search search = {
        .text = text, .names = names, .edits = edits, .err = err != NULL ? err : &own_err};
    bool is_xml = text->kind == PLACEHOLDER_XML;
    search.context = first_context(text->kind);
    if (str_find(text->text, STR("${")) == SIZE_MAX) {
        return true;
    }
    for (;;) {
        skip_plain(&search, text->kind);
        if (search.at >= text->text.len) {
            return true;
        }
        struct str rest = rest_of(&search);
        bool is_dollar = rest.data[0] == '$';
        if (is_dollar && str_starts_with(rest, STR("$${"))) {
            take_escape(&search);
        } else if (is_dollar && str_starts_with(rest, STR("${"))) {
            if (!take_placeholder(&search)) {
                return false;
            }
        } else if (is_xml) {
            step_in_xml(&search);
        } else {
            search.at++;
        }
    }
}
