/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets things wait, each for its own time: a binary heap and one timer. libuv's timers count in
 * whole milliseconds of a clock that is cut down to them, which would make a delay of 10 ms
 * anything from 9 to 11: so a timer covers all but the last millisecond, and an idle handle, which
 * keeps the loop from blocking, the rest.
 */
#include "lather/serve/delay_queue.h"

#include <stdlib.h>

#include "lather/base/check.h"
#include "lather/base/clock.h"

enum { FIRST_ROOM = 64 };

static void arm(struct delay_queue *queue);

static void expire(struct delay_queue *queue)
{
    uint64_t now_ns = clock_now_ns();
    while (queue->count > 0 && queue->heap[0]->due_ns <= now_ns) {
        struct delay_item *item = queue->heap[0];
        delay_queue_remove(queue, item);
        queue->due(item);
    }
    arm(queue);
}

static void on_timer(uv_timer_t *timer)
{
    expire(timer->data);
}

static void on_spin(uv_idle_t *spin)
{
    expire(spin->data);
}

/* Makes the loop come back when the first item is due. */
static void arm(struct delay_queue *queue)
{
    if (queue->count == 0) {
        uv_timer_stop(&queue->timer);
        uv_idle_stop(&queue->spin);
        return;
    }
    uint64_t now_ns = clock_now_ns();
    uint64_t due_ns = queue->heap[0]->due_ns;
    uint64_t left_ns = due_ns > now_ns ? due_ns - now_ns : 0;
    if (queue->precision == DELAY_EXACT && left_ns < NS_PER_MS) {
        uv_timer_stop(&queue->timer);
        uv_idle_start(&queue->spin, on_spin);
        return;
    }
    uint64_t left_ms = left_ns / NS_PER_MS + (queue->precision == DELAY_ROUGH ? 2 : 0);
    uv_idle_stop(&queue->spin);
    uv_update_time(queue->loop);
    uv_timer_start(&queue->timer, on_timer, left_ms, 0);
}

static bool is_before(const struct delay_item *one, const struct delay_item *other)
{
    return one->due_ns != other->due_ns ? one->due_ns < other->due_ns : one->order < other->order;
}

static void put(struct delay_queue *queue, size_t place, struct delay_item *item)
{
    queue->heap[place] = item;
    item->place = place;
}

/* Finds an item its place between `place` and the top. */
static void rise(struct delay_queue *queue, size_t place, struct delay_item *item)
{
    while (place > 0 && is_before(item, queue->heap[(place - 1) / 2])) {
        put(queue, place, queue->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(queue, place, item);
}

/* Finds an item its place from `place` down. */
static void sink(struct delay_queue *queue, size_t place, struct delay_item *item)
{
    for (size_t child = 2 * place + 1; child < queue->count; child = 2 * place + 1) {
        if (child + 1 < queue->count && is_before(queue->heap[child + 1], queue->heap[child])) {
            child++;
        }
        if (is_before(item, queue->heap[child])) {
            break;
        }
        put(queue, place, queue->heap[child]);
        place = child;
    }
    put(queue, place, item);
}

void delay_queue_init(struct delay_queue *queue, uv_loop_t *loop, enum delay_precision precision,
                      void (*due)(struct delay_item *item))
{
    *queue = (struct delay_queue){.precision = precision, .due = due, .loop = loop};
    uv_timer_init(loop, &queue->timer);
    uv_idle_init(loop, &queue->spin);
    queue->timer.data = queue->spin.data = queue;
}

void delay_queue_close(struct delay_queue *queue)
{
    for (size_t i = 0; i < queue->count; i++) {
        queue->heap[i]->waiting = false;
    }
    free(queue->heap);
    queue->heap = NULL;
    queue->count = queue->room = 0;
    uv_close((uv_handle_t *)&queue->timer, NULL);
    uv_close((uv_handle_t *)&queue->spin, NULL);
}

void delay_queue_add(struct delay_queue *queue, struct delay_item *item, uint64_t delay_ns)
{
    item->due_ns = clock_now_ns() + delay_ns;
    item->order = queue->added++;
    item->waiting = true;
    if (queue->count == queue->room) {
        queue->room = queue->room > 0 ? 2 * queue->room : FIRST_ROOM;
        queue->heap = check_realloc(queue->heap, queue->room * sizeof *queue->heap);
    }
    rise(queue, queue->count++, item);
    if (item->place == 0) {
        arm(queue);
    }
}

void delay_queue_remove(struct delay_queue *queue, struct delay_item *item)
{
    if (!item->waiting) {
        return;
    }
    item->waiting = false;
    struct delay_item *last = queue->heap[--queue->count];
    if (last == item) {
        return;
    }
    size_t place = item->place;
    if (place > 0 && is_before(last, queue->heap[(place - 1) / 2])) {
        rise(queue, place, last);
    } else {
        sink(queue, place, last);
    }
}
