/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What comes in on a connection of the curl transport. libcurl passes on lines of heads and the
 * bytes behind them as they came; they go to the reader that the direct transport has, which alone
 * says where an answer ends. Nothing here judges one. The trap: libcurl gives a connection up when
 * it cannot write, though an answer may lie in the socket; what is left there is read before it is
 * closed.
 */
#include "lather/net/curl_answer.h"

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/net/cause.h"

enum { CURL_ANSWER_PIECE = 64 * 1024 }; /* as much as platform_socket_peek tells of */

static void curl_answer_stream(struct curl_slot *slot, struct str bytes)
{
    const struct transport_events *events = &slot->transport->options.events;
    events->stream(events->context, slot->exchange, bytes);
}

/* Gathers the body: libcurl's buffer is gone when the exchange is done. */
static void curl_answer_on_body(void *context, const char *data, size_t len)
{
    struct curl_slot *slot = context;
    struct exchange *exchange = slot->exchange;
    if (slot->streaming) {
        curl_answer_stream(slot, str_of(data, len));
    } else if (exchange->body.len + len > slot->transport->options.gather_ceiling) {
        slot->streaming = true;
        curl_answer_stream(slot, exchange->body);
        curl_answer_stream(slot, str_of(data, len));
        exchange->body = str_of(NULL, 0);
    } else {
        buf_append(&exchange->store, data, len);
        exchange->body = buf_view(&exchange->store);
    }
}

void curl_answer_expect(struct curl_slot *slot)
{
    const struct transport_options *options = &slot->transport->options;
    struct exchange *exchange = slot->exchange;
    exchange->sent_ns = 0;
    exchange->first_byte_ns = 0;
    exchange->end_ns = 0;
    exchange->hint = NULL;
    exchange->body = str_of(NULL, 0);
    buf_reset(&exchange->store);
    slot->streaming = false;
    curl_leg_begin(&slot->leg, slot->request.pieces.bytes);
    http1_begin(&slot->reader, &exchange->answer, options->answer_body,
                options->wants_body ? curl_answer_on_body : NULL, slot);
    if (options->keep_lines) {
        http1_keep_lines(&slot->reader);
    }
}

/* libcurl drops what it read behind a head without body, and would keep the connection. */
static bool curl_answer_has_unseen(const struct curl_slot *slot)
{
    uint64_t came = 0;
    return slot->exchange->answer.body_bytes == 0 && curl_slot_is_plain(slot) &&
           platform_socket_received(curl_line_descriptor(&slot->line), &came) &&
           came > slot->received;
}

/*
 * libcurl does not know a Content-Length with a blank before its colon, which a client may pass
 * over (RFC 9112, 5.1), and would wait for the connection's end; newer ones do so too where
 * chunked stands behind another coding.
 */
static bool curl_answer_is_endless_for_libcurl(const struct curl_slot *slot)
{
    const struct http1_answer *answer = &slot->exchange->answer;
    curl_off_t length = 0;
    if (slot->leg.is_coded) {
        return true;
    }
    return answer->body_bytes == answer->content_length && !answer->is_chunked &&
           !slot->transport->way.http2 &&
           curl_easy_getinfo(slot->line.easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length) ==
               CURLE_OK &&
           length < 0;
}

/* The answer is whole. False: nothing more is to be read or sent, whatever libcurl thinks. */
static bool curl_answer_end(struct curl_slot *slot, size_t unused)
{
    slot->leg.is_answered = true;
    if (unused > 0 || curl_answer_has_unseen(slot)) {
        /* libcurl would keep a connection with bytes behind a chunked answer. */
        curl_slot_forbid_reuse(slot, true);
    }
    if (!slot->exchange->answer.keep_alive && !slot->transport->way.http2) {
        slot->is_leaving = true;
    }
    if (slot->exchange->answer.status == 101 || curl_answer_is_endless_for_libcurl(slot)) {
        return false; /* no HTTP follows it, but libcurl would read on */
    }
    return curl_leg_is_sent(&slot->leg) || curl_slot_is_challenge(slot) ||
           curl_slot_is_message_next(slot);
}

