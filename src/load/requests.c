/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The requests of one worker: which message is next, its slots filled, the pieces it goes out as.
 * When every request is the same bytes they are made once, and next to nothing is left to do. It
 * does not know when a request is due, nor what came of the last. The trap: an exchange that waits
 * for its verdict still needs its values, so each slot takes turns between two.
 */
#include "lather/load/requests.h"

#include <stdlib.h>

#include "lather/soap/template.h"

struct requests_slot {
    struct exchange exchanges[2];
    struct template_values *values[2]; /* what the slots of each request held */
    struct str *pieces[2];             /* each request as it goes out */
    uint8_t current;                   /* the one sent last */
};

struct requests {
    const struct plan *plan;
    struct recorder *recorder;
    struct template_source *source; /* what requests are filled from */
    struct mix_walk walk;           /* which message is next; walk.mix NULL: there is one */
    bool is_constant;               /* every request is the same bytes */
    uint32_t slot_count;
    struct requests_slot slots[];
};

/* What the largest of the messages needs of an exchange. */
struct requests_room {
    size_t values_bytes;
    size_t pieces;
};

static struct requests_room measure_room(const struct plan *plan)
{
    struct requests_room room = {.pieces = 0};
    for (size_t i = 0; i < plan->message_count; i++) {
        const struct template *template = plan->messages[i].template;
        const size_t values_bytes = template_values_bytes(template);
        const size_t pieces = template_piece_count(template);
        room.values_bytes = values_bytes > room.values_bytes ? values_bytes : room.values_bytes;
        room.pieces = pieces > room.pieces ? pieces : room.pieces;
    }
    return room;
}

/* Fills a message into an exchange; false when the feed has no row left. */
static bool fill(struct requests *requests, const struct template *template,
                 struct requests_slot *slot, unsigned which)
{
    struct exchange *exchange = &slot->exchanges[which];
    struct template_values *values = slot->values[which];
    if (template_fill(template, requests->source, values) == TEMPLATE_DATA_ENDED) {
        return false;
    }
    exchange->piece_count =
        template_pieces(template, values, slot->pieces[which], NULL, &exchange->request_bytes);
    exchange->message_id = template_message_id(template, values);
    return true;
}

static void init_exchange(struct requests *requests, const struct requests_room *room,
                          struct requests_slot *slot, unsigned which)
{
    struct exchange *exchange = &slot->exchanges[which];
    exchange_init(exchange);
    slot->values[which] = template_values_new(room->values_bytes);
    slot->pieces[which] = check_malloc(room->pieces * sizeof(*slot->pieces[which]));
    exchange->pieces = slot->pieces[which];
    exchange->is_constant = requests->is_constant;
    exchange->traffic = &recorder_tally(requests->recorder)->traffic;
    if (requests->is_constant) {
        CHECK(fill(requests, requests->plan->messages[0].template, slot, which));
    }
}

struct requests *requests_new(const struct requests_options *options)
{
    const struct plan *plan = options->plan;
    struct requests *requests =
        check_calloc(1, sizeof(*requests) + options->slots * sizeof(struct requests_slot));
    requests->plan = plan;
    requests->recorder = options->recorder;
    requests->slot_count = options->slots;
    requests->is_constant =
        plan->message_count == 1 && template_is_constant(plan->messages[0].template);
    if (plan->mix != NULL) {
        mix_walk_init(&requests->walk, plan->mix,
                      &(struct mix_share){.worker = options->worker,
                                          .workers = options->workers,
                                          .requests = plan->requests,
                                          .grain = plan->sessions.calls});
    }
    requests->source = template_source_new(&(struct template_source_options){
        .worker = options->worker,
        .workers = options->workers,
        .seed = plan->seed,
        .rows = plan->data != NULL ? csv_row_count(plan->data) : 0,
        .order = plan->data_order,
        .clock_offset = plan->clock_offset,
        .taken = options->taken,
        .stretch = options->stretch,
    });
    const struct requests_room room = measure_room(plan);
    for (uint32_t i = 0; i < options->slots; i++) {
        init_exchange(requests, &room, &requests->slots[i], 0);
        init_exchange(requests, &room, &requests->slots[i], 1);
    }
    return requests;
}

void requests_free(struct requests *requests)
{
    if (requests == NULL) {
        return;
    }
    for (uint32_t i = 0; i < requests->slot_count; i++) {
        for (int k = 0; k < 2; k++) {
            exchange_deinit(&requests->slots[i].exchanges[k]);
            template_values_free(requests->slots[i].values[k]);
            free(requests->slots[i].pieces[k]);
        }
    }
    template_source_free(requests->source);
    mix_walk_deinit(&requests->walk);
    free(requests);
}

/* Of several messages the one whose turn it is, with books of its own. */
static bool fill_of_mix(struct requests *requests, struct requests_slot *slot, unsigned which)
{
    struct exchange *exchange = &slot->exchanges[which];
    exchange->message = mix_walk_next(&requests->walk);
    if (!fill(requests, requests->plan->messages[exchange->message].template, slot, which)) {
        return false;
    }
    exchange->traffic = recorder_start_message(requests->recorder, exchange->message);
    return true;
}

struct exchange *requests_next(struct requests *requests, uint32_t index)
{
    struct requests_slot *slot = &requests->slots[index];
    const unsigned next = slot->current ^ 1U;
    if (!requests->is_constant) {
        const bool is_filled =
            requests->walk.mix != NULL
                ? fill_of_mix(requests, slot, next)
                : fill(requests, requests->plan->messages[0].template, slot, next);
        if (!is_filled) {
            return NULL;
        }
    }
    slot->current = (uint8_t)next;
    return &slot->exchanges[next];
}

struct template_taken requests_taken(const struct requests *requests)
{
    return template_source_taken(requests->source);
}
