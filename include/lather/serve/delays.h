/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_DELAYS_H
#define LATHER_SERVE_DELAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/err.h"
#include "lather/base/rng.h"
#include "lather/base/str.h"

enum delay_kind {
    DELAY_KIND_FIXED = 0,
    DELAY_KIND_EXPONENTIAL,
    DELAY_KIND_LISTED,
    DELAY_KIND_COUNT
};

/* How long answers wait. Zeroed: not at all. Read-only once it is parsed; any thread. */
struct delays {
    enum delay_kind kind;
    uint64_t mean_ns;    /* fixed: the delay itself */
    uint64_t *listed_ns; /* listed: one after the other, then from the first again */
    size_t count;
};

#define DELAYS_MOST_NS (3600ULL * 1000000000) /* of a delay, and of a mean: an hour */

/*
 * "20ms" or "fixed:20ms"; "exp:20ms", exponentially distributed with that mean; "file:PATH", a
 * delay a line, where blank lines and those that begin with # are passed over. False, with a
 * sentence that names the file and line, on anything else; delays is then zeroed.
 */
bool delays_parse(struct str text, struct delays *delays, struct err *err) MUST_USE;
void delays_deinit(struct delays *delays);

/* Whether no answer ever waits. */
bool delays_are_none(const struct delays *delays);

/* One thread's way through the delays, which must outlive it. */
struct delay_source {
    const struct delays *delays;
    struct rng rng;
    size_t next;
    size_t stride;
};

/*
 * For the index-th of count threads: each has its own random sequence, the same at each start, and
 * takes each count-th line of a file, so that one thread takes them in order.
 */
void delay_source_init(struct delay_source *source, const struct delays *delays, size_t index,
                       size_t count);

/* How long the next answer waits. */
uint64_t delay_source_next(struct delay_source *source);

#endif
