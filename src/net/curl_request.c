/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the bytes of a request to what libcurl is told. The plan writes requests as bytes, because
 * that is what goes over the wire; libcurl writes heads itself, because it has to repeat them with
 * other fields while it authenticates. The traps: it adds fields of its own unless they are named
 * with nothing behind the colon, and a field without value must be named with a semicolon.
 */
#include "lather/net/curl_request.h"

#include <stdlib.h>
#include <string.h>

void curl_request_init(struct curl_request *request)
{
    *request = (struct curl_request){.method = NULL};
    buf_init(&request->joined);
    buf_init(&request->head);
    request->url = curl_url();
    CHECK(request->url != NULL);
}

static void curl_request_forget(struct curl_request *request)
{
    free(request->method);
    free(request->target);
    curl_slist_free_all(request->lines);
    request->method = NULL;
    request->target = NULL;
    request->lines = NULL;
    request->has_length = false;
    buf_reset(&request->head);
}

void curl_request_deinit(struct curl_request *request)
{
    curl_request_forget(request);
    buf_deinit(&request->joined);
    buf_deinit(&request->head);
    curl_url_cleanup(request->url);
    free(request->seen);
}

static void curl_request_add_line(struct curl_request *request, const char *line)
{
    struct curl_slist *longer = curl_slist_append(request->lines, line);
    CHECK(longer != NULL);
    request->lines = longer;
}

/* What libcurl adds unless the request has it. */
static const struct str curl_request_own[] = {
    {.data = "Host", .len = 4},        {.data = "Accept", .len = 6},
    {.data = "User-Agent", .len = 10}, {.data = "Content-Type", .len = 12},
    {.data = "Expect", .len = 6},      {.data = "Proxy-Connection", .len = 16},
};
enum { CURL_REQUEST_OWN_COUNT = sizeof curl_request_own / sizeof *curl_request_own };

/* What is known while the lines of a head are gone through. */
struct curl_request_head {
    bool has_own[CURL_REQUEST_OWN_COUNT];
    bool is_chunked;
};

/* A Content-Length that is the body's is left to libcurl: it must be 0 in the first legs. */
static bool curl_request_is_own_length(const struct curl_request *request, struct str value)
{
    uint64_t length = 0;
    return str_to_u64(value, &length) && length == request->pieces.bytes;
}

static void curl_request_take_field(struct curl_request *request, struct curl_request_head *head,
                                    struct str line)
{
    struct str name;
    struct str value;
    (void)str_split(line, ':', &name, &value);
    value = str_trim(value);
    for (size_t i = 0; i < CURL_REQUEST_OWN_COUNT; i++) {
        head->has_own[i] = head->has_own[i] || str_equals_nocase(name, curl_request_own[i]);
    }
    if (str_equals_nocase(name, STR("Transfer-Encoding"))) {
        head->is_chunked = true;
    }
    if (str_equals_nocase(name, STR("Content-Length"))) {
        request->has_length = true;
        if (curl_request_is_own_length(request, value)) {
            return;
        }
    }
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, name);
    buf_append_str(&text, value.len > 0 ? STR(": ") : STR(";"));
    buf_append_str(&text, value);
    curl_request_add_line(request, text.data);
    buf_deinit(&text);
}

static void curl_request_hold_back(struct curl_request *request,
                                   const struct curl_request_head *head)
{
    for (size_t i = 0; i < CURL_REQUEST_OWN_COUNT; i++) {
        if (!head->has_own[i]) {
            char line[32];
            memcpy(line, curl_request_own[i].data, curl_request_own[i].len);
            memcpy(line + curl_request_own[i].len, ":", 2);
            curl_request_add_line(request, line);
        }
    }
}

/* "POST /path HTTP/1.1" */
static bool curl_request_take_line(struct curl_request *request, struct str line)
{
    struct str method;
    struct str target;
    struct str version;
    struct str rest;
    if (!str_split(line, ' ', &method, &rest) || !str_split(rest, ' ', &target, &version) ||
        method.len == 0 || target.len == 0 || !str_equals(version, STR("HTTP/1.1"))) {
        return false;
    }
    request->method = str_dup(method);
    request->target = str_dup(target);
    return true;
}

static bool curl_request_take_head(struct curl_request *request, struct str text)
{
    struct curl_request_head head = {.is_chunked = false};
    struct str line;
    (void)str_split(text, '\n', &line, &text);
    if (!curl_request_take_line(request, str_trim(line))) {
        return false;
    }
    while (text.len > 0) {
        (void)str_split(text, '\n', &line, &text);
        curl_request_take_field(request, &head, str_trim(line));
    }
    curl_request_hold_back(request, &head);
    return !head.is_chunked;
}

/* Whether it is that of the last time, before as long a body: ids change, and nothing else. */
static bool curl_request_has_same_head(const struct curl_request *request, struct str head,
                                       size_t body_bytes_before)
{
    return request->method != NULL && request->pieces.bytes == body_bytes_before &&
           str_equals(buf_view(&request->head), head);
}

/* --- pieces --------------------------------------------------------------------------------- */

