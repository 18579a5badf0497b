/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file with the multipart body of a message: an MTOM or attachment dump, with or without the
 * fields that stood in front of it. Parts are not taken apart here (soap/mime does that), only the
 * first one's fields are looked at. The boundary cannot be chosen: it stands in the bytes.
 */
#include "lather/capture/mime_body.h"

#include <stdlib.h>

#include "lather/base/http_head.h"
#include "lather/capture/gather.h"
#include "lather/capture/http_text.h"
#include "lather/capture/import.h"

enum { BOUNDARY_CEILING = 200, LOOK_BYTES = 64 * 1024 };

/* The first line that is not empty, without blanks at its end; rest is behind it. */
static struct str first_line(struct str *rest)
{
    struct str line = str_of(NULL, 0);
    while (http_text_take_line(rest, &line) && str_trim(line).len == 0) {
    }
    return str_trim(line);
}

/* What RFC 2046 5.1.1 allows, and a little more, as senders do: printable, and no quote. */
static bool is_boundary(struct str line)
{
    for (size_t i = 0; i < line.len; i++) {
        if (line.data[i] < ' ' || line.data[i] == '"' || line.data[i] == 0x7F) {
            return false;
        }
    }
    return line.len > 2 && line.len <= BOUNDARY_CEILING && str_starts_with(line, STR("--"));
}

static bool begins_with_boundary(struct str content)
{
    struct str rest = str_slice(content, 0, LOOK_BYTES);
    return is_boundary(first_line(&rest)) &&
           str_starts_with_nocase(first_line(&rest), STR("Content-"));
}

static bool is_mime_field(struct str line)
{
    return str_starts_with_nocase(line, STR("MIME-Version:")) ||
           str_starts_with_nocase(line, STR("Content-Type: multipart/")) ||
           str_starts_with_nocase(line, STR("Content-Type:multipart/"));
}

/* A block of fields with one of MIME's among them, as mail and dumps have it. */
static bool begins_with_fields(struct str content)
{
    struct str rest = str_slice(content, 0, LOOK_BYTES);
    struct str line;
    while (http_text_take_line(&rest, &line) && line.len > 0) {
        bool is_folded = line.data[0] == ' ' || line.data[0] == '\t';
        size_t colon = str_find_byte(str_slice(line, 0, 80), ':');
        if (is_mime_field(line)) {
            return true;
        }
        if (!is_folded && (colon == SIZE_MAX || colon == 0)) {
            return false;
        }
    }
    return false;
}

bool mime_body_begins(struct str content)
{
    return begins_with_boundary(content) || begins_with_fields(content);
}

/* Those that belong to the message; a mail's own (Date, Message-Id, Received) do not. */
static bool is_wanted(struct str name)
{
    return str_starts_with_nocase(name, STR("Content-")) ||
           str_starts_with_nocase(name, STR("X-")) ||
           str_equals_nocase(name, STR("MIME-Version")) ||
           str_equals_nocase(name, STR("SOAPAction"));
}

static void keep_wanted_fields(struct capture *capture, struct http_head *head)
{
    struct http_head kept;
    http_head_init(&kept);
    for (size_t i = 0; i < head->count; i++) {
        struct str name = str_from(head->fields[i].name);
        if (is_wanted(name)) {
            http_head_add(&kept, name, str_from(head->fields[i].value));
        } else {
            gather_note(capture, CAPTURE_NOTE_ROUTINE, capture->count, "dropped %.60s",
                        head->fields[i].name);
        }
    }
    http_head_deinit(head);
    *head = kept;
}

/* type, start and start-info from the root part, which is the first. */
static void append_root_parameters(struct buf *type, const struct http_head *part)
{
    const char *part_type = http_head_find(part, STR("Content-Type"));
    const char *id = http_head_find(part, STR("Content-ID"));
    struct str media;
    struct str inner;
    http_head_split_media_type(str_from(part_type), &media, STR("type"), &inner);
    if (media.len > 0) {
        buf_printf(type, "; type=\"%.*s\"", STR_ARG(media));
    }
    if (id != NULL && id[0] != '\0') {
        buf_printf(type, "; start=\"%s\"", id);
    }
    if (inner.len > 0) {
        buf_printf(type, "; start-info=\"%.*s\"", STR_ARG(inner));
    }
}

/* Content-Type made from the body's first lines. False when they have no boundary. */
static bool derive_type(struct capture *capture, struct http_head *head, struct str body)
{
    struct str boundary = first_line(&body);
    if (!is_boundary(boundary)) {
        return false;
    }
    struct capture_message part = {.name = NULL};
    struct str fields = str_slice(body, 0, LOOK_BYTES);
    (void)http_text_take_fields(&fields, capture, &part);
    struct buf type;
    buf_init(&type);
    buf_append_str(&type, STR("multipart/related"));
    append_root_parameters(&type, &part.head);
    buf_printf(&type, "; boundary=\"%.*s\"", STR_ARG(str_slice(boundary, 2, boundary.len)));
    http_head_set(head, STR("Content-Type"), buf_view(&type));
    gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                "Content-Type made from the body's first lines: %.400s", type.data);
    buf_deinit(&type);
    capture_message_deinit(&part);
    return true;
}

static bool has_boundary(const struct http_head *head)
{
    struct str type;
    struct str boundary;
    http_head_split_media_type(str_from(http_head_find(head, STR("Content-Type"))), &type,
                               STR("boundary"), &boundary);
    return boundary.len > 0;
}

bool mime_body_read(struct str content, struct capture *capture, struct err *err)
{
    (void)err;
    struct capture_message message = {
        .name = str_dup(STR("message")),
        .place = str_dup(STR("the whole file")),
        .method = str_dup(STR("")),
    };
    struct str body = content;
    bool has_room = true;
    if (!begins_with_boundary(content)) {
        has_room = http_text_take_fields(&body, capture, &message);
        keep_wanted_fields(capture, &message.head);
    }
    if (!has_room || (!has_boundary(&message.head) && !derive_type(capture, &message.head, body))) {
        gather_skip(capture, message.place, "a multipart body whose boundary cannot be found");
        capture_message_deinit(&message);
        return true;
    }
    buf_append_str(&message.body, body);
    const struct import_facts facts = {.body = IMPORT_BODY_WHOLE};
    (void)import_message(capture, &message, &facts);
    return true;
}
