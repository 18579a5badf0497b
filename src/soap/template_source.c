/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker's supplies: ids, numbers, rows, moments. Workers have one each and share nothing, so
 * what must differ between them is dealt out by striding. Where time and chance come from can be
 * set, so that a test sees eleven minutes pass at once.
 */
#include "lather/soap/template_source.h"

#include <stdlib.h>

#include "lather/base/clock.h"

static uint64_t wall_of_machine(void *context)
{
    (void)context;
    return clock_wall_ns();
}

/* The streams of ${random} lie beside those of the shuffled rows. */
static const uint64_t RANDOM_STREAMS = 1ULL << 32;

struct template_source *template_source_new(const struct template_source_options *options)
{
    CHECK(options->worker < options->workers);
    struct template_source *source = check_calloc(1, sizeof(*source));
    ids_init(&source->ids, options->ids.take != NULL ? options->ids : ids_system_origin());
    rng_init(&source->rng, options->seed,
             RANDOM_STREAMS * (1 + (uint64_t)options->stretch) + options->worker);
    feed_init(&source->feed, &(struct feed_slice){.worker = options->worker,
                                                  .workers = options->workers,
                                                  .rows = options->rows,
                                                  .order = options->order,
                                                  .seed = options->seed});
    feed_skip(&source->feed, options->taken.rows);
    source->clock = options->clock;
    if (source->clock.wall_ns == NULL) {
        source->clock.wall_ns = wall_of_machine;
    }
    source->clock_offset = options->clock_offset;
    source->counter = options->worker + options->taken.numbers * options->workers;
    source->step = options->workers;
    source->worker = options->worker;
    return source;
}

struct template_taken template_source_taken(const struct template_source *source)
{
    return (struct template_taken){
        .rows = source->feed.taken_in_all,
        .numbers = (source->counter - source->worker) / source->step,
    };
}

void template_source_free(struct template_source *source)
{
    if (source == NULL) {
        return;
    }
    feed_deinit(&source->feed);
    free(source);
}
