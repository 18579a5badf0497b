/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Knows an answer that is like the last good one, so that a service which answers the same again
 * and again costs a memory comparison. RelatesTo differs in each of them: its text is left out of
 * the comparison and must be the request's id. That is safe only where the id stands in that
 * element and nowhere else, and as it was sent; otherwise the whole body is compared. Where texts
 * decide nothing, those of a small body may be others as well, as long as they are plain.
 */
#include "lather/soap/last_good.h"

#include <stdlib.h>

#include "lather/base/buf.h"
#include "lather/soap/shape.h"

enum {
    SHAPE_CEILING = 16 * 1024, /* compared before the next request goes out: it must be short */
    MISSES_PATIENCE = 16, /* a service whose markup is another each time is asked now and then */
};

/* The last answer to a message found good, to know its like again. */
struct last_good_entry {
    bool is_there;
    uint16_t status;
    struct buf content_type;
    struct buf content_encoding;
    struct buf body;
    size_t id_at;       /* where RelatesTo's text stands in the body, once and as it was sent */
    size_t id_len;      /* 0: the whole body is compared */
    struct shape shape; /* empty: the texts count as well */
    unsigned misses;    /* answers remembered since one was known */
    bool charset_contradicts;
    bool media_contradicts;
    enum relation relation;
};

void last_good_deinit(struct last_good *last_good)
{
    for (size_t i = 0; i < last_good->count; i++) {
        buf_deinit(&last_good->entries[i].content_type);
        buf_deinit(&last_good->entries[i].content_encoding);
        buf_deinit(&last_good->entries[i].body);
        shape_deinit(&last_good->entries[i].shape);
    }
    free(last_good->entries);
    *last_good = (struct last_good){.count = 0};
}

static void copy_to(struct buf *target, struct str text)
{
    buf_reset(target);
    buf_append_str(target, text);
}

static struct last_good_entry *entry_of(struct last_good *last_good, uint32_t message)
{
    if (message >= last_good->count) {
        size_t count = (size_t)message + 1;
        last_good->entries = check_realloc(last_good->entries, count * sizeof(*last_good->entries));
        for (size_t i = last_good->count; i < count; i++) {
            last_good->entries[i] = (struct last_good_entry){.is_there = false};
        }
        last_good->count = count;
    }
    return &last_good->entries[message];
}

/* Whether what stands in front is the start tag of RelatesTo, in any prefix. */
static bool is_in_relation(struct str front)
{
    front = str_trim(front);
    if (!str_ends_with(front, STR(">"))) {
        return false;
    }
    size_t at = front.len;
    while (at > 0 && front.data[at - 1] != '<') {
        at--;
    }
    struct str tag = str_slice(front, at, front.len);
    return !str_starts_with(tag, STR("!")) && str_find(tag, STR("RelatesTo")) != SIZE_MAX;
}

/* Finds the id in the body; it must be there once only, or it could be something else as well. */
static void locate_id(struct last_good_entry *last, const struct answer *answer)
{
    struct str id = answer->message_id;
    size_t at = str_find(answer->body, id);
    if (at != SIZE_MAX && is_in_relation(str_slice(answer->body, 0, at)) &&
        str_find(str_slice(answer->body, at + id.len, answer->body.len), id) == SIZE_MAX) {
        last->id_at = at;
        last->id_len = id.len;
    }
}

void last_good_remember(struct last_good *last_good, const struct answer *answer,
                        const struct verdict *verdict, enum last_good_texts texts)
{
    if (answer->body.len > JUDGE_WHOLE_CEILING || answer->message >= JUDGE_MESSAGE_CEILING) {
        return;
    }
    struct last_good_entry *last = entry_of(last_good, answer->message);
    last->is_there = true;
    last->status = answer->status;
    last->charset_contradicts = verdict->charset_contradicts;
    last->media_contradicts = verdict->media_contradicts;
    last->relation = verdict->relation;
    copy_to(&last->content_type, answer->content_type);
    copy_to(&last->content_encoding, answer->content_encoding);
    copy_to(&last->body, answer->body);
    last->id_at = 0;
    last->id_len = 0;
    if (verdict->relation == RELATION_SAME) {
        locate_id(last, answer);
    }
    shape_reset(&last->shape);
    const bool is_worth_it = last->misses < MISSES_PATIENCE || last->misses % MISSES_PATIENCE == 0;
    last->misses++;
    if (texts == LAST_GOOD_TEXTS_ARE_FREE && is_worth_it && answer->body.len <= SHAPE_CEILING) {
        const struct str body = buf_view(&last->body);
        shape_take(&last->shape, body, str_slice(body, last->id_at, last->id_at + last->id_len));
    }
}

/* Without an id in its place the answer must be one in which none is looked for. */
static bool id_is_settled(const struct last_good_entry *last, const struct answer *answer)
{
    return last->id_len > 0 || answer->message_id.len == 0 || last->relation == RELATION_ABSENT;
}

/* The bodies are the same but for the id, which is that of the request. */
static bool body_is_like(const struct last_good_entry *last, const struct answer *answer)
{
    struct str body = buf_view(&last->body);
    size_t behind = last->id_at + last->id_len;
    if (last->id_len == 0) {
        return str_equals(answer->body, body);
    }
    return answer->body.len == body.len &&
           str_equals(str_slice(answer->body, last->id_at, behind), answer->message_id) &&
           str_equals(str_slice(answer->body, behind, body.len),
                      str_slice(body, behind, body.len)) &&
           str_equals(str_slice(answer->body, 0, last->id_at), str_slice(body, 0, last->id_at));
}

static bool body_has_shape(const struct last_good_entry *last, const struct answer *answer)
{
    return answer->body.len <= SHAPE_CEILING &&
           shape_has(&last->shape, buf_view(&last->body), answer->body, answer->message_id);
}

bool last_good_is(const struct last_good *last_good, const struct answer *answer)
{
    if (answer->message >= last_good->count) {
        return false;
    }
    const struct last_good_entry *last = &last_good->entries[answer->message];
    return last->is_there && answer->status == last->status && id_is_settled(last, answer) &&
           (body_is_like(last, answer) || body_has_shape(last, answer)) &&
           str_equals(answer->content_type, buf_view(&last->content_type)) &&
           str_equals(answer->content_encoding, buf_view(&last->content_encoding));
}

void last_good_repeat(struct last_good *last_good, const struct answer *answer,
                      struct verdict *verdict)
{
    *verdict = (struct verdict){.outcome = OUTCOME_OK, .judged = true};
    if (answer->message < last_good->count) {
        struct last_good_entry *last = &last_good->entries[answer->message];
        last->misses = 0;
        verdict->charset_contradicts = last->charset_contradicts;
        verdict->media_contradicts = last->media_contradicts;
        verdict->relation = last->relation;
    }
}
