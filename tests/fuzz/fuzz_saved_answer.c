/* SPDX-License-Identifier: Apache-2.0 */
/* A file given to `lather judge`: whatever it is taken for, nothing is read beside it, its end has
 * a word, and what a run would write of it again reads as the same answer. */
#include <string.h>

#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/net/cause.h"
#include "lather/net/saved_answer.h"

static void check_inside(struct str outer, struct str inner)
{
    CHECK(inner.len == 0 ||
          (inner.data >= outer.data && inner.data + inner.len <= outer.data + outer.len));
}

static void check_end(const struct saved_answer *saved, struct str bytes)
{
    const struct exchange *exchange = &saved->exchange;
    char text[CAUSE_TEXT_SIZE];
    CHECK(exchange->body.len <= bytes.len && saved->behind <= bytes.len);
    CHECK(exchange->body.len + saved->behind <= bytes.len);
    switch (exchange->end) {
    case TRANSPORT_END_ANSWERED:
        CHECK(exchange->body.len == exchange->answer.body_bytes);
        CHECK(exchange->answer.status >= 100 && exchange->answer.status <= 999);
        CHECK(!exchange->answer.is_chunked || saved->form != SAVED_FORM_BODY);
        break;
    case TRANSPORT_END_PROTOCOL:
        CHECK(exchange->protocol_error != NULL);
        break;
    default:
        CHECK(exchange->end == TRANSPORT_END_RECEIVE);
        break;
    }
    if (exchange->end != TRANSPORT_END_ANSWERED) {
        CHECK(saved->form == SAVED_FORM_HTTP || saved->form == SAVED_FORM_FIELDS);
        CHECK(outcome_is_failure(cause_outcome(exchange->end, exchange->error)));
        CHECK(strlen(cause_format(exchange, text)) > 0);
    }
}

/* As --save-failures writes it: chunks joined, a length that fits. */
static void check_written_again(const struct saved_answer *saved)
{
    const struct exchange *exchange = &saved->exchange;
    struct buf copy;
    struct saved_answer again;
    buf_init(&copy);
    saved_answer_init(&again);
    buf_printf(&copy, "HTTP/1.1 %u again\r\nContent-Length: %zu\r\n\r\n",
               (unsigned)exchange->answer.status, exchange->body.len);
    buf_append_str(&copy, exchange->body);
    saved_answer_read(&again, buf_view(&copy));
    bool has_no_body = exchange->answer.status < 200 || exchange->answer.status == 204 ||
                       exchange->answer.status == 304;
    CHECK(again.form == SAVED_FORM_HTTP);
    if (!has_no_body) {
        CHECK(again.exchange.end == TRANSPORT_END_ANSWERED && again.behind == 0);
        CHECK(again.exchange.answer.status == exchange->answer.status);
        CHECK(str_equals(again.exchange.body, exchange->body));
        CHECK(str_equals(saved_answer_body(buf_view(&copy)), exchange->body));
    }
    saved_answer_deinit(&again);
    buf_deinit(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = str_of((const char *)data, size);
    struct saved_answer saved;
    saved_answer_init(&saved);
    saved_answer_read(&saved, bytes);
    CHECK(saved.form < SAVED_FORM_COUNT);
    check_inside(bytes, saved_answer_body(bytes));
    if (saved.form != SAVED_FORM_REQUEST) {
        check_end(&saved, bytes);
    }
    if (saved.form != SAVED_FORM_REQUEST && saved.exchange.end == TRANSPORT_END_ANSWERED) {
        check_written_again(&saved);
    }
    if (saved.form == SAVED_FORM_BODY) {
        CHECK(str_equals(saved.exchange.body, bytes) &&
              str_equals(saved_answer_body(bytes), bytes));
    }
    saved_answer_deinit(&saved);
    return 0;
}
