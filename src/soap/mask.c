/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes reasons comparable: what is different in each of a thousand equal failures is replaced by
 * a placeholder, so that they count as one group. It is for grouping and reading, never for
 * deciding. The trap: an apostrophe within a word ("doesn't") opens no quotation.
 */
#include "lather/soap/mask.h"

#include <stdbool.h>

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_hex(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

/* Letters of any script: bytes of UTF-8 beyond ASCII count as such. */
static bool is_word(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '_' || (unsigned char)byte >= 0x80;
}

static bool is_blank(char byte)
{
    return (unsigned char)byte <= ' ' || byte == 0x7F;
}

static char byte_at(struct str text, size_t at)
{
    return at < text.len ? text.data[at] : '\0';
}

static size_t run_of(struct str text, size_t at, bool (*belongs)(char byte))
{
    size_t end = at;
    while (end < text.len && belongs(text.data[end])) {
        end++;
    }
    return end - at;
}

/*
 * How many bytes at `at` follow a pattern: '9' one digit, 'x' one hexadecimal digit, any other
 * character itself. 0 when they do not.
 */
static size_t pattern_len(struct str text, size_t at, const char *pattern)
{
    size_t len = 0;
    for (; pattern[len] != '\0'; len++) {
        char byte = byte_at(text, at + len);
        bool fits = pattern[len] == '9'   ? is_digit(byte)
                    : pattern[len] == 'x' ? is_hex(byte)
                                          : byte == pattern[len];
        if (!fits) {
            return 0;
        }
    }
    return len;
}

static size_t first_pattern_len(struct str text, size_t at, const char *const *patterns)
{
    for (; *patterns != NULL; patterns++) {
        size_t len = pattern_len(text, at, *patterns);
        if (len > 0) {
            return len;
        }
    }
    return 0;
}

static size_t id_len(struct str text, size_t at)
{
    size_t len = pattern_len(text, at, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
    if (len > 0) {
        return is_word(byte_at(text, at + len)) ? 0 : len;
    }
    size_t prefix = byte_at(text, at) == '0' && (byte_at(text, at + 1) | 0x20) == 'x' ? 2 : 0;
    len = run_of(text, at + prefix, is_hex);
    bool is_long = len >= 8 && !is_word(byte_at(text, at + prefix + len));
    size_t digits = run_of(text, at + prefix, is_digit);
    bool is_mixed = digits < len;
    for (size_t i = 0; is_long && digits == 0 && i < len; i++) {
        digits += is_digit(text.data[at + prefix + i]);
    }
    return is_long && digits > 0 && (is_mixed || prefix > 0) ? prefix + len : 0;
}

/* "10:15:30.123Z", "10:15", " 1:15:30 PM" at `at`, with what belongs to it. */
static size_t time_len(struct str text, size_t at)
{
    static const char *const times[] = {"99:99:99", "9:99:99", "99:99", "9:99", NULL};
    static const char *const zones[] = {"Z",   "+99:99", "-99:99", "+9999", "-9999",
                                        " AM", " PM",    " GMT",   " UTC",  NULL};
    size_t len = first_pattern_len(text, at, times);
    if (len == 0) {
        return 0;
    }
    char next = byte_at(text, at + len);
    if ((next == '.' || next == ',' || next == ':') && is_digit(byte_at(text, at + len + 1))) {
        len += 1 + run_of(text, at + len + 1, is_digit);
    }
    return len + first_pattern_len(text, at + len, zones);
}

static size_t date_len(struct str text, size_t at)
{
    static const char *const dates[] = {"9999-99-99", "99/99/9999", "9/99/9999",  "99/9/9999",
                                        "9/9/9999",   "9999/99/99", "99.99.9999", NULL};
    size_t len = first_pattern_len(text, at, dates);
    if (len == 0) {
        return time_len(text, at);
    }
    if (byte_at(text, at + len) == 'T' || byte_at(text, at + len) == ' ') {
        size_t time = time_len(text, at + len + 1);
        len += time > 0 ? time + 1 : 0;
    }
    return len;
}

/* A quotation with both its marks; 0 when `at` opens none that ends. */
static size_t quotation_len(struct str text, size_t at)
{
    static const struct {
        struct str open;
        struct str close;
    } marks[] = {
        {{"'", 1}, {"'", 1}},
        {{"\"", 1}, {"\"", 1}},
        {{"\xE2\x80\x98", 3}, {"\xE2\x80\x99", 3}},
        {{"\xE2\x80\x9C", 3}, {"\xE2\x80\x9D", 3}},
        {{"\xC2\xAB", 2}, {"\xC2\xBB", 2}},
    };
    struct str rest = str_slice(text, at, text.len);
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (!str_starts_with(rest, marks[i].open)) {
            continue;
        }
        size_t from = marks[i].open.len;
        while (from < rest.len) {
            size_t found = str_find(str_slice(rest, from, rest.len), marks[i].close);
            if (found == SIZE_MAX) {
                return 0;
            }
            size_t end = from + found + marks[i].close.len;
            if (!is_word(byte_at(rest, end))) {
                return end;
            }
            from = end;
        }
    }
    return 0;
}

/* What stands at the start of a word: its placeholder and length, or 0 for plain text. */
static size_t variable_len(struct str text, size_t at, struct str *placeholder)
{
    *placeholder = STR("'...'");
    size_t len = quotation_len(text, at);
    if (len == 0) {
        *placeholder = STR("{id}");
        len = id_len(text, at);
    }
    if (len == 0) {
        *placeholder = STR("{date}");
        len = date_len(text, at);
    }
    return len;
}

/* The most that is not longer than `most` and ends between characters. */
static size_t length_within(struct str text, size_t most)
{
    size_t len = text.len < most ? text.len : most;
    while (len > 0 && len < text.len && ((unsigned char)text.data[len] & 0xC0) == 0x80) {
        len--;
    }
    return len;
}

static void cut(struct buf *masked, size_t start)
{
    struct str text = str_slice(buf_view(masked), start, SIZE_MAX);
    masked->len = start + length_within(text, MASK_CEILING - 3);
    buf_append_str(masked, STR("..."));
}

void mask_append(struct buf *masked, struct str text)
{
    size_t start = masked->len;
    text = str_trim(text);
    text = str_slice(text, 0, length_within(text, MASK_LOOK));
    size_t at = 0;
    while (at < text.len && masked->len - start <= MASK_CEILING) {
        struct str placeholder;
        bool opens_word = at == 0 || !is_word(text.data[at - 1]);
        size_t len = opens_word ? variable_len(text, at, &placeholder) : 0;
        if (len == 0) {
            placeholder = STR("#");
            len = run_of(text, at, is_digit);
        }
        if (len == 0) {
            placeholder = STR(" ");
            len = run_of(text, at, is_blank);
        }
        if (len == 0) {
            placeholder = str_slice(text, at, at + 1);
            len = 1;
        }
        buf_append_str(masked, placeholder);
        at += len;
    }
    if (masked->len - start > MASK_CEILING) {
        cut(masked, start);
    }
}
