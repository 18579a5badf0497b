/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_CALENDAR_H
#define LATHER_BASE_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/str.h"

/* A moment as clocks on walls show it. */
struct calendar {
    uint32_t year;
    uint32_t month; /* 1 to 12 */
    uint32_t day;   /* 1 to 31 */
    uint32_t hour;
    uint32_t minute;
    uint32_t second; /* 60 in a leap second, which counts as the next one's 0 */
};

/*
 * Seconds since 1970-01-01T00:00:00 of a moment in the Gregorian calendar, years 1970 to 9999, as
 * if it were UTC. False when there is no such moment.
 */
bool calendar_seconds(const struct calendar *at, uint64_t *seconds) MUST_USE;

/* The Date of an HTTP answer (RFC 9110, 5.6.7, IMF-fixdate): seconds since 1970. */
bool calendar_parse_http(struct str text, uint64_t *seconds) MUST_USE;

#endif
