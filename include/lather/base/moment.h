/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_MOMENT_H
#define LATHER_BASE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"

/* Whether a text said how far it is from UTC. */
enum moment_zone {
    MOMENT_ZONE_TOLD = 0,
    MOMENT_ZONE_LOCAL, /* it did not: taken as this machine's local time */
    MOMENT_ZONE_COUNT
};

/*
 * 2006-01-31T15:04:05.000Z (ISO 8601), with a blank for the T as databases write it; behind it Z,
 * +01:00, -0530 or nothing. Seconds and their fraction may be left out. False when it is none.
 */
bool moment_parse_iso(struct str text, uint64_t *time_ns, enum moment_zone *zone) MUST_USE;

/*
 * 01/31/2006 15:04:05.000, the American way, as Performance Monitor writes it everywhere.
 * bias_minutes is what is added to come to UTC; NULL: it is local time.
 */
bool moment_parse_american(struct str text, const int64_t *bias_minutes,
                           uint64_t *time_ns) MUST_USE;

/* 15:04, 15:04:05 or 15:04:05.250 of the day, by local time, in which now_ns lies. */
bool moment_parse_time_of_day(struct str text, uint64_t now_ns, uint64_t *time_ns) MUST_USE;

/* Appends 2006-01-31T15:04:05.250Z. */
void moment_format(uint64_t time_ns, struct buf *out);

#endif
