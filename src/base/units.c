/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Durations, sizes and counts between the text a tester types and whole numbers. All arithmetic is
 * in integers: "0.001" is a million nanoseconds, not 999999 after a detour over double. The units
 * of sizes are powers of 1024, with or without the "i", as ab's kb is.
 */
#include "lather/base/units.h"

#include <inttypes.h>
#include <stdio.h>

#include "lather/base/clock.h"

static const uint64_t LONGEST_NS = 10 * 365 * 24 * 3600 * NS_PER_S;

/* What a sentence quotes of a text that may be as long as the user likes. */
static struct str quoted(struct str text)
{
    return str_slice(text, 0, 60);
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static size_t digits_from(struct str text, size_t from)
{
    size_t to = from;
    while (to < text.len && is_digit(text.data[to])) {
        to++;
    }
    return to - from;
}

static bool duration_unit_ns(struct str name, uint64_t *unit_ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {
        {"", NS_PER_S},  {"us", NS_PER_US},    {"ms", NS_PER_MS},
        {"s", NS_PER_S}, {"m", 60 * NS_PER_S}, {"h", 3600 * NS_PER_S},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (str_equals(name, str_from(units[i].name))) {
            *unit_ns = units[i].ns;
            return true;
        }
    }
    return false;
}

/*
 * The value of the digits behind a decimal point in ns, rounded down. From the last digit to the
 * first: ".25" of 60 s is (5 * 60 / 10 + 2 * 60) / 10 = 15. Rounding down at each step is rounding
 * down once, and nothing grows past 10 units, whatever the number of digits.
 */
static uint64_t fraction_ns(struct str digits, uint64_t unit_ns)
{
    uint64_t ns = 0;
    for (size_t i = digits.len; i > 0; i--) {
        ns = (ns + (uint64_t)(digits.data[i - 1] - '0') * unit_ns) / 10;
    }
    return ns;
}

static bool has_nonzero_digit(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] >= '1' && text.data[i] <= '9') {
            return true;
        }
    }
    return false;
}

bool units_parse_duration_ns(struct str text, uint64_t *ns, struct err *err)
{
    struct str whole = str_slice(text, 0, digits_from(text, 0));
    struct str fraction = str_slice(text, whole.len, whole.len);
    size_t number_len = whole.len;
    if (number_len < text.len && text.data[number_len] == '.') {
        size_t digits = digits_from(text, number_len + 1);
        fraction = str_slice(text, number_len + 1, number_len + 1 + digits);
        number_len = fraction.len == 0 ? 0 : number_len + 1 + digits;
    }
    uint64_t unit_ns = 0;
    if (number_len == 0 || !duration_unit_ns(str_slice(text, number_len, text.len), &unit_ns)) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is not a duration: write a number and us, ms, s, m or h, such as "
                       "500ms, 30s or 1.5m; a bare number is seconds",
                       STR_ARG(quoted(text)));
    }
    uint64_t units = 0;
    if (whole.len > 0 && (!str_to_u64(whole, &units) || units > LONGEST_NS / unit_ns)) {
        units = LONGEST_NS / unit_ns + 1;
    }
    uint64_t sum_ns = units * unit_ns + fraction_ns(fraction, unit_ns);
    if (sum_ns > LONGEST_NS) {
        return err_set(err, ERR_USAGE, "\"%.*s\" is too long: at most 10 years (87600h)",
                       STR_ARG(quoted(text)));
    }
    if (sum_ns == 0 && has_nonzero_digit(text)) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is less than a nanosecond: write a longer time, or 0",
                       STR_ARG(quoted(text)));
    }
    *ns = sum_ns;
    return true;
}

static bool size_unit_shift(struct str name, unsigned *shift)
{
    static const struct {
        const char *letter;
        unsigned shift;
    } units[] = {{"", 0}, {"k", 10}, {"m", 20}, {"g", 30}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        struct str letter = str_from(units[i].letter);
        if (!str_starts_with_nocase(name, letter)) {
            continue;
        }
        struct str tail = str_slice(name, letter.len, name.len);
        bool binary = letter.len > 0 && str_equals_nocase(tail, STR("iB"));
        if (tail.len == 0 || binary || str_equals_nocase(tail, STR("B"))) {
            *shift = units[i].shift;
            return true;
        }
    }
    return false;
}

bool units_parse_size_bytes(struct str text, uint64_t *bytes, struct err *err)
{
    struct str number = str_slice(text, 0, digits_from(text, 0));
    unsigned shift = 0;
    if (number.len == 0 || !size_unit_shift(str_slice(text, number.len, text.len), &shift)) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is not a size: write a whole number of bytes, or one with k, M or "
                       "G (times 1024), such as 64k or 10M",
                       STR_ARG(quoted(text)));
    }
    uint64_t units = 0;
    if (!str_to_u64(number, &units) || units > UINT64_MAX >> shift) {
        return err_set(err, ERR_USAGE, "\"%.*s\" is too large: at most %" PRIu64 " bytes",
                       STR_ARG(quoted(text)), UINT64_MAX);
    }
    *bytes = units << shift;
    return true;
}

