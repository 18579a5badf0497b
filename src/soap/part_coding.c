/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Undoes the transfer encoding of a part of a multipart body. Of base64 and quoted-printable the
 * piece that came may end anywhere, so what has not made a byte yet is kept from call to call. It
 * is as liberal as real senders demand: bytes outside of base64's alphabet are passed over, an
 * escape that is none becomes '='. Not for HTTP's own codings: those are decode.c's.
 */
#include "lather/soap/part_coding.h"

bool part_coding_begin(struct part_coding *coding, struct str name)
{
    name = str_trim(name);
    *coding = (struct part_coding){.kind = PART_CODING_NONE};
    if (str_equals_nocase(name, STR("base64"))) {
        coding->kind = PART_CODING_BASE64;
    } else if (str_equals_nocase(name, STR("quoted-printable"))) {
        coding->kind = PART_CODING_QUOTED;
    } else {
        return name.len == 0 || str_equals_nocase(name, STR("8bit")) ||
               str_equals_nocase(name, STR("7bit")) || str_equals_nocase(name, STR("binary"));
    }
    return true;
}

static int base64_value(char byte)
{
    if (byte >= 'A' && byte <= 'Z') {
        return byte - 'A';
    }
    if (byte >= 'a' && byte <= 'z') {
        return byte - 'a' + 26;
    }
    if (byte >= '0' && byte <= '9') {
        return byte - '0' + 52;
    }
    return byte == '+' ? 62 : byte == '/' ? 63 : -1;
}

/* Characters outside the alphabet are passed over (RFC 2045 6.8). */
static void undo_base64(struct part_coding *coding, struct str text, part_coding_take *take,
                        void *context)
{
    char out[1024];
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        int value = base64_value(text.data[i]);
        if (value < 0) {
            continue;
        }
        coding->bits = (coding->bits << 6 | (unsigned)value) & 0xFFFF;
        coding->bit_count += 6;
        if (coding->bit_count >= 8) {
            coding->bit_count -= 8;
            out[len++] = (char)(coding->bits >> coding->bit_count & 0xFF);
        }
        if (len == sizeof(out)) {
            take(context, str_of(out, len));
            len = 0;
        }
    }
    if (len > 0) {
        take(context, str_of(out, len));
    }
}

/* One byte of an escape; returns true when it is complete and *out is what it stands for. */
static bool escape_ends(struct part_coding *coding, char byte, char *out)
{
    if (coding->escape_len == 1 && byte == '\r') {
        return false; /* of a soft line break; its LF follows */
    }
    if (coding->escape_len == 1 && byte == '\n') {
        coding->escape_len = 0;
        return false;
    }
    if (coding->escape_len == 1) {
        coding->first_digit = byte;
        coding->escape_len = 2;
        return false;
    }
    int high = str_hex_value(coding->first_digit);
    int low = str_hex_value(byte);
    coding->escape_len = 0;
    *out = high < 0 || low < 0 ? '=' : (char)(high * 16 + low);
    return true;
}

static void undo_quoted(struct part_coding *coding, struct str text, part_coding_take *take,
                        void *context)
{
    char out[1024];
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (coding->escape_len > 0) {
            len += escape_ends(coding, text.data[i], out + len);
        } else if (text.data[i] == '=') {
            coding->escape_len = 1;
        } else {
            out[len++] = text.data[i];
        }
        if (len == sizeof(out)) {
            take(context, str_of(out, len));
            len = 0;
        }
    }
    if (len > 0) {
        take(context, str_of(out, len));
    }
}

void part_coding_undo(struct part_coding *coding, struct str bytes, part_coding_take *take,
                      void *context)
{
    switch (coding->kind) {
    case PART_CODING_BASE64:
        undo_base64(coding, bytes, take, context);
        break;
    case PART_CODING_QUOTED:
        undo_quoted(coding, bytes, take, context);
        break;
    default:
        take(context, bytes);
        break;
    }
}
