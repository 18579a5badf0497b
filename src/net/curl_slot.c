/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libcurl tells while it works, written down in the slot and its exchange: connections made
 * and closed, bytes out and in, heads and bodies. Heads and bodies go to the same reader as in the
 * direct transport. A transfer can be several requests on the wire (net/curl_leg). The trap: all of
 * this is called from inside libcurl, where nothing but options may be set.
 */
#include "lather/net/curl_slot.h"

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/net/curl_answer.h"

/* NTLM takes two legs, Digest one and one more for a stale nonce, Negotiate a few. */
enum { CURL_SLOT_LEGS_AT_MOST = 10 };

bool curl_slot_is_plain(const struct curl_slot *slot)
{
    return slot->transport->options.tls == NULL && !slot->transport->way.http2;
}

void curl_slot_count_received(struct curl_slot *slot, uint64_t bytes)
{
    struct exchange *exchange = slot->exchange;
    struct traffic *traffic =
        exchange != NULL ? exchange->traffic : slot->transport->options.traffic;
    traffic->bytes_received += bytes;
    slot->received += bytes;
}

/* --- legs ----------------------------------------------------------------------------------- */

/* Its answer is none to the message, which the leg left out. */
static bool curl_slot_is_without_message(const struct curl_slot *slot)
{
    return slot->transport->way.auth != AUTH_SCHEME_NONE && curl_leg_is_bare(&slot->leg);
}

/* Neither interim answers, nor what is no HTTP, nor a 408 (RFC 9110, 15.5.9) prove that the server
 * took the request. */
static bool curl_slot_is_taken(const struct curl_slot *slot)
{
    return http1_has_head(&slot->reader) && slot->exchange->answer.status != 408;
}

void curl_slot_settle_leg(struct curl_slot *slot)
{
    if (!slot->leg.is_begun) {
        return;
    }
    struct traffic *traffic = slot->exchange->traffic;
    if (curl_slot_is_without_message(slot)) {
        slot->transport->options.traffic->auth_legs++; /* the message itself was never sent */
        return;
    }
    if (!curl_leg_is_sent(&slot->leg)) {
        traffic->requests_sent_partly++;
        return;
    }
    traffic->requests_sent_whole++;
    if (slot->exchange->sent_again) {
        traffic->requests_sent_again++;
    }
    if (!curl_slot_is_taken(slot)) {
        slot->transport->options.traffic->requests_lost_maybe++;
    }
}

void curl_slot_note_stray(struct curl_slot *slot, uint64_t bytes)
{
    struct traffic *traffic = slot->transport->options.traffic;
    if (bytes > 0) {
        traffic->connections_strayed++;
        traffic->stray_bytes += bytes;
    }
}

bool curl_slot_is_challenge(const struct curl_slot *slot)
{
    const uint16_t status = slot->exchange->answer.status;
    return slot->transport->way.auth != AUTH_SCHEME_NONE && status == 401;
}

bool curl_slot_is_unsent(const struct curl_slot *slot)
{
    const uint16_t status = slot->exchange->answer.status;
    return curl_slot_is_without_message(slot) && status != 401 && status != 407;
}

/* Nobody asks for credentials: libcurl sends the message behind such an answer. */
bool curl_slot_is_message_next(const struct curl_slot *slot)
{
    return curl_slot_is_without_message(slot) && slot->exchange->answer.status / 100 == 2;
}

/* The last leg was one of a handshake: it was answered. The bodies of such answers may be kept from
 * us (libcurl 8), but they were read when the connection goes on. */
static void curl_slot_count_auth_leg(struct curl_slot *slot, bool goes_on)
{
    struct traffic *traffic = slot->transport->options.traffic;
    struct exchange *exchange = slot->exchange;
    const uint64_t announced = exchange->answer.content_length;
    if (exchange->auth_legs == 0) {
        slot->auth_start_ns = slot->leg.start_ns;
    }
    if (goes_on && slot->leg.body_in == 0 && announced != UINT64_MAX) {
        curl_slot_count_received(slot, announced);
    }
    traffic->auth_legs++;
    exchange->auth_legs++;
    traffic->interim_answers += exchange->answer.interim;
}

/* The last leg is over and another begins in its transfer: one of a handshake, or one in vain. */
static void curl_slot_turn_leg(struct curl_slot *slot, bool goes_on)
{
    slot->has_token = slot->has_token || slot->leg.has_token;
    if (slot->leg.has_answer) {
        curl_slot_count_auth_leg(slot, goes_on);
    } else {
        curl_slot_settle_leg(slot);
        slot->exchange->sent_again = true;
        slot->must_reset = true;
    }
    curl_answer_expect(slot);
}

void curl_slot_forbid_reuse(struct curl_slot *slot, bool forbid)
{
    if (slot->forbids_reuse != forbid) {
        slot->forbids_reuse = forbid;
        (void)curl_easy_setopt(slot->line.easy, CURLOPT_FORBID_REUSE, forbid ? 1L : 0L);
    }
}

