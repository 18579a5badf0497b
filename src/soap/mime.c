/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unwraps the root part of a multipart body as a stream. A window holds what cannot be decided
 * yet: a part's header until its blank line, and of a part's content as much as could be the start
 * of a boundary. The trap: the line break in front of a boundary belongs to the boundary, so the
 * last bytes of what has come are always kept back. An answer is anybody's: whatever pieces and
 * parts it comes in, no byte is looked at or moved over and over.
 */
#include "lather/soap/mime.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"
#include "lather/base/http_head.h"
#include "lather/soap/part_coding.h"

enum state { STATE_START = 0, STATE_PREAMBLE, STATE_HEADER, STATE_CONTENT, STATE_EPILOGUE };

struct mime {
    struct mime_events events;
    void *context;
    enum state state;
    enum mime_end end;
    struct buf boundary; /* "--" and the boundary */
    struct buf start;    /* the root's Content-ID without brackets; empty: the first part */
    struct buf window;
    size_t front;            /* bytes of the window that are done with; they go once per feed */
    size_t line;             /* of a header: where its line begins that has not ended yet */
    size_t dropped;          /* bytes of the body that are done with */
    bool window_starts_line; /* what is in front of the window was a line break, or nothing */
    size_t parts;
    bool is_root; /* the open part */
    bool root_is_sure;
    struct part_coding coding; /* of the root part */
};

struct mime *mime_new(const struct mime_events *events, void *context)
{
    struct mime *mime = check_calloc(1, sizeof(*mime));
    mime->events = *events;
    mime->context = context;
    return mime;
}

void mime_free(struct mime *mime)
{
    if (mime != NULL) {
        buf_deinit(&mime->boundary);
        buf_deinit(&mime->start);
        buf_deinit(&mime->window);
        free(mime);
    }
}

static struct str without_brackets(struct str id)
{
    id = str_trim(id);
    bool has_brackets = str_starts_with(id, STR("<")) && str_ends_with(id, STR(">"));
    return has_brackets ? str_slice(id, 1, id.len - 1) : id;
}

static bool set_boundary(struct mime *mime, struct str boundary)
{
    if (boundary.len == 0 || boundary.len > MIME_BOUNDARY_CEILING) {
        return false;
    }
    buf_reset(&mime->boundary);
    buf_append_str(&mime->boundary, STR("--"));
    buf_append_str(&mime->boundary, boundary);
    return true;
}

void mime_begin(struct mime *mime, struct str content_type)
{
    struct str type;
    struct str boundary;
    struct str start;
    http_head_split_media_type(content_type, &type, STR("boundary"), &boundary);
    http_head_split_media_type(content_type, &type, STR("start"), &start);
    mime->state = set_boundary(mime, boundary) ? STATE_PREAMBLE : STATE_START;
    mime->end = MIME_WHOLE;
    mime->window_starts_line = true;
    mime->front = 0;
    mime->line = 0;
    mime->dropped = 0;
    mime->parts = 0;
    mime->is_root = false;
    mime->root_is_sure = false;
    buf_reset(&mime->window);
    buf_reset(&mime->start);
    buf_append_str(&mime->start, without_brackets(start));
}

static struct str window_of(const struct mime *mime)
{
    return str_slice(buf_view(&mime->window), mime->front, mime->window.len);
}

/* A piece may hold thousands of parts: moving the rest up for each would cost their square. */
static void drop_front(struct mime *mime, size_t len)
{
    mime->front += len;
    mime->dropped += len;
    mime->line = 0;
}

static void close_gap(struct mime *mime)
{
    struct buf *window = &mime->window;
    if (mime->front > 0) {
        window->len -= mime->front;
        memmove(window->data, window->data + mime->front, window->len);
        mime->front = 0;
    }
}

static void emit(struct mime *mime, struct str text)
{
    if (mime->is_root && text.len > 0) {
        part_coding_undo(&mime->coding, text, mime->events.bytes, mime->context);
    }
}

