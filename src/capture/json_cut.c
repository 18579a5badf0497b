/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts large JSON texts into slices. A HAR of 300 MB is mostly answers nobody asks for: as a tree
 * it would take many times its size, and its last, broken entry would cost all others. So only
 * structure is found here, by brackets and quotes, and the values that are wanted are decoded one
 * by one with jansson. It is no validator: what lies in a skipped value may be anything.
 */
#include "lather/capture/json_cut.h"

#include <jansson.h>
#include <stdint.h>
#include <string.h>

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static void skip_blanks(struct json_cut *cut)
{
    while (cut->at < cut->end && is_blank(*cut->at)) {
        cut->at++;
    }
}

void json_cut_begin(struct json_cut *cut, struct str value)
{
    value = str_trim(value);
    *cut = (struct json_cut){.at = value.data, .end = value.data};
    if (value.len == 0 || (value.data[0] != '{' && value.data[0] != '[')) {
        cut->is_damaged = true;
        return;
    }
    cut->is_object = value.data[0] == '{';
    cut->at = value.data + 1;
    cut->end = value.data + value.len;
}

/* Behind the string's closing quote; false, and the end of the text, when it has none. */
static bool skip_string(struct json_cut *cut)
{
    cut->at++;
    while (cut->at < cut->end) {
        const char *quote = memchr(cut->at, '"', (size_t)(cut->end - cut->at));
        if (quote == NULL) {
            break;
        }
        size_t backslashes = 0;
        while (quote - backslashes > cut->at && quote[-(ptrdiff_t)backslashes - 1] == '\\') {
            backslashes++;
        }
        cut->at = quote + 1;
        if (backslashes % 2 == 0) {
            return true;
        }
    }
    cut->at = cut->end;
    return false;
}

/* Brackets are counted, not matched: "[}" is damage that shows when the slice is read. */
static bool skip_container(struct json_cut *cut)
{
    size_t depth = 0;
    while (cut->at < cut->end) {
        char byte = *cut->at;
        if (byte == '"') {
            if (!skip_string(cut)) {
                return false;
            }
            continue;
        }
        cut->at++;
        if (byte == '{' || byte == '[') {
            depth++;
        } else if (byte == '}' || byte == ']') {
            depth--;
            if (depth == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool skip_scalar(struct json_cut *cut)
{
    while (cut->at < cut->end && !is_blank(*cut->at) && *cut->at != ',' && *cut->at != '}' &&
           *cut->at != ']') {
        cut->at++;
    }
    return cut->at < cut->end;
}

static bool fail(struct json_cut *cut)
{
    cut->is_damaged = true;
    cut->at = cut->end;
    return false;
}

static bool next_value(struct json_cut *cut, struct str *value)
{
    skip_blanks(cut);
    if (cut->at == cut->end) {
        return fail(cut);
    }
    const char *start = cut->at;
    bool is_whole = *start == '"'                    ? skip_string(cut)
                    : *start == '{' || *start == '[' ? skip_container(cut)
                                                     : skip_scalar(cut);
    cut->is_cut = !is_whole;
    *value = str_of(start, (size_t)(cut->at - start));
    return value->len > 0 || fail(cut);
}

static bool next_key(struct json_cut *cut, struct str *key)
{
    const char *start = cut->at;
    if (*start != '"' || !skip_string(cut)) {
        return fail(cut);
    }
    *key = str_of(start + 1, (size_t)(cut->at - start) - 2);
    skip_blanks(cut);
    if (cut->at == cut->end || *cut->at != ':') {
        return fail(cut);
    }
    cut->at++;
    return true;
}

bool json_cut_next(struct json_cut *cut, struct str *key, struct str *value)
{
    *key = str_of(NULL, 0);
    *value = str_of(NULL, 0);
    cut->is_cut = false;
    skip_blanks(cut);
    if (cut->at == cut->end) {
        cut->is_damaged = true; /* no closing bracket was met */
        return false;
    }
    if (*cut->at == '}' || *cut->at == ']') {
        return false; /* and again, if asked again */
    }
    if (cut->is_begun) {
        if (*cut->at != ',') {
            return fail(cut);
        }
        cut->at++;
        skip_blanks(cut);
        if (cut->at == cut->end) {
            return fail(cut);
        }
    }
    cut->is_begun = true;
    return (!cut->is_object || next_key(cut, key)) && next_value(cut, value);
}

bool json_cut_find(struct str object, struct str key, struct str *value)
{
    struct json_cut cut;
    json_cut_begin(&cut, object);
    struct str found;
    while (cut.is_object && json_cut_next(&cut, &found, value)) {
        if (str_equals(found, key)) {
            return true;
        }
    }
    *value = str_of(NULL, 0);
    return false;
}

bool json_cut_begins(struct str value, char with)
{
    return value.len > 0 && value.data[0] == with;
}

bool json_cut_text(struct str value, struct buf *text)
{
    if (!json_cut_begins(value, '"')) {
        bool is_scalar = value.len > 0 && !json_cut_begins(value, '{') &&
                         !json_cut_begins(value, '[') && !str_equals(value, STR("null"));
        if (is_scalar) {
            buf_append_str(text, value);
        }
        return is_scalar;
    }
    json_t *string = json_loadb(value.data, value.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (string == NULL) {
        return false;
    }
    buf_append(text, json_string_value(string), json_string_length(string));
    json_decref(string);
    return true;
}

char *json_cut_member(struct str object, struct str key)
{
    struct str value;
    if (!json_cut_find(object, key, &value)) {
        return NULL;
    }
    struct buf text;
    buf_init(&text);
    if (json_cut_text(value, &text)) {
        return buf_take(&text);
    }
    buf_deinit(&text);
    return NULL;
}
