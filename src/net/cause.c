/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one place where ends of the wire become outcomes and words. Both transports go through it, so
 * that the same event at the server has the same name in the report whichever of them met it.
 */
#include "lather/net/cause.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "lather/base/platform.h"

/* Failures of this machine, not of the server: the run says nothing about the service then. */
static bool cause_is_local(int error)
{
    switch (error) {
    case UV_EADDRNOTAVAIL:
    case UV_EADDRINUSE:
    case UV_EMFILE:
    case UV_ENFILE:
    case UV_ENOBUFS:
    case UV_ENOMEM:
    case UV_EACCES:
    case UV_EPERM:
        return true;
    default:
        return false;
    }
}

enum outcome cause_outcome(enum transport_end end, int error)
{
    if (end == TRANSPORT_END_CUT) {
        return OUTCOME_CUT;
    }
    if (cause_is_local(error)) {
        return OUTCOME_LOCAL;
    }
    static const enum outcome outcomes[TRANSPORT_END_COUNT] = {
        [TRANSPORT_END_ANSWERED] = OUTCOME_OK,       [TRANSPORT_END_CUT] = OUTCOME_CUT,
        [TRANSPORT_END_RESOLVE] = OUTCOME_RESOLVE,   [TRANSPORT_END_CONNECT] = OUTCOME_CONNECT,
        [TRANSPORT_END_TLS] = OUTCOME_TLS,           [TRANSPORT_END_TIMEOUT] = OUTCOME_TIMEOUT,
        [TRANSPORT_END_SEND] = OUTCOME_SEND,         [TRANSPORT_END_RECEIVE] = OUTCOME_RECEIVE,
        [TRANSPORT_END_PROTOCOL] = OUTCOME_PROTOCOL, [TRANSPORT_END_TOO_LARGE] = OUTCOME_TOO_LARGE,
    };
    return outcomes[end];
}

static const char *cause_local_words(int error)
{
    switch (error) {
    case UV_EADDRNOTAVAIL:
    case UV_EADDRINUSE:
        return platform_advice(PLATFORM_LACK_PORTS);
    case UV_EMFILE:
    case UV_ENFILE:
        return platform_advice(PLATFORM_LACK_DESCRIPTORS);
    case UV_ENOBUFS:
    case UV_ENOMEM:
        return platform_advice(PLATFORM_LACK_MEMORY);
    default:
        return uv_strerror(error);
    }
}

static void cause_format_cut_off(const struct exchange *exchange, const char *how,
                                 char text[CAUSE_TEXT_SIZE])
{
    const struct http1_answer *answer = &exchange->answer;
    if (exchange->first_byte_ns == 0) {
        (void)snprintf(text, CAUSE_TEXT_SIZE, "%s before any answer", how);
    } else if (answer->status == 0 || answer->body_bytes == 0) {
        (void)snprintf(text, CAUSE_TEXT_SIZE, "%s before the answer's body", how);
    } else if (answer->content_length != UINT64_MAX) {
        (void)snprintf(text, CAUSE_TEXT_SIZE, "%s after %" PRIu64 " of %" PRIu64 " body bytes", how,
                       answer->body_bytes, answer->content_length);
    } else if (answer->is_chunked) {
        (void)snprintf(text, CAUSE_TEXT_SIZE, "%s before the end of a chunked body", how);
    } else {
        (void)snprintf(text, CAUSE_TEXT_SIZE,
                       "%s in the body of an answer without a length, which only a close ends",
                       how);
    }
}

static void cause_format_unconnected(const struct exchange *exchange, const char *words,
                                     char text[CAUSE_TEXT_SIZE])
{
    if (exchange->protocol_error != NULL) {
        words = exchange->protocol_error;
    } else if (exchange->error == UV_ETIMEDOUT) {
        words = "no connection in time";
    }
    (void)snprintf(text, CAUSE_TEXT_SIZE, "%s", words);
}

/* Which of the system's words a cut connection gets is chance: they are said in ours. */
static void cause_format_unsent(const struct exchange *exchange, const char *words,
                                char text[CAUSE_TEXT_SIZE])
{
    switch (exchange->error) {
    case 0:
    case UV_EPIPE:
    case UV_ECONNRESET:
    case UV_ECONNABORTED:
        words = "the connection ended while the request was being sent, before any answer";
        break;
    default:
        break;
    }
    (void)snprintf(text, CAUSE_TEXT_SIZE, "%s", words);
}

static void cause_format_said(const struct exchange *exchange, char text[CAUSE_TEXT_SIZE])
{
    const bool has_hint = exchange->hint != NULL;
    (void)snprintf(text, CAUSE_TEXT_SIZE, "%s%s%s", exchange->protocol_error, has_hint ? ": " : "",
                   has_hint ? exchange->hint : "");
}

static void cause_append_hint(const struct exchange *exchange, char text[CAUSE_TEXT_SIZE])
{
    const size_t len = strlen(text);
    if (exchange->hint != NULL) {
        (void)snprintf(text + len, CAUSE_TEXT_SIZE - len, ": %s", exchange->hint);
    }
}

const char *cause_format(const struct exchange *exchange, char text[CAUSE_TEXT_SIZE])
{
    if (cause_is_local(exchange->error)) {
        (void)snprintf(text, CAUSE_TEXT_SIZE, "%s", cause_local_words(exchange->error));
        return text;
    }
    const char *words = exchange->error != 0 ? uv_strerror(exchange->error) : "closed";
    switch (exchange->end) {
    case TRANSPORT_END_RESOLVE:
    case TRANSPORT_END_CONNECT:
        cause_format_unconnected(exchange, words, text);
        break;
    case TRANSPORT_END_TIMEOUT:
        cause_format_cut_off(exchange, "timed out", text);
        break;
    case TRANSPORT_END_RECEIVE:
        cause_format_cut_off(exchange, words, text);
        cause_append_hint(exchange, text);
        break;
    case TRANSPORT_END_TOO_LARGE:
        (void)snprintf(text, CAUSE_TEXT_SIZE, "the answer is larger than --max-answer: cut off");
        break;
    case TRANSPORT_END_TLS:
        (void)snprintf(text, CAUSE_TEXT_SIZE, "%s", exchange->tls_error);
        break;
    default:
        if (exchange->protocol_error != NULL) {
            cause_format_said(exchange, text);
        } else if (exchange->end == TRANSPORT_END_SEND) {
            cause_format_unsent(exchange, words, text);
        } else {
            (void)snprintf(text, CAUSE_TEXT_SIZE, "%s", words);
        }
        break;
    }
    return text;
}

const char *cause_hint_in_clear(uint16_t status, struct str bytes, const char *known)
{
    static const char *const hint = "the port speaks TLS: use https://";
    static const struct str phrases[] = {
        {"plain HTTP request was sent to HTTPS port", 41},
        {"plain HTTP to an SSL-enabled server port", 40},
        {"combination of host and port requires TLS", 41},
        {"HTTP request to an HTTPS server", 31},
    };
    if (status == 0) {
        return str_starts_with(bytes, STR("\x15\x03")) ? hint : known;
    }
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases && status == 400; i++) {
        if (str_find(bytes, phrases[i]) != SIZE_MAX) {
            return hint;
        }
    }
    return known;
}

const char *cause_hint_without_certificate(uint16_t status)
{
    return status == 400 || status == 401 || status == 403
               ? "the server had asked for a client certificate: -E FILE"
               : NULL;
}