/* The value of a part's header field, lines that continue it joined by blanks. */
static void field_value(struct str header, struct str name, struct buf *value)
{
    buf_reset(value);
    struct str line;
    bool is_inside = false;
    bool more = true;
    while (more) {
        more = str_split(header, '\n', &line, &header);
        bool continues = line.len > 0 && (line.data[0] == ' ' || line.data[0] == '\t');
        struct str key;
        struct str text;
        if (continues && is_inside) {
            buf_append_byte(value, ' ');
            buf_append_str(value, str_trim(line));
        } else if (!continues) {
            is_inside = value->len == 0 && str_split(line, ':', &key, &text) &&
                        str_equals_nocase(str_trim(key), name);
            if (is_inside) {
                buf_append_str(value, str_trim(text));
            }
        }
    }
}

/* The first part is the root until one comes that `start` names. */
static void begin_part(struct mime *mime, struct str header)
{
    struct buf value;
    buf_init(&value);
    field_value(header, STR("Content-ID"), &value);
    struct str id = without_brackets(buf_view(&value));
    bool is_named = mime->start.len > 0 && str_equals(id, buf_view(&mime->start));
    mime->parts++;
    mime->is_root = !mime->root_is_sure && (mime->parts == 1 || is_named);
    if (mime->is_root) {
        mime->root_is_sure = is_named || mime->start.len == 0;
        field_value(header, STR("Content-Transfer-Encoding"), &value);
        if (!part_coding_begin(&mime->coding, buf_view(&value))) {
            mime->end = MIME_BAD_ENCODING;
        }
        field_value(header, STR("Content-Type"), &value);
        mime->events.root(mime->context, buf_view(&value));
    }
    buf_deinit(&value);
}

/* What a boundary's line ends with; false while the line is not complete. */
struct delimiter {
    size_t from; /* of the line break in front of it */
    size_t to;   /* behind its line */
    bool is_last;
};

enum search { SEARCH_FOUND, SEARCH_NONE, SEARCH_MORE };

/* Whether a boundary's text at `at` is a whole delimiter line. */
static enum search check_line(struct str window, size_t at, size_t boundary_len,
                              struct delimiter *delimiter)
{
    size_t end = at + boundary_len;
    struct str rest = str_slice(window, end, window.len);
    if (rest.len < 2) {
        return SEARCH_MORE;
    }
    delimiter->is_last = str_starts_with(rest, STR("--"));
    if (delimiter->is_last) {
        delimiter->to = end + 2;
        return SEARCH_FOUND;
    }
    size_t line = 0;
    while (line < rest.len && line <= MIME_PADDING_CEILING &&
           (rest.data[line] == ' ' || rest.data[line] == '\t' || rest.data[line] == '\r')) {
        line++;
    }
    if (line > MIME_PADDING_CEILING) {
        return SEARCH_NONE;
    }
    if (line == rest.len) {
        return SEARCH_MORE;
    }
    delimiter->to = end + line + 1;
    return rest.data[line] == '\n' ? SEARCH_FOUND : SEARCH_NONE;
}

/* The next delimiter in the window, or how much of it is certainly content (delimiter->from). */
static enum search find_delimiter(const struct mime *mime, struct delimiter *delimiter)
{
    struct str window = window_of(mime);
    struct str boundary = buf_view(&mime->boundary);
    size_t from = 0;
    while (true) {
        size_t found = str_find(str_slice(window, from, window.len), boundary);
        if (found == SIZE_MAX) {
            size_t kept = boundary.len + 2; /* CR LF and all but the boundary's last byte */
            delimiter->from = window.len > kept ? window.len - kept : 0;
            return SEARCH_NONE;
        }
        size_t at = from + found;
        bool starts_line = at == 0 ? mime->window_starts_line : window.data[at - 1] == '\n';
        enum search result =
            starts_line ? check_line(window, at, boundary.len, delimiter) : SEARCH_NONE;
        if (result != SEARCH_NONE) {
            size_t breaks = at > 0 ? 1 : 0;
            breaks += at > 1 && window.data[at - 2] == '\r';
            delimiter->from = at - breaks;
            return result;
        }
        from = at + 1;
    }
}

enum { FIRST_LINE_CEILING = MIME_BOUNDARY_CEILING + 8 }; /* "--", blanks behind it, CR LF */

