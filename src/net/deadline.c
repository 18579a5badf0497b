/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of entries in order of expiry and one timer that sleeps until the first of them. Removing
 * an entry leaves the timer alone: at worst it wakes up to find nothing due and sleeps again, which
 * costs one wake-up per queue length instead of two timer calls per request.
 */
#include "lather/net/deadline.h"

#include <stddef.h>

static void deadline_on_timer(uv_timer_t *timer);

void deadline_queue_init(struct deadline_queue *queue, uv_loop_t *loop, uint64_t length_ms,
                         deadline_fn *expired)
{
    (void)uv_timer_init(loop, &queue->timer);
    queue->timer.data = queue;
    queue->head.next = &queue->head;
    queue->head.previous = &queue->head;
    queue->length_ms = length_ms;
    queue->expired = expired;
}

void deadline_queue_close(struct deadline_queue *queue)
{
    while (queue->head.next != &queue->head) {
        deadline_remove(queue->head.next);
    }
    uv_close((uv_handle_t *)&queue->timer, NULL);
}

bool deadline_is_queued(const struct deadline *deadline)
{
    return deadline->next != NULL;
}

static void deadline_sleep(struct deadline_queue *queue)
{
    const uint64_t now_ms = uv_now(queue->timer.loop);
    const uint64_t due_ms = queue->head.next->due_ms;
    (void)uv_timer_start(&queue->timer, deadline_on_timer, due_ms > now_ms ? due_ms - now_ms : 0,
                         0);
}

void deadline_add(struct deadline_queue *queue, struct deadline *deadline, void *owner)
{
    if (queue->length_ms == 0) {
        return;
    }
    deadline->owner = owner;
    /* One more: the loop's clock is cut to milliseconds, and a deadline is never early. */
    deadline->due_ms = uv_now(queue->timer.loop) + queue->length_ms + 1;
    deadline->next = &queue->head;
    deadline->previous = queue->head.previous;
    queue->head.previous->next = deadline;
    queue->head.previous = deadline;
    if (!uv_is_active((const uv_handle_t *)&queue->timer)) {
        deadline_sleep(queue);
    }
}

void deadline_remove(struct deadline *deadline)
{
    if (deadline->next == NULL) {
        return;
    }
    deadline->previous->next = deadline->next;
    deadline->next->previous = deadline->previous;
    deadline->next = NULL;
    deadline->previous = NULL;
}

static void deadline_on_timer(uv_timer_t *timer)
{
    struct deadline_queue *queue = timer->data;
    const uint64_t now_ms = uv_now(timer->loop);
    while (queue->head.next != &queue->head && queue->head.next->due_ms <= now_ms) {
        struct deadline *first = queue->head.next;
        deadline_remove(first);
        queue->expired(first);
    }
    if (queue->head.next != &queue->head && !uv_is_closing((const uv_handle_t *)timer)) {
        deadline_sleep(queue);
    }
}
