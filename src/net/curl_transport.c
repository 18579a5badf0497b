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

#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/net/curl_answer.h"
#include "lather/net/curl_end.h"
#include "lather/net/curl_features.h"
#include "lather/net/curl_slot.h"
#include "lather/net/direct.h"

/* --- events of the engine ------------------------------------------------------------------- */

static void curl_transport_on_ended(void *owner, CURLcode result)
{
    curl_end_transfer(owner, result);
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
        curl_end_ready(slot);
    }
}

/* --- the request ---------------------------------------------------------------------------- */

/* All that a handle is told once. */
static void curl_transport_set_up_handle(struct curl_slot *slot)
{
    struct curl_transport *transport = slot->transport;
    curl_setup_apply(&transport->setup, slot->line.easy);
    curl_tls_apply(&transport->tls, &slot->line, &slot->tls);
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
    } else if (state == CURL_REQUEST_BODY) {
        curl_setup_apply_body(slot->line.easy, &slot->request);
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
    curl_answer_expect(slot);
    exchange->start_ns = clock_now_ns();
    deadline_add_from(&transport->requests, &slot->request_deadline, slot, exchange->start_ns);
    if (curl_line_is_open(&slot->line) && !slot->is_leaving) {
        slot->phase = CURL_CAUSE_CONNECTED;
    } else {
        curl_transport_prepare_connect(slot);
    }
    curl_slot_hear(slot, CURL_SLOT_IS_DEAF);
    curl_line_send(&slot->line);
}

/* --- deadlines ------------------------------------------------------------------------------ */

static void curl_transport_on_request_late(struct deadline *deadline)
{
    struct curl_slot *slot = deadline->owner;
    curl_end_abandon(
        slot, slot->phase == CURL_CAUSE_CONNECTING ? TRANSPORT_END_CONNECT : TRANSPORT_END_TIMEOUT,
        deadline->seen_ns);
}

static void curl_transport_on_connect_late(struct deadline *deadline)
{
    curl_end_abandon(deadline->owner, TRANSPORT_END_CONNECT, deadline->seen_ns);
}

static void curl_transport_on_linger_over(struct deadline *deadline)
{
    struct curl_slot *slot = deadline->owner;
    curl_line_drop_lingering(&slot->line);
    curl_end_ready(slot);
}

static void curl_transport_on_pause_over(struct deadline *deadline)
{
    curl_end_ready(deadline->owner);
}

/* --- life ----------------------------------------------------------------------------------- */

static void curl_transport_stop_slot(struct curl_slot *slot)
{
    slot->state = CURL_SLOT_STOPPED;
    curl_line_close(&slot->line);
    if (slot->exchange != NULL) {
        curl_slot_settle_leg(slot);
        curl_end_done(slot, TRANSPORT_END_CUT, 0, clock_now_ns());
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
