/* SPDX-License-Identifier: Apache-2.0 */
/* An answer from the wire: what is read does not depend on how the network cut it into pieces. */
#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/net/http1.h"

/* What was read of an answer, so that two readings can be compared. */
struct reading {
    enum http1_progress progress;
    uint64_t body_bytes;
    uint64_t body_hash;
    size_t used;
};

static void on_body(void *context, const char *data, size_t len)
{
    struct reading *reading = context;
    reading->body_bytes += len;
    for (size_t i = 0; i < len; i++) {
        reading->body_hash = (reading->body_hash ^ (unsigned char)data[i]) * 1099511628211u;
    }
}

/* Reads the bytes in pieces of at most `piece`, then lets the peer close if the answer is not over.
 */
static struct reading read_in_pieces(struct http1_answer *answer, struct str bytes, size_t piece,
                                     enum http1_body body)
{
    struct reading reading = {.progress = HTTP1_MORE};
    struct http1_reader reader;
    http1_begin(&reader, answer, body, on_body, &reading);
    while (reading.progress == HTTP1_MORE && reading.used < bytes.len) {
        size_t left = bytes.len - reading.used;
        size_t used = 0;
        size_t given = left < piece ? left : piece;
        reading.progress = http1_feed(&reader, bytes.data + reading.used, given, &used);
        CHECK(used <= given);
        CHECK(reading.progress != HTTP1_MORE || used == given);
        reading.used += used;
    }
    if (reading.progress == HTTP1_MORE) {
        reading.progress = http1_end(&reader);
    }
    if (reading.progress == HTTP1_BAD) {
        CHECK(http1_error(&reader)[0] != '\0');
    }
    if (reading.progress == HTTP1_DONE) {
        CHECK(http1_has_head(&reader));
    }
    return reading;
}

static void compare(struct str bytes, enum http1_body body)
{
    struct http1_answer whole_answer;
    struct http1_answer cut_answer;
    http1_answer_init(&whole_answer);
    http1_answer_init(&cut_answer);
    struct reading whole = read_in_pieces(&whole_answer, bytes, bytes.len, body);
    struct reading cut = read_in_pieces(&cut_answer, bytes, 1 + bytes.len % 5, body);

    CHECK(whole.progress == cut.progress);
    if (whole.progress == HTTP1_DONE) {
        CHECK(whole.used == cut.used);
        CHECK(whole.body_bytes == cut.body_bytes && whole.body_hash == cut.body_hash);
        CHECK(whole.body_bytes == whole_answer.body_bytes);
        CHECK(whole_answer.status == cut_answer.status && whole_answer.status >= 101);
        CHECK(whole_answer.keep_alive == cut_answer.keep_alive);
        CHECK(whole_answer.interim == cut_answer.interim);
        CHECK(str_equals(http1_answer_reason(&whole_answer), http1_answer_reason(&cut_answer)));
        for (int field = 0; field < HTTP1_FIELD_COUNT; field++) {
            CHECK(str_equals(http1_answer_field(&whole_answer, (enum http1_field)field),
                             http1_answer_field(&cut_answer, (enum http1_field)field)));
        }
    }
    http1_answer_deinit(&whole_answer);
    http1_answer_deinit(&cut_answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = str_of((const char *)data, size);
    compare(bytes, HTTP1_BODY_BY_HEAD);
    compare(bytes, HTTP1_BODY_NONE);
    return 0;
}
