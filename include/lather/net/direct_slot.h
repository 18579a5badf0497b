/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_DIRECT_SLOT_H
#define LATHER_NET_DIRECT_SLOT_H

#include "lather/net/direct_parts.h"

/* What a slot of the direct transport comes to, for the direct*.c alone; on the worker's thread. */

/* The slot is free: the worker may send on it from inside. Nothing may follow this call. */
void direct_ready(struct direct_slot *slot);
/* The request left us, whole or as far as it came: into the books. */
void direct_settle_sent(struct direct_slot *slot, uint64_t now_ns);
/* Closes the slot's connection, if there is one; what was still being sent is settled. */
void direct_close(struct direct_slot *slot);
/* The exchange has ended so: tells the worker. The slot is not free by that. */
void direct_done(struct direct_slot *slot, enum transport_end end, int error, uint64_t now_ns);
/*
 * An exchange ended: without the head of an answer, interim ones do not count, or with a 408 (RFC
 * 9110, 15.5.9) the server may not have taken what was sent.
 */
void direct_count_lost(struct direct_slot *slot);
/* Ends the exchange and its connection, then frees the slot, at once or after a pause. */
void direct_fail(struct direct_slot *slot, enum transport_end end, int error, uint64_t now_ns);
/* TLS failed, in the handshake or later: another address or try would not change that. */
void direct_fail_tls(struct direct_slot *slot, uint64_t now_ns);
/* The connection ended under an exchange: sent again when it was idle-closed, else failed. */
void direct_broken(struct direct_slot *slot, enum transport_end end, int error, uint64_t now_ns);

#endif
