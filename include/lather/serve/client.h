/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_CLIENT_H
#define LATHER_SERVE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "lather/base/buf.h"
#include "lather/serve/delay_queue.h"
#include "lather/serve/delays.h"
#include "lather/serve/dispatch.h"
#include "lather/serve/serve.h"

enum {
    CLIENT_READ_BYTES = 64 * 1024, /* read at once */
    CLIENT_LINGER_MS = 2000        /* for a client to take in that it was told to go */
};

/* What all connections of a loop share: one at a time uses the buffers. */
struct client_host {
    uint64_t close_after; /* serve_options */
    struct dispatch dispatch;
    bool has_delays;            /* else the next two are not used */
    struct delay_source delay;  /* how long each answer waits */
    struct delay_queue waiting; /* answers that do */
    struct delay_queue lingers; /* connections that were told to go */
    struct buf answer;          /* the answer being built */
    char read_bytes[CLIENT_READ_BYTES];
};

/*
 * Nothing served yet, by the index-th of the options' threads. Of options only the list of delays
 * must outlive the host.
 */
void client_host_init(struct client_host *host, uv_loop_t *loop,
                      const struct serve_options *options, size_t index);

/* Closes the queues: their handles go when the loop has run on. No connection may be open. */
void client_host_close(struct client_host *host);

/* Frees the rest, once the loop has ended. */
void client_host_deinit(struct client_host *host);

struct client;

/* Takes the next connection of a listener and serves it; it frees itself when it ends. */
void client_accept(struct client_host *host, uv_stream_t *listener);

/* As client_accept, for a connection that was accepted elsewhere (platform_accept); takes it. */
void client_adopt(struct client_host *host, uv_loop_t *loop, intptr_t socket);

/* Ends all connections of a loop; its TCP handles are clients but for the listener, if any. */
void client_close_all(uv_loop_t *loop, const uv_tcp_t *listener);

/* Ends a connection, answered or not; its memory goes when the loop has run on. */
void client_close(struct client *client);

#endif
