/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_ENGINE_H
#define LATHER_NET_CURL_ENGINE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "lather/base/check.h"

/*
 * libcurl's multi interface on a worker's loop. A line is one easy handle with a pool of
 * connections that nobody else uses, so it keeps its own connection, identity included, and nothing
 * ever waits inside libcurl. The engine knows nothing of HTTP or of exchanges: it starts transfers,
 * moves bytes when sockets are ready, and tells when a transfer ended. All on the worker's thread.
 */
struct curl_engine;

/* What happens to a socket that libcurl has done with. */
enum curl_engine_close {
    CURL_ENGINE_CLOSE_NOW = 0,
    CURL_ENGINE_CLOSE_LINGER /* kept open until its peer closes: `left` tells */
};

/* What is told to the owner of a line. connecting and closing come from inside libcurl: it must not
 * be called in them. */
struct curl_engine_events {
    /* A socket is to be made to connect; false forbids it. */
    bool (*connecting)(void *owner);
    /* libcurl has done with a socket, which had been connected or not (then its descriptor may be
     * gone). */
    enum curl_engine_close (*closing)(void *owner, intptr_t descriptor, bool was_open);
    /* Something came on the connection between transfers: so many bytes, 0 when it was closed. */
    void (*stirred)(void *owner, size_t bytes);
    /* So many bytes came on a lingering socket; it goes on to linger. */
    void (*drained)(void *owner, size_t bytes);
    /* The peer of a lingering socket closed it, and so it is closed. */
    void (*left)(void *owner);
    /* The transfer ended; curl_engine_send may be called right here. */
    void (*ended)(void *owner, CURLcode result);
};

/* An engine on the loop. */
struct curl_engine *curl_engine_new(uv_loop_t *loop, const struct curl_engine_events *events,
                                    uint32_t lines) MUST_USE;

/* Closes the engine's handles after all lines were closed; the loop must run once more. */
void curl_engine_stop(struct curl_engine *engine);

/* After curl_engine_stop and the loop's end. */
void curl_engine_free(struct curl_engine *engine);

/* How the next sockets of the engine are made; NULL and 0: the system's choice. */
struct curl_engine_socket_options {
    const struct sockaddr *(*choose_source)(void *context, int family); /* or NULL */
    void *context;
    uint64_t buffer_bytes;
};
void curl_engine_set_sockets(struct curl_engine *engine,
                             const struct curl_engine_socket_options *options);

/* The time of the first event since the last call, 0 when there was none; for loop lag. */
uint64_t curl_engine_take_turn_start(struct curl_engine *engine);

#endif
