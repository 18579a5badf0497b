/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CONNECTION_TLS_H
#define LATHER_NET_CONNECTION_TLS_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/net/connection.h"
#include "lather/net/tls_stream.h"

/*
 * What can be asked of a connection under TLS besides net/connection.h. Not of a plain one: that
 * has none of the state behind these. On the loop's thread, without cost but for finish.
 */

/* Whether TCP is connected and the handshake is not over. */
bool connection_tls_is_shaking_hands(const struct connection *connection);

/* Gives up a handshake that took too long, so that there is a reason; connection_close follows. */
void connection_tls_expire(struct connection *connection);

/* Answers the peer's close_notify with ours (RFC 8446, 6.1). A peer that has closed its socket
   resets then, which tells nothing any more. */
void connection_tls_finish(struct connection *connection);

/* After CONNECTION_TLS_FAILED: why. Valid in the loop's turn, beyond connection_close. */
const char *connection_tls_reason(const struct connection *connection);

/* Once open: what was agreed on; borrowed, until connection_close. */
const struct tls_stream *connection_tls_stream(const struct connection *connection);

/* Once open: from TCP being connected to the end of the handshake, in ns. */
uint64_t connection_tls_handshake_ns(const struct connection *connection);

#endif
