/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_HTTP_TEXT_H
#define LATHER_CAPTURE_HTTP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/str.h"
#include "lather/capture/capture.h"

/* Takes the next line off the front, without LF or CRLF; false when rest is empty. */
bool http_text_take_line(struct str *rest, struct str *line);

/* "POST http://host/path HTTP/1.1", blanks at the end forgiven. */
bool http_text_parse_request_line(struct str line, struct str *method, struct str *target);

/* "HTTP/1.1 200 OK". */
bool http_text_parse_status_line(struct str line, unsigned *status);

/* A line of dashes, ten or more, as Fiddler puts between sessions. */
bool http_text_is_ruler(struct str line);

/*
 * Reads fields up to an empty line or the end; rest is then the body. Each goes into the message's
 * head (import_field: damaged ones are noted), folded lines as one. False when there are more than
 * CAPTURE_FIELDS_CEILING.
 */
bool http_text_take_fields(struct str *rest, struct capture *capture,
                           struct capture_message *message);

/* Takes a whole message off the front: start line, fields and body. Nothing of it is kept. */
void http_text_skip_message(struct str *rest);

/* How a body's end was found. */
enum http_text_end {
    HTTP_TEXT_END_LENGTH = 0, /* Content-Length, which fits */
    HTTP_TEXT_END_CHUNKED,    /* the framing, which was taken off */
    HTTP_TEXT_END_MARKER,     /* the next message or ruler */
    HTTP_TEXT_END_OF_TEXT,
    HTTP_TEXT_END_COUNT
};

/*
 * Takes the body off the front of rest. Chunked framing and Content-Length are believed when the
 * bytes agree: framing that is right to its end, a length behind which nothing or the next message
 * comes. Otherwise the body goes to the next message (its line ends before it are no part of it) or
 * to the end. Appends to body.
 */
enum http_text_end http_text_take_body(struct str *rest, const struct http_head *head,
                                       struct buf *body);

#endif
