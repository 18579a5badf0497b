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
}

static void curl_request_forget(struct curl_request *request)
{
    free(request->method);
    free(request->target);
    curl_slist_free_all(request->lines);
    request->method = NULL;
    request->target = NULL;
    request->lines = NULL;
    request->body = str_of(NULL, 0);
    request->has_length = false;
    request->read_data = NULL;
    request->read_len = 0;
}

void curl_request_deinit(struct curl_request *request)
{
    curl_request_forget(request);
    buf_deinit(&request->joined);
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
    return str_to_u64(value, &length) && length == request->body.len;
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

/* All pieces as one run: the first itself when there is no other. */
static struct str curl_request_join(struct curl_request *request, const struct str *pieces,
                                    size_t count)
{
    if (count == 1) {
        return pieces[0];
    }
    buf_reset(&request->joined);
    for (size_t i = 0; i < count; i++) {
        buf_append_str(&request->joined, pieces[i]);
    }
    return buf_view(&request->joined);
}

enum curl_request_state curl_request_read(struct curl_request *request, const struct str *pieces,
                                          size_t count)
{
    if (count == 1 && request->read_data == pieces[0].data && request->read_len == pieces[0].len) {
        return CURL_REQUEST_SAME;
    }
    curl_request_forget(request);
    const struct str bytes = curl_request_join(request, pieces, count);
    const size_t head_end = str_find(bytes, STR("\r\n\r\n"));
    if (head_end == SIZE_MAX) {
        return CURL_REQUEST_BAD;
    }
    request->body = str_slice(bytes, head_end + 4, bytes.len);
    if (!curl_request_take_head(request, str_slice(bytes, 0, head_end))) {
        return CURL_REQUEST_BAD;
    }
    if (count == 1) {
        request->read_data = pieces[0].data;
        request->read_len = pieces[0].len;
    }
    return CURL_REQUEST_NEW;
}
