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
                                     enum http1_body body, struct http1_memo *memo)
{
    struct reading reading = {.progress = HTTP1_MORE};
    struct http1_reader reader;
    http1_begin(&reader, answer, body, on_body, &reading);
    http1_use_memo(&reader, memo);
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

static void check_same(const struct reading *one, const struct http1_answer *one_answer,
                       const struct reading *other, const struct http1_answer *other_answer)
{
    CHECK(one->progress == other->progress);
    if (one->progress != HTTP1_DONE) {
        return;
    }
    CHECK(one->used == other->used);
    CHECK(one->body_bytes == other->body_bytes && one->body_hash == other->body_hash);
    CHECK(one->body_bytes == one_answer->body_bytes);
    CHECK(one_answer->status == other_answer->status && one_answer->status >= 101);
    CHECK(one_answer->keep_alive == other_answer->keep_alive);
    CHECK(one_answer->interim == other_answer->interim);
    CHECK(one_answer->content_length == other_answer->content_length);
    CHECK(str_equals(http1_answer_reason(one_answer), http1_answer_reason(other_answer)));
    for (int field = 0; field < HTTP1_FIELD_COUNT; field++) {
        CHECK(str_equals(http1_answer_field(one_answer, (enum http1_field)field),
                         http1_answer_field(other_answer, (enum http1_field)field)));
    }
}

/* Whole, in pieces, and twice with a memo, which knows the second by the first. */
static void compare(struct str bytes, enum http1_body body)
{
    struct http1_answer whole_answer;
    struct http1_answer other_answer;
    struct http1_memo memo;
    http1_answer_init(&whole_answer);
    http1_answer_init(&other_answer);
    http1_memo_init(&memo);
    struct reading whole = read_in_pieces(&whole_answer, bytes, bytes.len, body, NULL);
    struct reading other = read_in_pieces(&other_answer, bytes, 1 + bytes.len % 5, body, NULL);
    check_same(&whole, &whole_answer, &other, &other_answer);
    for (int i = 0; i < 2 && body == HTTP1_BODY_BY_HEAD; i++) {
        other = read_in_pieces(&other_answer, bytes, bytes.len, body, &memo);
        check_same(&whole, &whole_answer, &other, &other_answer);
    }
    http1_answer_deinit(&whole_answer);
    http1_answer_deinit(&other_answer);
    http1_memo_deinit(&memo);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = str_of((const char *)data, size);
    compare(bytes, HTTP1_BODY_BY_HEAD);
    compare(bytes, HTTP1_BODY_NONE);
    return 0;
}
