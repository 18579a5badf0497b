/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timer descriptor polled by the loop, or a loop timer where there is none. Both are handles of
 * the loop, so an alarm must be closed like them.
 */
#include "lather/load/alarm.h"

#include <stddef.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"

static void alarm_on_readable(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    struct alarm *alarm = poll->data;
    platform_timer_set(alarm->descriptor, 0);
    alarm->rings(alarm->context);
}

static void alarm_on_timer(uv_timer_t *timer)
{
    struct alarm *alarm = timer->data;
    alarm->rings(alarm->context);
}

void alarm_init(struct alarm *alarm, uv_loop_t *loop, alarm_fn *rings, void *context)
{
    *alarm = (struct alarm){.loop = loop, .rings = rings, .context = context};
    alarm->descriptor = platform_timer_open();
    if (alarm->descriptor >= 0 && uv_poll_init(loop, &alarm->poll, alarm->descriptor) == 0) {
        alarm->poll.data = alarm;
        (void)uv_poll_start(&alarm->poll, UV_READABLE, alarm_on_readable);
        return;
    }
    platform_timer_close(alarm->descriptor);
    alarm->descriptor = -1;
    (void)uv_timer_init(loop, &alarm->timer);
    alarm->timer.data = alarm;
}

void alarm_set(struct alarm *alarm, uint64_t due_ns)
{
    if (alarm->descriptor >= 0) {
        platform_timer_set(alarm->descriptor, due_ns);
        return;
    }
    const uint64_t now_ns = clock_now_ns();
    const uint64_t wait_ns = due_ns > now_ns ? due_ns - now_ns : 0;
    (void)uv_timer_start(&alarm->timer, alarm_on_timer, (wait_ns + NS_PER_MS - 1) / NS_PER_MS, 0);
}

static void alarm_on_closed(uv_handle_t *handle)
{
    struct alarm *alarm = handle->data;
    platform_timer_close(alarm->descriptor);
}

void alarm_close(struct alarm *alarm)
{
    if (alarm->descriptor >= 0) {
        uv_close((uv_handle_t *)&alarm->poll, alarm_on_closed);
    } else {
        uv_close((uv_handle_t *)&alarm->timer, NULL);
    }
}
