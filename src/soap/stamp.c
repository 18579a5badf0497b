/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moments as messages have them: read from captures, reckoned with, told to people. Always UTC. How
 * they are written into requests is stamp_format.c's. The trap is a captured Expires like
 * 9999-12-31: distances are seconds and not nanoseconds, and sums stop at the year 9999.
 */
#include "lather/soap/stamp.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"
#include "lather/soap/civil.h"
#include "lather/soap/stamp_format.h"

#define LAST_SECOND 253402300799LL /* 9999-12-31T23:59:59Z */

struct stamp stamp_of_ns(uint64_t ns)
{
    return (struct stamp){(int64_t)(ns / NS_PER_S), (uint32_t)(ns % NS_PER_S)};
}

struct stamp stamp_minus(struct stamp later, struct stamp earlier)
{
    struct stamp distance = {later.seconds - earlier.seconds, later.ns - earlier.ns};
    if (later.ns < earlier.ns) {
        distance.seconds--;
        distance.ns = later.ns + (uint32_t)NS_PER_S - earlier.ns;
    }
    return distance;
}

struct stamp stamp_plus(struct stamp moment, struct stamp distance)
{
    struct stamp sum = {moment.seconds + distance.seconds, moment.ns + distance.ns};
    if (sum.ns >= NS_PER_S) {
        sum.seconds++;
        sum.ns -= (uint32_t)NS_PER_S;
    }
    if (sum.seconds < 0) {
        return (struct stamp){0, 0};
    }
    return sum.seconds > LAST_SECOND ? (struct stamp){LAST_SECOND, 0} : sum;
}

bool stamp_is_before(struct stamp a, struct stamp b)
{
    return a.seconds < b.seconds || (a.seconds == b.seconds && a.ns < b.ns);
}

/* A number of exactly `digits` digits at the start of *rest; moves over it. */
static bool take_number(struct str *rest, size_t digits, unsigned *value)
{
    uint64_t number;
    if (rest->len < digits || !str_to_u64(str_slice(*rest, 0, digits), &number)) {
        return false;
    }
    *value = (unsigned)number;
    *rest = str_slice(*rest, digits, rest->len);
    return true;
}

static bool take_byte(struct str *rest, char byte)
{
    if (rest->len == 0 || rest->data[0] != byte) {
        return false;
    }
    *rest = str_slice(*rest, 1, rest->len);
    return true;
}

/* Digits beyond the ninth are dropped. */
static bool take_fraction(struct str *rest, uint32_t *ns, struct stamp_style *style)
{
    *style = (struct stamp_style){0, '.'};
    *ns = 0;
    if (rest->len == 0 || strchr(".,:", rest->data[0]) == NULL || rest->data[0] == '\0') {
        return true;
    }
    style->separator = rest->data[0];
    size_t digits = 0;
    uint32_t weight = NS_PER_S / 10;
    for (size_t i = 1; i < rest->len && rest->data[i] >= '0' && rest->data[i] <= '9'; i++) {
        *ns += (uint32_t)(rest->data[i] - '0') * weight;
        weight /= 10;
        digits++;
    }
    style->digits = digits > 9 ? 9 : (uint8_t)digits;
    *rest = str_slice(*rest, digits + 1, rest->len);
    return digits > 0;
}

/* What is to be added to the local time. */
static bool take_zone(struct str *rest, int64_t *seconds)
{
    *seconds = 0;
    if (rest->len == 0 || take_byte(rest, 'Z')) {
        return true;
    }
    int64_t sign = rest->data[0] == '+' ? -1 : 1;
    unsigned hours;
    unsigned minutes;
    bool good = (take_byte(rest, '+') || take_byte(rest, '-')) && take_number(rest, 2, &hours) &&
                take_byte(rest, ':') && take_number(rest, 2, &minutes) && hours <= 14 &&
                minutes < 60;
    if (good) {
        *seconds = sign * ((int64_t)hours * 3600 + (int64_t)minutes * 60);
    }
    return good;
}

