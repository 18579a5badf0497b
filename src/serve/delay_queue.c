/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets things wait for one fixed time. libuv's timers count in whole milliseconds of a clock that
 * is cut down to them, which would make a delay of 10 ms anything from 9 to 11: so a timer covers
 * all but the last millisecond, and an idle handle, which keeps the loop from blocking, the rest.
 */
#include "lather/serve/delay_queue.h"

#include "lather/base/clock.h"

static void arm(struct delay_queue *queue);

static void expire(struct delay_queue *queue)
{
    uint64_t now_ns = clock_now_ns();
    struct delay_item *item;
    while ((item = queue->first) != NULL && item->due_ns <= now_ns) {
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
    if (queue->first == NULL) {
        uv_timer_stop(&queue->timer);
        uv_idle_stop(&queue->spin);
        return;
    }
    uint64_t now_ns = clock_now_ns();
    uint64_t left_ns = queue->first->due_ns > now_ns ? queue->first->due_ns - now_ns : 0;
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

void delay_queue_init(struct delay_queue *queue, uv_loop_t *loop, uint64_t delay_ns,
                      enum delay_precision precision, void (*due)(struct delay_item *item))
{
    *queue = (struct delay_queue){
        .delay_ns = delay_ns, .precision = precision, .due = due, .loop = loop};
    uv_timer_init(loop, &queue->timer);
    uv_idle_init(loop, &queue->spin);
    queue->timer.data = queue->spin.data = queue;
}

void delay_queue_close(struct delay_queue *queue)
{
    while (queue->first != NULL) {
        delay_queue_remove(queue, queue->first);
    }
    uv_close((uv_handle_t *)&queue->timer, NULL);
    uv_close((uv_handle_t *)&queue->spin, NULL);
}

void delay_queue_add(struct delay_queue *queue, struct delay_item *item)
{
    item->due_ns = clock_now_ns() + queue->delay_ns;
    item->before = queue->last;
    item->after = NULL;
    item->waiting = true;
    if (queue->last != NULL) {
        queue->last->after = item;
    } else {
        queue->first = item;
    }
    queue->last = item;
    if (item == queue->first) {
        arm(queue);
    }
}

void delay_queue_remove(struct delay_queue *queue, struct delay_item *item)
{
    if (!item->waiting) {
        return;
    }
    item->waiting = false;
    if (item->before != NULL) {
        item->before->after = item->after;
    } else {
        queue->first = item->after;
    }
    if (item->after != NULL) {
        item->after->before = item->before;
    } else {
        queue->last = item->before;
    }
}
