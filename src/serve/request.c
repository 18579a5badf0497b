/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads requests with llhttp: finds their ends, takes chunks apart, keeps the two fields that the
 * service looks at, and stops what passes a ceiling. A body that comes whole with its head is not
 * copied: it is a view into the bytes given, so it must be used before the next read.
 */
#include "lather/serve/request.h"

#include <string.h>

enum { FIELD_OTHER = 0, FIELD_CONTENT_TYPE, FIELD_EXPECT };

static const struct str nothing = {.data = NULL, .len = 0};

static struct request *of(llhttp_t *parser)
{
    return parser->data;
}

static int refuse(struct request *request, enum request_refusal refusal)
{
    request->refusal = refusal;
    return -1;
}

static void gather(struct request_value *value, const char *at, size_t len)
{
    if (value->len < sizeof value->text) {
        size_t room = sizeof value->text - value->len;
        memcpy(value->text + value->len, at, len < room ? len : room);
    }
    value->len += len;
}

static int count_head(struct request *request, size_t len)
{
    request->head_bytes += len;
    return request->head_bytes > REQUEST_HEAD_CEILING ? refuse(request, REQUEST_REFUSAL_HEAD) : 0;
}

static int on_message_begin(llhttp_t *parser)
{
    struct request *request = of(parser);
    request->head_bytes = 0;
    request->expects = false;
    request->content_type.len = request->expect.len = request->name.len = 0;
    request->span = nothing;
    if (request->body.capacity > REQUEST_KEPT_BYTES) {
        buf_deinit(&request->body);
    }
    buf_reset(&request->body);
    return 0;
}

static int on_url(llhttp_t *parser, const char *at, size_t len)
{
    (void)at;
    return count_head(of(parser), len);
}

static int on_field(llhttp_t *parser, const char *at, size_t len)
{
    struct request *request = of(parser);
    gather(&request->name, at, len);
    return count_head(request, len);
}

static int on_field_end(llhttp_t *parser)
{
    struct request *request = of(parser);
    bool was_cut = request->name.len > sizeof request->name.text;
    struct str name = was_cut ? nothing : str_of(request->name.text, request->name.len);
    request->field = FIELD_OTHER;
    if (str_equals_nocase(name, STR("Content-Type"))) {
        request->field = FIELD_CONTENT_TYPE;
    } else if (str_equals_nocase(name, STR("Expect"))) {
        request->field = FIELD_EXPECT;
    }
    request->name.len = 0;
    return 0;
}

static int on_value(llhttp_t *parser, const char *at, size_t len)
{
    struct request *request = of(parser);
    if (request->field == FIELD_CONTENT_TYPE) {
        gather(&request->content_type, at, len);
    } else if (request->field == FIELD_EXPECT) {
        gather(&request->expect, at, len);
    }
    return count_head(request, len);
}

/* RFC 9110, 10.1.1: HTTP/1.0 clients cannot expect anything, others only "100-continue". */
static int check_expectation(struct request *request)
{
    if (request->expect.len == 0 || request_is_http_10(request)) {
        return 0;
    }
    struct str expect = str_of(request->expect.text, request->expect.len);
    if (expect.len > sizeof request->expect.text ||
        !str_equals_nocase(expect, STR("100-continue"))) {
        return refuse(request, REQUEST_REFUSAL_EXPECT);
    }
    request->expects = true;
    return HPE_PAUSED;
}

static int on_headers_end(llhttp_t *parser)
{
    struct request *request = of(parser);
    parser->upgrade = 0; /* never taken up, nor is CONNECT: what follows is HTTP/1.1 again */
    if ((parser->flags & F_CONTENT_LENGTH) != 0 && parser->content_length > REQUEST_BODY_CEILING) {
        return refuse(request, REQUEST_REFUSAL_BODY);
    }
    return check_expectation(request);
}

/* Puts what lies in the bytes being read where it can stay. */
static void keep_span(struct request *request)
{
    if (request->span.len > 0) {
        buf_append_str(&request->body, request->span);
        request->span = nothing;
    }
}

static int on_body(llhttp_t *parser, const char *at, size_t len)
{
    struct request *request = of(parser);
    if (request->body.len + request->span.len + len > REQUEST_BODY_CEILING) {
        return refuse(request, REQUEST_REFUSAL_BODY);
    }
    keep_span(request);
    if (request->body.len > 0) {
        buf_append(&request->body, at, len);
    } else {
        request->span = str_of(at, len);
    }
    return 0;
}

static int on_message_end(llhttp_t *parser)
{
    struct request *request = of(parser);
    request->expects = false;
    request->keeps_alive = llhttp_should_keep_alive(parser) != 0;
    return HPE_PAUSED;
}

static const llhttp_settings_t settings = {
    .on_message_begin = on_message_begin,
    .on_url = on_url,
    .on_header_field = on_field,
    .on_header_field_complete = on_field_end,
    .on_header_value = on_value,
    .on_headers_complete = on_headers_end,
    .on_body = on_body,
    .on_message_complete = on_message_end,
};

void request_init(struct request *request)
{
    request->refusal = REQUEST_REFUSAL_NONE;
    request->content_type.len = request->expect.len = request->name.len = 0;
    request->keeps_alive = request->expects = false;
    request->field = FIELD_OTHER;
    request->head_bytes = 0;
    request->span = nothing;
    buf_init(&request->body);
    llhttp_init(&request->parser, HTTP_REQUEST, &settings);
    request->parser.data = request;
}

void request_deinit(struct request *request)
{
    buf_deinit(&request->body);
}

enum request_event request_read(struct request *request, struct str bytes, size_t *used)
{
    llhttp_errno_t result = llhttp_execute(&request->parser, bytes.data, bytes.len);
    *used = bytes.len;
    if (result == HPE_OK) {
        keep_span(request);
        return REQUEST_MORE;
    }
    if (result != HPE_PAUSED) {
        if (request->refusal == REQUEST_REFUSAL_NONE) {
            request->refusal = REQUEST_REFUSAL_SYNTAX;
        }
        request->keeps_alive = false;
        return REQUEST_REFUSED;
    }
    *used = (size_t)(llhttp_get_error_pos(&request->parser) - bytes.data);
    llhttp_resume(&request->parser);
    return request->expects ? REQUEST_EXPECTS : REQUEST_WHOLE;
}

struct str request_body(const struct request *request)
{
    return request->span.len > 0 ? request->span : buf_view(&request->body);
}

uint8_t request_method(const struct request *request)
{
    return request->parser.method;
}

bool request_is_http_10(const struct request *request)
{
    return request->parser.http_major < 1 ||
           (request->parser.http_major == 1 && request->parser.http_minor == 0);
}
