/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_TEST_EXCHANGE_FIXTURE_H
#define LATHER_TEST_EXCHANGE_FIXTURE_H

/* Exchanges as a transport leaves them, made of the bytes of an answer. */
#include <string.h>

#include "lather/net/transport.h"

/* What a fixture is made of; texts are borrowed. */
struct exchange_setting {
    const char *request; /* head and body */
    struct str answer;   /* the bytes that came; empty: none */
    enum transport_end end;
    uint64_t total_ns;
};

struct exchange_fixture {
    struct exchange exchange;
    struct http1_reader reader;
    struct str piece;
};

static inline void exchange_fixture_on_body(void *context, const char *data, size_t len)
{
    struct exchange *exchange = context;
    buf_append(&exchange->store, data, len);
    exchange->body = buf_view(&exchange->store);
}

static inline void exchange_fixture_init(struct exchange_fixture *fixture,
                                         const struct exchange_setting *setting)
{
    struct exchange *exchange = &fixture->exchange;
    exchange_init(exchange);
    fixture->piece = str_from(setting->request);
    exchange->pieces = &fixture->piece;
    exchange->piece_count = 1;
    exchange->request_bytes = fixture->piece.len;
    exchange->start_ns = 1000000000;
    exchange->sent_ns = 1000100000;
    exchange->end_ns = exchange->start_ns + setting->total_ns;
    http1_begin(&fixture->reader, &exchange->answer, HTTP1_BODY_BY_HEAD, exchange_fixture_on_body,
                exchange);
    http1_keep_lines(&fixture->reader);
    if (setting->answer.len > 0) {
        size_t used = 0;
        exchange->first_byte_ns = 1000200000;
        if (http1_feed(&fixture->reader, setting->answer.data, setting->answer.len, &used) ==
            HTTP1_BAD) {
            exchange->protocol_error = http1_error(&fixture->reader);
        }
        if (setting->end == TRANSPORT_END_ANSWERED) {
            (void)!http1_end(&fixture->reader);
        }
    }
    exchange->end = setting->end;
}

static inline void exchange_fixture_deinit(struct exchange_fixture *fixture)
{
    exchange_deinit(&fixture->exchange);
}

#endif
