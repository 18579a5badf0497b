/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_LINE_H
#define LATHER_NET_CURL_LINE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"

struct curl_engine;
struct curl_socket;

/* One easy handle and its sockets. Open to be embedded; fields are private but `easy`, which the
 * owner gives its options. */
struct curl_line {
    CURL *easy;
    CURLSH *pool; /* connections and sessions of TLS: libcurl 8.12 has those of all lines in one */
    struct curl_engine *engine;
    void *owner;
    struct curl_socket *sockets; /* of libcurl: one, or some while addresses are tried */
    struct curl_socket *lingering;
    int socket_error; /* of the last socket that could not be made */
    bool is_running;
};

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

#endif
