/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP messages as text in a file: more forgiving than a server may be, because files pass through
 * editors and clipboards that change line ends and lengths. llhttp is not used here for that
 * reason. It never looks for a message inside a body whose Content-Length fits.
 */
#include "lather/capture/http_text.h"

#include <stdint.h>
#include <string.h>

#include "lather/capture/gather.h"
#include "lather/capture/import.h"
#include "lather/capture/transfer.h"

enum { METHOD_CEILING = 20, RULER_LEAST = 10, SHOWN_BYTES = 60 };

bool http_text_take_line(struct str *rest, struct str *line)
{
    if (rest->len == 0) {
        return false;
    }
    size_t end = str_find_byte(*rest, '\n');
    *line = str_slice(*rest, 0, end);
    *rest = end == SIZE_MAX ? str_of(NULL, 0) : str_slice(*rest, end + 1, rest->len);
    if (str_ends_with(*line, STR("\r"))) {
        line->len--;
    }
    return true;
}

/* "HTTP/1.1", "HTTP/2", and what tools write for the latter: "h2", "h3". */
static bool is_version(struct str text)
{
    if (str_starts_with_nocase(text, STR("HTTP/"))) {
        return text.len >= 6 && text.len <= 8 && text.data[5] >= '0' && text.data[5] <= '9';
    }
    return str_equals(text, STR("h2")) || str_equals(text, STR("h3"));
}

static bool is_method(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!(text.data[i] >= 'A' && text.data[i] <= 'Z') && text.data[i] != '-') {
            return false;
        }
    }
    return text.len > 0 && text.len <= METHOD_CEILING;
}

bool http_text_parse_request_line(struct str line, struct str *method, struct str *target)
{
    struct str rest;
    struct str version;
    if (!str_split(str_slice(line, 0, METHOD_CEILING + 1), ' ', method, &rest) ||
        !is_method(*method)) {
        return false;
    }
    rest = str_trim(str_slice(line, method->len, line.len));
    return str_split(rest, ' ', target, &version) && target->len > 0 &&
           is_version(str_trim(version));
}

bool http_text_parse_status_line(struct str line, unsigned *status)
{
    struct str version;
    struct str rest;
    uint64_t value = 0;
    if (!str_starts_with(line, STR("HTTP/")) || !str_split(line, ' ', &version, &rest) ||
        !is_version(version)) {
        return false;
    }
    rest = str_trim(rest);
    if (!str_to_u64(str_slice(rest, 0, 3), &value) || value < 100 ||
        (rest.len > 3 && rest.data[3] != ' ')) {
        return false;
    }
    *status = (unsigned)value;
    return true;
}

bool http_text_is_ruler(struct str line)
{
    line = str_trim(line);
    for (size_t i = 0; i < line.len; i++) {
        if (line.data[i] != '-') {
            return false;
        }
    }
    return line.len >= RULER_LEAST;
}

/* The next line with what is folded behind it (RFC 9112 5.2). */
static bool take_field_line(struct str *rest, struct str *line, struct buf *folded)
{
    if (!http_text_take_line(rest, line)) {
        return false;
    }
    buf_reset(folded);
    struct str peek = *rest;
    struct str more;
    while (peek.len > 0 && (peek.data[0] == ' ' || peek.data[0] == '\t') && line->len > 0 &&
           http_text_take_line(&peek, &more) && str_trim(more).len > 0) {
        if (folded->len == 0) {
            buf_append_str(folded, *line);
        }
        buf_append_byte(folded, ' ');
        buf_append_str(folded, str_trim(more));
        *rest = peek;
    }
    if (folded->len > 0) {
        *line = buf_view(folded);
    }
    return true;
}

/* Up to the first colon that is not the first character, as it is in ":path: /". */
static struct str field_name(struct str line)
{
    size_t colon = str_find_byte(str_slice(line, 1, line.len), ':');
    return colon == SIZE_MAX ? line : str_slice(line, 0, colon + 1);
}

