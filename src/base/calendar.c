/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From dates to seconds, without the C library's time zones: what is read here says itself which
 * clock it means. The two obsolete forms of HTTP dates are not read; no server of today sends them.
 */
#include "lather/base/calendar.h"

static bool is_leap(uint32_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static uint32_t days_in(uint32_t year, uint32_t month)
{
    static const uint32_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
}

bool calendar_seconds(const struct calendar *at, uint64_t *seconds)
{
    if (at->year < 1970 || at->year > 9999 || at->month < 1 || at->month > 12 || at->day < 1 ||
        at->day > days_in(at->year, at->month) || at->hour > 23 || at->minute > 59 ||
        at->second > 60) {
        return false;
    }
    uint64_t before = at->year - 1;
    uint64_t days = (at->year - 1970) * 365ULL + (before / 4 - before / 100 + before / 400) -
                    (1969 / 4 - 1969 / 100 + 1969 / 400);
    for (uint32_t month = 1; month < at->month; month++) {
        days += days_in(at->year, month);
    }
    days += at->day - 1;
    *seconds = ((days * 24 + at->hour) * 60 + at->minute) * 60 + at->second;
    return true;
}

static bool read_digits(struct str text, size_t from, size_t count, uint32_t *value)
{
    uint64_t number;
    struct str digits = str_slice(text, from, from + count);
    if (digits.len != count || !str_to_u64(digits, &number)) {
        return false;
    }
    *value = (uint32_t)number;
    return true;
}

/* "Sun, 06 Nov 1994 08:49:37 GMT" */
bool calendar_parse_http(struct str text, uint64_t *seconds)
{
    static const struct str months = {"JanFebMarAprMayJunJulAugSepOctNovDec", 36};
    struct calendar at;
    if (text.len != 29 || !str_equals(str_slice(text, 3, 5), STR(", ")) ||
        !str_equals(str_slice(text, 25, 29), STR(" GMT")) || text.data[7] != ' ' ||
        text.data[11] != ' ' || text.data[16] != ' ' || text.data[19] != ':' ||
        text.data[22] != ':') {
        return false;
    }
    size_t month = str_find(months, str_slice(text, 8, 11));
    at.month = month == SIZE_MAX || month % 3 != 0 ? 0 : (uint32_t)month / 3 + 1;
    return read_digits(text, 5, 2, &at.day) && read_digits(text, 12, 4, &at.year) &&
           read_digits(text, 17, 2, &at.hour) && read_digits(text, 20, 2, &at.minute) &&
           read_digits(text, 23, 2, &at.second) && calendar_seconds(&at, seconds);
}