/* --- the wire ------------------------------------------------------------------------------- */

static void curl_slot_out(struct curl_slot *slot, curl_infotype type, struct str bytes)
{
    struct curl_leg *leg = &slot->leg;
    const uint64_t now_ns = clock_now_ns();
    slot->exchange->traffic->bytes_sent += bytes.len;
    if (type == CURLINFO_DATA_OUT) {
        curl_leg_add_body(leg, bytes.len);
    } else {
        curl_leg_add_head(leg, bytes, slot->transport->way.auth, now_ns);
    }
    if (slot->exchange->sent_ns == 0 && curl_leg_is_sent(leg)) {
        slot->exchange->sent_ns = now_ns;
    }
}

/* What libcurl says for people to read. */
static void curl_slot_on_text(struct curl_slot *slot, struct str text)
{
    if (slot->transport->way.auth == AUTH_SCHEME_NEGOTIATE &&
        str_starts_with(text, STR("gss_init_sec_context() failed"))) {
        slot->lacks_ticket = true;
    }
}

/* libcurl tells what it gave to and got from the system; before the connection stands, that is what
 * it says to a proxy. */
static int curl_slot_on_wire(CURL *easy, curl_infotype type, char *data, size_t len, void *context)
{
    (void)easy;
    struct curl_slot *slot = context;
    if (slot->exchange == NULL || slot->phase != CURL_CAUSE_CONNECTED) {
        return 0;
    }
    switch (type) {
    case CURLINFO_HEADER_OUT:
    case CURLINFO_DATA_OUT:
        curl_slot_out(slot, type, str_of(data, len));
        break;
    case CURLINFO_DATA_IN:
        slot->leg.body_in += len;
        curl_answer_count(slot, len);
        break;
    case CURLINFO_TEXT:
        curl_slot_on_text(slot, str_of(data, len));
        break;
    default:
        break;
    }
    return 0;
}

/* --- connections ---------------------------------------------------------------------------- */

bool curl_slot_on_connecting(void *owner)
{
    struct curl_slot *slot = owner;
    if (slot->phase == CURL_CAUSE_CONNECTING) {
        return true;
    }
    const bool is_unseen = slot->leg.was_seen && !slot->leg.has_answer;
    const bool was_again = slot->exchange->sent_again && !slot->leg.has_answer;
    if (slot->leg.is_begun && (is_unseen || was_again || slot->leg.is_salvaged)) {
        /* libcurl only counts whole lines of a head that it read itself and would send the request
         * again; but the server has begun to answer it (RFC 9112 9.3.1). And once is enough. */
        slot->is_refused = true;
        return false;
    }
    if (slot->leg.is_begun) {
        curl_slot_turn_leg(slot, false);
    }
    slot->phase = CURL_CAUSE_CONNECTING;
    slot->connect_start_ns = clock_now_ns();
    deadline_add(&slot->transport->connects, &slot->state_deadline, slot);
    return true;
}

static void curl_slot_learn_address(struct curl_slot *slot, const char *ip)
{
    struct curl_transport *transport = slot->transport;
    for (size_t i = 0; i < transport->addresses.count; i++) {
        char text[ADDRESS_TEXT_SIZE];
        if (str_equals(str_from(address_format_ip(&transport->addresses.items[i], text)),
                       str_from(ip))) {
            transport->good_address = (uint8_t)i;
            return;
        }
    }
}

/* How long libcurl looked for the name's addresses, from the start of its transfer. */
static void curl_slot_count_lookup(struct curl_slot *slot)
{
    struct traffic *traffic = slot->transport->options.traffic;
    curl_off_t lookup_us = 0;
    if (curl_easy_getinfo(slot->line.easy, CURLINFO_NAMELOOKUP_TIME_T, &lookup_us) == CURLE_OK) {
        traffic->name_lookups++;
        traffic->name_lookups_ns += (uint64_t)lookup_us * 1000;
    }
}

/* What SOCKS said on the connection is none of the service's bytes; the system has counted it. */
static uint64_t curl_slot_proxy_bytes(const struct curl_slot *slot)
{
    const enum proxy_kind proxy = slot->transport->way.proxy;
    uint64_t bytes = 0;
    const bool is_known = (proxy == PROXY_KIND_SOCKS5 || proxy == PROXY_KIND_SOCKS5H) &&
                          platform_socket_received(curl_line_descriptor(&slot->line), &bytes);
    return is_known ? bytes : 0;
}