static bool curl_request_is_seen(const struct curl_request *request,
                                 const struct exchange *exchange)
{
    if (!exchange->is_constant || request->seen_count != exchange->piece_count) {
        return false;
    }
    for (size_t i = 0; i < exchange->piece_count; i++) {
        if (request->seen[i].data != exchange->pieces[i].data ||
            request->seen[i].len != exchange->pieces[i].len) {
            return false;
        }
    }
    return true;
}

static void curl_request_remember(struct curl_request *request, const struct exchange *exchange)
{
    if (!exchange->is_constant) {
        return;
    }
    const size_t bytes = exchange->piece_count * sizeof(*request->seen);
    request->seen = check_realloc(request->seen, bytes);
    memcpy(request->seen, exchange->pieces, bytes);
    request->seen_count = exchange->piece_count;
}

#define CURL_REQUEST_HEAD_END STR("\r\n\r\n")
enum { CURL_REQUEST_HEAD_END_LEN = 4 };

/*
 * Appends a piece to the head as far as it belongs to it. Returns how many of its bytes do when the
 * head ends in it, else SIZE_MAX. The end may lie across two pieces.
 */
static size_t curl_request_add_head(struct buf *head, struct str piece)
{
    const size_t across = CURL_REQUEST_HEAD_END_LEN - 1;
    const size_t before = head->len;
    const size_t from = before > across ? before - across : 0;
    const size_t few = piece.len < across ? piece.len : across;
    buf_append_str(head, str_slice(piece, 0, few));
    const size_t early =
        str_find(str_slice(buf_view(head), from, head->len), CURL_REQUEST_HEAD_END);
    if (early != SIZE_MAX) {
        return from + early + CURL_REQUEST_HEAD_END_LEN - before;
    }
    const size_t at = str_find(piece, CURL_REQUEST_HEAD_END);
    const size_t end = at != SIZE_MAX ? at + CURL_REQUEST_HEAD_END_LEN : piece.len;
    buf_append_str(head, str_slice(piece, few, end));
    return at != SIZE_MAX ? end : SIZE_MAX;
}

/* Finds the head, joined from as many pieces as it lies in, and the pieces behind it. */
static bool curl_request_find_body(struct curl_request *request, const struct exchange *exchange,
                                   size_t *head_bytes)
{
    buf_reset(&request->joined);
    for (size_t i = 0; i < exchange->piece_count; i++) {
        const size_t before = request->joined.len;
        const size_t skip = curl_request_add_head(&request->joined, exchange->pieces[i]);
        if (skip != SIZE_MAX) {
            *head_bytes = before + skip;
            curl_body_begin(&request->pieces, exchange->pieces + i, exchange->piece_count - i,
                            skip);
            return true;
        }
    }
    return false;
}

/* The body's one run, when it lies in one. */
static bool curl_request_has_run(const struct curl_body *body, struct str *run)
{
    size_t filled = 0;
    *run = str_of(NULL, 0);
    for (size_t i = 0; i < body->count; i++) {
        const struct str piece = str_slice(body->pieces[i], i == 0 ? body->skip : 0, SIZE_MAX);
        if (piece.len > 0) {
            *run = piece;
            filled++;
        }
    }
    return filled <= 1;
}

static void curl_request_lay_out_body(struct curl_request *request, size_t head_bytes)
{
    struct curl_body *body = &request->pieces;
    request->is_in_pieces = false;
    if (curl_request_has_run(body, &request->body)) {
        return;
    }
    request->body = str_of(NULL, 0);
    if (body->bytes > CURL_REQUEST_JOIN_CEILING) {
        request->is_in_pieces = true;
        return;
    }
    /* Some of it may have come with the head's end. */
    curl_body_seek(body, request->joined.len - head_bytes);
    for (size_t i = body->piece; i < body->count; i++) {
        buf_append_str(&request->joined,
                       str_slice(body->pieces[i], i == body->piece ? body->offset : 0, SIZE_MAX));
    }
    curl_body_seek(body, 0);
    request->body = str_slice(buf_view(&request->joined), head_bytes, request->joined.len);
}

enum curl_request_state curl_request_read(struct curl_request *request,
                                          const struct exchange *exchange)
{
    if (curl_request_is_seen(request, exchange)) {
        /* The same pieces, perhaps told by another exchange. */
        request->pieces.pieces = exchange->pieces + (exchange->piece_count - request->pieces.count);
        curl_body_seek(&request->pieces, 0);
        return CURL_REQUEST_SAME;
    }
    const size_t body_bytes_before = request->pieces.bytes;
    size_t head_bytes = 0;
    request->seen_count = 0;
    if (!curl_request_find_body(request, exchange, &head_bytes)) {
        return CURL_REQUEST_BAD;
    }
    curl_request_lay_out_body(request, head_bytes);
    const struct str head =
        str_slice(buf_view(&request->joined), 0, head_bytes - CURL_REQUEST_HEAD_END_LEN);
    const bool is_same = curl_request_has_same_head(request, head, body_bytes_before);
    if (!is_same) {
        curl_request_forget(request);
        if (!curl_request_take_head(request, head)) {
            return CURL_REQUEST_BAD;
        }
        buf_append_str(&request->head, head);
    }
    curl_request_remember(request, exchange);
    return is_same ? CURL_REQUEST_BODY : CURL_REQUEST_NEW;
}
