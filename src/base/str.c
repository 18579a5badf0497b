/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Borrowed runs of bytes: compare, search, cut. Bytes only: no locale and no Unicode, letters
 * are the 26 of ASCII, so the same input gives the same result on every machine. A str is not
 * NUL-ended; never hand .data to a function of the C library that looks for the NUL.
 */
#include "lather/base/str.h"

#include <stdlib.h>
#include <string.h>

enum letter_case { CASE_KEPT = 0, CASE_IGNORED };

static unsigned char lower(char byte)
{
    unsigned char value = (unsigned char)byte;
    return value >= 'A' && value <= 'Z' ? (unsigned char)(value + ('a' - 'A')) : value;
}

static unsigned char folded(char byte, enum letter_case letters)
{
    return letters == CASE_IGNORED ? lower(byte) : (unsigned char)byte;
}

struct str str_from(const char *text)
{
    return text == NULL ? str_of(NULL, 0) : str_of(text, strlen(text));
}

struct str str_of(const char *data, size_t len)
{
    return (struct str){.data = data, .len = len};
}

bool str_equals(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

bool str_equals_nocase(struct str a, struct str b)
{
    if (a.len != b.len) {
        return false;
    }
    for (size_t i = 0; i < a.len; i++) {
        if (lower(a.data[i]) != lower(b.data[i])) {
            return false;
        }
    }
    return true;
}

bool str_starts_with(struct str text, struct str prefix)
{
    return text.len >= prefix.len && str_equals(str_slice(text, 0, prefix.len), prefix);
}

bool str_starts_with_nocase(struct str text, struct str prefix)
{
    return text.len >= prefix.len && str_equals_nocase(str_slice(text, 0, prefix.len), prefix);
}

bool str_ends_with(struct str text, struct str suffix)
{
    return text.len >= suffix.len &&
           str_equals(str_slice(text, text.len - suffix.len, text.len), suffix);
}

/*
 * Searches from offset `from` by a rolling hash (Karp and Rabin 1987), so that a text made of near
 * misses costs one step a byte and not one comparison of the whole needle. 0 < needle.len.
 */
static size_t find_rolling(struct str text, struct str needle, size_t from,
                           enum letter_case letters)
{
    const uint64_t base = 0x9E3779B97F4A7C15ULL;
    if (text.len - from < needle.len) {
        return SIZE_MAX;
    }
    uint64_t wanted = 0;
    uint64_t hash = 0;
    uint64_t highest = 1; /* base to the power of needle.len, the weight of the byte that leaves */
    for (size_t i = 0; i < needle.len; i++) {
        wanted = wanted * base + folded(needle.data[i], letters);
        hash = hash * base + folded(text.data[from + i], letters);
        highest *= base;
    }
    for (size_t at = from;; at++) {
        struct str here = str_of(text.data + at, needle.len);
        if (hash == wanted && (letters == CASE_IGNORED ? str_equals_nocase(here, needle)
                                                       : str_equals(here, needle))) {
            return at;
        }
        if (at + needle.len == text.len) {
            return SIZE_MAX;
        }
        hash = hash * base + folded(text.data[at + needle.len], letters) -
               highest * folded(text.data[at], letters);
    }
}

size_t str_find(struct str text, struct str needle)
{
    if (needle.len == 0) {
        return 0;
    }
    /* memchr is some ten times faster than rolling while first bytes are rare; the budget bounds
       what it may cost when they are not. */
    size_t budget = text.len;
    size_t from = 0;
    while (text.len - from >= needle.len) {
        size_t starts = text.len - from - needle.len + 1;
        const char *hit = memchr(text.data + from, needle.data[0], starts);
        if (hit == NULL) {
            return SIZE_MAX;
        }
        if (memcmp(hit, needle.data, needle.len) == 0) {
            return (size_t)(hit - text.data);
        }
        from = (size_t)(hit - text.data) + 1;
        if (budget < needle.len / 8) {
            return find_rolling(text, needle, from, CASE_KEPT);
        }
        budget -= needle.len / 8;
    }
    return SIZE_MAX;
}

size_t str_find_nocase(struct str text, struct str needle)
{
    return needle.len == 0 ? 0 : find_rolling(text, needle, 0, CASE_IGNORED);
}

size_t str_find_byte(struct str text, char byte)
{
    const char *hit = text.len == 0 ? NULL : memchr(text.data, byte, text.len);
    return hit == NULL ? SIZE_MAX : (size_t)(hit - text.data);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

struct str str_trim(struct str text)
{
    size_t from = 0;
    size_t to = text.len;
    while (from < to && is_blank(text.data[from])) {
        from++;
    }
    while (to > from && is_blank(text.data[to - 1])) {
        to--;
    }
    return str_slice(text, from, to);
}

struct str str_slice(struct str text, size_t from, size_t to)
{
    if (to > text.len) {
        to = text.len;
    }
    if (from > to) {
        from = to;
    }
    return str_of(text.data == NULL ? NULL : text.data + from, to - from);
}

bool str_split(struct str text, char separator, struct str *head, struct str *rest)
{
    size_t at = str_find_byte(text, separator);
    if (at == SIZE_MAX) {
        *head = text;
        *rest = str_slice(text, text.len, text.len);
        return false;
    }
    *head = str_slice(text, 0, at);
    *rest = str_slice(text, at + 1, text.len);
    return true;
}

bool str_to_u64(struct str text, uint64_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
        uint64_t digit = (uint64_t)(text.data[i] - '0');
        if (sum > (UINT64_MAX - digit) / 10) {
            return false;
        }
        sum = sum * 10 + digit;
    }
    if (text.len == 0) {
        return false;
    }
    *value = sum;
    return true;
}

int str_hex_value(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

char *str_dup(struct str text)
{
    char *copy = check_malloc(text.len + 1);
    if (text.len > 0) {
        memcpy(copy, text.data, text.len);
    }
    copy[text.len] = '\0';
    return copy;
}

enum { DISTANCE_CEILING = 32 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The unrestricted form (Damerau 1964; Lowrance and Wagner 1975): "ca" to "abc" is 2, not 3. */
size_t str_distance(struct str a, struct str b)
{
    a = str_slice(a, 0, DISTANCE_CEILING);
    b = str_slice(b, 0, DISTANCE_CEILING);
    const size_t never = a.len + b.len;
    size_t cost[DISTANCE_CEILING + 2][DISTANCE_CEILING + 2];
    size_t last_row_of[256] = {0};

    cost[0][0] = never;
    for (size_t i = 0; i <= a.len; i++) {
        cost[i + 1][0] = never;
        cost[i + 1][1] = i;
    }
    for (size_t j = 0; j <= b.len; j++) {
        cost[0][j + 1] = never;
        cost[1][j + 1] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        size_t last_match = 0;
        for (size_t j = 1; j <= b.len; j++) {
            size_t row = last_row_of[(unsigned char)b.data[j - 1]];
            size_t column = last_match;
            bool same = a.data[i - 1] == b.data[j - 1];
            if (same) {
                last_match = j;
            }
            size_t changed = cost[i][j] + (same ? 0 : 1);
            size_t grown = smaller(cost[i + 1][j], cost[i][j + 1]) + 1;
            size_t swapped = cost[row][column] + (i - row - 1) + 1 + (j - column - 1);
            cost[i + 1][j + 1] = smaller(smaller(changed, grown), swapped);
        }
        last_row_of[(unsigned char)a.data[i - 1]] = i;
    }
    return cost[a.len + 1][b.len + 1];
}

bool str_has_typographic_quote(struct str text)
{
    static const char *const marks[] = {
        "\xE2\x80\x98", "\xE2\x80\x99", "\xE2\x80\x9C", "\xE2\x80\x9D", "\xE2\x80\x9E",
        "\xE2\x80\xB2", "\xE2\x80\xB3", "\xC2\xAB",     "\xC2\xBB",
    };
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (str_find(text, str_from(marks[i])) != SIZE_MAX) {
            return true;
        }
    }
    return false;
}
