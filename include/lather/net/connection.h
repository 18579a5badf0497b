/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CONNECTION_H
#define LATHER_NET_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "lather/base/check.h"
#include "lather/base/str.h"
#include "lather/net/address.h"
#include "lather/net/tls_context.h"
#include "lather/net/tls_stream.h"

/*
 * TCP connections of one worker over libuv, plain or under TLS. A connection knows nothing of HTTP:
 * it opens, sends one run of bytes at a time, hands over what arrives with the time it was read,
 * and ends. All bytes and counts are those inside TLS. All calls and callbacks are on the worker's
 * thread. Errors are libuv's (negative UV_E...), or CONNECTION_TLS_FAILED.
 */
struct connection;
struct connector;

/* TLS failed; connection_tls_reason (net/connection_tls.h) tells why. No error of libuv's. */
enum { CONNECTION_TLS_FAILED = -1000000 };

/* What a connection tells its owner. None is called after connection_close. */
struct connection_events {
    /* The connect, and with TLS the handshake, ended; error 0 means it is open. After an error the
     * connection is closed by the owner. */
    void (*opened)(void *owner, uint64_t now_ns, int error);
    /* All bytes of the last connection_send went to the system (error 0), or failed. Not called
     * when connection_send itself said so, and not when the peer closed or reset meanwhile: what
     * it had sent before is read first, then `ended` comes and connection_write_error tells. */
    void (*sent)(void *owner, uint64_t now_ns, int error);
    /* Bytes arrived; valid during the call. */
    void (*received)(void *owner, uint64_t now_ns, const char *data, size_t len);
    /* TLS only: the peer said that nothing follows (close_notify). Its FIN is most likely on the
     * way and comes as `ended`; a peer that waits for our word first gets it by
     * connection_tls_finish. */
    void (*finished)(void *owner, uint64_t now_ns);
    /* The peer closed (error 0) or the connection broke. */
    void (*ended)(void *owner, uint64_t now_ns, int error);
};

/* How connections are opened. Values of 0 and NULL mean the system's choice. */
struct connector_options {
    const struct address_list *sources; /* local addresses, used in turn; copied */
    uint64_t window_bytes;              /* send and receive buffer of each socket */
    bool quickack;                      /* acknowledge at once while an answer is incomplete */
    const struct tls_context *tls;      /* NULL: plain */
};

/*
 * The source of a worker's connections: their pool and the one read buffer they share. A
 * connection's memory is used again after its socket has closed, so opening one allocates nothing
 * after warm-up.
 */
struct connector *connector_new(uv_loop_t *loop, const struct connection_events *events,
                                const struct connector_options *options) MUST_USE;

/* Frees the pool; every connection must be closed and the loop have run. */
void connector_free(struct connector *connector);

/* Sockets that exist, closing ones included. */
uint32_t connector_open_count(const struct connector *connector);

/* The time of the first event since the last call, 0 when there was none; for loop lag. */
uint64_t connector_take_turn_start(struct connector *connector);

/*
 * Starts to connect. NULL when that fails at once (no port, no descriptor, no route), with the
 * reason in *error; otherwise `opened` follows. The ticket, which must outlive the connection, lets
 * TLS resume the session of an earlier one; a plain connection does not look at it.
 */
struct connection *connection_open(struct connector *connector, void *owner,
                                   const struct sockaddr_storage *address,
                                   struct tls_ticket *ticket, int *error) MUST_USE;

/* How far a send came. */
enum connection_sent {
    CONNECTION_SENT_ALL = 0, /* all bytes are with the system */
    CONNECTION_SENT_LATER,   /* the rest follows as the peer takes it; `sent` tells */
    CONNECTION_SENT_ERROR    /* *error tells why */
};

/*
 * Sends the pieces one behind the other, in one write as far as the system takes it. The bytes must
 * stay valid until all are sent or the connection is closed; the array of pieces only during the
 * call. One send at a time.
 */
enum connection_sent connection_send(struct connection *connection, const struct str *pieces,
                                     size_t count, int *error) MUST_USE;

/* Bytes that reached the system by the last connection_send so far; with TLS in steps of up to
   32 KiB, each counted when the last of its ciphertext is there. */
size_t connection_sent_bytes(const struct connection *connection);

/*
 * Whether a failed write means that the peer closed: what it said before, an early answer or an
 * alert, can still be read, so the error waits for the end of reading.
 */
bool connection_write_error_waits(int error);

/*
 * Why a request could not be written to its end, when that was because the peer closed: for the
 * owner to ask when `ended` comes. 0 when nothing failed.
 */
int connection_write_error(const struct connection *connection) MUST_USE;

/* The owner waits for the rest of an answer: with quickack, acknowledges what came. */
void connection_expect_more(struct connection *connection);

/* Closes at once, with TLS after a word to a peer that has not ended itself, if that can be sent;
   no callback follows. The connection is gone for the owner. */
void connection_close(struct connection *connection);

#endif
