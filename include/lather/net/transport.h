/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_TRANSPORT_H
#define LATHER_NET_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"
#include "lather/measure/tally.h"
#include "lather/net/address.h"
#include "lather/net/http1.h"
#include "lather/net/tls_context.h"
#include "lather/net/tls_facts.h"
#include "lather/soap/judge.h"

/*
 * What every transport is to a worker: a number of slots, each with at most one request under way.
 * The worker sends an exchange on a slot; the transport tells when it is done, and when the slot
 * can take the next one. Everything happens on the worker's thread and loop.
 */

/* How far an exchange came. Together with the error code it decides the outcome (net/cause.h). */
enum transport_end {
    TRANSPORT_END_ANSWERED = 0, /* a whole answer */
    TRANSPORT_END_CUT,          /* the transport was stopped */
    TRANSPORT_END_RESOLVE,      /* no address for the name, where it is looked up each time */
    TRANSPORT_END_CONNECT,      /* no connection */
    TRANSPORT_END_TLS,          /* no TLS on it, or TLS failed later */
    TRANSPORT_END_TIMEOUT,      /* connected, no whole answer in time */
    TRANSPORT_END_SEND,         /* the request could not be written */
    TRANSPORT_END_RECEIVE,      /* reset, or closed before the answer was whole */
    TRANSPORT_END_PROTOCOL,     /* not HTTP */
    TRANSPORT_END_TOO_LARGE,    /* cut off: more came than options.body_ceiling */
    TRANSPORT_END_COUNT
};

/*
 * One request and its answer. The worker owns it and sets the pieces of the request, which stay
 * valid until done; the transport fills the rest before `done`. Times are clock_now_ns; 0 means
 * "did not happen".
 */
struct exchange {
    const struct str *pieces; /* sent one behind the other */
    size_t piece_count;
    size_t request_bytes; /* their sum */
    bool is_constant;     /* pieces of the same place and length always hold the same bytes */

    enum transport_end end;
    int error;                  /* libuv's, 0 when none: why it ended so */
    const char *protocol_error; /* after TRANSPORT_END_PROTOCOL: what is wrong; valid during done.
                                   After TRANSPORT_END_CONNECT: what the proxy said, or NULL;
                                   after TRANSPORT_END_SEND: why it was not tried, or NULL */
    const char *tls_error;  /* after TRANSPORT_END_TLS: why, and what to do; valid during done */
    const char *hint;       /* what its refusal asks us to do, always valid; NULL: nothing known */
    uint64_t start_ns;      /* before the connect, or before the first byte on a kept connection */
    uint64_t connect_ns;    /* spent connecting, handshake included; 0 on a kept connection */
    uint64_t auth_ns;       /* spent on its auth_legs, from the first one's start; 0 without */
    uint64_t sent_ns;       /* the last byte went to the system */
    uint64_t first_byte_ns; /* the first byte of the (final) answer was read */
    uint64_t end_ns;        /* the last byte of the answer was read, or the failure seen */
    bool opened;            /* it opened a connection */
    bool sent_again;        /* the kept connection had been closed: sent on a new one */
    uint32_t auth_legs; /* requests of a handshake that were answered before this one went out */
    struct http1_answer answer;
    struct str body;  /* the gathered body, framing removed; may lie in the read buffer, and then is
                         valid during `done` only (exchange_keep_body) */
    struct buf store; /* where a gathered body lies when it does not */
    struct str message_id;   /* the worker's: wsa:MessageID sent; empty when there is none */
    uint32_t message;        /* the worker's: which of the plan's it is */
    struct traffic *traffic; /* the worker's: where its bytes are counted; set before it is sent */
    uint64_t due_ns;         /* the worker's: when an open loop wanted it sent; 0 in a closed one */
    void *stream;            /* the worker's, while a large body is streamed */
};

/* An exchange without a request, in caller's storage. */
void exchange_init(struct exchange *exchange);
/* Frees the answer's text and the stored body. */
void exchange_deinit(struct exchange *exchange);

/*
 * The answer as the judge takes it, views into the exchange. What the request was and how long it
 * took is the caller's to fill in.
 */
struct answer exchange_answer(const struct exchange *exchange);

/* Copies the body out of the read buffer, so that it is valid until the exchange is sent again. */
void exchange_keep_body(struct exchange *exchange);

/* Bodies up to this length are gathered as a rule (transport_options.gather_ceiling). */
enum { TRANSPORT_GATHER_CEILING = 64 * 1024 };

struct transport_events {
    /* The exchange ended; the answer, if any, is in it. The slot is not free yet. */
    void (*done)(void *context, uint32_t slot, struct exchange *exchange);
    /* The slot can take the next exchange: transport_send may be called right here. */
    void (*ready)(void *context, uint32_t slot);
    /*
     * A body larger than options.gather_ceiling, piece by piece from its start; the head is
     * known. After it exchange->body is empty. NULL with bodies that nobody wants.
     */
    void (*stream)(void *context, struct exchange *exchange, struct str bytes);
    void *context;
};

struct transport_options {
    uv_loop_t *loop;
    const struct address_list *addresses; /* copied */
    const struct address_list *sources;   /* local addresses, used in turn; NULL: the system's */
    uint32_t requests_per_connection;     /* with keep_alive: then it is closed; 0: no limit */
    uint32_t slots;
    bool keep_alive;
    bool quickack;
    bool wants_body;       /* otherwise bodies are only counted */
    size_t gather_ceiling; /* longer bodies go through events.stream */
    uint64_t body_ceiling; /* of a body as it comes; longer ones are cut off; 0: none are */
    bool keep_lines;       /* whole heads are kept in answer.lines */
    enum http1_body answer_body;
    uint64_t window_bytes;
    uint64_t timeout_ms;
    uint64_t connect_timeout_ms;
    const struct tls_context *tls; /* NULL: plain */
    struct tls_facts *tls_facts;   /* with tls: filled by the first handshake; the worker's */
    struct transport_events events;
    struct traffic *traffic; /* counted into; the worker's tally owns it */
};

/* The functions of one transport; `direct` (net/direct.h) is the first of them. */
struct transport;
struct transport_operations {
    void (*send)(struct transport *transport, uint32_t slot, struct exchange *exchange);
    void (*stop)(struct transport *transport);
    void (*part)(struct transport *transport, uint32_t slot); /* NULL: cannot be asked for */
    uint64_t (*take_turn_start)(struct transport *transport);
    void (*free)(struct transport *transport);
};

/* The common first member of every transport. */
struct transport {
    const struct transport_operations *operations;
};

/* Sends an exchange on a free slot. `done` may be called before it returns, `ready` never is. */
void transport_send(struct transport *transport, uint32_t slot, struct exchange *exchange);

/*
 * Closes the connection of a free slot, if it has one, so that its next exchange opens another.
 * Where the transport cannot be asked for that, only requests_per_connection parts them.
 */
void transport_part(struct transport *transport, uint32_t slot);

/*
 * Abandons everything: each exchange under way is done with TRANSPORT_END_CUT, all sockets close.
 * The loop must run until its handles are closed; nothing may be sent afterwards.
 */
void transport_stop(struct transport *transport);

/* When the work of this loop turn began (clock_now_ns), 0 if nothing happened; resets it. */
uint64_t transport_take_turn_start(struct transport *transport);

/* After transport_stop and the loop's end. */
void transport_free(struct transport *transport);

#endif
