/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_DEADLINE_H
#define LATHER_NET_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

/*
 * A queue of deadlines that are all the same length after their start: connects, requests, pauses.
 * Entries expire in the order they were added, so one timer serves thousands and adding or
 * removing one is constant work without a heap. An entry expires once, or is removed before.
 * Seeing that entries are due and telling their owners are two things: telling closes sockets,
 * which takes longer than the deadlines lie apart when thousands were added in one turn. After each
 * that is told all that became due meanwhile are seen, with the time; none is seen late because of
 * those before it.
 */
struct deadline {
    struct deadline *next; /* NULL when not queued */
    struct deadline *previous;
    uint64_t due_ns;  /* clock_now_ns; UINT64_MAX: never */
    uint64_t seen_ns; /* when it was seen to be due; 0: it was not */
    void *owner;      /* whoever is told */
};

/* deadline->seen_ns is the moment of the expiry; the clock may be some milliseconds further. */
typedef void deadline_fn(struct deadline *deadline);

/* Open to be embedded; fields are private. */
struct deadline_queue {
    uv_timer_t timer;
    struct deadline head; /* of the ring of those not due */
    struct deadline seen; /* of the ring of those due, who have not been told */
    uint64_t length_ms;
    deadline_fn *expired;
};

/* Prepares a queue on the loop. length_ms 0 means "never": added entries do not expire. */
void deadline_queue_init(struct deadline_queue *queue, uv_loop_t *loop, uint64_t length_ms,
                         deadline_fn *expired);

/* Stops the timer; the loop must run once more to close it. Entries are forgotten. */
void deadline_queue_close(struct deadline_queue *queue);

/*
 * Queues an entry; `expired` gets it after the queue's length, whatever was added in between. It
 * must not be queued already.
 */
void deadline_add(struct deadline_queue *queue, struct deadline *deadline, void *owner);

/*
 * The same for who has looked at the clock (clock_now_ns) already. Stamps must not go back from one
 * entry of a queue to the next.
 */
void deadline_add_from(struct deadline_queue *queue, struct deadline *deadline, void *owner,
                       uint64_t now_ns);

/* Takes an entry out; nothing happens when it is not queued. */
void deadline_remove(struct deadline *deadline);

/* Whether the entry waits in a queue. */
bool deadline_is_queued(const struct deadline *deadline);

#endif
