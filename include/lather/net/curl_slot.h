/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_SLOT_H
#define LATHER_NET_CURL_SLOT_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "lather/net/curl_cause.h"
#include "lather/net/curl_engine.h"
#include "lather/net/curl_leg.h"
#include "lather/net/curl_line.h"
#include "lather/net/curl_request.h"
#include "lather/net/curl_setup.h"
#include "lather/net/curl_tls.h"
#include "lather/net/curl_transport.h"
#include "lather/net/deadline.h"

/*
 * What the files of the curl transport share, and nobody else sees: curl_slot.c and curl_answer.c
 * take notes while libcurl works, curl_transport.c and curl_end.c act when it does not.
 */

enum curl_slot_state {
    CURL_SLOT_IDLE = 0,   /* free; a kept connection may be open */
    CURL_SLOT_EXCHANGING, /* a transfer is under way, its connect included */
    CURL_SLOT_LINGERING,  /* answered; waiting for the server to close */
    CURL_SLOT_PAUSING,    /* after a failed connect or a failure of TLS */
    CURL_SLOT_STOPPED
};

enum { CURL_SLOT_ALL_ADDRESSES = UINT8_MAX };

struct curl_slot {
    struct curl_transport *transport;
    struct curl_line line;
    struct exchange *exchange; /* under way, else NULL */
    struct http1_reader reader;
    struct curl_request request;
    struct curl_leg leg;
    struct curl_tls_watch tls;
    struct deadline request_deadline;
    struct deadline state_deadline; /* of the connect, the lingering or the pause */
    uint64_t connect_start_ns;
    uint64_t received; /* bytes counted on the open connection */
    uint64_t auth_start_ns;
    enum curl_slot_state state;
    enum curl_cause_phase phase;
    uint32_t index;
    uint32_t answers;     /* on the open connection, those of handshakes not counted */
    uint8_t address;      /* the first in the list given to libcurl, or CURL_SLOT_ALL_ADDRESSES */
    bool has_token;       /* some leg carried credentials made for it */
    bool is_offered;      /* a challenge named our scheme */
    bool lacks_ticket;    /* GSS-API found no ticket */
    bool streaming;       /* the body goes to events.stream */
    bool forbids_reuse;   /* the handle is told to close after the transfer */
    bool must_reset;      /* libcurl repeated a request on its own */
    bool is_refused;      /* the repetition libcurl wanted was not allowed */
    bool replaces_closed; /* the next connection opened replaces one closed while idle */
    bool is_leaving;      /* the open connection is to be closed, by us or as announced */
    char error_text[CURL_ERROR_SIZE];
};

struct curl_transport {
    struct transport transport;
    struct transport_options options;
    struct curl_transport_options way;
    struct address_list addresses;
    struct address_list sources;
    size_t source_turn;
    struct curl_setup setup;
    struct curl_tls tls;
    struct curl_engine *engine;
    struct deadline_queue requests;
    struct deadline_queue connects;
    struct deadline_queue lingers;
    struct deadline_queue pauses;
    uint64_t open_count;
    uint8_t good_address; /* the last that worked; CURL_SLOT_ALL_ADDRESSES: not known */
    bool keeps_connections;
    bool stopped;
    struct curl_slot slots[];
};

/* Whether bytes on the socket are HTTP/1.1 as they are. */
bool curl_slot_is_plain(const struct curl_slot *slot);

/* Has the handle tell the slot what happens. */
void curl_slot_listen(struct curl_slot *slot);

/*
 * Whether libcurl tells of bytes: nothing of ours goes out before the connection stands, and what
 * it would say in words about finding one costs 4,000 instructions a request.
 */
enum curl_slot_hearing { CURL_SLOT_IS_DEAF = 0, CURL_SLOT_HEARS };
void curl_slot_hear(struct curl_slot *slot, enum curl_slot_hearing hearing);

/* Tells the handle whether its connection may be used again. */
void curl_slot_forbid_reuse(struct curl_slot *slot, bool forbid);

/*
 * Counts what the leg was on the wire that ended with its transfer or its connection, and whether
 * the server may not have taken its request.
 */
void curl_slot_settle_leg(struct curl_slot *slot);

/* Counts bytes that came. */
void curl_slot_count_received(struct curl_slot *slot, uint64_t bytes);

/* Counts bytes that no request had asked for. */
void curl_slot_note_stray(struct curl_slot *slot, uint64_t bytes);

/* Whether another leg may follow the answer that came. */
bool curl_slot_is_challenge(const struct curl_slot *slot);

/* Whether the answer that came is to a leg without the message, and not one that asks for
 * credentials. As the last of its transfer it says that the message was never sent. */
bool curl_slot_is_unsent(const struct curl_slot *slot);

/* Whether libcurl sends the message behind the answer that came: nobody asks for credentials. */
bool curl_slot_is_message_next(const struct curl_slot *slot);

/* For the engine: a socket is made, is closed. */
bool curl_slot_on_connecting(void *owner);
enum curl_engine_close curl_slot_on_closing(void *owner, intptr_t descriptor, bool was_open);

#endif
