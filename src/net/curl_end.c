/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How exchanges of the curl transport end, and why: an answer, a failure in the outcome's terms, an
 * abandonment by a deadline; and what a slot does afterwards. Nothing here reads or sends. The
 * trap: libcurl's result is not believed where an answer was seen whole; what it calls a failure to
 * send may be a server that has answered already.
 */
#include "lather/net/curl_end.h"

#include <stdio.h>

#include "lather/base/clock.h"

void curl_end_ready(struct curl_slot *slot)
{
    struct curl_transport *transport = slot->transport;
    slot->state = CURL_SLOT_IDLE;
    if (!transport->stopped) {
        transport->options.events.ready(transport->options.events.context, slot->index);
    }
}

static void curl_end_note_auth(struct curl_slot *slot)
{
    struct exchange *exchange = slot->exchange;
    if (exchange->auth_legs > 0 && slot->leg.start_ns != 0) {
        exchange->auth_ns = slot->leg.start_ns - slot->auth_start_ns;
    }
    if (exchange->auth_legs > 0 || slot->has_token) {
        slot->transport->options.traffic->auth_handshakes++;
    }
}

void curl_end_done(struct curl_slot *slot, enum transport_end end, int error, uint64_t now_ns)
{
    struct curl_transport *transport = slot->transport;
    struct exchange *exchange = slot->exchange;
    deadline_remove(&slot->request_deadline);
    curl_end_note_auth(slot);
    exchange->end = end;
    exchange->error = error;
    exchange->end_ns = now_ns;
    slot->exchange = NULL;
    transport->options.traffic->interim_answers += exchange->answer.interim;
    transport->options.events.done(transport->options.events.context, slot->index, exchange);
}

static void curl_end_fail(struct curl_slot *slot, enum transport_end end, int error,
                          uint64_t now_ns)
{
    struct curl_transport *transport = slot->transport;
    const bool pauses =
        end == TRANSPORT_END_CONNECT || end == TRANSPORT_END_TLS || end == TRANSPORT_END_RESOLVE;
    deadline_remove(&slot->state_deadline);
    slot->state = pauses ? CURL_SLOT_PAUSING : CURL_SLOT_IDLE;
    if (pauses) {
        transport->good_address = CURL_SLOT_ALL_ADDRESSES;
    }
    curl_slot_settle_leg(slot);
    curl_end_done(slot, end, error, now_ns);
    if (slot->state == CURL_SLOT_PAUSING) {
        deadline_add(&transport->pauses, &slot->state_deadline, slot);
    } else {
        curl_end_ready(slot);
    }
}

#define CURL_END_MID_HANDSHAKE                                                                     \
    "the server, or a proxy, closes connections in the middle of a handshake: NTLM needs one "     \
    "that "                                                                                        \
    "stays"

/* Why the server still says 401, when it was to take our credentials. */
static const char *curl_end_auth_hint(const struct curl_slot *slot)
{
    static const char *const not_offered[AUTH_SCHEME_COUNT] = {
        [AUTH_SCHEME_DIGEST] = "the server does not offer Digest",
        [AUTH_SCHEME_NTLM] = "the server does not offer NTLM",
        [AUTH_SCHEME_NEGOTIATE] = "the server does not offer Negotiate",
    };
    if (!slot->is_offered) {
        return not_offered[slot->transport->way.auth];
    }
    if (slot->leg.is_looping) {
        return "the server asks again and again, whatever it is sent";
    }
    if (slot->lacks_ticket) {
        return "no Kerberos ticket for the service: kinit USER, --spn HTTP/HOST";
    }
    if (slot->transport->way.auth == AUTH_SCHEME_NTLM && slot->leg.is_challenged) {
        return slot->exchange->answer.keep_alive ? "the server's challenge is no NTLM"
                                                 : CURL_END_MID_HANDSHAKE;
    }
    if (slot->transport->way.auth == AUTH_SCHEME_DIGEST && !slot->leg.has_field) {
        if (!curl_leg_is_bare(&slot->leg)) {
            return "no credentials went with it, as the server had wanted none before";
        }
        return "the server's challenge cannot be met: no nonce, or an unknown algorithm or qop";
    }
    return slot->transport->way.auth == AUTH_SCHEME_NEGOTIATE
               ? "the server refused the ticket or token"
               : "the server refused the credentials of -A";
}

/* What a proxy that says 407 lacks. */
static const char *curl_end_proxy_hint(const struct curl_slot *slot)
{
    return slot->transport->way.proxy_user != NULL
               ? "407: the proxy refused the credentials of -P, which are sent as Basic alone"
               : "407: the proxy wants credentials: -P USER:PASSWORD";
}

