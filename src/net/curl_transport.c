/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transport interface over libcurl. libcurl connects, speaks with proxies, authenticates and
 * sends; what comes back is read by the same reader as in the direct transport, bytes are counted
 * as libcurl passes them to and from the system, and times are our own deadlines and stamps. Here
 * is what happens while libcurl does not work: requests are given to it and ends taken from it. The
 * trap: it forgets how often it repeated a request only when its handle is reset, and gives up a
 * healthy run after five.
 */
#include "lather/net/curl_transport.h"

#include <stdio.h>
#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/net/curl_features.h"
#include "lather/net/curl_slot.h"
#include "lather/net/direct.h"

/* --- the slot's ends ------------------------------------------------------------------------ */

static void curl_transport_ready(struct curl_slot *slot)
{
    struct curl_transport *transport = slot->transport;
    slot->state = CURL_SLOT_IDLE;
    if (!transport->stopped) {
        transport->options.events.ready(transport->options.events.context, slot->index);
    }
}

static void curl_transport_note_auth(struct curl_slot *slot)
{
    struct exchange *exchange = slot->exchange;
    if (exchange->auth_legs > 0 && slot->leg.start_ns != 0) {
        exchange->auth_ns = slot->leg.start_ns - slot->auth_start_ns;
    }
    if (exchange->auth_legs > 0 || slot->has_token) {
        slot->transport->options.traffic->auth_handshakes++;
    }
}

static void curl_transport_done(struct curl_slot *slot, enum transport_end end, int error,
                                uint64_t now_ns)
{
    struct curl_transport *transport = slot->transport;
    struct exchange *exchange = slot->exchange;
    deadline_remove(&slot->request_deadline);
    curl_transport_note_auth(slot);
    exchange->end = end;
    exchange->error = error;
    exchange->end_ns = now_ns;
    slot->exchange = NULL;
    transport->options.traffic->interim_answers += exchange->answer.interim;
    transport->options.events.done(transport->options.events.context, slot->index, exchange);
}

static void curl_transport_fail(struct curl_slot *slot, enum transport_end end, int error,
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
    curl_transport_done(slot, end, error, now_ns);
    if (slot->state == CURL_SLOT_PAUSING) {
        deadline_add(&transport->pauses, &slot->state_deadline, slot);
    } else {
        curl_transport_ready(slot);
    }
}

/* Why the server still says 401, when it was to take our credentials. */
static const char *curl_transport_auth_hint(const struct curl_slot *slot)
{
    static const char *const not_offered[AUTH_SCHEME_COUNT] = {
        [AUTH_SCHEME_DIGEST] = "the server does not offer Digest",
        [AUTH_SCHEME_NTLM] = "the server does not offer NTLM",
        [AUTH_SCHEME_NEGOTIATE] = "the server does not offer Negotiate",
    };
    if (!slot->is_offered) {
        return not_offered[slot->transport->way.auth];
    }
    if (slot->lacks_ticket) {
        return "no Kerberos ticket for the service: kinit USER, --spn HTTP/HOST";
    }
    return slot->transport->way.auth == AUTH_SCHEME_NEGOTIATE
               ? "the server refused the ticket or token"
               : "the server refused the credentials of -A";
}

/* What a proxy that says 407 lacks. */
static const char *curl_transport_proxy_hint(const struct curl_slot *slot)
{
    return slot->transport->way.proxy_user != NULL
               ? "407: the proxy refused the credentials of -P"
               : "407: the proxy wants credentials: -P USER:PASSWORD";
}

static void curl_transport_find_hint(struct curl_slot *slot)
{
    if (curl_slot_is_challenge(slot)) {
        slot->exchange->hint = curl_transport_auth_hint(slot);
    } else if (slot->exchange->answer.status == 407 &&
               slot->transport->way.proxy != PROXY_KIND_NONE) {
        slot->exchange->hint = curl_transport_proxy_hint(slot);
    }
}