/* A refusal may say that the wrong thing speaks to the port, or what it lacked. */
static void curl_answer_look_for_hint(struct curl_slot *slot, struct str bytes)
{
    struct exchange *exchange = slot->exchange;
    const uint16_t status = exchange->answer.status;
    const struct tls_context *context = slot->transport->options.tls;
    if (status >= 200 && status < 400) {
        return;
    }
    if (context == NULL) {
        exchange->hint = cause_hint_in_clear(status, bytes, exchange->hint);
    } else if (slot->tls.certificate_wanted && !tls_context_has_certificate(context)) {
        exchange->hint = cause_hint_without_certificate(status);
    }
}

/* An endless answer would keep its slot until the timeout. */
static bool curl_answer_is_too_large(const struct curl_slot *slot)
{
    const uint64_t ceiling = slot->transport->options.body_ceiling;
    return ceiling > 0 && slot->exchange->answer.body_bytes > ceiling;
}

/*
 * libcurl reads on without a turn of the loop as long as more has come: what pours without end
 * would never meet its deadline.
 */
static bool curl_answer_is_late(const struct curl_slot *slot)
{
    const struct exchange *exchange = slot->exchange;
    return exchange->end_ns - exchange->start_ns > slot->transport->options.timeout_ms * NS_PER_MS;
}

/* Gives the reader bytes of the answer. False ends the transfer. */
static bool curl_answer_feed(struct curl_slot *slot, const char *data, size_t len)
{
    if (slot->leg.is_answered) {
        return true; /* libcurl reads on: a trailer it took apart, or bytes behind the answer */
    }
    if (curl_answer_is_late(slot)) {
        slot->leg.is_late = true;
        return false;
    }
    size_t used = 0;
    const enum http1_progress progress = http1_feed(&slot->reader, data, len, &used);
    slot->leg.body_used += used;
    curl_answer_look_for_hint(slot, str_of(data, len));
    switch (progress) {
    case HTTP1_DONE:
        return curl_answer_end(slot, len - used);
    case HTTP1_BAD:
        slot->leg.is_bad = true;
        return false;
    default:
        slot->leg.is_too_large = curl_answer_is_too_large(slot);
        return !slot->leg.is_too_large;
    }
}

/* Bytes of the answer came. */
void curl_answer_count(struct curl_slot *slot, size_t bytes)
{
    struct exchange *exchange = slot->exchange;
    curl_slot_count_received(slot, bytes);
    exchange->end_ns = clock_now_ns();
    slot->leg.has_answer = true;
    if (exchange->first_byte_ns == 0) {
        exchange->first_byte_ns = exchange->end_ns;
    }
}

/* With quickack: acknowledges what came while the rest is awaited. */
static void curl_answer_expect_more(const struct curl_slot *slot)
{
    if (slot->transport->options.quickack && !slot->leg.is_answered) {
        (void)platform_quickack((int)curl_line_descriptor(&slot->line));
    }
}

/* "WWW-Authenticate: NTLM" and the like. */
static void curl_answer_look_for_offer(struct curl_slot *slot, struct str line)
{
    const enum auth_scheme auth = slot->transport->way.auth;
    if (auth != AUTH_SCHEME_NONE && str_starts_with_nocase(line, STR("WWW-Authenticate:")) &&
        str_find_nocase(line, str_from(auth_scheme_name(auth))) != SIZE_MAX) {
        slot->is_offered = true;
        const size_t at = str_find_nocase(line, str_from(auth_scheme_name(auth)));
        const struct str behind =
            str_slice(line, at + str_from(auth_scheme_name(auth)).len, line.len);
        slot->leg.is_challenged = auth != AUTH_SCHEME_DIGEST && str_trim(behind).len > 0;
    }
}

/* What libcurl may read to the connection's end: curl_answer_is_endless_for_libcurl. */
static bool curl_answer_names_a_coding(struct str line)
{
    const struct str name = STR("Transfer-Encoding:");
    return str_starts_with_nocase(line, name) &&
           !str_equals_nocase(str_trim(str_slice(line, name.len, line.len)), STR("chunked"));
}

