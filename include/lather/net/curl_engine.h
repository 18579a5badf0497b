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
struct curl_socket;

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

/* One easy handle and its sockets. Open to be embedded; fields are private but `easy`, which the
 * owner gives its options. */
struct curl_line {
    CURL *easy;
    CURLSH
    *pool; /* its connections and sessions of TLS; libcurl 8.12 has those of all lines in one */
    struct curl_engine *engine;
    void *owner;
    struct curl_socket *sockets; /* of libcurl: one, or some while addresses are tried */
    struct curl_socket *lingering;
    int socket_error; /* of the last socket that could not be made */
    bool is_running;
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

/* Makes a line's easy handle with what the engine needs set; false without memory. */
bool curl_line_open(struct curl_line *line, struct curl_engine *engine, void *owner) MUST_USE;

/* Forgets all options of the easy handle but the engine's. Its connection stays. */
void curl_line_reset(struct curl_line *line);

/* Stops what is running, closes the connection and frees the handle; no event but `closing`. */
void curl_line_close(struct curl_line *line);

/* Starts the transfer. It is under way at once, not at the next turn of the loop. */
void curl_line_send(struct curl_line *line);

/* Abandons the transfer and closes its connection; `ended` is not called. */
void curl_line_cancel(struct curl_line *line);

/* Marks the connected socket: from now on `closing` knows it was open. False when it was already.
 */
bool curl_line_mark_open(struct curl_line *line);

/* Whether libcurl holds an open socket of the line; whether one lingers. */
bool curl_line_is_open(const struct curl_line *line);
bool curl_line_is_lingering(const struct curl_line *line);

/* The open socket's descriptor, -1 when there is none. */
intptr_t curl_line_descriptor(const struct curl_line *line);

/* Closes the lingering socket; `left` is not called. */
void curl_line_drop_lingering(struct curl_line *line);

/* The error of the line's last socket if that could not be made, as errno has it; 0: none since
 * asked. */
int curl_line_take_socket_error(struct curl_line *line);

/* The time of the first event since the last call, 0 when there was none; for loop lag. */
uint64_t curl_engine_take_turn_start(struct curl_engine *engine);

#endif
