/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a request's parts cannot be sent, and what can but will surprise. A line break inside a
 * part would end its line of the head and begin another, which nobody asked for. Remarks on the
 * message itself are soap/notes's.
 */
#include "lather/plan/request_check.h"

#include <string.h>

/* A text that goes into a line of the head must not end that line. */
static bool check_line(const char *option, const char *text, struct err *err)
{
    return text == NULL || strpbrk(text, "\r\n") == NULL ||
           err_set(err, ERR_USAGE, "%s: the value holds a line break: take it out", option);
}

static bool check_method(const char *method, struct err *err)
{
    struct str name;
    struct str value;
    struct buf line;
    buf_init(&line);
    buf_printf(&line, "%s:", method);
    bool is_token = http_head_parse_field(buf_view(&line), &name, &value, NULL);
    buf_deinit(&line);
    return (is_token && name.len == strlen(method)) ||
           err_set(err, ERR_USAGE, "\"%.60s\" is no method: give one word, such as POST", method);
}

bool request_check_refuse(const struct plan_request *request, struct err *err)
{
    if (!check_line("-m", request->method, err) ||
        !check_method(request->method == NULL ? "GET" : request->method, err) ||
        !check_line("-T", request->content_type, err) ||
        !check_line("--soap-action", request->soap_action, err)) {
        return false;
    }
    for (size_t i = 0; i < request->cookie_count; i++) {
        if (!check_line("-C", request->cookies[i], err)) {
            return false;
        }
    }
    if (http_head_find(request->headers, STR("Transfer-Encoding")) != NULL) {
        return err_set(err, ERR_USAGE,
                       "-H Transfer-Encoding: bodies are sent with their Content-Length: leave "
                       "the field out");
    }
    const char *length = http_head_find(request->headers, STR("Content-Length"));
    uint64_t value = 0;
    if (length != NULL && (!str_to_u64(str_from(length), &value) || value != request->body.len)) {
        return err_set(err, ERR_USAGE,
                       "-H Content-Length: %.40s is not the length of the message, %zu: leave the "
                       "field out, it is counted for each request",
                       length, request->body.len);
    }
    if (request->basic_credentials != NULL && strchr(request->basic_credentials, ':') == NULL) {
        return err_set(err, ERR_USAGE, "-A has no colon: give USER:PASSWORD");
    }
    return true;
}

void request_check_note(const struct plan_request *request, struct buf *notes)
{
    const char *connection = http_head_find(request->headers, STR("Connection"));
    if (connection != NULL &&
        request->keep_alive == (str_find_nocase(str_from(connection), STR("close")) != SIZE_MAX)) {
        buf_printf(notes, "Connection: %.40s given with -H contradicts %s\n", connection,
                   request->keep_alive ? "-k" : "a run without -k");
    }
    if (!request->has_body && request->method != NULL && strcmp(request->method, "POST") == 0) {
        buf_append_str(notes, STR("the POST has no body: a SOAP service answers 400; -p gives it "
                                  "a message\n"));
    }
    const char *expect = http_head_find(request->headers, STR("Expect"));
    if (expect != NULL) {
        buf_printf(notes,
                   "Expect: %.40s given with -H: the message is sent at once, without waiting for "
                   "the server's 100\n",
                   expect);
    }
}
