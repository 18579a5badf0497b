/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UTF-16 bodies are looked at as UTF-8 and changed in place: what is found at an offset of the one
 * text has to be found in the other. So reading never loses a unit, not even one that is no
 * character by itself; whether a text is valid is for its parser to say.
 */
#include "lather/soap/utf16.h"

#include "lather/base/utf8.h"

static uint32_t unit_at(struct str units, size_t at, enum utf16_order order)
{
    uint32_t first = (unsigned char)units.data[at];
    uint32_t second = (unsigned char)units.data[at + 1];
    return order == UTF16_LITTLE ? second << 8 | first : first << 8 | second;
}

void utf16_append_as_utf8(struct str units, enum utf16_order order, struct buf *text)
{
    for (size_t at = 0; at + 2 <= units.len; at += 2) {
        uint32_t code = unit_at(units, at, order);
        if (code >= 0xD800 && code <= 0xDBFF && at + 4 <= units.len) {
            uint32_t low = unit_at(units, at + 2, order);
            if (low >= 0xDC00 && low <= 0xDFFF) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                at += 2;
            }
        }
        text->len += utf8_put(buf_reserve(text, UTF8_MOST_BYTES), code);
    }
}

size_t utf16_bytes(struct str utf8)
{
    size_t bytes = 0;
    for (size_t i = 0; i < utf8.len; i++) {
        unsigned char byte = (unsigned char)utf8.data[i];
        bool begins_character = (byte & 0xC0) != 0x80;
        bytes += begins_character ? (byte >= 0xF0 ? 4 : 2) : 0;
    }
    return bytes;
}

static void put_unit(char *place, uint32_t unit, enum utf16_order order)
{
    place[order == UTF16_LITTLE ? 0 : 1] = (char)(unit & 0xFF);
    place[order == UTF16_LITTLE ? 1 : 0] = (char)(unit >> 8);
}

size_t utf16_put(char *place, uint32_t code, enum utf16_order order)
{
    if (code < 0x10000) {
        put_unit(place, code, order);
        return 2;
    }
    put_unit(place, 0xD800 + ((code - 0x10000) >> 10), order);
    put_unit(place + 2, 0xDC00 + ((code - 0x10000) & 0x3FF), order);
    return 4;
}
