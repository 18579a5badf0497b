/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time as the rest of the program sees it: nanoseconds in 64 bits, from a source that is passed
 * in. Durations come from the monotonic clock only; the wall clock may jump and serves stamps that
 * people read. How the system is asked is the platform's affair.
 */
#include "lather/base/clock.h"

#include <stddef.h>

#include "lather/base/platform.h"

static uint64_t read_monotonic(void *context)
{
    (void)context;
    return platform_monotonic_ns();
}

struct clock clock_monotonic(void)
{
    return (struct clock){.now_ns = read_monotonic, .context = NULL};
}

uint64_t clock_now_ns(void)
{
    return platform_monotonic_ns();
}

uint64_t clock_wall_ns(void)
{
    return platform_wall_ns();
}
