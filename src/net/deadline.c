/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of entries in order of expiry and one timer that sleeps until the first of them. Removing
 * an entry leaves the timer alone: at worst it wakes up to find nothing due and sleeps again, which
 * costs one wake-up per queue length instead of two timer calls per request. The trap: the loop's
 * own time stands still during a turn, which opening thousands of connections makes long; entries
 * go by the clock instead, and a timer that comes too early sleeps again. Another: what is told may
 * take long, so after a stint the loop gets its turn, or answers would wait unread.
 */
#include "lather/net/deadline.h"

#include <stddef.h>

#include "lather/base/clock.h"

static const uint64_t STINT_NS = 4 * NS_PER_MS; /* of telling, before the loop polls again */

static void deadline_on_timer(uv_timer_t *timer);

static void ring_init(struct deadline *head)
{
    head->next = head;
    head->previous = head;
}

static bool ring_is_empty(const struct deadline *head)
{
    return head->next == head;
}

static void ring_append(struct deadline *head, struct deadline *deadline)
{
    deadline->next = head;
    deadline->previous = head->previous;
    head->previous->next = deadline;
    head->previous = deadline;
}

void deadline_queue_init(struct deadline_queue *queue, uv_loop_t *loop, uint64_t length_ms,
                         deadline_fn *expired)
{
    (void)uv_timer_init(loop, &queue->timer);
    queue->timer.data = queue;
    ring_init(&queue->head);
    ring_init(&queue->seen);
    queue->length_ms = length_ms;
    queue->expired = expired;
}

void deadline_queue_close(struct deadline_queue *queue)
{
    while (!ring_is_empty(&queue->head)) {
        deadline_remove(queue->head.next);
    }
    while (!ring_is_empty(&queue->seen)) {
        deadline_remove(queue->seen.next);
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
    deadline->seen_ns = 0;
    if (queue->length_ms == 0) {
        deadline->due_ns = UINT64_MAX;
        return;
    }
    deadline->owner = owner;
    deadline->due_ns = now_ns + queue->length_ms * NS_PER_MS;
    ring_append(&queue->head, deadline);
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

/* Looks at the clock, and which entries are due by it. */
static uint64_t deadline_see(struct deadline_queue *queue)
{
    const uint64_t now_ns = clock_now_ns();
    while (!ring_is_empty(&queue->head) && queue->head.next->due_ns <= now_ns) {
        struct deadline *first = queue->head.next;
        deadline_remove(first);
        first->seen_ns = now_ns;
        ring_append(&queue->seen, first);
    }
    return now_ns;
}

static void deadline_on_timer(uv_timer_t *timer)
{
    struct deadline_queue *queue = timer->data;
    uint64_t now_ns = deadline_see(queue);
    const uint64_t until_ns = now_ns + STINT_NS;
    while (!ring_is_empty(&queue->seen) && now_ns < until_ns) {
        struct deadline *first = queue->seen.next;
        deadline_remove(first);
        queue->expired(first);
        now_ns = deadline_see(queue);
    }
    if (uv_is_closing((const uv_handle_t *)timer)) {
        return;
    }
    if (!ring_is_empty(&queue->seen)) {
        (void)uv_timer_start(timer, deadline_on_timer, 1, 0);
    } else if (!ring_is_empty(&queue->head)) {
        deadline_sleep(queue, now_ns);
    }
}