static bool rate_unit_seconds(struct str unit, uint64_t *seconds)
{
    if (unit.len == 0 || str_equals(unit, STR("/s"))) {
        *seconds = 1;
    } else if (str_equals(unit, STR("/min")) || str_equals(unit, STR("/m"))) {
        *seconds = 60;
    } else if (str_equals(unit, STR("/h"))) {
        *seconds = 3600;
    } else {
        return false;
    }
    return true;
}

bool units_parse_rate(struct str text, uint64_t *micro_per_s, struct err *err)
{
    const uint64_t micro = 1000000;
    const uint64_t most = micro * micro;
    const size_t whole_end = digits_from(text, 0);
    const bool has_point = whole_end < text.len && text.data[whole_end] == '.';
    const size_t end = has_point ? whole_end + 1 + digits_from(text, whole_end + 1) : whole_end;
    const struct str decimals = has_point ? str_slice(text, whole_end + 1, end) : STR("");
    uint64_t whole = 0;
    uint64_t part = 0;
    uint64_t seconds = 1;
    bool good = whole_end > 0 && (!has_point || decimals.len > 0) && decimals.len <= 6 &&
                str_to_u64(str_slice(text, 0, whole_end), &whole) && whole <= most * 3600 / micro &&
                rate_unit_seconds(str_slice(text, end, text.len), &seconds);
    if (good && decimals.len > 0) {
        good = str_to_u64(decimals, &part);
        for (size_t i = decimals.len; i < 6; i++) {
            part *= 10;
        }
    }
    const uint64_t rate = good ? (whole * micro + part) / seconds : 0;
    if (rate == 0 || rate > most) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is not a rate: write requests a time, such as 200/s, 3000/min or "
                       "0.5/s, at most 1000000/s",
                       STR_ARG(quoted(text)));
    }
    *micro_per_s = rate;
    return true;
}

bool units_parse_count(struct str text, uint64_t least, uint64_t most, uint64_t *count,
                       struct err *err)
{
    uint64_t value = 0;
    if (!str_to_u64(text, &value) || value < least || value > most) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is not allowed: write a whole number from %" PRIu64 " to %" PRIu64,
                       STR_ARG(quoted(text)), least, most);
    }
    *count = value;
    return true;
}

/* value / unit in tenths, rounded half up. */
static uint64_t in_tenths(uint64_t value, uint64_t unit)
{
    return value / unit * 10 + (value % unit * 10 + unit / 2) / unit;
}

const char *units_format_duration(uint64_t ns, char text[UNITS_TEXT_SIZE])
{
    /* The next unit begins where this one would round up to 1000. */
    if (ns >= NS_PER_S - NS_PER_MS / 20) {
        uint64_t ms = ns / NS_PER_MS + (ns % NS_PER_MS >= NS_PER_MS / 2 ? 1 : 0);
        (void)snprintf(text, UNITS_TEXT_SIZE, "%" PRIu64 ".%03" PRIu64 " s", ms / 1000, ms % 1000);
    } else if (ns >= NS_PER_MS - NS_PER_US / 2) {
        uint64_t tenths = in_tenths(ns, NS_PER_MS);
        (void)snprintf(text, UNITS_TEXT_SIZE, "%" PRIu64 ".%" PRIu64 " ms", tenths / 10,
                       tenths % 10);
    } else if (ns >= NS_PER_US) {
        uint64_t us = (ns + NS_PER_US / 2) / NS_PER_US;
        (void)snprintf(text, UNITS_TEXT_SIZE, "%" PRIu64 " us", us);
    } else {
        (void)snprintf(text, UNITS_TEXT_SIZE, "%" PRIu64 " ns", ns);
    }
    return text;
}

const char *units_format_size(uint64_t bytes, char text[UNITS_TEXT_SIZE])
{
    static const char *const names[] = {"KB", "MB", "GB", "TB"};
    enum { NAME_COUNT = sizeof names / sizeof names[0] };
    if (bytes < 1024) {
        (void)snprintf(text, UNITS_TEXT_SIZE, "%" PRIu64 " B", bytes);
        return text;
    }
    size_t name = 0;
    uint64_t unit = 1024;
    while (name + 1 < NAME_COUNT && in_tenths(bytes, unit) >= 10240) {
        unit *= 1024;
        name++;
    }
    uint64_t tenths = in_tenths(bytes, unit);
    (void)snprintf(text, UNITS_TEXT_SIZE, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10,
                   names[name]);
    return text;
}