static void curl_slot_note_opened(struct curl_slot *slot, uint64_t now_ns)
{
    struct curl_transport *transport = slot->transport;
    struct traffic *traffic = transport->options.traffic;
    slot->exchange->opened = true;
    slot->exchange->connect_ns += now_ns - slot->connect_start_ns;
    slot->is_leaving = false;
    slot->answers = 0;
    slot->received = curl_slot_proxy_bytes(slot);
    traffic->connections_opened++;
    if (transport->way.resolve_each) {
        curl_slot_count_lookup(slot);
    }
    if (slot->replaces_closed) {
        slot->replaces_closed = false;
        traffic->connections_reopened++;
    }
    transport->open_count++;
    if (transport->open_count > traffic->connections_peak) {
        traffic->connections_peak = transport->open_count;
    }
}

/* The connection stands, new or kept: the next bytes are a request's, or those of a leg. */
static int curl_slot_on_connected(void *context, char *peer_ip, char *local_ip, int peer_port,
                                  int local_port)
{
    (void)local_ip;
    (void)peer_port;
    (void)local_port;
    struct curl_slot *slot = context;
    const bool goes_on = slot->phase == CURL_CAUSE_CONNECTED;
    deadline_remove(&slot->state_deadline);
    slot->phase = CURL_CAUSE_CONNECTED;
    curl_slot_hear(slot, CURL_SLOT_HEARS);
    if (curl_line_mark_open(&slot->line)) {
        curl_slot_learn_address(slot, peer_ip);
        curl_slot_note_opened(slot, clock_now_ns());
    }
    if (slot->leg.has_answer && slot->exchange->auth_legs >= CURL_SLOT_LEGS_AT_MOST) {
        slot->leg.is_looping = true;
        return CURL_PREREQFUNC_ABORT;
    }
    if (slot->leg.is_begun) {
        curl_slot_turn_leg(slot, goes_on);
    }
    slot->leg.is_begun = true;
    return CURL_PREREQFUNC_OK;
}

/* What the server may still want to do with a connection that libcurl lets go of. */
static bool curl_slot_may_linger(const struct curl_slot *slot)
{
    const struct curl_leg *leg = &slot->leg;
    const uint32_t limit = slot->transport->options.requests_per_connection;
    return slot->exchange != NULL && leg->is_answered && curl_leg_is_sent(leg) &&
           curl_leg_stray_bytes(leg) == 0 && !curl_slot_is_challenge(slot) &&
           slot->answers + 1 != limit;
}

/*
 * libcurl keeps to itself what it read of an unfinished line, or dropped behind a head without
 * body. The system has counted it.
 */
static void curl_slot_count_unseen(struct curl_slot *slot, intptr_t descriptor)
{
    struct exchange *exchange = slot->exchange;
    uint64_t bytes = 0;
    if (!curl_slot_is_plain(slot) || !platform_socket_received(descriptor, &bytes) ||
        bytes <= slot->received) {
        return;
    }
    const uint64_t unseen = bytes - slot->received;
    curl_slot_count_received(slot, unseen);
    if (exchange == NULL || !slot->leg.is_begun) {
        return;
    }
    if (slot->leg.is_answered) {
        slot->leg.body_in += unseen;
    } else if (!slot->leg.has_answer) {
        slot->leg.was_seen = true;
        exchange->first_byte_ns = clock_now_ns();
    }
}

enum curl_engine_close curl_slot_on_closing(void *owner, intptr_t descriptor, bool was_open)
{
    struct curl_slot *slot = owner;
    struct curl_transport *transport = slot->transport;
    struct traffic *traffic = transport->options.traffic;
    if (!was_open) {
        if (!transport->stopped) {
            traffic->connections_failed++;
            traffic->tls_failed += curl_tls_is_shaking_hands(&slot->tls) ? 1 : 0;
        }
        return CURL_ENGINE_CLOSE_NOW;
    }
    transport->open_count--;
    curl_answer_salvage(slot, descriptor);
    curl_slot_count_unseen(slot, descriptor);
    if (!transport->stopped && curl_slot_may_linger(slot)) {
        return CURL_ENGINE_CLOSE_LINGER;
    }
    if (!slot->is_leaving) {
        const bool is_unanswered = !slot->leg.has_answer && !slot->leg.was_seen;
        slot->replaces_closed = slot->exchange == NULL || (slot->answers > 0 && is_unanswered);
    }
    return CURL_ENGINE_CLOSE_NOW;
}

void curl_slot_hear(struct curl_slot *slot, enum curl_slot_hearing hearing)
{
    (void)curl_easy_setopt(slot->line.easy, CURLOPT_VERBOSE, hearing == CURL_SLOT_HEARS ? 1L : 0L);
}

void curl_slot_listen(struct curl_slot *slot)
{
    CURL *easy = slot->line.easy;
    (void)curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, slot->error_text);
    curl_answer_listen(slot);
    (void)curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, curl_slot_on_connected);
    (void)curl_easy_setopt(easy, CURLOPT_PREREQDATA, slot);
    (void)curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, curl_slot_on_wire);
    (void)curl_easy_setopt(easy, CURLOPT_DEBUGDATA, slot);
}
