/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_DIRECT_ANSWER_H
#define LATHER_NET_DIRECT_ANSWER_H

#include "lather/net/direct_parts.h"

/* What comes in on a slot's connection, for the direct*.c alone; on the worker's thread. */

/* From now on the bytes that come are the answer to slot->exchange. */
void direct_expect_answer(struct direct_slot *slot);
/* Events of a connection (net/connection.h). */
void direct_on_received(void *owner, uint64_t now_ns, const char *data, size_t len);
void direct_on_ended(void *owner, uint64_t now_ns, int error);
void direct_on_finished(void *owner, uint64_t now_ns);

#endif
