/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all transports share: the exchange record and the calls through the table of functions that
 * the worker chose once, when it started.
 */
#include "lather/net/transport.h"

void exchange_init(struct exchange *exchange)
{
    *exchange = (struct exchange){.end = TRANSPORT_END_CUT};
    http1_answer_init(&exchange->answer);
    buf_init(&exchange->store);
}

void exchange_deinit(struct exchange *exchange)
{
    http1_answer_deinit(&exchange->answer);
    buf_deinit(&exchange->store);
}

struct answer exchange_answer(const struct exchange *exchange)
{
    const struct http1_answer *answer = &exchange->answer;
    return (struct answer){
        .status = answer->status,
        .reason_phrase = http1_answer_reason(answer),
        .content_type = http1_answer_field(answer, HTTP1_FIELD_CONTENT_TYPE),
        .content_encoding = http1_answer_field(answer, HTTP1_FIELD_CONTENT_ENCODING),
        .location = http1_answer_field(answer, HTTP1_FIELD_LOCATION),
        .body = exchange->body,
    };
}

void exchange_keep_body(struct exchange *exchange)
{
    if (exchange->body.len == 0 || exchange->body.data == exchange->store.data) {
        return;
    }
    buf_reset(&exchange->store);
    buf_append_str(&exchange->store, exchange->body);
    exchange->body = buf_view(&exchange->store);
}

void transport_send(struct transport *transport, uint32_t slot, struct exchange *exchange)
{
    transport->operations->send(transport, slot, exchange);
}

void transport_part(struct transport *transport, uint32_t slot)
{
    if (transport->operations->part != NULL) {
        transport->operations->part(transport, slot);
    }
}

void transport_stop(struct transport *transport)
{
    transport->operations->stop(transport);
}

uint64_t transport_take_turn_start(struct transport *transport)
{
    return transport->operations->take_turn_start(transport);
}

void transport_free(struct transport *transport)
{
    if (transport != NULL) {
        transport->operations->free(transport);
    }
}