static void curl_transport_answered(struct curl_slot *slot, uint64_t now_ns)
{
    struct curl_transport *transport = slot->transport;
    const bool is_kept =
        curl_line_is_open(&slot->line) && !slot->is_leaving && !slot->forbids_reuse;
    curl_slot_settle_leg(slot);
    curl_slot_note_stray(slot, curl_leg_stray_bytes(&slot->leg));
    curl_transport_find_hint(slot);
    if (is_kept) {
        transport->options.traffic->answers_on_kept++;
        slot->answers++;
    }
    slot->state = CURL_SLOT_IDLE;
    if (curl_line_is_lingering(&slot->line)) {
        slot->state = CURL_SLOT_LINGERING;
        deadline_add(&transport->lingers, &slot->state_deadline, slot);
    }
    curl_transport_done(slot, TRANSPORT_END_ANSWERED, 0, now_ns);
    if (slot->state == CURL_SLOT_IDLE) {
        curl_transport_ready(slot);
    }
}

/* The answer is whole, or became so by its connection's end. */
static bool curl_transport_has_answer(struct curl_slot *slot, CURLcode result)
{
    if (slot->leg.is_bad || slot->leg.is_too_large || slot->leg.is_late) {
        return false;
    }
    return slot->leg.is_answered || (result == CURLE_OK && http1_end(&slot->reader) == HTTP1_DONE);
}

/* What the system said about a transfer that failed, or 0. */
static int curl_transport_find_error(struct curl_slot *slot, CURLcode result)
{
    long system_error = curl_engine_take_socket_error(slot->transport->engine);
    if (system_error != 0) {
        slot->transport->options.traffic->connections_failed++;
    } else {
        (void)curl_easy_getinfo(slot->line.easy, CURLINFO_OS_ERRNO, &system_error);
    }
    return curl_cause_error(result, slot->phase, system_error, slot->error_text);
}

/* TLS failed: by itself, or because the connection ended in its handshake. */
static bool curl_transport_is_tls_failure(const struct curl_slot *slot)
{
    return slot->transport->options.tls != NULL &&
           (curl_tls_is_broken(&slot->tls) ||
            (slot->phase == CURL_CAUSE_CONNECTING && curl_tls_is_shaking_hands(&slot->tls)));
}

static enum transport_end curl_transport_explain(struct curl_slot *slot, CURLcode result,
                                                 int *error)
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
    if (result == CURLE_OK || slot->is_refused) {
        return TRANSPORT_END_RECEIVE;
    }
    exchange->protocol_error = curl_cause_bad_answer(result, slot->phase, slot->error_text);
    if (exchange->protocol_error != NULL) {
        return TRANSPORT_END_PROTOCOL;
    }
    *error = curl_transport_find_error(slot, result);
    curl_tls_note_text(&slot->tls, slot->error_text);
    if (curl_transport_is_tls_failure(slot)) {
        const bool was_reset = curl_cause_said_error(slot->error_text) == UV_ECONNRESET;
        exchange->tls_error =
            curl_tls_reason(&slot->tls, was_reset ? TLS_END_RESET : TLS_END_CLOSED);
        *error = 0;
        return TRANSPORT_END_TLS;
    }
    long connect_status = 0;
    (void)curl_easy_getinfo(slot->line.easy, CURLINFO_HTTP_CONNECTCODE, &connect_status);
    if (connect_status == 407) {
        exchange->protocol_error = curl_transport_proxy_hint(slot);
    } else if (*error == 0 && curl_cause_wants_text(result)) {
        exchange->protocol_error =
            slot->error_text[0] != '\0' ? slot->error_text : curl_easy_strerror(result);
    }
    return curl_cause_end(result, slot->phase);
}

static void curl_transport_ended_badly(struct curl_slot *slot, CURLcode result)
{
    struct traffic *traffic = slot->transport->options.traffic;
    int error = 0;
    const enum transport_end end = curl_transport_explain(slot, result, &error);
    traffic->write_errors += end == TRANSPORT_END_SEND ? 1 : 0;
    curl_transport_fail(slot, end, error, clock_now_ns());
}

