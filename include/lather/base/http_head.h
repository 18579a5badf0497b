/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_HTTP_HEAD_H
#define LATHER_BASE_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

/* One field; name and value are owned, spelled as given. */
struct http_field {
    char *name;
    char *value;
};

/* An ordered list of header fields. Names compare without case (RFC 9110 5.1). */
struct http_head {
    struct http_field *fields;
    size_t count;
    size_t capacity;
};

/* An empty list; deinit frees what it holds and makes it empty again. */
void http_head_init(struct http_head *head);
void http_head_deinit(struct http_head *head);

/* Appends a field, even when the name is there already. */
void http_head_add(struct http_head *head, struct str name, struct str value);

/* Replaces the first field of that name and drops the others; appends when there is none. */
void http_head_set(struct http_head *head, struct str name, struct str value);

/* Removes all fields of that name; returns how many there were. */
size_t http_head_remove(struct http_head *head, struct str name);

/* The first value of that name, borrowed; NULL when there is none, or no head. */
const char *http_head_find(const struct http_head *head, struct str name);

/*
 * Reads "Name: value" as given to -H. Refuses line breaks, NUL, an empty name, and characters no
 * name may hold (RFC 9110 5.6.2); the value is trimmed.
 */
bool http_head_parse_field(struct str line, struct str *name, struct str *value,
                           struct err *err) MUST_USE;

/*
 * Reads a media type with parameters ("text/xml; charset=utf-8"): *type gets the type without
 * parameters, trimmed. The parameter `name` is written to *value without its quotes (empty when
 * absent). Views into content_type.
 */
void http_head_split_media_type(struct str content_type, struct str *type, struct str name,
                                struct str *value);

#endif
