/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search for the highest rate that holds, without a clock or a socket: a rate is asked for, and
 * told whether it held. It does not know why. The trap: nothing says that a server which failed at
 * one rate fails at all above it, so what was found is what held last on the way, not a proof.
 */
#include "lather/load/rate_search.h"

/* Close enough: the lowest that failed is at most this many thousandths above the highest held. */
enum { CLOSE_PER_MILLE = 30 };

void rate_search_init(struct rate_search *search, enum rate_search_kind kind, const uint64_t *list,
                      size_t list_count)
{
    CHECK(list_count > 0);
    *search = (struct rate_search){.kind = kind, .list = list, .list_count = list_count};
}

static bool is_close(const struct rate_search *search)
{
    return search->held > 0 &&
           search->failed - search->held <= search->held / 1000 * CLOSE_PER_MILLE;
}

/* Above all that was tried: the list's next, then twice the last. */
static uint64_t higher(const struct rate_search *search)
{
    for (size_t i = 0; i < search->list_count; i++) {
        if (search->list[i] > search->held) {
            return search->list[i];
        }
    }
    return search->held <= RATE_SEARCH_MOST / 2 ? search->held * 2 : RATE_SEARCH_MOST;
}

/* 0 when there is nothing left to try. */
static uint64_t next_of_search(const struct rate_search *search)
{
    if (search->tried == 0) {
        return search->list[0];
    }
    if (search->failed == 0) {
        return search->held < RATE_SEARCH_MOST ? higher(search) : 0;
    }
    if (search->held == 0) {
        return search->failed / 2 >= RATE_SEARCH_LEAST ? search->failed / 2 : 0;
    }
    return is_close(search) ? 0 : search->held + (search->failed - search->held) / 2;
}

bool rate_search_next(struct rate_search *search, uint64_t *rate_micro_per_s)
{
    if (search->kind == RATE_SEARCH_LIST) {
        search->rate = search->tried < search->list_count ? search->list[search->tried] : 0;
    } else {
        search->rate = search->tried < RATE_SEARCH_STEPS_MOST ? next_of_search(search) : 0;
    }
    search->tried += search->rate > 0;
    *rate_micro_per_s = search->rate;
    return search->rate > 0;
}

void rate_search_note(struct rate_search *search, enum rate_search_result result)
{
    if (result == RATE_SEARCH_HELD) {
        search->held = search->rate > search->held ? search->rate : search->held;
    } else if (search->failed == 0 || search->rate < search->failed) {
        search->failed = search->rate;
    }
}
