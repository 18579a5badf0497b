/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of entries in order of expiry and one timer that sleeps until the first of them. Removing
 * an entry leaves the timer alone: at worst it wakes up to find nothing due and sleeps again, which
 * costs one wake-up per queue length instead of two timer calls per request. The trap: the loop's
 * own time stands still during a turn, which opening thousands of connections makes long; entries
 * go by the clock instead, and a timer that comes too early sleeps again.
 */
#include "lather/net/deadline.h"

#include <stddef.h>

#include "lather/base/clock.h"

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

static void deadline_sleep(struct deadline_queue *queue, uint64_t now_ns)
{
    const uint64_t due_ns = queue->head.next->due_ns;
    const uint64_t left_ns = due_ns > now_ns ? due_ns - now_ns : 0;
    (void)uv_timer_start(&queue->timer, deadline_on_timer, (left_ns + NS_PER_MS - 1) / NS_PER_MS,
                         0);
}

void deadline_add(struct deadline_queue *queue, struct deadline *deadline, void *owner)
{
    deadline_add_from(queue, deadline, owner, clock_now_ns());
}

void deadline_add_from(struct deadline_queue *queue, struct deadline *deadline, void *owner,
                       uint64_t now_ns)
{
    if (queue->length_ms == 0) {
        return;
    }
    deadline->owner = owner;
    deadline->due_ns = now_ns + queue->length_ms * NS_PER_MS;
    deadline->next = &queue->head;
    deadline->previous = queue->head.previous;
    queue->head.previous->next = deadline;
    queue->head.previous = deadline;
    if (!uv_is_active((const uv_handle_t *)&queue->timer)) {
        deadline_sleep(queue, now_ns);
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
    const uint64_t now_ns = clock_now_ns();
    while (queue->head.next != &queue->head && queue->head.next->due_ns <= now_ns) {
        struct deadline *first = queue->head.next;
        deadline_remove(first);
        queue->expired(first);
    }
    if (queue->head.next != &queue->head && !uv_is_closing((const uv_handle_t *)timer)) {
        deadline_sleep(queue, now_ns);
    }
}
