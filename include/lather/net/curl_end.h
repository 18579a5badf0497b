/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_END_H
#define LATHER_NET_CURL_END_H

#include <curl/curl.h>
#include <stdint.h>

#include "lather/net/curl_slot.h"

/* How exchanges of the curl transport end. Each of these may lead to the slot's next request. */

/* The slot is free. */
void curl_end_ready(struct curl_slot *slot);

/* The exchange came so far; tells its owner. The leg under way is settled before. */
void curl_end_done(struct curl_slot *slot, enum transport_end end, int error, uint64_t now_ns);

/* A transfer ended by itself: with an answer, or with what is to be told instead of one. */
void curl_end_transfer(struct curl_slot *slot, CURLcode result);

/* A deadline passed: the transfer is given up, and its connection with it. */
void curl_end_abandon(struct curl_slot *slot, enum transport_end end, uint64_t now_ns);

#endif
