/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CONNECTION_PARTS_H
#define LATHER_NET_CONNECTION_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "lather/net/connection.h"

/*
 * The inside of a connection and of its connector, for connection.c and connection_tls.c alone:
 * everybody else keeps to net/connection.h.
 */

enum { CONNECTOR_READ_SIZE = 64 * 1024 };

/* What differs between plain and TLS; chosen once for a connector, so that neither asks. */
struct connection_operations {
    /* A socket was made and is about to connect. */
    void (*opening)(struct connection *connection, struct tls_ticket *ticket);
    /* The TCP connection stands, or not; sooner or later this ends in `opened`. */
    void (*connected)(struct connection *connection, uint64_t now_ns, int error);
    uv_read_cb on_read;
    enum connection_sent (*send)(struct connection *connection, const struct str *pieces,
                                 size_t count, int *error);
    size_t (*sent_bytes)(const struct connection *connection);
    /* The owner closes; the owner is still set. */
    void (*closing)(struct connection *connection);
    /* The socket is closed and its memory goes back to the pool. */
    void (*closed)(struct connection *connection);
    /* The pool gives the memory back. */
    void (*freed)(struct connection *connection);
};

struct connection {
    uv_tcp_t tcp;
    uv_connect_t connect;
    uv_write_t write;
    struct connector *connector;
    struct connection *next_free;
    void *owner; /* NULL once closed by the owner */
    size_t sent_bytes;
    size_t queued_bytes;        /* with libuv, not yet with the system */
    int write_error;            /* of a write that failed, held until what came is read */
    struct connection_tls *tls; /* NULL when plain */
};

struct connector {
    uv_loop_t *loop;
    const struct connection_operations *operations;
    struct connection_events events;
    struct connector_options options;
    struct address_list sources;
    size_t source_turn;
    struct connection *free_list;
    uint32_t open_count;
    uint64_t turn_start_ns;
    uv_buf_t *vector; /* the pieces of a send, as libuv wants them */
    size_t vector_capacity;
    struct connector_tls *tls; /* NULL when plain */
    char read_buffer[CONNECTOR_READ_SIZE];
};

extern const struct connection_operations connection_tls_operations;

/* What the TLS connections of one connector share; freed with free(). */
struct connector_tls *connection_tls_share(const struct tls_context *context);

/* Reads the clock for an event; the first of a loop turn tells when the turn's work began. */
uint64_t connector_stamp(struct connector *connector);

#endif
