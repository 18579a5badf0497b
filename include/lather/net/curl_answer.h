/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_ANSWER_H
#define LATHER_NET_CURL_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "lather/net/curl_slot.h"

/* The answer a slot of the curl transport waits for, from its first byte to its last. */

/* Has the handle tell of what comes in. */
void curl_answer_listen(struct curl_slot *slot);

/* Starts to wait for an answer: to the exchange's request, or to another leg. */
void curl_answer_expect(struct curl_slot *slot);

/* Counts and stamps bytes of it. */
void curl_answer_count(struct curl_slot *slot, size_t bytes);

/*
 * Before a connection of ours is closed: an answer that came while the request was still being sent
 * is read to its end, as far as it lies in the socket. Only where bytes are HTTP/1.1 as they are.
 */
void curl_answer_salvage(struct curl_slot *slot, intptr_t descriptor);

#endif