/* The message waited for the answer to an empty leg, and libcurl gave up at what that said. */
static void curl_transport_ended_unsent(struct curl_slot *slot)
{
    (void)snprintf(slot->error_text, sizeof slot->error_text,
                   "the message was not sent: %u to the empty request that begins %s",
                   (unsigned)slot->exchange->answer.status,
                   auth_scheme_name(slot->transport->way.auth));
    slot->exchange->protocol_error = slot->error_text;
    curl_transport_fail(slot, TRANSPORT_END_SEND, 0, clock_now_ns());
}

/* --- events of the engine ------------------------------------------------------------------- */

static void curl_transport_on_ended(void *owner, CURLcode result)
{
    struct curl_slot *slot = owner;
    slot->has_token = slot->has_token || slot->leg.has_token;
    const bool has_answer = curl_transport_has_answer(slot, result);
    if (has_answer && curl_slot_is_unsent(slot)) {
        curl_transport_ended_unsent(slot);
    } else if (has_answer) {
        const uint64_t end_ns = slot->leg.is_answered ? slot->exchange->end_ns : clock_now_ns();
        curl_transport_answered(slot, end_ns);
    } else {
        curl_transport_ended_badly(slot, result);
    }
}

/* Something came between two transfers. */
static void curl_transport_on_stirred(void *owner, size_t bytes)
{
    struct curl_slot *slot = owner;
    if (bytes == 0 || !curl_slot_is_plain(slot)) {
        return; /* a close, which libcurl finds itself, or what belongs to TLS or HTTP/2 */
    }
    curl_slot_count_received(slot, bytes);
    curl_slot_note_stray(slot, bytes);
    platform_socket_end(curl_line_descriptor(&slot->line));
}

static void curl_transport_on_drained(void *owner, size_t bytes)
{
    struct curl_slot *slot = owner;
    if (curl_slot_is_plain(slot)) {
        curl_slot_count_received(slot, bytes);
    }
}

static void curl_transport_on_left(void *owner)
{
    struct curl_slot *slot = owner;
    if (slot->state == CURL_SLOT_LINGERING) {
        deadline_remove(&slot->state_deadline);
        curl_transport_ready(slot);
    }
}

/* --- the request ---------------------------------------------------------------------------- */

/* All that a handle is told once. */
static void curl_transport_set_up_handle(struct curl_slot *slot)
{
    struct curl_transport *transport = slot->transport;
    curl_setup_apply(&transport->setup, slot->line.easy);
    curl_tls_apply(&transport->tls, slot->line.easy, &slot->tls);
    curl_slot_listen(slot);
    slot->forbids_reuse = false;
    slot->address = CURL_SLOT_ALL_ADDRESSES;
}

/* Whether the connection is to be closed after this request. */
static bool curl_transport_is_last(const struct curl_slot *slot)
{
    const struct transport_options *options = &slot->transport->options;
    const uint32_t before = curl_line_is_open(&slot->line) ? slot->answers : 0;
    return !slot->transport->keeps_connections || before + 1 == options->requests_per_connection;
}

static void curl_transport_give_request(struct curl_slot *slot)
{
    struct exchange *exchange = slot->exchange;
    const bool was_reset = slot->must_reset;
    if (was_reset) {
        slot->must_reset = false;
        curl_line_reset(&slot->line);
        curl_transport_set_up_handle(slot);
    }
    const enum curl_request_state state = curl_request_read(&slot->request, exchange);
    CHECK(state != CURL_REQUEST_BAD);
    if (state == CURL_REQUEST_NEW || was_reset) {
        curl_setup_apply_request(&slot->transport->setup, slot->line.easy, &slot->request);
    }
    curl_slot_forbid_reuse(slot, curl_transport_is_last(slot));
}

/* A new connection begins with the address that was good last. */
static void curl_transport_prepare_connect(struct curl_slot *slot)
{
    struct curl_transport *transport = slot->transport;
    slot->phase = CURL_CAUSE_CONNECTING;
    slot->connect_start_ns = slot->exchange->start_ns;
    deadline_add(&transport->connects, &slot->state_deadline, slot);
    if (slot->address != transport->good_address && !transport->way.resolve_each) {
        slot->address = transport->good_address;
        (void)curl_easy_setopt(slot->line.easy, CURLOPT_RESOLVE,
                               slot->address == CURL_SLOT_ALL_ADDRESSES
                                   ? transport->setup.resolve_all
                                   : transport->setup.resolve[slot->address]);
    }
}

