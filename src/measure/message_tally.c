/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The books of one message, beside those of the whole run. They are short on purpose: there may be
 * a thousand messages in each worker, so only the time people ask for by message has a histogram,
 * and only once there is something in it.
 */
#include "lather/measure/message_tally.h"

#include <stddef.h>

static struct histogram *total_of(struct message_tally *tally)
{
    if (tally->total == NULL) {
        tally->total = histogram_new();
    }
    return tally->total;
}

void message_tally_deinit(struct message_tally *tally)
{
    histogram_free(tally->total);
    *tally = (struct message_tally){.total = NULL};
}

void message_tally_add(struct message_tally *tally, const struct sample *sample)
{
    tally->outcomes[sample->outcome]++;
    if (sample->outcome == OUTCOME_CUT) {
        return;
    }
    tally->finished++;
    if (sample->status != 0) {
        tally->body_bytes += sample->body_bytes;
        histogram_add(total_of(tally), sample->total_ns);
    }
}

void message_tally_merge(struct message_tally *into, const struct message_tally *from)
{
    into->started += from->started;
    into->finished += from->finished;
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        into->outcomes[i] += from->outcomes[i];
    }
    into->body_bytes += from->body_bytes;
    traffic_merge(&into->traffic, &from->traffic);
    if (from->total != NULL) {
        histogram_merge(total_of(into), from->total);
    }
}

uint64_t message_tally_failed(const struct message_tally *tally)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        sum += outcome_is_failure((enum outcome)i) ? tally->outcomes[i] : 0;
    }
    return sum;
}
