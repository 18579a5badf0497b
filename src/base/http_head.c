/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Header fields of a request, in order and spelled as given: some servers compare more strictly
 * than RFC 9110 allows, so nothing is put into a canonical form. Lists are short, every search is
 * linear. It neither writes the head to the wire nor reads answers; net/http1 does.
 */
#include "lather/base/http_head.h"

#include <stdlib.h>
#include <string.h>

void http_head_init(struct http_head *head)
{
    *head = (struct http_head){0};
}

static void free_field(struct http_field *field)
{
    free(field->name);
    free(field->value);
}

void http_head_deinit(struct http_head *head)
{
    for (size_t i = 0; i < head->count; i++) {
        free_field(&head->fields[i]);
    }
    free(head->fields);
    http_head_init(head);
}

void http_head_add(struct http_head *head, struct str name, struct str value)
{
    if (head->count == head->capacity) {
        head->capacity = head->capacity == 0 ? 8 : head->capacity * 2;
        head->fields = check_realloc(head->fields, head->capacity * sizeof head->fields[0]);
    }
    head->fields[head->count++] =
        (struct http_field){.name = str_dup(name), .value = str_dup(value)};
}

static bool has_name(const struct http_field *field, struct str name)
{
    return str_equals_nocase(str_from(field->name), name);
}

/* The place of the first field of that name, or the count. */
static size_t index_of(const struct http_head *head, struct str name)
{
    size_t i = 0;
    while (i < head->count && !has_name(&head->fields[i], name)) {
        i++;
    }
    return i;
}

static size_t remove_from(struct http_head *head, struct str name, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < head->count; i++) {
        if (has_name(&head->fields[i], name)) {
            free_field(&head->fields[i]);
        } else {
            head->fields[kept++] = head->fields[i];
        }
    }
    size_t removed = head->count - kept;
    head->count = kept;
    return removed;
}

void http_head_set(struct http_head *head, struct str name, struct str value)
{
    size_t at = index_of(head, name);
    http_head_add(head, name, value);
    if (at + 1 == head->count) {
        return;
    }
    /* The arguments may be views into the fields that go now: from here on only the copy counts. */
    struct http_field fresh = head->fields[--head->count];
    (void)remove_from(head, str_from(fresh.name), at + 1);
    free_field(&head->fields[at]);
    head->fields[at] = fresh;
}

size_t http_head_remove(struct http_head *head, struct str name)
{
    return remove_from(head, name, 0);
}

const char *http_head_find(const struct http_head *head, struct str name)
{
    if (head == NULL) {
        return NULL;
    }
    size_t at = index_of(head, name);
    return at == head->count ? NULL : head->fields[at].value;
}

/* tchar of RFC 9110 5.6.2. */
static bool is_name_character(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') ||
           (byte != '\0' && strchr("!#$%&'*+-.^_`|~", byte) != NULL);
}

static struct str quoted(struct str line)
{
    size_t len = 0;
    while (len < line.len && len < 80 && (unsigned char)line.data[len] >= ' ') {
        len++;
    }
    return str_slice(line, 0, len);
}

bool http_head_parse_field(struct str line, struct str *name, struct str *value, struct err *err)
{
    if (str_find_byte(line, '\r') != SIZE_MAX || str_find_byte(line, '\n') != SIZE_MAX ||
        str_find_byte(line, '\0') != SIZE_MAX) {
        return err_set(err, ERR_USAGE,
                       "header \"%.*s\" holds a line break or a NUL: give each header on its own",
                       STR_ARG(quoted(line)));
    }
    struct str head;
    struct str rest;
    if (!str_split(line, ':', &head, &rest)) {
        return err_set(err, ERR_USAGE, "header \"%.*s\" has no colon: write it as \"Name: value\"",
                       STR_ARG(quoted(line)));
    }
    if (head.len == 0) {
        return err_set(err, ERR_USAGE, "header \"%.*s\" has no name: write it as \"Name: value\"",
                       STR_ARG(quoted(line)));
    }
    for (size_t i = 0; i < head.len; i++) {
        if (!is_name_character(head.data[i])) {
            return err_set(err, ERR_USAGE,
                           "header \"%.*s\": a name holds letters, digits and !#$%%&'*+-.^_`|~ "
                           "only, no blanks: write it as \"Name: value\"",
                           STR_ARG(quoted(line)));
        }
    }
    *name = head;
    *value = str_trim(rest);
    return true;
}

/* The length of the parameter at the start of text: up to a ';' that no quotes enclose. */
static size_t parameter_len(struct str text)
{
    bool in_quotes = false;
    size_t at = 0;
    while (at < text.len && (in_quotes || text.data[at] != ';')) {
        if (text.data[at] == '"') {
            in_quotes = !in_quotes;
        } else if (text.data[at] == '\\' && in_quotes && at + 1 < text.len) {
            at++;
        }
        at++;
    }
    return at;
}

static struct str without_quotes(struct str value)
{
    if (!str_starts_with(value, STR("\""))) {
        return value;
    }
    size_t to = value.len > 1 && str_ends_with(value, STR("\"")) ? value.len - 1 : value.len;
    return str_slice(value, 1, to);
}

void http_head_split_media_type(struct str content_type, struct str *type, struct str name,
                                struct str *value)
{
    struct str rest;
    struct str head;
    (void)str_split(content_type, ';', &head, &rest);
    *type = str_trim(head);
    *value = str_slice(content_type, content_type.len, content_type.len);
    while (rest.len > 0) {
        size_t len = parameter_len(rest);
        struct str key;
        struct str text;
        if (str_split(str_slice(rest, 0, len), '=', &key, &text) &&
            str_equals_nocase(str_trim(key), name)) {
            *value = without_quotes(str_trim(text));
            return;
        }
        rest = str_slice(rest, len + 1, rest.len);
    }
}
