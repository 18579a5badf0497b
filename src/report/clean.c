/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that came from a server or a command line, made fit for a terminal, a JSON string or a web
 * page. Nothing is left out: what cannot stand is written in another way, so that two different
 * reasons do not look empty both. Reports pass every foreign text through here, and only here.
 */
#include "lather/report/clean.h"

#include <stdint.h>

static bool is_tail(unsigned char byte, unsigned char least, unsigned char most)
{
    return byte >= least && byte <= most;
}

/*
 * The length of the UTF-8 sequence at the start of text, 0 when there is none. The second byte has
 * the narrower ranges that keep out overlong forms, surrogates and what is above U+10FFFF (RFC
 * 3629, 4).
 */
static size_t sequence_length(struct str text)
{
    const unsigned char *byte = (const unsigned char *)text.data;
    unsigned char least = 0x80;
    unsigned char most = 0xBF;
    size_t length;
    if (byte[0] < 0x80) {
        return byte[0] == 0 ? 0 : 1;
    }
    if (byte[0] >= 0xC2 && byte[0] <= 0xDF) {
        length = 2;
    } else if ((byte[0] & 0xF0) == 0xE0) {
        length = 3;
        least = byte[0] == 0xE0 ? 0xA0 : least;
        most = byte[0] == 0xED ? 0x9F : most;
    } else if (byte[0] >= 0xF0 && byte[0] <= 0xF4) {
        length = 4;
        least = byte[0] == 0xF0 ? 0x90 : least;
        most = byte[0] == 0xF4 ? 0x8F : most;
    } else {
        return 0;
    }
    if (text.len < length || !is_tail(byte[1], least, most)) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if (!is_tail(byte[i], 0x80, 0xBF)) {
            return 0;
        }
    }
    return length;
}

/* The code of the control character that the sequence is; -1 when it is none. */
static int control_code(struct str sequence)
{
    unsigned char first = (unsigned char)sequence.data[0];
    if (sequence.len == 1 && (first < 0x20 || first == 0x7F)) {
        return first;
    }
    if (sequence.len == 2 && first == 0xC2 && (unsigned char)sequence.data[1] < 0xA0) {
        return (unsigned char)sequence.data[1];
    }
    return -1;
}

static void append_line(struct buf *out, struct str sequence)
{
    int control = control_code(sequence);
    if (control >= 0) {
        buf_printf(out, "\\x%02x", (unsigned)control);
    } else {
        buf_append_str(out, sequence);
    }
}

static void append_html(struct buf *out, struct str sequence)
{
    switch (sequence.data[0]) {
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
    default:
        append_line(out, sequence);
        break;
    }
}

static void clean(struct buf *out, struct str text, void (*append)(struct buf *, struct str))
{
    while (text.len > 0) {
        size_t length = sequence_length(text);
        if (length == 0) {
            buf_append_str(out, STR("\xEF\xBF\xBD"));
            length = 1;
        } else {
            append(out, str_slice(text, 0, length));
        }
        text = str_slice(text, length, text.len);
    }
}

void clean_utf8(struct buf *out, struct str text)
{
    clean(out, text, buf_append_str);
}

void clean_line(struct buf *out, struct str text)
{
    clean(out, text, append_line);
}

void clean_html(struct buf *out, struct str text)
{
    clean(out, text, append_html);
}
