/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_DIRECT_CONNECT_H
#define LATHER_NET_DIRECT_CONNECT_H

#include "lather/net/direct_parts.h"

/*
 * Until a slot's connection stands, for the direct*.c alone; on the worker's thread. Whatever comes
 * of it is counted in the traffic of the transport's options.
 */

/*
 * Opens the slot's connection, for the exchange it holds. Every address of the name is tried,
 * beginning with the one that worked last; the exchange ends when all of them failed.
 */
void direct_connect(struct direct_slot *slot);

/* This address failed at now_ns, with libuv's error: the connection is closed, and on to the next.
 */
void direct_connect_failed(struct direct_slot *slot, int error, uint64_t now_ns);

/* TCP stood and TLS did not come about: the exchange ends so, as no other address would do. */
void direct_handshake_failed(struct direct_slot *slot, uint64_t now_ns);

/*
 * Event of a connection (net/connection.h): owner is the slot, error 0 when it stands, libuv's or
 * CONNECTION_TLS_FAILED otherwise. Sends the exchange that waits.
 */
void direct_on_opened(void *owner, uint64_t now_ns, int error);

#endif
