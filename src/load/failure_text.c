/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A failed exchange as text. The framing of the wire is gone by the time it comes here, so heads
 * get framing that fits what is written behind them: a file must be read again as it was judged.
 * The trap: masking changes lengths, so bodies are masked before their heads are written.
 */
#include "lather/load/failure_text.h"

#include <inttypes.h>

#include "lather/base/clock.h"
#include "lather/soap/decode.h"

/* So much of a compressed body is looked into for secrets. */
static const uint64_t DECODED_CEILING = 64ULL << 20;

/* What of a head is not written. */
enum left_out {
    LEFT_OUT_NOTHING = 0,
    LEFT_OUT_FRAMING, /* the wire's, and the blank line */
    LEFT_OUT_ENCODING /* that, and the Content-Encoding */
};

static bool is_field(struct str line, struct str name)
{
    return str_starts_with_nocase(line, name);
}

static bool is_framing(struct str line)
{
    return is_field(line, STR("transfer-encoding:")) || is_field(line, STR("content-length:"));
}

/* --- the request ---------------------------------------------------------------------------- */

void failure_text_request(struct buf *out, const struct exchange *exchange,
                          const struct secret_mask *mask)
{
    struct buf sent;
    struct buf body;
    struct str line;
    buf_init(&sent);
    buf_init(&body);
    for (size_t i = 0; i < exchange->piece_count; i++) {
        buf_append_str(&sent, exchange->pieces[i]);
    }
    struct str bytes = buf_view(&sent);
    const size_t blank_line = str_find(bytes, STR("\r\n\r\n"));
    const size_t head_end = blank_line == SIZE_MAX ? bytes.len : blank_line;
    bool is_masked = secret_mask_append(mask, str_slice(bytes, head_end + 4, SIZE_MAX), &body);
    struct str rest = str_slice(bytes, 0, head_end + 2);
    while (rest.len > 0) {
        (void)str_split(rest, '\n', &line, &rest);
        if (is_masked && is_field(line, STR("content-length:"))) {
            buf_append_str(out, str_slice(line, 0, sizeof "content-length:" - 1));
            buf_printf(out, " %zu\r\n", body.len);
        } else {
            (void)secret_mask_append(mask, line, out);
            buf_append_byte(out, '\n');
        }
    }
    buf_append_str(out, STR("\r\n"));
    buf_append_str(out, buf_view(&body));
    buf_deinit(&body);
    buf_deinit(&sent);
}

/* --- the answer ----------------------------------------------------------------------------- */

static void on_decoded(void *context, struct str bytes)
{
    buf_append_str(context, bytes);
}

/* Appends what a compressed body decodes to, as far as it does. */
static void decode_body(struct buf *plain, const struct exchange *exchange)
{
    struct decode *decode = decode_new();
    decode_begin(decode, http1_answer_field(&exchange->answer, HTTP1_FIELD_CONTENT_ENCODING),
                 DECODED_CEILING);
    decode_feed(decode, exchange->body, on_decoded, plain);
    (void)decode_finish(decode);
    decode_free(decode);
}

/* Appends the body as it is to be written; false when it had to be decoded for that. */
static bool mask_body(struct buf *body, const struct exchange *exchange,
                      const struct secret_mask *mask)
{
    struct str encoding = http1_answer_field(&exchange->answer, HTTP1_FIELD_CONTENT_ENCODING);
    if (decode_is_identity(encoding)) {
        (void)secret_mask_append(mask, exchange->body, body);
        return true;
    }
    struct buf plain;
    buf_init(&plain);
    decode_body(&plain, exchange);
    bool has_secret = secret_mask_append(mask, buf_view(&plain), body);
    if (!has_secret) {
        buf_reset(body);
        buf_append_str(body, exchange->body);
    }
    buf_deinit(&plain);
    return !has_secret;
}

/* The last head of those that came, as interim answers come before the real one. */
static struct str last_head(struct str lines)
{
    struct str head = lines;
    struct str rest = lines;
    size_t end;
    while ((end = str_find(rest, STR("\r\n\r\n"))) != SIZE_MAX) {
        head = rest;
        rest = str_slice(rest, end + 4, SIZE_MAX);
    }
    return rest.len > 0 ? rest : head;
}

/* The status line's first words are no secret, whatever the secrets are. */
static void append_status_line(struct buf *out, struct str line, const struct secret_mask *mask)
{
    size_t words = str_find_byte(line, ' ');
    words = words == SIZE_MAX ? line.len : words + sizeof " 200" - 1;
    buf_append_str(out, str_slice(line, 0, words));
    (void)secret_mask_append(mask, str_slice(line, words, SIZE_MAX), out);
}

/* Lines as they came; framing goes out of a whole head, and an encoding that was undone. */
static bool is_left_out(struct str line, enum left_out left_out)
{
    return (left_out != LEFT_OUT_NOTHING && (str_trim(line).len == 0 || is_framing(line))) ||
           (left_out == LEFT_OUT_ENCODING && is_field(line, STR("content-encoding:")));
}

