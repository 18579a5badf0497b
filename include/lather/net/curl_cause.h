/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_CAUSE_H
#define LATHER_NET_CURL_CAUSE_H

#include <curl/curl.h>

#include "lather/net/transport.h"

/* How far a transfer had come when libcurl gave up. */
enum curl_cause_phase {
    CURL_CAUSE_CONNECTING =
        0, /* no connection that requests can go over, a proxy's part included */
    CURL_CAUSE_CONNECTED,
    CURL_CAUSE_PHASE_COUNT
};

/*
 * The end that the direct transport would have come to: of a transfer that ended with this result,
 * not CURLE_OK, in this phase.
 */
enum transport_end curl_cause_end(CURLcode result, enum curl_cause_phase phase);

/*
 * libuv's error for it, 0 when there is none: the peer closed, or libcurl found something wrong
 * itself. system_error is the last one libcurl noted on this handle (CURLINFO_OS_ERRNO), or what
 * making a socket failed with; text is libcurl's sentence about this transfer.
 */
int curl_cause_error(CURLcode result, enum curl_cause_phase phase, long system_error,
                     const char *text);

/* The error that libcurl's sentence quotes in the system's words, as libuv's; 0 when it quotes
 * none. */
int curl_cause_said_error(const char *text);

/*
 * What was wrong with an answer that libcurl reports as if it had not been received; NULL when it
 * is not that. May be `text`.
 */
const char *curl_cause_bad_answer(CURLcode result, enum curl_cause_phase phase, const char *text);

/*
 * Appends what to try to libcurl's sentence about a way through a proxy that failed; nothing to one
 * that is not known. `size` is that of the text's array.
 */
void curl_cause_append_proxy_hint(char *text, size_t size);

/* Whether libcurl's own sentence is the best reason there is, because no error tells it. */
bool curl_cause_wants_text(CURLcode result);

#endif
