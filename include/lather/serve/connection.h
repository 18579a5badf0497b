/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_CONNECTION_H
#define LATHER_SERVE_CONNECTION_H

#include <stdint.h>

#include <uv.h>

#include "lather/base/buf.h"
#include "lather/serve/delay_queue.h"
#include "lather/serve/dispatch.h"
#include "lather/serve/serve.h"

enum {
    CONNECTION_READ_BYTES = 64 * 1024, /* read at once */
    CONNECTION_LINGER_MS = 2000        /* for a client to take in that it was told to go */
};

/* What all connections of a loop share: one at a time uses the buffers. */
struct connection_host {
    uint64_t close_after; /* serve_options */
    struct dispatch dispatch;
    struct delay_queue delays;  /* answers that wait for their time; a delay of 0: not used */
    struct delay_queue lingers; /* connections that were told to go */
    struct buf answer;          /* the answer being built */
    char read_bytes[CONNECTION_READ_BYTES];
};

/* Nothing served yet. options are read now and not kept. */
void connection_host_init(struct connection_host *host, uv_loop_t *loop,
                          const struct serve_options *options);

/* Closes the queues: their handles go when the loop has run on. No connection may be open. */
void connection_host_close(struct connection_host *host);

/* Frees the rest, once the loop has ended. */
void connection_host_deinit(struct connection_host *host);

struct connection;

/* Takes the next connection of a listener and serves it; it frees itself when it ends. */
void connection_accept(struct connection_host *host, uv_stream_t *listener);

/* Ends a connection, answered or not; its memory goes when the loop has run on. */
void connection_close(struct connection *connection);

#endif