static bool fields_are_possible(const struct civil *civil)
{
    return civil->year >= 1970 && civil->month >= 1 && civil->month <= 12 && civil->day >= 1 &&
           civil->day <= 31 && civil->hour < 24 && civil->minute < 60 && civil->second <= 60;
}

bool stamp_parse(struct str text, struct stamp *moment, struct stamp_style *style)
{
    struct civil civil = {0};
    int64_t zone;
    uint32_t ns;
    bool good = take_number(&text, 4, &civil.year) && take_byte(&text, '-') &&
                take_number(&text, 2, &civil.month) && take_byte(&text, '-') &&
                take_number(&text, 2, &civil.day) && take_byte(&text, 'T') &&
                take_number(&text, 2, &civil.hour) && take_byte(&text, ':') &&
                take_number(&text, 2, &civil.minute) && take_byte(&text, ':') &&
                take_number(&text, 2, &civil.second) && take_fraction(&text, &ns, style) &&
                take_zone(&text, &zone) && text.len == 0 && fields_are_possible(&civil);
    if (!good) {
        return false;
    }
    int64_t seconds = civil_days(civil.year, civil.month, civil.day) * CIVIL_SECONDS_OF_DAY +
                      civil.hour * 3600 + civil.minute * 60 + civil.second;
    *moment = stamp_plus((struct stamp){seconds, ns}, (struct stamp){zone, 0});
    return true;
}

/* units knows no days: they are counted as so many times a 24th of the duration in hours. */
static bool parse_length(struct str text, uint64_t *ns, uint64_t *times, struct err *err)
{
    *times = 1;
    if (!str_ends_with(text, STR("d"))) {
        char last = text.len == 0 ? '0' : text.data[text.len - 1];
        if (last >= '0' && last <= '9') {
            return err_set(err, ERR_FORMAT, "it wants a unit: ms, s, m, h or d");
        }
        return units_parse_duration_ns(text, ns, err);
    }
    char hours[UNITS_TEXT_SIZE];
    if (text.len > sizeof hours) {
        return err_set(err, ERR_FORMAT, "it is no number of days");
    }
    memcpy(hours, text.data, text.len);
    hours[text.len - 1] = 'h';
    *times = 24;
    return units_parse_duration_ns(str_of(hours, text.len), ns, err);
}

bool stamp_parse_distance(struct str text, struct stamp *distance, struct err *err)
{
    bool is_back = str_starts_with(text, STR("-"));
    if (!is_back && !str_starts_with(text, STR("+"))) {
        return err_set(err, ERR_FORMAT, "it wants a sign: +5m or -5m");
    }
    uint64_t ns;
    uint64_t times;
    if (!parse_length(str_slice(text, 1, text.len), &ns, &times, err)) {
        return false;
    }
    if (ns > UINT64_MAX / 24) {
        return err_set(err, ERR_FORMAT, "it is more than 10 years");
    }
    *distance = stamp_of_ns(ns * times);
    if (is_back) {
        *distance = stamp_minus((struct stamp){0, 0}, *distance);
    }
    return true;
}

const char *stamp_text(struct stamp moment, char text[STAMP_TEXT_SIZE])
{
    struct stamp_format format;
    stamp_format_iso(&format, (struct stamp_style){0, '.'});
    text[stamp_format_put(&format, moment, text)] = '\0';
    return text;
}

const char *stamp_age(struct stamp moment, struct stamp now, char text[STAMP_AGE_SIZE])
{
    static const struct {
        int64_t seconds;
        const char *name;
    } units[] = {{31536000, "year"}, {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
    int64_t seconds = moment.seconds - now.seconds;
    int64_t length = seconds < 0 ? -seconds : seconds;
    size_t unit = 0;
    while (length < units[unit].seconds && units[unit].seconds > 1) {
        unit++;
    }
    int64_t count = length / units[unit].seconds;
    (void)snprintf(text, STAMP_AGE_SIZE, "%s%" PRId64 " %s%s%s", seconds < 0 ? "" : "in ", count,
                   units[unit].name, count == 1 ? "" : "s", seconds < 0 ? " ago" : "");
    return text;
}
