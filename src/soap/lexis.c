/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts an XPath expression into tokens, so that names can be checked and rewritten without a
 * grammar of our own; libxml2 decides whether the whole makes sense. The trap: "div", "mod", "and"
 * and "or" are names or operators depending on what stands before them (XPath 1.0, 3.7).
 */
#include "lather/soap/lexis.h"

void lexis_begin(struct lexis *lexis, struct str expression)
{
    *lexis = (struct lexis){.rest = expression};
}

static bool is_name_start(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           (unsigned char)byte >= 0x80;
}

static bool is_name_byte(char byte)
{
    return is_name_start(byte) || (byte >= '0' && byte <= '9') || byte == '-' || byte == '.';
}

static char byte_at(struct str text, size_t at)
{
    return at < text.len ? text.data[at] : '\0';
}

static size_t name_end(struct str text, size_t at)
{
    if (is_name_start(byte_at(text, at))) {
        while (at < text.len && is_name_byte(text.data[at])) {
            at++;
        }
    }
    return at;
}

static size_t blanks_end(struct str text, size_t at)
{
    while (byte_at(text, at) == ' ' || byte_at(text, at) == '\t' || byte_at(text, at) == '\n' ||
           byte_at(text, at) == '\r') {
        at++;
    }
    return at;
}

static bool is_node_type(struct str name)
{
    return str_equals(name, STR("node")) || str_equals(name, STR("text")) ||
           str_equals(name, STR("comment")) || str_equals(name, STR("processing-instruction"));
}

static struct lexis_token take(struct lexis *lexis, enum lexis_kind kind, size_t len)
{
    struct lexis_token token = {.kind = kind, .text = str_slice(lexis->rest, 0, len)};
    lexis->rest = str_slice(lexis->rest, len, lexis->rest.len);
    return token;
}

/* A name and what follows from its place: operator, axis, function, attribute or element. */
static struct lexis_token take_name(struct lexis *lexis)
{
    struct str text = lexis->rest;
    size_t end = name_end(text, 0);
    if (lexis->operator_may_follow) {
        lexis->operator_may_follow = false;
        return take(lexis, LEXIS_OPERATOR, end);
    }
    struct str prefix = str_of(NULL, 0);
    struct str name = str_slice(text, 0, end);
    if (byte_at(text, end) == ':' && byte_at(text, end + 1) != ':') {
        size_t local = end + 1;
        size_t local_end = byte_at(text, local) == '*' ? local + 1 : name_end(text, local);
        if (local_end > local) {
            prefix = name;
            name = str_slice(text, local, local_end);
            end = local_end;
        }
    }
    size_t behind = blanks_end(text, end);
    if (byte_at(text, behind) == ':' && byte_at(text, behind + 1) == ':') {
        lexis->is_attribute = str_equals(name, STR("attribute"));
        return take(lexis, LEXIS_OTHER, behind + 2);
    }
    enum lexis_kind kind = lexis->is_attribute ? LEXIS_ATTRIBUTE : LEXIS_NAME;
    lexis->is_attribute = false;
    lexis->operator_may_follow = true;
    if (byte_at(text, behind) == '(') {
        kind = is_node_type(name) && prefix.len == 0 ? LEXIS_OTHER : LEXIS_FUNCTION;
        lexis->operator_may_follow = false;
    }
    struct lexis_token token = take(lexis, kind, end);
    token.prefix = prefix;
    token.name = name;
    return token;
}

static struct lexis_token take_literal(struct lexis *lexis)
{
    struct str text = lexis->rest;
    size_t close = str_find_byte(str_slice(text, 1, text.len), text.data[0]);
    lexis->operator_may_follow = true;
    return take(lexis, LEXIS_OTHER, close == SIZE_MAX ? text.len : close + 2);
}

static struct lexis_token take_number(struct lexis *lexis)
{
    size_t len = 1;
    while ((byte_at(lexis->rest, len) >= '0' && byte_at(lexis->rest, len) <= '9') ||
           byte_at(lexis->rest, len) == '.') {
        len++;
    }
    lexis->operator_may_follow = true;
    return take(lexis, LEXIS_OTHER, len);
}

static struct lexis_token take_prefixed(struct lexis *lexis, enum lexis_kind kind)
{
    size_t end = name_end(lexis->rest, 1);
    struct str name = str_slice(lexis->rest, 1, end);
    lexis->operator_may_follow = true;
    struct lexis_token token = take(lexis, end > 1 ? kind : LEXIS_OTHER, end);
    token.name = name;
    return token;
}

static struct lexis_token take_sign(struct lexis *lexis)
{
    char sign = lexis->rest.data[0];
    if (sign == '*') {
        /* A multiplication behind an operand, every name otherwise. */
        lexis->operator_may_follow = !lexis->operator_may_follow;
        lexis->is_attribute = false;
    } else {
        lexis->operator_may_follow = sign == ')' || sign == ']' || sign == '.';
        lexis->is_attribute = sign == '@';
    }
    return take(lexis, LEXIS_OTHER, 1);
}

static struct lexis_token take_token(struct lexis *lexis)
{
    struct str text = lexis->rest;
    char first = text.data[0];
    if (is_name_start(first)) {
        return take_name(lexis);
    }
    if (first == '"' || first == '\'') {
        return take_literal(lexis);
    }
    if (first >= '0' && first <= '9') {
        return take_number(lexis);
    }
    if (first == '~') {
        return take_prefixed(lexis, LEXIS_ANY_NAME);
    }
    if (first == '$') {
        return take_prefixed(lexis, LEXIS_VARIABLE);
    }
    return take_sign(lexis);
}

/* Notes whether the next name is the first step of a path. */
static void follow_path(struct lexis *lexis, const struct lexis_token *token)
{
    struct str text = token->text;
    if (str_equals(text, STR("@"))) {
        return;
    }
    lexis->brackets += str_equals(text, STR("["));
    lexis->brackets -= str_equals(text, STR("]")) && lexis->brackets > 0;
    lexis->continues_path = token->kind == LEXIS_OTHER &&
                            (str_equals(text, STR("/")) || str_ends_with(text, STR("::")));
}

struct lexis_token lexis_next(struct lexis *lexis)
{
    if (lexis->rest.len == 0) {
        return (struct lexis_token){.kind = LEXIS_END};
    }
    size_t blanks = blanks_end(lexis->rest, 0);
    if (blanks > 0) {
        return take(lexis, LEXIS_OTHER, blanks);
    }
    const bool begins_path = lexis->brackets == 0 && !lexis->continues_path;
    struct lexis_token token = take_token(lexis);
    token.begins_path = begins_path && (token.kind == LEXIS_NAME || token.kind == LEXIS_ANY_NAME ||
                                        token.kind == LEXIS_ATTRIBUTE);
    follow_path(lexis, &token);
    return token;
}