bool http_text_take_fields(struct str *rest, struct capture *capture,
                           struct capture_message *message)
{
    struct buf folded;
    buf_init(&folded);
    bool has_room = true;
    struct str line;
    while (has_room && take_field_line(rest, &line, &folded) && str_trim(line).len > 0) {
        struct str name = field_name(line);
        if (name.len == line.len) {
            gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                        "left out: \"%.*s\" among the header fields has no colon",
                        STR_ARG(str_slice(line, 0, SHOWN_BYTES)));
        } else {
            has_room =
                import_field(capture, message, name, str_slice(line, name.len + 1, line.len));
        }
    }
    buf_deinit(&folded);
    return has_room;
}

static bool is_start_line(struct str line)
{
    struct str method;
    struct str target;
    unsigned status = 0;
    return http_text_parse_request_line(line, &method, &target) ||
           http_text_parse_status_line(line, &status);
}

/* Without the empty lines and rulers in front. */
static struct str without_separators(struct str text)
{
    struct str rest = text;
    struct str line;
    while (http_text_take_line(&rest, &line) &&
           (str_trim(line).len == 0 || http_text_is_ruler(line))) {
        text = rest;
    }
    return text;
}

/* Whether a message may end here: nothing follows but separators, or they and a start line. */
static bool may_end_before(struct str text)
{
    text = without_separators(text);
    struct str line;
    return !http_text_take_line(&text, &line) || is_start_line(line);
}

static bool length_fits(struct str rest, const struct http_head *head, size_t *length)
{
    const char *field = http_head_find(head, STR("Content-Length"));
    uint64_t value = 0;
    if (field == NULL || !str_to_u64(str_from(field), &value) || value > rest.len) {
        return false;
    }
    *length = (size_t)value;
    return may_end_before(str_slice(rest, *length, rest.len));
}

/* What is before the marker, without the line ends that set it off. */
static void append_before(struct buf *body, struct str text)
{
    while (str_ends_with(text, STR("\n")) || str_ends_with(text, STR("\r"))) {
        text.len--;
    }
    buf_append_str(body, text);
}

/* A ruler ends a body only before a message: a MIME boundary may be all dashes. */
static enum http_text_end take_to_marker(struct str *rest, struct buf *body)
{
    struct str at = *rest;
    struct str line;
    for (struct str before = at; http_text_take_line(&at, &line); before = at) {
        bool is_marker = is_start_line(line);
        if (!is_marker && http_text_is_ruler(line)) {
            at = without_separators(at); /* looked through once, however many there are */
            is_marker = may_end_before(at);
        }
        if (is_marker) {
            append_before(body, str_slice(*rest, 0, rest->len - before.len));
            *rest = before;
            return HTTP_TEXT_END_MARKER;
        }
    }
    buf_append_str(body, *rest);
    *rest = str_of(NULL, 0);
    return HTTP_TEXT_END_OF_TEXT;
}

static bool is_chunked(const struct http_head *head)
{
    const char *coding = http_head_find(head, STR("Transfer-Encoding"));
    return coding != NULL && str_find_nocase(str_from(coding), STR("chunked")) != SIZE_MAX;
}

enum http_text_end http_text_take_body(struct str *rest, const struct http_head *head,
                                       struct buf *body)
{
    size_t used = 0;
    enum http_text_end end = HTTP_TEXT_END_LENGTH;
    if (is_chunked(head) && transfer_dechunk(*rest, body, &used)) {
        end = HTTP_TEXT_END_CHUNKED;
    } else if (length_fits(*rest, head, &used)) {
        buf_append_str(body, str_slice(*rest, 0, used));
    } else {
        return take_to_marker(rest, body);
    }
    *rest = str_slice(*rest, used, rest->len);
    return end;
}

void http_text_skip_message(struct str *rest)
{
    struct http_head head;
    http_head_init(&head);
    struct buf folded;
    buf_init(&folded);
    struct str line;
    (void)http_text_take_line(rest, &line);
    while (take_field_line(rest, &line, &folded) && str_trim(line).len > 0) {
        struct str name = field_name(line);
        if (str_equals_nocase(name, STR("Content-Length")) ||
            str_equals_nocase(name, STR("Transfer-Encoding"))) {
            http_head_set(&head, name, str_trim(str_slice(line, name.len + 1, line.len)));
        }
    }
    struct buf body;
    buf_init(&body);
    (void)http_text_take_body(rest, &head, &body);
    buf_deinit(&body);
    buf_deinit(&folded);
    http_head_deinit(&head);
}
