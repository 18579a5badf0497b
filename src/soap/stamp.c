/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moments as messages write them: read from captures, written into every request. Always UTC: no
 * locale, no time zone, no C library call, so that it costs little and means the same everywhere.
 * Days are turned into dates by whole 400-year cycles. The trap is a captured Expires like
 * 9999-12-31: distances are seconds and not nanoseconds, and sums stop at the year 9999.
 */
#include "lather/soap/stamp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"

enum { SECONDS_OF_DAY = 86400 };
#define LAST_SECOND 253402300799LL /* 9999-12-31T23:59:59Z */

enum stamp_code {
    CODE_LITERAL = 0,
    CODE_YEAR,
    CODE_SHORT_YEAR,
    CODE_MONTH,
    CODE_DAY,
    CODE_HOUR,
    CODE_MINUTE,
    CODE_SECOND,
    CODE_DATE,
    CODE_TIME,
    CODE_DAY_OF_YEAR,
    CODE_EPOCH,
    CODE_DAY_NAME,
    CODE_MONTH_NAME,
    CODE_FRACTION_1,
    CODE_FRACTION_9 = CODE_FRACTION_1 + 8,
};

/* A moment in fields. */
struct civil {
    unsigned year;
    unsigned month;
    unsigned day;
    unsigned hour;
    unsigned minute;
    unsigned second;
    unsigned weekday; /* 0: Sunday */
    unsigned days;    /* since 1970-01-01 */
};

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

/* Hinnant, "chrono-compatible low-level date algorithms": years begin in March, eras of 400. */
static int64_t days_of_date(int64_t year, unsigned month, unsigned day)
{
    year -= month <= 2;
    int64_t era = year / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           719468;
}

static void split(struct stamp moment, struct civil *civil)
{
    uint64_t seconds = (uint64_t)moment.seconds;
    unsigned rest = (unsigned)(seconds % SECONDS_OF_DAY);
    unsigned days = (unsigned)(seconds / SECONDS_OF_DAY);
    civil->days = days;
    civil->weekday = (days + 4) % 7; /* 1970-01-01 was a Thursday */
    civil->hour = rest / 3600;
    civil->minute = rest / 60 % 60;
    civil->second = rest % 60;
    unsigned shifted = days + 719468;
    unsigned era = shifted / 146097;
    unsigned day_of_era = shifted - era * 146097;
    unsigned year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    unsigned from_march = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    unsigned march_month = (5 * from_march + 2) / 153;
    civil->day = from_march - (153 * march_month + 2) / 5 + 1;
    civil->month = march_month < 10 ? march_month + 3 : march_month - 9;
    civil->year = era * 400 + year_of_era + (civil->month <= 2);
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
    int64_t seconds = days_of_date(civil.year, civil.month, civil.day) * SECONDS_OF_DAY +
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

static bool add_part(struct stamp_format *format, enum stamp_code code, size_t len)
{
    if (format->part_count == STAMP_PARTS_CEILING) {
        return false;
    }
    format->parts[format->part_count++] =
        (struct stamp_part){(uint8_t)code, format->literal_len, (uint8_t)len};
    return true;
}

/* Literals in a row are one part. */
static bool add_literal(struct stamp_format *format, struct str text)
{
    if (text.len > (size_t)(STAMP_LITERAL_CEILING - format->literal_len)) {
        return false;
    }
    struct stamp_part *last =
        format->part_count == 0 ? NULL : &format->parts[format->part_count - 1];
    if (last != NULL && last->code == CODE_LITERAL) {
        last->len = (uint8_t)(last->len + text.len);
    } else if (!add_part(format, CODE_LITERAL, text.len)) {
        return false;
    }
    memcpy(format->literals + format->literal_len, text.data, text.len);
    format->literal_len = (uint8_t)(format->literal_len + text.len);
    return true;
}

static bool add_code(struct stamp_format *format, char letter, bool *is_known)
{
    static const struct {
        char letter;
        enum stamp_code code;
        size_t len;
    } codes[] = {
        {'Y', CODE_YEAR, 4},        {'y', CODE_SHORT_YEAR, 2}, {'m', CODE_MONTH, 2},
        {'d', CODE_DAY, 2},         {'H', CODE_HOUR, 2},       {'M', CODE_MINUTE, 2},
        {'S', CODE_SECOND, 2},      {'F', CODE_DATE, 10},      {'T', CODE_TIME, 8},
        {'j', CODE_DAY_OF_YEAR, 3}, {'a', CODE_DAY_NAME, 3},   {'b', CODE_MONTH_NAME, 3},
        {'s', CODE_EPOCH, 12},      {'N', CODE_FRACTION_9, 9}, {'L', CODE_FRACTION_1 + 2, 3},
    };
    *is_known = true;
    if (letter == '%') {
        return add_literal(format, STR("%"));
    }
    if (letter == 'z') {
        return add_literal(format, STR("+0000"));
    }
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (codes[i].letter == letter) {
            format->is_fixed = format->is_fixed && codes[i].code != CODE_EPOCH;
            return add_part(format, codes[i].code, codes[i].len);
        }
    }
    *is_known = false;
    return false;
}

/* One code at the start of *rest, which begins with '%'. */
static bool take_code(struct stamp_format *format, struct str *rest, bool *is_known)
{
    unsigned char second = rest->len > 1 ? (unsigned char)rest->data[1] : 0;
    if (second >= '1' && second <= '9' && rest->len > 2 && rest->data[2] == 'N') {
        size_t digits = (size_t)(second - '0');
        *rest = str_slice(*rest, 3, rest->len);
        *is_known = true;
        return add_part(format, (enum stamp_code)(CODE_FRACTION_1 + digits - 1), digits);
    }
    if (!add_code(format, (char)second, is_known)) {
        return false;
    }
    *rest = str_slice(*rest, 2, rest->len);
    return true;
}

