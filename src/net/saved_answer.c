/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An answer from a file, read as the wire is read: by http1, with the same ends. What is its own is
 * only the guess at what a file holds (a status line, fields alone, a bare body) and where framing
 * was taken away by whatever saved it. It never looks into a body further than its first bytes.
 */
#include "lather/net/saved_answer.h"

#include "lather/base/http_head.h"

void saved_answer_init(struct saved_answer *saved)
{
    *saved = (struct saved_answer){.form = SAVED_FORM_BODY};
    exchange_init(&saved->exchange);
}

void saved_answer_deinit(struct saved_answer *saved)
{
    exchange_deinit(&saved->exchange);
    saved_answer_init(saved);
}

/* --- what it is ----------------------------------------------------------------------------- */

/* Editors put a byte order mark in front of HTTP too; it is no part of it. */
static struct str skip_lead(struct str bytes)
{
    size_t from = str_starts_with(bytes, STR("\xEF\xBB\xBF")) ? 3 : 0;
    while (from < bytes.len && (bytes.data[from] == '\r' || bytes.data[from] == '\n')) {
        from++;
    }
    return str_slice(bytes, from, SIZE_MAX);
}

/* How long the head is, its blank line included; 0 when there is no blank line. */
static size_t head_length(struct str bytes)
{
    struct str rest = bytes;
    struct str line;
    while (str_split(rest, '\n', &line, &rest)) {
        if (line.len == 0 || (line.len == 1 && line.data[0] == '\r')) {
            return bytes.len - rest.len;
        }
    }
    return 0;
}

static struct str first_line(struct str bytes)
{
    struct str line;
    struct str rest;
    (void)str_split(bytes, '\n', &line, &rest);
    return str_trim(line);
}

/* "POST /x HTTP/1.1" */
static bool is_request_line(struct str line)
{
    struct str method;
    struct str rest;
    bool is_word = str_split(line, ' ', &method, &rest) && method.len > 0 && method.len < 32;
    for (size_t i = 0; i < method.len && is_word; i++) {
        is_word = (method.data[i] >= 'A' && method.data[i] <= 'Z') || method.data[i] == '-';
    }
    return is_word &&
           (str_ends_with(rest, STR(" HTTP/1.1")) || str_ends_with(rest, STR(" HTTP/1.0")));
}

/* Fields up to a blank line. A boundary of WCF, "--uuid:...", looks like one and is none. */
static bool is_fields(struct str bytes)
{
    struct str rest = str_slice(bytes, 0, head_length(bytes));
    struct str line;
    bool is_field = rest.len > 0 && !str_starts_with(rest, STR("--"));
    bool is_first = true;
    while (is_field && str_split(rest, '\n', &line, &rest)) {
        struct str name;
        struct str value;
        bool is_folded = line.len > 0 && (line.data[0] == ' ' || line.data[0] == '\t');
        if (str_trim(line).len == 0) {
            return !is_first;
        }
        is_field =
            (is_folded && !is_first) || http_head_parse_field(str_trim(line), &name, &value, NULL);
        is_first = false;
    }
    return false;
}

static enum saved_form form_of(struct str bytes)
{
    if (str_starts_with(bytes, STR("HTTP/"))) {
        return SAVED_FORM_HTTP;
    }
    if (is_request_line(first_line(bytes))) {
        return SAVED_FORM_REQUEST;
    }
    return is_fields(bytes) ? SAVED_FORM_FIELDS : SAVED_FORM_BODY;
}

struct str saved_answer_body(struct str bytes)
{
    struct str message = skip_lead(bytes);
    if (form_of(message) == SAVED_FORM_BODY) {
        return bytes;
    }
    size_t head = head_length(message);
    return str_slice(message, head == 0 ? message.len : head, SIZE_MAX);
}

/* --- reading -------------------------------------------------------------------------------- */

/* A body that lies in one piece, as all do but chunked ones, is not copied. */
static void on_body(void *context, const char *data, size_t len)
{
    struct exchange *exchange = context;
    if (exchange->body.len == 0) {
        exchange->body = str_of(data, len);
        return;
    }
    exchange_keep_body(exchange);
    buf_append(&exchange->store, data, len);
    exchange->body = buf_view(&exchange->store);
}

/* Feeds one head after the other, as interim answers come before the real one. */
static enum http1_progress feed_heads(struct http1_reader *reader, struct str *rest)
{
    enum http1_progress progress = HTTP1_MORE;
    while (progress == HTTP1_MORE && !http1_has_head(reader) && rest->len > 0) {
        size_t head = head_length(*rest);
        size_t used = 0;
        progress = http1_feed(reader, rest->data, head == 0 ? rest->len : head, &used);
        *rest = str_slice(*rest, used, SIZE_MAX);
    }
    return progress;
}

/* Whether the field says chunked and no size of a chunk is there. */
static bool is_unchunked(const struct http1_answer *answer, struct str body)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    return answer->is_chunked && body.len > 0 &&
           str_find_byte(str_of(digits, sizeof digits - 1), body.data[0]) == SIZE_MAX;
}

static enum http1_progress feed_body(struct http1_reader *reader, struct exchange *exchange,
                                     struct str *rest)
{
    if (is_unchunked(&exchange->answer, *rest)) {
        exchange->body = *rest;
        exchange->answer.body_bytes = rest->len;
        *rest = str_slice(*rest, rest->len, SIZE_MAX);
        return HTTP1_DONE;
    }
    size_t used = 0;
    enum http1_progress progress = http1_feed(reader, rest->data, rest->len, &used);
    *rest = str_slice(*rest, used, SIZE_MAX);
    return progress == HTTP1_MORE ? http1_end(reader) : progress;
}

static void read_http(struct saved_answer *saved, struct str bytes)
{
    static const struct str status_line = {.data = "HTTP/1.1 200 OK\r\n", .len = 17};
    struct exchange *exchange = &saved->exchange;
    struct http1_reader reader;
    struct str rest = bytes;
    size_t used = 0;
    http1_begin(&reader, &exchange->answer, HTTP1_BODY_BY_HEAD, on_body, exchange);
    enum http1_progress progress = HTTP1_MORE;
    if (saved->form == SAVED_FORM_FIELDS) {
        progress = http1_feed(&reader, status_line.data, status_line.len, &used);
    }
    if (progress == HTTP1_MORE) {
        progress = feed_heads(&reader, &rest);
    }
    if (progress == HTTP1_MORE && http1_has_head(&reader)) {
        progress = feed_body(&reader, exchange, &rest);
    }
    exchange->first_byte_ns = 1; /* some came */
    if (progress == HTTP1_DONE) {
        exchange->end = TRANSPORT_END_ANSWERED;
        saved->behind = str_trim(rest).len;
    } else if (progress == HTTP1_MORE) {
        exchange->end = TRANSPORT_END_RECEIVE;
    } else {
        exchange->end = TRANSPORT_END_PROTOCOL;
        exchange->protocol_error = http1_error(&reader);
    }
}

void saved_answer_read(struct saved_answer *saved, struct str bytes)
{
    struct str message = skip_lead(bytes);
    saved_answer_deinit(saved);
    saved->form = form_of(message);
    if (saved->form == SAVED_FORM_BODY) {
        saved->exchange.end = TRANSPORT_END_ANSWERED;
        saved->exchange.answer.status = 200;
        saved->exchange.answer.body_bytes = bytes.len;
        saved->exchange.body = bytes;
    } else if (saved->form != SAVED_FORM_REQUEST) {
        read_http(saved, message);
    }
}
