/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which row of the data the next request takes. Workers share nothing, so each goes through a
 * slice of its own; striding keeps the slices equal to one row and the rows of all workers
 * together near the file's order. Shuffling is done a row at a time, so that no request waits for
 * a whole round to be shuffled.
 */
#include "lather/soap/feed.h"

#include <stdlib.h>

static const char *const order_names[FEED_ORDER_COUNT] = {
    [FEED_CYCLE] = "cycle",
    [FEED_SHUFFLE] = "shuffle",
    [FEED_ONCE] = "once",
};

const char *feed_order_name(enum feed_order order)
{
    return order_names[order];
}

bool feed_order_parse(struct str name, enum feed_order *order, struct err *err)
{
    for (size_t i = 0; i < FEED_ORDER_COUNT; i++) {
        if (str_equals(name, str_from(order_names[i]))) {
            *order = (enum feed_order)i;
            return true;
        }
    }
    return err_set(err, ERR_USAGE, "\"%.*s\" is no order of rows: cycle, shuffle or once",
                   STR_ARG(str_slice(name, 0, 40)));
}

void feed_init(struct feed *feed, const struct feed_slice *slice)
{
    CHECK(slice->worker < slice->workers && slice->rows <= UINT32_MAX);
    *feed = (struct feed){.order = slice->order, .first = slice->worker, .step = slice->workers};
    if (slice->worker < slice->rows) {
        feed->count = (slice->rows - slice->worker - 1) / slice->workers + 1;
    } else if (slice->order != FEED_ONCE && slice->rows > 0) {
        feed->first = slice->worker % slice->rows;
        feed->count = 1;
    }
    if (slice->order == FEED_SHUFFLE) {
        rng_init(&feed->rng, slice->seed, slice->worker);
        feed->shuffled = check_malloc((feed->count + 1) * sizeof(*feed->shuffled));
        for (size_t i = 0; i < feed->count; i++) {
            feed->shuffled[i] = (uint32_t)i;
        }
    }
}

void feed_deinit(struct feed *feed)
{
    free(feed->shuffled);
    *feed = (struct feed){.count = 0};
}

/* One step of Fisher and Yates: every order of a round is equally likely, whatever the last was. */
static size_t draw(struct feed *feed)
{
    size_t at = feed->taken + (size_t)rng_below(&feed->rng, feed->count - feed->taken);
    uint32_t drawn = feed->shuffled[at];
    feed->shuffled[at] = feed->shuffled[feed->taken];
    feed->shuffled[feed->taken] = drawn;
    return drawn;
}

bool feed_next(struct feed *feed, size_t *row)
{
    if (feed->taken == feed->count) {
        if (feed->order == FEED_ONCE || feed->count == 0) {
            return false;
        }
        feed->taken = 0;
    }
    size_t position = feed->order == FEED_SHUFFLE ? draw(feed) : feed->taken;
    feed->taken++;
    feed->taken_in_all++;
    *row = feed->first + position * feed->step;
    return true;
}

void feed_skip(struct feed *feed, uint64_t rows)
{
    size_t row;
    if (feed->order == FEED_SHUFFLE) {
        while (rows-- > 0 && feed_next(feed, &row)) {
        }
    } else if (feed->count > 0) {
        const bool is_used_up = feed->order == FEED_ONCE && rows >= feed->count;
        feed->taken = is_used_up ? feed->count : (size_t)(rows % feed->count);
        feed->taken_in_all = is_used_up ? feed->count : rows;
    }
}