bool stamp_format_parse(struct stamp_format *format, struct str text, struct err *err)
{
    *format = (struct stamp_format){.is_fixed = true};
    struct str rest = text;
    while (rest.len > 0) {
        bool is_known = true;
        bool good;
        if (rest.data[0] == '%') {
            good = take_code(format, &rest, &is_known);
        } else {
            good = add_literal(format, str_slice(rest, 0, 1));
            rest = str_slice(rest, 1, rest.len);
        }
        if (!is_known) {
            return err_set(err, ERR_FORMAT,
                           "%.*s is no code of a date or time (%%Y %%m %%d %%H "
                           "%%M %%S %%F %%T %%L %%s and some more are)",
                           STR_ARG(str_slice(rest, 0, 2)));
        }
        if (!good) {
            return err_set(err, ERR_FORMAT,
                           "a format of a date or time as long as that is not "
                           "taken");
        }
    }
    return true;
}

void stamp_format_iso(struct stamp_format *format, struct stamp_style style)
{
    *format = (struct stamp_format){.is_fixed = true};
    CHECK(add_part(format, CODE_DATE, 10) && add_literal(format, STR("T")) &&
          add_part(format, CODE_TIME, 8));
    if (style.digits > 0) {
        CHECK(
            style.digits <= 9 && add_literal(format, str_of(&style.separator, 1)) &&
            add_part(format, (enum stamp_code)(CODE_FRACTION_1 + style.digits - 1), style.digits));
    }
    CHECK(add_literal(format, STR("Z")));
}

size_t stamp_format_most_bytes(const struct stamp_format *format)
{
    size_t bytes = 0;
    for (size_t i = 0; i < format->part_count; i++) {
        bytes += format->parts[i].len;
    }
    return bytes;
}

/* Two digits: what dates are made of, so no loop. */
static void put_two(char *target, unsigned value)
{
    target[0] = (char)('0' + value / 10);
    target[1] = (char)('0' + value % 10);
}

static void put_year(char *target, unsigned year)
{
    put_two(target, year / 100);
    put_two(target + 2, year % 100);
}

static void put_date(char *target, const struct civil *civil)
{
    put_year(target, civil->year);
    target[4] = '-';
    put_two(target + 5, civil->month);
    target[7] = '-';
    put_two(target + 8, civil->day);
}

static void put_time(char *target, const struct civil *civil)
{
    put_two(target, civil->hour);
    target[2] = ':';
    put_two(target + 3, civil->minute);
    target[5] = ':';
    put_two(target + 6, civil->second);
}

static void put_number(char *target, unsigned digits, uint32_t value)
{
    while (digits > 0) {
        target[--digits] = (char)('0' + value % 10);
        value /= 10;
    }
}

static void put_fraction(char *target, unsigned digits, uint32_t ns)
{
    static const uint32_t divisors[] = {100000000, 10000000, 1000000, 100000, 10000,
                                        1000,      100,      10,      1};
    if (digits == 3) {
        put_number(target, 3, ns / 1000000); /* nearly all there are; a constant divides faster */
    } else {
        put_number(target, digits, ns / divisors[digits - 1]);
    }
}

static size_t put_epoch(char *target, int64_t seconds)
{
    unsigned digits = 1;
    for (int64_t rest = seconds / 10; rest > 0; rest /= 10) {
        digits++;
    }
    for (unsigned i = digits; i > 0; i--) {
        target[i - 1] = (char)('0' + seconds % 10);
        seconds /= 10;
    }
    return digits;
}

static size_t put_part(const struct stamp_format *format, const struct stamp_part *part,
                       struct stamp moment, const struct civil *civil, char *target)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    switch (part->code) {
    case CODE_LITERAL:
        memcpy(target, format->literals + part->from, part->len);
        return part->len;
    case CODE_DATE:
        put_date(target, civil);
        return 10;
    case CODE_TIME:
        put_time(target, civil);
        return 8;
    case CODE_YEAR:
        put_year(target, civil->year);
        return 4;
    case CODE_DAY_OF_YEAR:
        put_number(target, 3, civil->days - (unsigned)days_of_date(civil->year, 1, 1) + 1);
        return 3;
    case CODE_DAY_NAME:
        memcpy(target, days + (size_t)civil->weekday * 3, 3);
        return 3;
    case CODE_MONTH_NAME:
        memcpy(target, months + (size_t)(civil->month - 1) * 3, 3);
        return 3;
    case CODE_EPOCH:
        return put_epoch(target, moment.seconds);
    default:
        break;
    }
    if (part->code >= CODE_FRACTION_1) {
        put_fraction(target, part->len, moment.ns);
        return part->len;
    }
    const unsigned values[] = {
        [CODE_SHORT_YEAR] = civil->year % 100,
        [CODE_MONTH] = civil->month,
        [CODE_DAY] = civil->day,
        [CODE_HOUR] = civil->hour,
        [CODE_MINUTE] = civil->minute,
        [CODE_SECOND] = civil->second,
    };
    put_two(target, values[part->code]);
    return 2;
}

size_t stamp_format_put(const struct stamp_format *format, struct stamp moment, char *target)
{
    struct civil civil;
    split(moment, &civil);
    size_t len = 0;
    for (size_t i = 0; i < format->part_count; i++) {
        len += put_part(format, &format->parts[i], moment, &civil, target + len);
    }
    return len;
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
