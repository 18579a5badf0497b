/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one Windows code page that services really send, so that an answer means the same whether or
 * not libxml2 was built with iconv. It is Latin-1 but for the bytes 80 to 9F. Only reading is
 * offered: nothing is ever written in it.
 */
#include "lather/soap/codepage.h"

#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"

enum { TABLE_START = 0x80, TABLE_END = 0xA0 };

static const uint16_t table[TABLE_END - TABLE_START] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

/* UTF-8 of a character below 0x10000; returns its length. */
static int encode(unsigned character, unsigned char out[3])
{
    if (character < 0x80) {
        out[0] = (unsigned char)character;
        return 1;
    }
    if (character < 0x800) {
        out[0] = (unsigned char)(0xC0 | character >> 6);
        out[1] = (unsigned char)(0x80 | (character & 0x3F));
        return 2;
    }
    out[0] = (unsigned char)(0xE0 | character >> 12);
    out[1] = (unsigned char)(0x80 | (character >> 6 & 0x3F));
    out[2] = (unsigned char)(0x80 | (character & 0x3F));
    return 3;
}

/* libxml2's shape: lengths say what there is, then what was used and made. */
static int to_utf8(unsigned char *out, int *out_len, const unsigned char *in, int *in_len)
{
    int used = 0;
    int made = 0;
    while (used < *in_len) {
        unsigned byte = in[used];
        bool is_special = byte >= TABLE_START && byte < TABLE_END;
        unsigned char character[3];
        int len = encode(is_special ? table[byte - TABLE_START] : byte, character);
        if (len > *out_len - made) {
            break;
        }
        for (int i = 0; i < len; i++) {
            out[made++] = character[i];
        }
        used++;
    }
    *in_len = used;
    *out_len = made;
    return made;
}

void codepage_register(void)
{
    static const char *const names[] = {"windows-1252", "cp1252"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        xmlCharEncodingHandlerPtr known = xmlFindCharEncodingHandler(names[i]);
        bool is_ours = known != NULL && known->input == to_utf8;
        if (known != NULL) {
            (void)xmlCharEncCloseFunc(known);
        }
        if (!is_ours) {
            /* libxml2 keeps the handler until its own end. */
            CHECK(xmlNewCharEncodingHandler(names[i], to_utf8, NULL) != NULL);
        }
    }
}
