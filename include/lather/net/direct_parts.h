/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_DIRECT_PARTS_H
#define LATHER_NET_DIRECT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/net/connection.h"
#include "lather/net/connection_tls.h"
#include "lather/net/deadline.h"
#include "lather/net/direct.h"

/*
 * The inside of the direct transport, for the direct*.c alone: everybody else keeps to
 * net/direct.h. A slot is always in one of six states; each event of its connection or of a
 * deadline is one function that moves it on. The trap: `ready` may send the next request from
 * inside any of these functions, so it is always the last thing done.
 */

enum direct_state {
    DIRECT_IDLE = 0,   /* free; a kept connection may be open */
    DIRECT_CONNECTING, /* an exchange waits for its connection */
    DIRECT_EXCHANGING, /* sent or being sent, waiting for the answer */
    DIRECT_LINGERING,  /* answered; waiting for the server to close */
    DIRECT_PAUSING,    /* after a failed connect or a failure of TLS */
    DIRECT_STOPPED
};

struct direct_slot {
    struct direct *direct;
    struct connection *connection; /* NULL when there is none */
    struct exchange *exchange;     /* under way, else NULL */
    struct http1_reader reader;
    struct tls_ticket ticket; /* of the last TLS connection */
    struct deadline request_deadline;
    struct deadline state_deadline; /* of the connect, the lingering or the pause */
    uint64_t connect_start_ns;
    enum direct_state state;
    uint32_t index;
    uint32_t answers;        /* on the connection */
    uint8_t address;         /* being tried, or connected to */
    uint8_t addresses_tried; /* by this exchange's connect */
    bool open;               /* the connection has been established */
    bool used;               /* it has served an answer before: it is kept, not new */
    bool sending;            /* part of the request is still with us */
    bool streaming;          /* the body goes to events.stream */
    bool replaces_closed;    /* the next connection opened replaces one closed while idle */
};

struct direct {
    struct transport transport;
    struct transport_options options;
    struct address_list addresses;
    struct connector *connector;
    struct deadline_queue requests;
    struct deadline_queue connects;
    struct deadline_queue lingers;
    struct deadline_queue farewells;
    struct deadline_queue pauses;
    uint64_t open_count;
    struct http1_memo memo;
    uint8_t good_address;
    bool stopped;
    struct direct_slot slots[];
};

/* Sends slot->exchange on the slot's open connection. */
void direct_write(struct direct_slot *slot);

#endif
