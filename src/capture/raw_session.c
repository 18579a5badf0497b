/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Fiddler's text and its archive have in common: a request as it went over the wire, and the
 * reasons for which one is not sent again. Where its bytes begin and end is its readers' matter.
 */
#include "lather/capture/raw_session.h"

#include "lather/capture/gather.h"
#include "lather/capture/http_text.h"
#include "lather/capture/import.h"

enum raw_session_head raw_session_take_head(struct str *rest, struct capture *capture,
                                            struct capture_message *message)
{
    struct str line;
    struct str method;
    struct str target;
    CHECK(http_text_take_line(rest, &line) && http_text_parse_request_line(line, &method, &target));
    message->method = str_dup(method);
    message->url = gather_clean(target);
    return http_text_take_fields(rest, capture, message) ? RAW_SESSION_HEAD_WHOLE
                                                         : RAW_SESSION_HEAD_TOO_LARGE;
}

/* The bytes Content-Length announces; 0 when there is none or it is no number. */
static uint64_t announced_bytes(const struct capture_message *message)
{
    uint64_t bytes = 0;
    const char *field = http_head_find(&message->head, STR("Content-Length"));
    return field != NULL && str_to_u64(str_from(field), &bytes) ? bytes : 0;
}

static const char *reason_to_skip(const struct capture_message *message, enum raw_session_head head)
{
    if (str_equals(str_from(message->method), STR("CONNECT"))) {
        return "a tunnel, not a message; if its host has no other request here, HTTPS was not "
               "decrypted when this was recorded";
    }
    if (head == RAW_SESSION_HEAD_TOO_LARGE) {
        return "more header fields than any server takes";
    }
    if (message->body.len == 0 && announced_bytes(message) > 0) {
        return "the body that Content-Length announces is missing (were the headers saved alone?)";
    }
    return NULL;
}

bool raw_session_import(struct capture *capture, struct capture_message *message,
                        enum raw_session_head head)
{
    const char *reason = reason_to_skip(message, head);
    if (reason != NULL) {
        gather_skip(capture, message->place, "%.20s %.300s: %s", message->method, message->url,
                    reason);
        capture_message_deinit(message);
        return false;
    }
    bool is_short = message->body.len < announced_bytes(message);
    const struct import_facts facts = {
        .body = is_short ? IMPORT_BODY_MAY_BE_CUT : IMPORT_BODY_WHOLE,
    };
    return import_message(capture, message, &facts);
}
