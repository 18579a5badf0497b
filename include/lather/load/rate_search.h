/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_RATE_SEARCH_H
#define LATHER_LOAD_RATE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"

/*
 * Which rate is tried next. A list is gone through once; a search goes up (by its list, then by
 * doubling) until a rate does not hold, and then halves what lies between the highest that held and
 * the lowest that did not, until they are no more than 3 % apart. When the first does not hold it
 * goes down by halves. Pure; rates are in millionths a second.
 */
enum rate_search_kind {
    RATE_SEARCH_LIST = 0, /* --steps */
    RATE_SEARCH_HIGHEST,  /* --find-rate */
    RATE_SEARCH_KINDS
};

struct rate_search {
    enum rate_search_kind kind;
    const uint64_t *list; /* borrowed */
    size_t list_count;
    size_t tried;
    uint64_t rate;   /* of the step under way; 0 before the first */
    uint64_t held;   /* the highest that held; 0: none yet */
    uint64_t failed; /* the lowest that did not; 0: none yet */
};

enum { RATE_SEARCH_STEPS_MOST = 64 };

/* A search is bounded by these: a millionth of what --rate takes at most, and its most. */
#define RATE_SEARCH_LEAST 1000000ULL       /* 1/s */
#define RATE_SEARCH_MOST  1000000000000ULL /* a million/s */

/* The list has at least one rate, and must outlive the search. */
void rate_search_init(struct rate_search *search, enum rate_search_kind kind, const uint64_t *list,
                      size_t list_count);

/* The next rate to try; false when there is none: search->held is the answer then. */
bool rate_search_next(struct rate_search *search, uint64_t *rate_micro_per_s) MUST_USE;

/* What became of the rate given last. */
enum rate_search_result { RATE_SEARCH_HELD = 0, RATE_SEARCH_FAILED, RATE_SEARCH_RESULTS };

/* A rate above one that failed, or below one that held, narrows nothing and does no harm. */
void rate_search_note(struct rate_search *search, enum rate_search_result result);

#endif
