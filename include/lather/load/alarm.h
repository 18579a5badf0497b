/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_ALARM_H
#define LATHER_LOAD_ALARM_H

#include <stdint.h>
#include <uv.h>

/*
 * Wakes a loop at a moment of the monotonic clock, to some microseconds where the system has such
 * timers and to a millisecond, never early, where it has not: the loop's own timers know whole
 * milliseconds only, which at 10,000 requests a second is ten requests at once.
 */
typedef void alarm_fn(void *context);

/* Open to be embedded; fields are private. */
struct alarm {
    uv_loop_t *loop;
    uv_poll_t poll;   /* with a descriptor of the system */
    uv_timer_t timer; /* without */
    int descriptor;
    alarm_fn *rings;
    void *context;
};

/* An alarm that is not set. */
void alarm_init(struct alarm *alarm, uv_loop_t *loop, alarm_fn *rings, void *context);

/* Rings once at due_ns (clock_now_ns), at once when that has passed. Replaces what was set. */
void alarm_set(struct alarm *alarm, uint64_t due_ns);

/* Never rings again; the loop must run once more to close it. */
void alarm_close(struct alarm *alarm);

#endif