/* The boundary from the first line that is not empty; false while that line is not complete. */
static bool read_first_line(struct mime *mime)
{
    struct str rest = window_of(mime);
    size_t breaks = 0;
    while (breaks < rest.len && (rest.data[breaks] == '\r' || rest.data[breaks] == '\n')) {
        breaks++;
    }
    drop_front(mime, breaks);
    rest = window_of(mime);
    size_t end = str_find_byte(rest, '\n');
    if (end == SIZE_MAX && rest.len <= FIRST_LINE_CEILING) {
        return false;
    }
    struct str line = str_trim(str_slice(rest, 0, end <= FIRST_LINE_CEILING ? end : 0));
    if (!str_starts_with(line, STR("--")) || !set_boundary(mime, str_slice(line, 2, line.len))) {
        mime->end = MIME_NO_BOUNDARY;
        return false;
    }
    mime->state = STATE_PREAMBLE;
    return true;
}

/* Reads a part's header up to its blank line; a part may have none. */
static bool read_header(struct mime *mime)
{
    struct str window = window_of(mime);
    size_t at = mime->line;
    while (true) {
        size_t len = str_find_byte(str_slice(window, at, window.len), '\n');
        if (len == SIZE_MAX) {
            mime->line = at;
            mime->end = window.len > MIME_HEADER_CEILING ? MIME_BAD_HEADER : mime->end;
            return false;
        }
        if (at + len + 1 > MIME_HEADER_CEILING) {
            mime->end = MIME_BAD_HEADER;
            return false;
        }
        bool is_blank = str_trim(str_slice(window, at, at + len)).len == 0;
        if (is_blank) {
            begin_part(mime, str_slice(window, 0, at));
            drop_front(mime, at + len + 1);
            mime->window_starts_line = true;
            mime->state = STATE_CONTENT;
            return true;
        }
        at += len + 1;
    }
}

/* Content, or what is in front of the first part, up to the next delimiter. */
static bool read_content(struct mime *mime)
{
    struct delimiter delimiter;
    enum search result = find_delimiter(mime, &delimiter);
    if (mime->state == STATE_CONTENT) {
        emit(mime, str_slice(window_of(mime), 0, delimiter.from));
    }
    if (result != SEARCH_FOUND) {
        mime->window_starts_line = mime->window_starts_line && delimiter.from == 0;
        drop_front(mime, delimiter.from);
        return false;
    }
    drop_front(mime, delimiter.to);
    mime->state = delimiter.is_last ? STATE_EPILOGUE : STATE_HEADER;
    return true;
}

static bool step(struct mime *mime)
{
    switch (mime->state) {
    case STATE_START:
        return read_first_line(mime);
    case STATE_HEADER:
        return read_header(mime);
    case STATE_PREAMBLE:
    case STATE_CONTENT:
        return read_content(mime);
    default:
        drop_front(mime, window_of(mime).len);
        return false;
    }
}

void mime_feed(struct mime *mime, struct str bytes)
{
    if (mime->end == MIME_WHOLE) {
        buf_append_str(&mime->window, bytes);
        while (mime->end == MIME_WHOLE && step(mime)) {
        }
        close_gap(mime);
    }
}

enum mime_end mime_finish(struct mime *mime)
{
    if (mime->end == MIME_WHOLE && mime->state == STATE_START) {
        mime->end = MIME_NO_BOUNDARY;
    } else if (mime->end == MIME_WHOLE && mime->parts == 0) {
        mime->end = MIME_NO_PART;
    } else if (mime->end == MIME_WHOLE && mime->state != STATE_EPILOGUE) {
        mime->end = MIME_CUT_OFF;
    }
    return mime->end;
}

const char *mime_end_text(enum mime_end end)
{
    static const char *const texts[MIME_END_COUNT] = {
        [MIME_WHOLE] = "",
        [MIME_NO_BOUNDARY] = "multipart without a boundary",
        [MIME_NO_PART] = "multipart without parts",
        [MIME_BAD_HEADER] = "multipart with an endless part header",
        [MIME_BAD_ENCODING] = "multipart in an unknown transfer encoding",
        [MIME_CUT_OFF] = "multipart without its last boundary",
    };
    return end < MIME_END_COUNT ? texts[end] : "";
}

size_t mime_parts(const struct mime *mime)
{
    return mime->parts;
}

size_t mime_offset(const struct mime *mime)
{
    return mime->dropped;
}

bool mime_start_is_lost(const struct mime *mime)
{
    return mime->parts > 0 && !mime->root_is_sure;
}

bool mime_is_plain(const struct mime *mime)
{
    return mime->coding.kind == PART_CODING_NONE;
}

bool mime_is_likely(struct str bytes)
{
    return str_starts_with(str_trim(bytes), STR("-"));
}
