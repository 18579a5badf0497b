/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moments as people and other programs write them, in nanoseconds since 1970. Where a text does not
 * say how far it is from UTC, it is taken as this machine's local time, and the caller is told. The
 * trap: Performance Monitor writes that distance with the sign turned around.
 */
#include "lather/base/moment.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "lather/base/calendar.h"
#include "lather/base/clock.h"

/* Reads a text from left to right; once it did not fit, nothing fits any more. */
struct scan {
    struct str rest;
    bool is_good;
};

static uint32_t take_number(struct scan *scan, size_t least, size_t most)
{
    size_t len = 0;
    uint64_t value = 0;
    while (len < scan->rest.len && len < most && scan->rest.data[len] >= '0' &&
           scan->rest.data[len] <= '9') {
        value = value * 10 + (uint64_t)(scan->rest.data[len] - '0');
        len++;
    }
    scan->is_good = scan->is_good && len >= least;
    scan->rest = str_slice(scan->rest, len, scan->rest.len);
    return (uint32_t)value;
}

static bool take_one_of(struct scan *scan, const char *bytes)
{
    if (scan->rest.len == 0 || strchr(bytes, scan->rest.data[0]) == NULL ||
        scan->rest.data[0] == '\0') {
        return false;
    }
    scan->rest = str_slice(scan->rest, 1, scan->rest.len);
    return true;
}

static void expect(struct scan *scan, const char *bytes)
{
    scan->is_good = take_one_of(scan, bytes) && scan->is_good;
}

/* A number and the separator behind it. */
static uint32_t take_part(struct scan *scan, size_t least, size_t most, const char *separators)
{
    const uint32_t number = take_number(scan, least, most);
    expect(scan, separators);
    return number;
}

/* hour:minute[:second[.fraction]] */
static uint64_t take_time_of_day(struct scan *scan, struct calendar *at)
{
    uint64_t nanoseconds = 0;
    at->hour = take_part(scan, 1, 2, ":");
    at->minute = take_number(scan, 2, 2);
    if (take_one_of(scan, ":")) {
        at->second = take_number(scan, 2, 2);
        if (take_one_of(scan, ".,")) {
            uint64_t unit = NS_PER_S / 10;
            while (scan->rest.len > 0 && scan->rest.data[0] >= '0' && scan->rest.data[0] <= '9') {
                nanoseconds += (uint64_t)(scan->rest.data[0] - '0') * unit;
                unit /= 10;
                scan->rest = str_slice(scan->rest, 1, scan->rest.len);
            }
        }
    }
    return nanoseconds;
}

/* A moment of this machine's local time in seconds since 1970. */
static bool local_seconds(const struct calendar *at, uint64_t *seconds)
{
    struct tm local = {.tm_year = (int)at->year - 1900,
                       .tm_mon = (int)at->month - 1,
                       .tm_mday = (int)at->day,
                       .tm_hour = (int)at->hour,
                       .tm_min = (int)at->minute,
                       .tm_sec = (int)at->second,
                       .tm_isdst = -1};
    uint64_t checked;
    if (!calendar_seconds(at, &checked)) {
        return false;
    }
    time_t value = mktime(&local);
    *seconds = (uint64_t)value;
    return value >= 0;
}

static bool shifted(uint64_t seconds, int64_t minutes, uint64_t nanoseconds, uint64_t *time_ns)
{
    int64_t shifted_seconds = (int64_t)seconds + minutes * 60;
    if (shifted_seconds < 0 || (uint64_t)shifted_seconds > UINT64_MAX / NS_PER_S - 1) {
        return false;
    }
    *time_ns = (uint64_t)shifted_seconds * NS_PER_S + nanoseconds;
    return true;
}

bool moment_parse_american(struct str text, const int64_t *bias_minutes, uint64_t *time_ns)
{
    struct scan scan = {.rest = text, .is_good = true};
    struct calendar at = {0};
    uint64_t seconds;
    at.month = take_part(&scan, 1, 2, "/");
    at.day = take_part(&scan, 1, 2, "/");
    at.year = take_part(&scan, 4, 4, " ");
    uint64_t nanoseconds = take_time_of_day(&scan, &at);
    if (!scan.is_good || scan.rest.len > 0) {
        return false;
    }
    if (bias_minutes != NULL) {
        return calendar_seconds(&at, &seconds) &&
               shifted(seconds, *bias_minutes, nanoseconds, time_ns);
    }
    return local_seconds(&at, &seconds) && shifted(seconds, 0, nanoseconds, time_ns);
}

/* Z, +01:00, -0530 or nothing; false when something else is there. */
static bool take_offset(struct scan *scan, bool *has_offset, int64_t *minutes)
{
    *minutes = 0;
    *has_offset = scan->rest.len > 0;
    if (!*has_offset || take_one_of(scan, "Zz")) {
        return scan->rest.len == 0;
    }
    bool is_east = scan->rest.data[0] == '+';
    expect(scan, "+-");
    int64_t hours = take_number(scan, 2, 2);
    (void)take_one_of(scan, ":");
    *minutes = (hours * 60 + take_number(scan, 2, 2)) * (is_east ? 1 : -1);
    return scan->is_good && scan->rest.len == 0;
}

bool moment_parse_iso(struct str text, uint64_t *time_ns, enum moment_zone *zone)
{
    struct scan scan = {.rest = text, .is_good = true};
    struct calendar at = {0};
    uint64_t seconds;
    bool has_offset;
    int64_t minutes;
    at.year = take_part(&scan, 4, 4, "-");
    at.month = take_part(&scan, 2, 2, "-");
    at.day = take_part(&scan, 2, 2, "Tt ");
    uint64_t nanoseconds = take_time_of_day(&scan, &at);
    if (!scan.is_good || !take_offset(&scan, &has_offset, &minutes)) {
        return false;
    }
    *zone = has_offset ? MOMENT_ZONE_TOLD : MOMENT_ZONE_LOCAL;
    if (has_offset) {
        return calendar_seconds(&at, &seconds) && shifted(seconds, -minutes, nanoseconds, time_ns);
    }
    return local_seconds(&at, &seconds) && shifted(seconds, 0, nanoseconds, time_ns);
}

bool moment_parse_time_of_day(struct str text, uint64_t now_ns, uint64_t *time_ns)
{
    struct scan scan = {.rest = text, .is_good = true};
    const time_t now_s = (time_t)(now_ns / NS_PER_S);
    struct calendar at = {0};
    struct tm local;
    uint64_t seconds;
    const uint64_t nanoseconds = take_time_of_day(&scan, &at);
    if (!scan.is_good || scan.rest.len > 0 || localtime_r(&now_s, &local) == NULL) {
        return false;
    }
    at.year = (uint32_t)local.tm_year + 1900;
    at.month = (uint32_t)local.tm_mon + 1;
    at.day = (uint32_t)local.tm_mday;
    return local_seconds(&at, &seconds) && shifted(seconds, 0, nanoseconds, time_ns);
}

void moment_format(uint64_t time_ns, struct buf *out)
{
    const time_t seconds = (time_t)(time_ns / NS_PER_S);
    char text[32] = "";
    struct tm utc;
    if (gmtime_r(&seconds, &utc) != NULL) {
        (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    }
    buf_printf(out, "%s.%03uZ", text, (unsigned)(time_ns % NS_PER_S / NS_PER_MS));
}