static void curl_end_find_hint(struct curl_slot *slot)
{
    if (curl_slot_is_challenge(slot)) {
        slot->exchange->hint = curl_end_auth_hint(slot);
    } else if (slot->exchange->answer.status == 407 &&
               slot->transport->way.proxy != PROXY_KIND_NONE) {
        slot->exchange->hint = curl_end_proxy_hint(slot);
    }
}

static void curl_end_answered(struct curl_slot *slot, uint64_t now_ns)
{
    struct curl_transport *transport = slot->transport;
    const bool is_kept =
        curl_line_is_open(&slot->line) && !slot->is_leaving && !slot->forbids_reuse;
    curl_slot_settle_leg(slot);
    if (!slot->leg.is_looping) { /* else they are a body that libcurl did not pass on */
        curl_slot_note_stray(slot, curl_leg_stray_bytes(&slot->leg));
    }
    curl_end_find_hint(slot);
    if (is_kept) {
        transport->options.traffic->answers_on_kept++;
        slot->answers++;
    }
    slot->state = CURL_SLOT_IDLE;
    if (curl_line_is_lingering(&slot->line)) {
        slot->state = CURL_SLOT_LINGERING;
        deadline_add(&transport->lingers, &slot->state_deadline, slot);
    }
    curl_end_done(slot, TRANSPORT_END_ANSWERED, 0, now_ns);
    if (slot->state == CURL_SLOT_IDLE) {
        curl_end_ready(slot);
    }
}

/* Who closes without having read the whole request resets the connection: that ends an early answer
 * as a close would. */
static bool curl_end_is_by_reset(const struct curl_slot *slot, CURLcode result)
{
    return (result == CURLE_RECV_ERROR || result == CURLE_SEND_ERROR) &&
           slot->phase == CURL_CAUSE_CONNECTED && !curl_leg_is_sent(&slot->leg) &&
           curl_cause_said_error(slot->error_text) != 0;
}

/* The answer is whole, or became so by its connection's end. */
static bool curl_end_has_answer(struct curl_slot *slot, CURLcode result)
{
    if (slot->leg.is_bad || slot->leg.is_too_large || slot->leg.is_late) {
        return false;
    }
    const bool is_over = result == CURLE_OK || curl_end_is_by_reset(slot, result);
    return slot->leg.is_answered || slot->leg.is_looping ||
           (is_over && http1_end(&slot->reader) == HTTP1_DONE);
}

/* What the system said about a transfer that failed, or 0. */
static int curl_end_find_error(struct curl_slot *slot, CURLcode result)
{
    long system_error = curl_line_take_socket_error(&slot->line);
    if (system_error != 0) {
        slot->transport->options.traffic->connections_failed++;
    } else {
        (void)curl_easy_getinfo(slot->line.easy, CURLINFO_OS_ERRNO, &system_error);
    }
    return curl_cause_error(result, slot->phase, system_error, slot->error_text);
}

/* TLS failed: by itself, or because the connection ended in its handshake. */
static bool curl_end_is_tls_failure(const struct curl_slot *slot)
{
    return slot->transport->options.tls != NULL &&
           (curl_tls_is_broken(&slot->tls) ||
            (slot->phase == CURL_CAUSE_CONNECTING && curl_tls_is_shaking_hands(&slot->tls)));
}

/* A read met the end of the connection. In HTTP/2 it may be the end of other streams. */
static bool curl_end_is_met_by_read(const struct curl_slot *slot, CURLcode result)
{
    return (result == CURLE_RECV_ERROR || result == CURLE_GOT_NOTHING) &&
           !slot->transport->way.http2;
}

/* The request was not written to its end: by libcurl's word, by what TLS met, or because a read met
 * the end of the connection before a write did. */
static bool curl_end_is_unsent(const struct curl_slot *slot, CURLcode result)
{
    return slot->phase == CURL_CAUSE_CONNECTED && !curl_leg_is_sent(&slot->leg) &&
           (result == CURLE_SEND_ERROR || curl_end_is_met_by_read(slot, result) ||
            slot->leg.is_salvaged || curl_tls_is_write_broken(&slot->tls));
}

/* That is the reason, unless part of an answer came. */
static enum transport_end curl_end_cut_off(struct curl_slot *slot, int *error)
{
    if (slot->exchange->first_byte_ns == 0) {
        *error = *error != 0 ? *error : curl_cause_said_error(slot->error_text);
        return TRANSPORT_END_SEND;
    }
    slot->transport->options.traffic->write_errors++;
    *error = 0;
    return TRANSPORT_END_RECEIVE;
}