/* A line of the head, or the whole of it, as it came; HTTP/2's look alike but for the version. */
static size_t curl_answer_on_header(char *data, size_t size, size_t count, void *context)
{
    struct curl_slot *slot = context;
    const size_t len = size * count;
    const struct str line = str_of(data, len);
    curl_answer_count(slot, len);
    if (http1_has_head(&slot->reader)) {
        return len;
    }
    curl_answer_look_for_offer(slot, line);
    slot->leg.is_coded = slot->leg.is_coded || curl_answer_names_a_coding(line);
    bool goes_on = true;
    if (slot->transport->way.http2 && str_starts_with(line, STR("HTTP/2 "))) {
        const struct str version = STR("HTTP/1.1 ");
        goes_on = curl_answer_feed(slot, version.data, version.len) &&
                  curl_answer_feed(slot, data + 7, len - 7);
    } else {
        goes_on = curl_answer_feed(slot, data, len);
    }
    slot->leg.body_used = 0; /* so far it was all head */
    if (line.data[0] == '\r' || line.data[0] == '\n') {
        curl_answer_expect_more(slot);
    }
    return goes_on ? len : 0;
}

static size_t curl_answer_on_data(char *data, size_t size, size_t count, void *context)
{
    struct curl_slot *slot = context;
    const size_t len = size * count;
    const bool goes_on = curl_answer_feed(slot, data, len);
    curl_answer_expect_more(slot);
    return goes_on ? len : 0;
}

void curl_answer_listen(struct curl_slot *slot)
{
    CURL *easy = slot->line.easy;
    (void)curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, curl_answer_on_header);
    (void)curl_easy_setopt(easy, CURLOPT_HEADERDATA, slot);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, curl_answer_on_data);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, slot);
}

/* --- an early answer ------------------------------------------------------------------------ */

/* Whether libcurl gives up because it could not write: not we, and not the server's answer. */
static bool curl_answer_may_be_left(const struct curl_slot *slot)
{
    const struct curl_leg *leg = &slot->leg;
    const bool is_ours = slot->is_leaving || leg->is_bad || leg->is_too_large || leg->is_late;
    return slot->exchange != NULL && curl_slot_is_plain(slot) && leg->is_begun &&
           !leg->is_answered && !curl_leg_is_sent(leg) && !is_ours && !slot->transport->stopped;
}

/* Whether what waits in the socket follows what the reader has: libcurl keeps the beginning of a
 * line to itself until it has its end. */
static bool curl_answer_is_next(const struct curl_slot *slot, intptr_t descriptor,
                                ptrdiff_t waiting)
{
    uint64_t came = 0;
    return waiting == CURL_ANSWER_PIECE || !platform_socket_received(descriptor, &came) ||
           came <= slot->received + (uint64_t)waiting;
}

/* Gives the reader what was read; what it does not use belongs to no answer. */
static bool curl_answer_feed_rest(struct curl_slot *slot, const char *data, size_t len)
{
    struct curl_leg *leg = &slot->leg;
    const uint64_t used_before = leg->body_used;
    curl_answer_count(slot, len);
    leg->is_salvaged = true;
    const bool goes_on = leg->is_answered || curl_answer_feed(slot, data, len) || leg->is_answered;
    const uint64_t used = leg->body_used - used_before;
    leg->body_used = used_before;
    leg->body_in += len - used;
    return goes_on;
}

void curl_answer_salvage(struct curl_slot *slot, intptr_t descriptor)
{
    char piece[CURL_ANSWER_PIECE];
    if (!curl_answer_may_be_left(slot)) {
        return;
    }
    const ptrdiff_t waiting = platform_socket_peek(descriptor);
    if (waiting < 0 || !curl_answer_is_next(slot, descriptor, waiting)) {
        return;
    }
    ptrdiff_t count = platform_socket_read(descriptor, piece, sizeof piece);
    while (count > 0 && curl_answer_feed_rest(slot, piece, (size_t)count)) {
        count = platform_socket_read(descriptor, piece, sizeof piece);
    }
    if (count == 0 && !slot->leg.is_answered && http1_end(&slot->reader) == HTTP1_DONE) {
        slot->leg.is_answered = true;
        slot->exchange->end_ns = clock_now_ns();
    }
}