static void append_head(struct buf *out, struct str head, enum left_out left_out,
                        const struct secret_mask *mask)
{
    bool is_status_line = true;
    while (head.len > 0) {
        struct str line;
        bool is_ended = str_split(head, '\n', &line, &head);
        if (is_left_out(line, left_out)) {
            continue;
        }
        if (is_status_line) {
            append_status_line(out, line, mask);
        } else {
            (void)secret_mask_append(mask, line, out);
        }
        buf_append_str(out, is_ended ? STR("\n") : STR(""));
        is_status_line = false;
    }
}

/* How the body behind the head is announced; it may be less than what the server announced. */
static void append_framing(struct buf *out, const struct exchange *exchange, size_t masked_bytes)
{
    const struct http1_answer *answer = &exchange->answer;
    const bool is_whole =
        exchange->end == TRANSPORT_END_ANSWERED && exchange->body.len == answer->body_bytes;
    if (is_whole) {
        buf_printf(out, "Content-Length: %zu\r\n", masked_bytes);
    } else if (exchange->end == TRANSPORT_END_ANSWERED || answer->content_length != UINT64_MAX) {
        const uint64_t announced =
            exchange->end == TRANSPORT_END_ANSWERED ? answer->body_bytes : answer->content_length;
        buf_printf(out, "Content-Length: %" PRIu64 "\r\n", announced);
    } else if (answer->is_chunked) {
        buf_append_str(out, STR("Transfer-Encoding: chunked\r\n"));
    }
}

static void append_body(struct buf *out, const struct exchange *exchange, struct str body)
{
    const struct http1_answer *answer = &exchange->answer;
    const bool is_cut_chunked = exchange->end != TRANSPORT_END_ANSWERED && answer->is_chunked &&
                                answer->content_length == UINT64_MAX;
    if (is_cut_chunked && body.len > 0) {
        buf_printf(out, "%zx\r\n", body.len);
        buf_append_str(out, body);
        buf_append_str(out, STR("\r\n"));
    } else {
        buf_append_str(out, body);
    }
}

void failure_text_answer(struct buf *out, const struct exchange *exchange,
                         const struct secret_mask *mask)
{
    struct str head = last_head(buf_view(&exchange->answer.lines));
    const bool is_complete = str_ends_with(head, STR("\r\n\r\n"));
    struct buf body;
    buf_init(&body);
    const bool keeps_encoding = mask_body(&body, exchange, mask);
    if (!is_complete) {
        append_head(out, head, LEFT_OUT_NOTHING, mask);
    } else {
        append_head(out, head, keeps_encoding ? LEFT_OUT_FRAMING : LEFT_OUT_ENCODING, mask);
        append_framing(out, exchange, body.len);
        buf_append_str(out, STR("\r\n"));
        append_body(out, exchange, buf_view(&body));
    }
    buf_deinit(&body);
}

/* --- why ------------------------------------------------------------------------------------ */

static void append_duration(struct buf *text, const char *label, uint64_t ns)
{
    const uint64_t us = ns / NS_PER_US;
    buf_printf(text, "%-12s %" PRIu64 ".%03" PRIu64 " ms\n", label, us / 1000, us % 1000);
}

/* On one line, whatever the service wrote. */
static void append_text(struct buf *text, const char *label, struct str value,
                        const struct secret_mask *mask)
{
    if (value.len == 0) {
        return;
    }
    buf_printf(text, "%-12s ", label);
    const size_t from = text->len;
    (void)secret_mask_append(mask, value, text);
    for (size_t i = from; i < text->len; i++) {
        const unsigned char byte = (unsigned char)text->data[i];
        text->data[i] = byte < ' ' || byte == 0x7F ? ' ' : text->data[i];
    }
    buf_append_byte(text, '\n');
}

void failure_text_why(struct buf *out, const struct group_key *kind,
                      const struct exchange *exchange, uint64_t start_ns,
                      const struct secret_mask *mask)
{
    const struct http1_answer *answer = &exchange->answer;
    buf_printf(out, "%-12s %s\n", "outcome", outcome_name(kind->outcome));
    if (kind->status != 0) {
        buf_printf(out, "%-12s %u\n", "status", kind->status);
    }
    append_text(out, "reason", kind->reason, mask);
    append_text(out, "fault", kind->code, mask);
    append_text(out, "subcode", kind->subcodes, mask);
    append_text(out, "detail", kind->detail, mask);
    append_duration(out, "started at", exchange->start_ns - start_ns);
    append_duration(out, "connect", exchange->connect_ns);
    if (exchange->sent_ns != 0 && exchange->first_byte_ns > exchange->sent_ns) {
        append_duration(out, "waiting", exchange->first_byte_ns - exchange->sent_ns);
    }
    append_duration(out, "total", exchange->end_ns - exchange->start_ns);
    if (answer->status != 0 && exchange->body.len != answer->body_bytes) {
        buf_printf(out, "%-12s %zu of the %" PRIu64 " bytes that came\n", "body kept",
                   exchange->body.len, answer->body_bytes);
    }
}
