/* SPDX-License-Identifier: Apache-2.0 */
/* A request to the embedded service: read alike in one piece and in many, and its message never
 * leaves the body. */
#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/serve/message.h"
#include "lather/serve/request.h"

static void check_within(struct str part, struct str whole)
{
    CHECK(part.len == 0 ||
          (part.data >= whole.data && part.data + part.len <= whole.data + whole.len));
}

static void check_message(struct str body)
{
    struct message message;
    message_read(&message, body);
    bool is_good = message.kind == MESSAGE_ORDER || message.kind == MESSAGE_NOTICE;
    CHECK(is_good == (message.problem == NULL));
    if (is_good) {
        CHECK(message.message_id.len <= MESSAGE_ECHO_CEILING);
        CHECK(message.order_id.len <= MESSAGE_ECHO_CEILING);
    }
    check_within(message.message_id, body);
    check_within(message.order_id, body);
    check_within(message.operation, body);
}

/* What became of the first request in the bytes, and how long its body was. */
static enum request_event read_in_pieces(struct str bytes, size_t piece, size_t *body_bytes)
{
    struct request request;
    request_init(&request);
    enum request_event event = REQUEST_MORE;
    size_t at = 0;
    while (at < bytes.len && (event == REQUEST_MORE || event == REQUEST_EXPECTS)) {
        size_t end = bytes.len - at < piece ? bytes.len : at + piece;
        size_t used = 0;
        event = request_read(&request, str_slice(bytes, at, end), &used);
        CHECK(used <= end - at);
        CHECK(event != REQUEST_MORE || used == end - at);
        at += used;
    }
    if (event == REQUEST_WHOLE) {
        *body_bytes = request_body(&request).len;
        check_message(request_body(&request));
    } else if (event == REQUEST_REFUSED) {
        CHECK(request.refusal != REQUEST_REFUSAL_NONE);
    }
    request_deinit(&request);
    return event;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = str_of((const char *)data, size);
    size_t whole_body = 0;
    size_t cut_body = 0;
    enum request_event whole = read_in_pieces(bytes, size > 0 ? size : 1, &whole_body);
    enum request_event cut = read_in_pieces(bytes, 1 + size % 5, &cut_body);
    CHECK(whole == cut && whole_body == cut_body);
    check_message(bytes);
    return 0;
}
