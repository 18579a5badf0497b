/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides what a request gets: a page, an order's answer, 202, a Fault, or an answer of HTTP
 * alone. Each request is counted here once, under one head. It answers as a WCF service would:
 * a wrong media type is 415 with the explanation in the reason phrase, everything wrong with an
 * envelope is a Fault with status 500.
 */
#include "lather/serve/dispatch.h"

#include <time.h>

#include "lather/base/clock.h"
#include "lather/base/http_head.h"
#include "lather/serve/message.h"

/* What the helpers below need of one call. */
struct call {
    struct dispatch *dispatch;
    struct request *request;
    struct response_frame frame;
    struct buf *lead;
    struct str *tail;
};

void dispatch_init(struct dispatch *dispatch, const struct serve_options *options, size_t index)
{
    *dispatch = (struct dispatch){.book = response_book_new(options->size_bytes)};
    refusals_init(&dispatch->refusals, options->fault_rate, index);
}

void dispatch_deinit(struct dispatch *dispatch)
{
    response_book_free(dispatch->book);
    dispatch->book = NULL;
}

/* The Date field's value, renewed once a second. */
static struct str date_of(struct dispatch *dispatch, uint64_t now_s)
{
    if (dispatch->date[0] == '\0' || now_s != dispatch->date_s) {
        time_t wall_s = (time_t)(clock_wall_ns() / NS_PER_S);
        struct tm utc;
        if (gmtime_r(&wall_s, &utc) == NULL || strftime(dispatch->date, sizeof dispatch->date,
                                                        "%a, %d %b %Y %H:%M:%S GMT", &utc) == 0) {
            dispatch->date[0] = '\0';
        }
        dispatch->date_s = now_s;
    }
    return str_from(dispatch->date);
}

/* The SOAP version that a request's Content-Type stands for. */
static enum soap_version version_of_type(const struct request *request)
{
    const struct request_value *value = &request->content_type;
    if (value->len > sizeof value->text) {
        return SOAP_VERSION_NONE;
    }
    struct str type;
    struct str charset;
    http_head_split_media_type(str_of(value->text, value->len), &type, STR("charset"), &charset);
    if (charset.len > 0 && !str_equals_nocase(charset, STR("utf-8")) &&
        !str_equals_nocase(charset, STR("us-ascii"))) {
        return SOAP_VERSION_NONE;
    }
    if (str_equals_nocase(type, STR("application/soap+xml"))) {
        return SOAP_VERSION_12;
    }
    return str_equals_nocase(type, STR("text/xml")) ? SOAP_VERSION_11 : SOAP_VERSION_NONE;
}

static void answer_wrong_type(const struct call *call, enum soap_version expected)
{
    struct request_value *value = &call->request->content_type;
    size_t len = value->len < sizeof value->text ? value->len : sizeof value->text;
    for (size_t i = 0; i < len; i++) {
        bool is_printable = value->text[i] >= ' ' && value->text[i] < 127;
        value->text[i] = is_printable ? value->text[i] : '?';
    }
    struct buf status_line;
    buf_init(&status_line);
    buf_printf(&status_line,
               "415 Cannot process the message because the content type '%.*s' was not the "
               "expected type '%.*s'.",
               (int)len, value->text, STR_ARG(response_content_type(expected)));
    call->dispatch->counts.bad_requests++;
    response_plain(&call->frame, buf_view(&status_line), STR(""), STR("Unsupported media type."),
                   call->lead);
    buf_deinit(&status_line);
}

static void answer_order(const struct call *call, const struct message *message)
{
    struct dispatch *dispatch = call->dispatch;
    if (refusals_next(&dispatch->refusals)) {
        dispatch->counts.faults++;
        response_refusal(&call->frame, message, call->lead);
        return;
    }
    dispatch->counts.orders++;
    response_order(dispatch->book, &call->frame, message, call->lead, call->tail);
}

static void answer_envelope(const struct call *call)
{
    enum soap_version type_version = version_of_type(call->request);
    if (type_version == SOAP_VERSION_NONE) {
        answer_wrong_type(call, SOAP_VERSION_11);
        return;
    }
    struct message message;
    message_read(&message, request_body(call->request));
    if (message.version != SOAP_VERSION_NONE && message.version != type_version) {
        answer_wrong_type(call, message.version);
        return;
    }
    switch (message.kind) {
    case MESSAGE_ORDER:
        answer_order(call, &message);
        return;
    case MESSAGE_NOTICE:
        call->dispatch->counts.one_way++;
        response_accepted(&call->frame, call->lead);
        return;
    case MESSAGE_WRONG:
        call->dispatch->counts.faults++;
        response_fault(&call->frame, &message, call->lead);
        return;
    case MESSAGE_BAD:
    default:
        call->dispatch->counts.bad_requests++;
        message.version = message.fault == MESSAGE_FAULT_VERSION ? SOAP_VERSION_11 : type_version;
        response_fault(&call->frame, &message, call->lead);
        return;
    }
}

static void answer_refusal(const struct call *call)
{
    static const struct {
        const char *status_line;
        const char *sentence;
    } words[REQUEST_REFUSAL_COUNT] = {
        [REQUEST_REFUSAL_NONE] = {"", ""},
        [REQUEST_REFUSAL_SYNTAX] = {"400 Bad Request", "This is no request of HTTP/1.1."},
        [REQUEST_REFUSAL_HEAD] = {"431 Request Header Fields Too Large",
                                  "The head has more than 64 KiB."},
        [REQUEST_REFUSAL_BODY] = {"413 Content Too Large", "The body has more than 64 MiB."},
        [REQUEST_REFUSAL_EXPECT] = {"417 Expectation Failed",
                                    "Nothing but 100-continue can be expected."},
    };
    call->dispatch->counts.bad_requests++;
    enum request_refusal refusal = call->request->refusal;
    response_plain(&call->frame, str_from(words[refusal].status_line), STR(""),
                   str_from(words[refusal].sentence), call->lead);
}

void dispatch_answer(struct dispatch *dispatch, struct request *request,
                     enum response_connection connection, uint64_t now_s, struct buf *lead,
                     struct str *tail)
{
    struct call call = {.dispatch = dispatch,
                        .request = request,
                        .frame = {.connection = connection, .date = date_of(dispatch, now_s)},
                        .lead = lead,
                        .tail = tail};
    *tail = (struct str){.data = NULL, .len = 0};
    dispatch->counts.requests++;
    if (request->refusal != REQUEST_REFUSAL_NONE) {
        answer_refusal(&call);
        return;
    }
    switch (request_method(request)) {
    case HTTP_POST:
        answer_envelope(&call);
        return;
    case HTTP_GET:
        dispatch->counts.pages++;
        response_page(&call.frame, RESPONSE_WHOLE, lead);
        return;
    case HTTP_HEAD:
        dispatch->counts.pages++;
        response_page(&call.frame, RESPONSE_HEAD_ONLY, lead);
        return;
    default:
        dispatch->counts.bad_requests++;
        response_plain(&call.frame, STR("405 Method Not Allowed"),
                       STR("Allow: POST, GET, HEAD\r\n"), STR("Envelopes are taken by POST."),
                       lead);
        return;
    }
}
