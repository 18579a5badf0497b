/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_DIRECT_CONNECT_H
#define LATHER_NET_DIRECT_CONNECT_H

#include "lather/net/direct_parts.h"

/* Until a slot's connection stands, for the direct*.c alone; on the worker's thread. */

/* Opens the slot's connection, for the exchange it holds; every address is tried. */
void direct_connect(struct direct_slot *slot);
/* This address failed: on to the next. */
void direct_connect_failed(struct direct_slot *slot, int error, uint64_t now_ns);
/* TCP stood and TLS did not come about. */
void direct_handshake_failed(struct direct_slot *slot, uint64_t now_ns);
/* Event of a connection (net/connection.h). */
void direct_on_opened(void *owner, uint64_t now_ns, int error);

#endif
