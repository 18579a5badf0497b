/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_FEED_H
#define LATHER_SOAP_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/rng.h"
#include "lather/base/str.h"

/* In which order a worker takes the rows of a feed. */
enum feed_order {
    FEED_CYCLE = 0, /* from the first to the last, and again */
    FEED_SHUFFLE,   /* each once in an order by chance, then again in another one */
    FEED_ONCE,      /* from the first to the last, and then there are none */
    FEED_ORDER_COUNT
};

/* "cycle", "shuffle", "once". */
const char *feed_order_name(enum feed_order order);
bool feed_order_parse(struct str name, enum feed_order *order, struct err *err) MUST_USE;

/*
 * A worker's way through its slice of the rows, in caller's storage. Worker i of T has the rows
 * i, i + T, i + 2T...: no row is in two slices, and all rows are in one. Where there are more
 * workers than rows, a worker without any takes row i modulo the rows (not with FEED_ONCE).
 */
struct feed {
    size_t first;
    size_t step;
    size_t count; /* of rows in the slice */
    size_t taken; /* in this round */
    uint64_t taken_in_all;
    enum feed_order order;
    uint32_t *shuffled; /* positions in the slice */
    struct rng rng;
};

struct feed_slice {
    uint32_t worker;
    uint32_t workers; /* > worker */
    size_t rows;
    enum feed_order order;
    uint64_t seed; /* of the shuffling; each worker has its own sequence */
};

/* Free with feed_deinit. */
void feed_init(struct feed *feed, const struct feed_slice *slice);
void feed_deinit(struct feed *feed);

/* Goes on as if `rows` rows had been taken. Linear in them when they are shuffled. */
void feed_skip(struct feed *feed, uint64_t rows);

/* The next row. False when there are none left, which only happens with FEED_ONCE. */
bool feed_next(struct feed *feed, size_t *row) MUST_USE;

#endif
