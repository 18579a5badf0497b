/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_ENGINE_PARTS_H
#define LATHER_NET_CURL_ENGINE_PARTS_H

#include "lather/net/curl_engine.h"
#include "lather/net/curl_line.h"

/*
 * The inside of the engine, for curl_engine.c and curl_line.c alone: everybody else keeps to
 * net/curl_engine.h.
 */

struct curl_socket {
    uv_poll_t poll;
    struct curl_engine *engine;
    struct curl_line *line;
    struct curl_socket *next; /* of the line, or in the free list */
    intptr_t descriptor;
    int armed;      /* the events polled for */
    int wish;       /* those libcurl wants */
    bool is_polled; /* poll is initialised */
    bool is_wanted; /* libcurl waits for it */
    bool is_open;   /* connected */
};

struct curl_engine {
    CURLM *multi;
    uv_loop_t *loop;
    uv_timer_t timer;
    uv_idle_t soon; /* the next turn: ends that nobody could harvest, timers of 0 ms */
    struct curl_engine_events events;
    struct curl_engine_socket_options sockets;
    struct curl_socket *free_list;
    uint64_t turn_start_ns;
    bool is_harvesting;
    bool is_in_timer;
    bool must_act; /* libcurl wants its timer at once, but not before the sockets had their turn */
};

/* Notes that something happened, for loop lag. */
void curl_engine_stamp(struct curl_engine *engine);

/* The line whose handle it is; NULL: nobody's. */
struct curl_line *curl_engine_line_of(CURL *easy);

/* Has libcurl look at a socket, or at its clock (CURL_SOCKET_TIMEOUT). */
void curl_engine_act(struct curl_engine *engine, curl_socket_t socket, int flags);

/* Tells of every transfer that ended; what is sent meanwhile may end in here too. */
void curl_engine_harvest(struct curl_engine *engine);

/* The same in the next turn of the loop, unless it is being done. */
void curl_engine_harvest_soon(struct curl_engine *engine);

/* For libcurl: its interest in a socket changed. */
int curl_line_on_socket_wish(CURL *easy, curl_socket_t socket, int what, void *context,
                             void *assigned);

#endif
