/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_CLOCK_H
#define LATHER_BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_US 1000ULL
#define NS_PER_MS 1000000ULL
#define NS_PER_S  1000000000ULL

/* A source of time, passed in so that tests can supply their own. */
struct clock {
    uint64_t (*now_ns)(void *context); /* monotonic, from an arbitrary start */
    void *context;
};

/* The machine's monotonic clock: never set back. About 25 ns a call. Any thread. */
struct clock clock_monotonic(void);

/* clock_monotonic's reading without the indirection. */
uint64_t clock_now_ns(void);

/* Wall clock, nanoseconds since 1970-01-01T00:00:00Z: for stamps people read, never for durations.
 */
uint64_t clock_wall_ns(void);

#endif
