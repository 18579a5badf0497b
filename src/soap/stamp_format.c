/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways to write moments: a format is compiled once and then written into every request, without a
 * call of the C library. Always UTC and English, so that it costs little and means the same
 * everywhere. The trap is length: what writes always as much lets a template keep its
 * Content-Length, so each code knows how much that is.
 */
#include "lather/soap/stamp_format.h"

#include <string.h>

#include "lather/soap/civil.h"

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

static void put_behind(char *target, char separator, unsigned value)
{
    target[0] = separator;
    put_two(target + 1, value);
}

static void put_date(char *target, const struct civil *civil)
{
    put_year(target, civil->year);
    put_behind(target + 4, '-', civil->month);
    put_behind(target + 7, '-', civil->day);
}

static void put_time(char *target, const struct civil *civil)
{
    put_two(target, civil->hour);
    put_behind(target + 2, ':', civil->minute);
    put_behind(target + 5, ':', civil->second);
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
        put_number(target, 3, civil->days - (unsigned)civil_days(civil->year, 1, 1) + 1);
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
    civil_split(moment, &civil);
    size_t len = 0;
    for (size_t i = 0; i < format->part_count; i++) {
        len += put_part(format, &format->parts[i], moment, &civil, target + len);
    }
    return len;
}