static enum transport_end curl_end_explain(struct curl_slot *slot, CURLcode result, int *error)
{
    struct exchange *exchange = slot->exchange;
    if (slot->leg.is_bad) {
        exchange->protocol_error = http1_error(&slot->reader);
        return TRANSPORT_END_PROTOCOL;
    }
    if (slot->leg.is_too_large) {
        return TRANSPORT_END_TOO_LARGE;
    }
    if (slot->leg.is_late) {
        *error = UV_ETIMEDOUT;
        return TRANSPORT_END_TIMEOUT;
    }
    if (slot->is_refused && exchange->auth_legs > 0 &&
        slot->transport->way.auth == AUTH_SCHEME_NTLM) {
        exchange->hint = CURL_END_MID_HANDSHAKE;
    }
    if (result == CURLE_OK || (slot->is_refused && !slot->leg.is_salvaged)) {
        return TRANSPORT_END_RECEIVE;
    }
    exchange->protocol_error = curl_cause_bad_answer(result, slot->phase, slot->error_text);
    if (exchange->protocol_error != NULL) {
        return TRANSPORT_END_PROTOCOL;
    }
    *error = curl_end_find_error(slot, result);
    curl_tls_note_text(&slot->tls, slot->error_text);
    if (curl_end_is_tls_failure(slot)) {
        const bool was_reset = curl_cause_said_error(slot->error_text) == UV_ECONNRESET;
        exchange->tls_error =
            curl_tls_reason(&slot->tls, was_reset ? TLS_END_RESET : TLS_END_CLOSED);
        *error = 0;
        return TRANSPORT_END_TLS;
    }
    if (curl_end_is_unsent(slot, result)) {
        return curl_end_cut_off(slot, error);
    }
    long connect_status = 0;
    (void)curl_easy_getinfo(slot->line.easy, CURLINFO_HTTP_CONNECTCODE, &connect_status);
    if (connect_status == 407) {
        exchange->protocol_error = curl_end_proxy_hint(slot);
    } else if (*error == 0 && curl_cause_wants_text(result)) {
        if (slot->phase == CURL_CAUSE_CONNECTING && slot->transport->way.proxy != PROXY_KIND_NONE) {
            curl_cause_append_proxy_hint(slot->error_text, sizeof slot->error_text);
        }
        exchange->protocol_error =
            slot->error_text[0] != '\0' ? slot->error_text : curl_easy_strerror(result);
    }
    return curl_cause_end(result, slot->phase);
}

static void curl_end_badly(struct curl_slot *slot, CURLcode result)
{
    int error = 0;
    const enum transport_end end = curl_end_explain(slot, result, &error);
    slot->transport->options.traffic->write_errors += end == TRANSPORT_END_SEND ? 1 : 0;
    const bool was_seen = slot->leg.is_late && slot->request_deadline.seen_ns != 0;
    curl_end_fail(slot, end, error, was_seen ? slot->request_deadline.seen_ns : clock_now_ns());
}

/* The message waited for the answer to an empty leg, and libcurl gave up at what that said. */
static void curl_end_unsent(struct curl_slot *slot)
{
    (void)snprintf(slot->error_text, sizeof slot->error_text,
                   "the message was not sent: %u to the empty request that begins %s",
                   (unsigned)slot->exchange->answer.status,
                   auth_scheme_name(slot->transport->way.auth));
    slot->exchange->protocol_error = slot->error_text;
    curl_end_fail(slot, TRANSPORT_END_SEND, 0, clock_now_ns());
}

void curl_end_abandon(struct curl_slot *slot, enum transport_end end, uint64_t now_ns)
{
    int error = UV_ETIMEDOUT;
    if (end == TRANSPORT_END_CONNECT && slot->transport->way.proxy != PROXY_KIND_NONE) {
        slot->exchange->protocol_error =
            "no way through the proxy in time: does one of this kind listen there?";
    }
    if (end == TRANSPORT_END_CONNECT && curl_end_is_tls_failure(slot)) {
        slot->exchange->tls_error = curl_tls_reason(&slot->tls, TLS_END_LATE);
        end = TRANSPORT_END_TLS;
        error = 0;
    }
    slot->is_leaving = true;
    curl_line_cancel(&slot->line);
    curl_end_fail(slot, end, error, now_ns);
}

void curl_end_transfer(struct curl_slot *slot, CURLcode result)
{
    slot->has_token = slot->has_token || slot->leg.has_token;
    const bool has_answer = curl_end_has_answer(slot, result);
    if (has_answer && curl_slot_is_unsent(slot)) {
        curl_end_unsent(slot);
    } else if (has_answer) {
        const uint64_t end_ns = slot->leg.is_answered ? slot->exchange->end_ns : clock_now_ns();
        curl_end_answered(slot, end_ns);
    } else {
        curl_end_badly(slot, result);
    }
}