static void curl_transport_begin(struct curl_slot *slot, struct exchange *exchange)
{
    slot->state = CURL_SLOT_EXCHANGING;
    slot->exchange = exchange;
    slot->has_token = false;
    slot->is_offered = false;
    slot->lacks_ticket = false;
    slot->is_refused = false;
    slot->error_text[0] = '\0';
    exchange->protocol_error = NULL;
    exchange->connect_ns = 0;
    exchange->auth_ns = 0;
    exchange->auth_legs = 0;
    exchange->opened = false;
    exchange->sent_again = false;
}

static void curl_transport_send(struct transport *base, uint32_t index, struct exchange *exchange)
{
    struct curl_transport *transport = (struct curl_transport *)base;
    struct curl_slot *slot = &transport->slots[index];
    CHECK(slot->state == CURL_SLOT_IDLE && slot->exchange == NULL);
    curl_transport_begin(slot, exchange);
    curl_transport_give_request(slot);
    curl_slot_expect_answer(slot);
    exchange->start_ns = clock_now_ns();
    deadline_add_from(&transport->requests, &slot->request_deadline, slot, exchange->start_ns);
    if (curl_line_is_open(&slot->line) && !slot->is_leaving) {
        slot->phase = CURL_CAUSE_CONNECTED;
    } else {
        curl_transport_prepare_connect(slot);
    }
    curl_line_send(&slot->line);
}

/* --- deadlines ------------------------------------------------------------------------------ */

static void curl_transport_abandon(struct curl_slot *slot, enum transport_end end)
{
    int error = UV_ETIMEDOUT;
    if (end == TRANSPORT_END_CONNECT && slot->transport->way.proxy != PROXY_KIND_NONE) {
        slot->exchange->protocol_error =
            "no way through the proxy in time: does one of this kind listen there?";
    }
    if (end == TRANSPORT_END_CONNECT && curl_transport_is_tls_failure(slot)) {
        slot->exchange->tls_error = curl_tls_reason(&slot->tls, TLS_END_LATE);
        end = TRANSPORT_END_TLS;
        error = 0;
    }
    slot->is_leaving = true;
    curl_line_cancel(&slot->line);
    curl_transport_fail(slot, end, error, clock_now_ns());
}

static void curl_transport_on_request_late(struct deadline *deadline)
{
    struct curl_slot *slot = deadline->owner;
    curl_transport_abandon(slot, slot->phase == CURL_CAUSE_CONNECTING ? TRANSPORT_END_CONNECT
                                                                      : TRANSPORT_END_TIMEOUT);
}

static void curl_transport_on_connect_late(struct deadline *deadline)
{
    curl_transport_abandon(deadline->owner, TRANSPORT_END_CONNECT);
}

static void curl_transport_on_linger_over(struct deadline *deadline)
{
    struct curl_slot *slot = deadline->owner;
    curl_line_drop_lingering(&slot->line);
    curl_transport_ready(slot);
}

static void curl_transport_on_pause_over(struct deadline *deadline)
{
    curl_transport_ready(deadline->owner);
}

/* --- life ----------------------------------------------------------------------------------- */

static void curl_transport_stop_slot(struct curl_slot *slot)
{
    slot->state = CURL_SLOT_STOPPED;
    curl_line_close(&slot->line);
    if (slot->exchange != NULL) {
        curl_slot_settle_leg(slot);
        curl_transport_done(slot, TRANSPORT_END_CUT, 0, clock_now_ns());
    }
}

static void curl_transport_stop(struct transport *base)
{
    struct curl_transport *transport = (struct curl_transport *)base;
    if (transport->stopped) {
        return;
    }
    transport->stopped = true;
    for (uint32_t i = 0; i < transport->options.slots; i++) {
        curl_transport_stop_slot(&transport->slots[i]);
    }
    curl_engine_stop(transport->engine);
    deadline_queue_close(&transport->requests);
    deadline_queue_close(&transport->connects);
    deadline_queue_close(&transport->lingers);
    deadline_queue_close(&transport->pauses);
}

