/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that came from a server or a command line, made fit for a terminal, a JSON string or a web
 * page. Nothing is left out: what cannot stand is written in another way, so that two different
 * reasons do not look empty both. Reports pass every foreign text through here, and only here.
 */
#include "lather/report/clean.h"

#include <stdint.h>

#include "lather/base/utf8.h"

/* A valid character, with the bytes it is written in. */
struct character {
    uint32_t code;
    struct str bytes;
};

static void append_as_is(struct buf *out, const struct character *character)
{
    buf_append_str(out, character->bytes);
}

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

static void append_line(struct buf *out, const struct character *character)
{
    if (is_control(character->code)) {
        buf_printf(out, "\\x%02x", (unsigned)character->code);
    } else {
        buf_append_str(out, character->bytes);
    }
}

static void append_html(struct buf *out, const struct character *character)
{
    switch (character->code) {
    case '&':
        buf_append_str(out, STR("&amp;"));
        break;
    case '<':
        buf_append_str(out, STR("&lt;"));
        break;
    case '>':
        buf_append_str(out, STR("&gt;"));
        break;
    case '"':
        buf_append_str(out, STR("&quot;"));
        break;
    case '\'':
        buf_append_str(out, STR("&#39;"));
        break;
    case 0xFFFE:
    case 0xFFFF: /* no characters of XML 1.0 */
        buf_append_str(out, STR("\xEF\xBF\xBD"));
        break;
    default:
        append_line(out, character);
        break;
    }
}

static void clean(struct buf *out, struct str text,
                  void (*append)(struct buf *, const struct character *))
{
    while (text.len > 0) {
        struct character character;
        struct str rest = text;
        if (utf8_next(&rest, &character.code) && character.code != 0) {
            character.bytes = str_slice(text, 0, text.len - rest.len);
            append(out, &character);
            text = rest;
        } else {
            buf_append_str(out, STR("\xEF\xBF\xBD"));
            text = str_slice(text, 1, text.len);
        }
    }
}

void clean_utf8(struct buf *out, struct str text)
{
    clean(out, text, append_as_is);
}

void clean_line(struct buf *out, struct str text)
{
    clean(out, text, append_line);
}

void clean_html(struct buf *out, struct str text)
{
    clean(out, text, append_html);
}
