/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References to characters in XML: the five entities that need no DTD, and numbers. Other entities
 * are not known here, as SOAP forbids the DTD that would declare them. The trap: what is written in
 * a message to be sent may be no XML at all, so resolving leaves alone what it does not know.
 */
#include "lather/soap/reference.h"

#include "lather/base/utf8.h"

enum { REFERENCE_CEILING = 16 }; /* bytes of one, "&" and ";" included; more are none */

/* "#10" or "#xA" */
static bool parse_number(struct str digits, uint32_t *code)
{
    bool is_hex = str_starts_with(digits, STR("#x"));
    int base = is_hex ? 16 : 10;
    uint32_t value = 0;
    digits = str_slice(digits, is_hex ? 2 : 1, digits.len);
    for (size_t i = 0; i < digits.len; i++) {
        int digit = str_hex_value(digits.data[i]);
        if (digit < 0 || digit >= base || value > 0x10FFFF) {
            return false;
        }
        value = value * (uint32_t)base + (uint32_t)digit;
    }
    *code = value;
    return digits.len > 0 && value > 0 && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

bool reference_parse(struct str name, uint32_t *code)
{
    static const struct {
        struct str name;
        uint32_t code;
    } known[] = {
        {{"amp", 3}, '&'},  {{"lt", 2}, '<'},    {{"gt", 2}, '>'},
        {{"quot", 4}, '"'}, {{"apos", 4}, '\''},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (str_equals(name, known[i].name)) {
            *code = known[i].code;
            return true;
        }
    }
    return str_starts_with(name, STR("#")) && parse_number(name, code);
}

void reference_append_resolved(struct str raw, struct buf *value)
{
    while (raw.len > 0) {
        size_t at = str_find_byte(raw, '&');
        buf_append_str(value, str_slice(raw, 0, at));
        raw = str_slice(raw, at, raw.len);
        if (raw.len == 0) {
            return;
        }
        size_t end = str_find_byte(str_slice(raw, 0, REFERENCE_CEILING), ';');
        uint32_t code;
        char bytes[UTF8_MOST_BYTES];
        if (end != SIZE_MAX && reference_parse(str_slice(raw, 1, end), &code)) {
            buf_append(value, bytes, utf8_put(bytes, code));
            raw = str_slice(raw, end + 1, raw.len);
        } else {
            buf_append_byte(value, '&');
            raw = str_slice(raw, 1, raw.len);
        }
    }
}

static const char *reference_of(char byte, enum reference_context context)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return context == REFERENCE_ATTRIBUTE ? "&quot;" : NULL;
    default:
        return NULL;
    }
}

void reference_append_escaped(struct str text, enum reference_context context, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        const char *reference = reference_of(text.data[i], context);
        if (reference != NULL) {
            buf_append_str(out, str_from(reference));
        } else {
            buf_append_byte(out, text.data[i]);
        }
    }
}