static uint64_t curl_transport_take_turn_start(struct transport *base)
{
    return curl_engine_take_turn_start(((struct curl_transport *)base)->engine);
}

static void curl_transport_free(struct transport *base)
{
    struct curl_transport *transport = (struct curl_transport *)base;
    for (uint32_t i = 0; i < transport->options.slots; i++) {
        curl_request_deinit(&transport->slots[i].request);
        curl_tls_forget(&transport->slots[i].tls);
    }
    curl_setup_deinit(&transport->setup);
    curl_tls_deinit(&transport->tls);
    curl_engine_free(transport->engine);
    free(transport);
}

static const struct transport_operations curl_operations = {
    .send = curl_transport_send,
    .stop = curl_transport_stop,
    .take_turn_start = curl_transport_take_turn_start,
    .free = curl_transport_free,
};

static const struct sockaddr *curl_transport_choose_source(void *context, int family)
{
    struct curl_transport *transport = context;
    return (const struct sockaddr *)address_list_take(transport->options.sources,
                                                      &transport->source_turn, family);
}

static void curl_transport_init_engine(struct curl_transport *transport)
{
    const struct transport_options *options = &transport->options;
    static const struct curl_engine_events events = {
        .connecting = curl_slot_on_connecting,
        .closing = curl_slot_on_closing,
        .stirred = curl_transport_on_stirred,
        .drained = curl_transport_on_drained,
        .left = curl_transport_on_left,
        .ended = curl_transport_on_ended,
    };
    transport->engine = curl_engine_new(options->loop, &events, options->slots);
    curl_engine_set_sockets(transport->engine, &(struct curl_engine_socket_options){
                                                   .choose_source = curl_transport_choose_source,
                                                   .context = transport,
                                                   .buffer_bytes = options->window_bytes,
                                               });
}

static void curl_transport_init_queues(struct curl_transport *transport)
{
    const struct transport_options *options = &transport->options;
    deadline_queue_init(&transport->requests, options->loop, options->timeout_ms,
                        curl_transport_on_request_late);
    deadline_queue_init(&transport->connects, options->loop, options->connect_timeout_ms,
                        curl_transport_on_connect_late);
    deadline_queue_init(&transport->lingers, options->loop, DIRECT_LINGER_MS,
                        curl_transport_on_linger_over);
    deadline_queue_init(&transport->pauses, options->loop, DIRECT_PAUSE_MS,
                        curl_transport_on_pause_over);
}

static void curl_transport_init_slots(struct curl_transport *transport)
{
    for (uint32_t i = 0; i < transport->options.slots; i++) {
        struct curl_slot *slot = &transport->slots[i];
        slot->transport = transport;
        slot->index = i;
        curl_request_init(&slot->request);
        CHECK(curl_line_open(&slot->line, transport->engine, slot));
        curl_transport_set_up_handle(slot);
    }
}

struct transport *curl_transport_new(const struct transport_options *options,
                                     const struct curl_transport_options *way)
{
    struct curl_transport *transport =
        check_calloc(1, sizeof(*transport) + options->slots * sizeof(struct curl_slot));
    transport->transport.operations = &curl_operations;
    transport->options = *options;
    transport->way = *way;
    transport->addresses = *options->addresses;
    transport->options.addresses = &transport->addresses;
    if (options->sources != NULL) {
        transport->sources = *options->sources;
        transport->options.sources = &transport->sources;
    }
    transport->good_address = CURL_SLOT_ALL_ADDRESSES;
    transport->keeps_connections = options->keep_alive && (!way->http2 || options->tls != NULL ||
                                                           curl_features_keeps_http2_in_clear());
    curl_setup_init(&transport->setup, &transport->way, &transport->addresses);
    curl_tls_init(&transport->tls, options->tls, options->traffic, options->tls_facts);
    curl_transport_init_engine(transport);
    curl_transport_init_queues(transport);
    curl_transport_init_slots(transport);
    return &transport->transport;
}

bool curl_transport_set_up(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

void curl_transport_tear_down(void)
{
    curl_global_cleanup();
}
