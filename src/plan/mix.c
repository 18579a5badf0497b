/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which message comes next. The counts are exact by construction: nothing is drawn by lot and no
 * worker asks another one; each walks the stretch of the run that is its own. The trap: the
 * stretches must be those by which the run deals out its requests (load/stretch.c), or a cycle that
 * lies across two of them would not add up.
 */
#include "lather/plan/mix.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/rng.h"

/* Beside the streams of workers and of templates. */
static const uint64_t SHUFFLE_STREAMS = 1ULL << 62;

/* Cycles that a worker of a run without a limit has for itself. */
static const uint64_t CYCLES_APART = 1ULL << 32;

struct mix {
    enum mix_order order;
    uint64_t seed;
    size_t length;
    uint32_t cycle[]; /* the messages */
};

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The k-th of a message's w places is at (2k + 1) / 2w of the cycle: a whole number of halves. */
struct place {
    uint64_t odd; /* 2k + 1 */
    uint64_t weight;
    uint32_t message;
};

static int by_place(const void *a, const void *b)
{
    const struct place *left = a;
    const struct place *right = b;
    const uint64_t x = left->odd * right->weight;
    const uint64_t y = right->odd * left->weight;
    if (x != y) {
        return x < y ? -1 : 1;
    }
    return left->message < right->message ? -1 : left->message > right->message;
}

static void spread(struct mix *mix, const uint32_t *weights, size_t count, uint64_t divisor)
{
    struct place *places = check_malloc(mix->length * sizeof *places);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t weight = weights[i] / divisor;
        for (uint64_t k = 0; k < weight; k++) {
            places[at++] =
                (struct place){.odd = 2 * k + 1, .weight = weight, .message = (uint32_t)i};
        }
    }
    qsort(places, mix->length, sizeof *places, by_place);
    for (size_t i = 0; i < mix->length; i++) {
        mix->cycle[i] = places[i].message;
    }
    free(places);
}

struct mix *mix_new(const uint32_t *weights, size_t count, enum mix_order order, uint64_t seed,
                    struct err *err)
{
    uint64_t divisor = 0;
    uint64_t sum = 0;
    CHECK(count > 0);
    if (count > MIX_MESSAGES_CEILING) {
        (void)err_set(err, ERR_USAGE, "%zu messages are more than a run can tell apart: at most %d",
                      count, MIX_MESSAGES_CEILING);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        CHECK(weights[i] > 0);
        divisor = greatest_divisor(divisor, weights[i]);
        sum += weights[i];
    }
    if (sum / divisor > MIX_CYCLE_CEILING) {
        (void)err_set(err, ERR_USAGE,
                      "the weights add up to a cycle of %" PRIu64
                      " requests, more than %d: give smaller ones, as 1 and 20 for 50 and 1000",
                      sum / divisor, MIX_CYCLE_CEILING);
        return NULL;
    }
    const size_t length = (size_t)(sum / divisor);
    struct mix *mix = check_calloc(1, sizeof *mix + length * sizeof *mix->cycle);
    mix->order = order;
    mix->seed = seed;
    mix->length = length;
    spread(mix, weights, count, divisor);
    return mix;
}

void mix_free(struct mix *mix)
{
    free(mix);
}

size_t mix_cycle_length(const struct mix *mix)
{
    return mix->length;
}

/* Every cycle of a run has an order of its own, whichever workers have a part in it. */
static void shuffle(struct mix_walk *walk)
{
    const struct mix *mix = walk->mix;
    struct rng rng;
    if (walk->shuffled == NULL) {
        return;
    }
    rng_init(&rng, mix->seed, SHUFFLE_STREAMS + walk->cycle);
    memcpy(walk->shuffled, mix->cycle, mix->length * sizeof *mix->cycle);
    for (size_t i = mix->length; i > 1; i--) {
        const size_t other = (size_t)rng_below(&rng, i);
        const uint32_t kept = walk->shuffled[i - 1];
        walk->shuffled[i - 1] = walk->shuffled[other];
        walk->shuffled[other] = kept;
    }
}

void mix_walk_init(struct mix_walk *walk, const struct mix *mix, const struct mix_share *share)
{
    CHECK(share->worker < share->workers);
    *walk = (struct mix_walk){.mix = mix};
    if (share->requests == 0) {
        walk->cycle = CYCLES_APART * share->worker;
        walk->at = (uint32_t)((uint64_t)mix->length * share->worker / share->workers);
    } else {
        const uint64_t grain = share->grain > 0 ? share->grain : 1;
        const uint64_t units = share->requests / grain;
        const uint64_t extra = units % share->workers;
        const uint64_t first = grain * (units / share->workers * share->worker +
                                        (share->worker < extra ? share->worker : extra));
        walk->cycle = first / mix->length;
        walk->at = (uint32_t)(first % mix->length);
    }
    if (mix->order == MIX_SHUFFLED) {
        walk->shuffled = check_malloc(mix->length * sizeof *walk->shuffled);
        shuffle(walk);
    }
}

void mix_walk_deinit(struct mix_walk *walk)
{
    free(walk->shuffled);
    *walk = (struct mix_walk){.mix = NULL};
}

uint32_t mix_walk_next(struct mix_walk *walk)
{
    if (walk->at == walk->mix->length) {
        walk->at = 0;
        walk->cycle++;
        shuffle(walk);
    }
    const uint32_t *cycle = walk->shuffled != NULL ? walk->shuffled : walk->mix->cycle;
    return cycle[walk->at++];
}
