/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UTF-8 in and out, a character at a time. Reading is strict, since what is checked here is sent
 * to parsers that are; writing takes surrogates, because UTF-16 that holds a lone one must come
 * back as it was. It knows no classes of characters.
 */
#include "lather/base/utf8.h"

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The length that a first byte announces, its own bits, and the smallest value of that length. */
static size_t length_of(unsigned char first, uint32_t *bits, uint32_t *least)
{
    if (first < 0x80) {
        *bits = first;
        *least = 0;
        return 1;
    }
    if ((first & 0xE0) == 0xC0) {
        *bits = first & 0x1F;
        *least = 0x80;
        return 2;
    }
    if ((first & 0xF0) == 0xE0) {
        *bits = first & 0x0F;
        *least = 0x800;
        return 3;
    }
    *bits = first & 0x07;
    *least = 0x10000;
    return (first & 0xF8) == 0xF0 ? 4 : 0;
}

bool utf8_next(struct str *rest, uint32_t *code)
{
    if (rest->len == 0) {
        return false;
    }
    const unsigned char *bytes = (const unsigned char *)rest->data;
    uint32_t value;
    uint32_t least;
    size_t len = length_of(bytes[0], &value, &least);
    if (len == 0 || len > rest->len) {
        return false;
    }
    for (size_t i = 1; i < len; i++) {
        if (!is_continuation(bytes[i])) {
            return false;
        }
        value = value << 6 | (bytes[i] & 0x3F);
    }
    if (value < least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return false;
    }
    *code = value;
    *rest = str_slice(*rest, len, rest->len);
    return true;
}

size_t utf8_put(char *place, uint32_t code)
{
    if (code < 0x80) {
        place[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        place[0] = (char)(0xC0 | code >> 6);
        place[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        place[0] = (char)(0xE0 | code >> 12);
        place[1] = (char)(0x80 | (code >> 6 & 0x3F));
        place[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    place[0] = (char)(0xF0 | code >> 18);
    place[1] = (char)(0x80 | (code >> 12 & 0x3F));
    place[2] = (char)(0x80 | (code >> 6 & 0x3F));
    place[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

size_t utf8_find_invalid(struct str text)
{
    struct str rest = text;
    uint32_t code;
    while (rest.len > 0) {
        if (!utf8_next(&rest, &code)) {
            return text.len - rest.len;
        }
    }
    return SIZE_MAX;
}
