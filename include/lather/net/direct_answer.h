/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_DIRECT_ANSWER_H
#define LATHER_NET_DIRECT_ANSWER_H

#include "lather/net/direct_parts.h"

/*
 * What comes in on a slot's connection, for the direct*.c alone; on the worker's thread. This is
 * the hot path: nothing here allocates once it is warm.
 */

/*
 * From now on the bytes that come are the answer to slot->exchange, which must be there. Called
 * before the request is written, as an answer may come before its request is sent whole.
 */
void direct_expect_answer(struct direct_slot *slot);

/*
 * Events of a connection (net/connection.h): owner is the slot, now_ns the stamp of the read on the
 * monotonic clock. They may end the exchange, and `ready` may send the next one from inside them:
 * the slot is another after the call. `received` lends its bytes for the call. `ended` has libuv's
 * error, 0 for the end of the stream; `finished` is TLS's close_notify.
 */
void direct_on_received(void *owner, uint64_t now_ns, const char *data, size_t len);
void direct_on_ended(void *owner, uint64_t now_ns, int error);
void direct_on_finished(void *owner, uint64_t now_ns);

#endif
