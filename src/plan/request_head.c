/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the head of a request, HTTP/1.1 in the order in which ab sends its fields. What the fields
 * hold was checked before; here nothing is decided but that a field of the user takes the place of
 * ours. Ours is then left out where it would have stood: the user's stand together, as with ab.
 */
#include "lather/plan/request_head.h"

#include <inttypes.h>
#include <stdio.h>

/* One of our own fields, unless there is none or the user gave it. */
static void append_own(struct buf *bytes, const struct request_head *head, const char *name,
                       const char *value)
{
    if (value == NULL ||
        (head->fields != NULL && http_head_find(head->fields, str_from(name)) != NULL)) {
        return;
    }
    buf_append_str(bytes, str_from(name));
    buf_append_str(bytes, STR(": "));
    buf_append_str(bytes, str_from(value));
    buf_append_str(bytes, STR("\r\n"));
}

static void append_users(struct buf *bytes, const struct http_head *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct http_field *field = &fields->fields[i];
        buf_append_str(bytes, str_from(field->name));
        buf_append_str(bytes, field->value[0] == '\0' ? STR(":") : STR(": "));
        buf_append_str(bytes, str_from(field->value));
        buf_append_str(bytes, STR("\r\n"));
    }
}

void request_head_format(struct buf *bytes, const struct request_head *head)
{
    char length[24];
    (void)snprintf(length, sizeof length, "%" PRIu64, head->content_length);

    buf_append_str(bytes, str_from(head->method));
    buf_append_byte(bytes, ' ');
    buf_append_str(bytes, str_from(head->target->path));
    buf_append_str(bytes, STR(" HTTP/1.1\r\n"));
    append_own(bytes, head, "Connection", head->connection);
    append_own(bytes, head, "Cookie", head->cookie);
    append_own(bytes, head, "Authorization", head->authorization);
    append_own(bytes, head, "Content-length", head->has_content_length ? length : NULL);
    append_own(bytes, head, "Content-type", head->content_type);
    append_own(bytes, head, "SOAPAction", head->soap_action);
    if (head->fields != NULL) {
        append_users(bytes, head->fields);
    }
    append_own(bytes, head, "Host", head->target->authority);
    append_own(bytes, head, "User-Agent", "lather/" LATHER_VERSION);
    append_own(bytes, head, "Accept", "*/*");
    buf_append_str(bytes, STR("\r\n"));
}
