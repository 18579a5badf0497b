/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_DELAY_QUEUE_H
#define LATHER_SERVE_DELAY_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

/* One thing that waits, part of whatever owns it. Zeroed: not waiting. */
struct delay_item {
    uint64_t due_ns; /* of clock_now_ns */
    uint64_t order;  /* of those due at the same nanosecond the first added comes first */
    size_t place;    /* in the queue's heap */
    bool waiting;
};

/* How closely the time is kept. */
enum delay_precision {
    DELAY_EXACT =
        0,       /* never early, late by microseconds: the loop spins for the last millisecond */
    DELAY_ROUGH, /* never early, late by a millisecond or two */
    DELAY_PRECISION_COUNT
};

/*
 * Things that wait, each for its own time. Adding and removing cost the logarithm of how many wait;
 * adding what is due last, as when all wait equally long, costs constant time. In caller's storage;
 * one loop's thread.
 */
struct delay_queue {
    struct delay_item **heap; /* no item is due before its parent, (place - 1) / 2 */
    size_t count;
    size_t room;
    uint64_t added;
    enum delay_precision precision;
    void (*due)(struct delay_item *item); /* called once an item has left the queue */
    uv_loop_t *loop;
    uv_timer_t timer;
    uv_idle_t spin;
};

/* An empty queue; its handles belong to the loop until delay_queue_close. */
void delay_queue_init(struct delay_queue *queue, uv_loop_t *loop, enum delay_precision precision,
                      void (*due)(struct delay_item *item));

/* Forgets all items and closes the handles; the storage may go once the loop has run on. */
void delay_queue_close(struct delay_queue *queue);

/* Lets an item that does not wait come due delay_ns from now. */
void delay_queue_add(struct delay_queue *queue, struct delay_item *item, uint64_t delay_ns);

/* Nothing happens when the item is not waiting. */
void delay_queue_remove(struct delay_queue *queue, struct delay_item *item);

#endif
