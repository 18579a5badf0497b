/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts texts into messages so that they stay what they are: escaped for XML, percent-encoded for
 * URLs, in the encoding of the bytes around them. It does not look at those bytes; the caller
 * tells the place. The trap is CDATA, where "&amp;" would be five characters: there only "]]>" is
 * split, and what the encoding does not have cannot be written.
 */
#include "lather/soap/insert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/utf8.h"
#include "lather/soap/utf16.h"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static bool is_xml(enum insert_context context)
{
    return context == INSERT_TEXT || context == INSERT_TAG || context == INSERT_CDATA ||
           context == INSERT_COMMENT;
}

static bool is_wide(enum insert_encoding encoding)
{
    return encoding == INSERT_UTF16LE || encoding == INSERT_UTF16BE;
}

/* XML 1.0, 2.2. */
static bool is_xml_character(uint32_t code)
{
    return code == '\t' || code == '\n' || code == '\r' ||
           (code >= 0x20 && code != 0xFFFE && code != 0xFFFF);
}

static bool check_xml(struct insert_place place, struct str text, struct err *err)
{
    struct str rest = text;
    bool references_work = place.context == INSERT_TEXT || place.context == INSERT_TAG;
    uint32_t code;
    while (rest.len > 0) {
        size_t at = text.len - rest.len + 1;
        if (!utf8_next(&rest, &code)) {
            return err_set(err, ERR_FORMAT, "byte %zu is not UTF-8", at);
        }
        if (!is_xml_character(code)) {
            return err_set(err, ERR_FORMAT,
                           "byte %zu is the character U+%04" PRIX32 ", which XML cannot hold", at,
                           code);
        }
        if (code >= 0x80 && place.encoding == INSERT_ASCII && !references_work) {
            return err_set(err, ERR_FORMAT,
                           "byte %zu begins a character that this place and "
                           "encoding of the message cannot hold",
                           at);
        }
    }
    return true;
}

bool insert_check(struct insert_place place, struct str text, struct err *err)
{
    if (str_starts_with(text, STR(BYTE_ORDER_MARK))) {
        text = str_slice(text, 3, text.len);
    }
    if (is_xml(place.context)) {
        return check_xml(place, text, err);
    }
    if (is_wide(place.encoding)) {
        size_t invalid = utf8_find_invalid(text);
        return invalid == SIZE_MAX ||
               err_set(err, ERR_FORMAT, "byte %zu is not UTF-8", invalid + 1);
    }
    for (size_t i = 0; i < text.len && place.context == INSERT_HEADER; i++) {
        if (text.data[i] == '\r' || text.data[i] == '\n' || text.data[i] == '\0') {
            return err_set(err, ERR_FORMAT, "byte %zu is a %s, which no header field can hold",
                           i + 1, text.data[i] == '\0' ? "NUL" : "line break");
        }
    }
    return true;
}

/*
 * The reference that stands for a character in XML; NULL when it stands for itself. White space is
 * written as references where a parser would change it (XML 1.0, 2.11 and 3.3.3).
 */
static const char *reference_of(enum insert_context context, uint32_t code)
{
    bool in_tag = context == INSERT_TAG;
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '\r':
        return "&#13;";
    case '"':
        return in_tag ? "&quot;" : NULL;
    case '\'':
        return in_tag ? "&#39;" : NULL;
    case '\n':
        return in_tag ? "&#10;" : NULL;
    case '\t':
        return in_tag ? "&#9;" : NULL;
    default:
        return NULL;
    }
}

static size_t put_code(enum insert_encoding encoding, uint32_t code, char *target)
{
    if (is_wide(encoding)) {
        return utf16_put(target, code, encoding == INSERT_UTF16LE ? UTF16_LITTLE : UTF16_BIG);
    }
    return utf8_put(target, code);
}

static size_t put_ascii(enum insert_encoding encoding, const char *text, char *target)
{
    size_t len = 0;
    for (; *text != '\0'; text++) {
        len += put_code(encoding, (unsigned char)*text, target + len);
    }
    return len;
}

/* Ends a CDATA section and begins the next. */
#define SPLIT_CDATA "]]><![CDATA["

/*
 * "]]>" would end the section, and a part of it may stand in front of the text or behind it: no
 * ">" follows a bracket or comes first, and no bracket comes last.
 */
static size_t put_in_cdata(enum insert_encoding encoding, struct str text, char *target)
{
    size_t len = 0;
    uint32_t before = ']';
    uint32_t code;
    while (utf8_next(&text, &code)) {
        if (code == '>' && before == ']') {
            len += put_ascii(encoding, SPLIT_CDATA, target + len);
        }
        len += put_code(encoding, code, target + len);
        before = code;
        if (code == ']' && text.len == 0) {
            len += put_ascii(encoding, SPLIT_CDATA, target + len);
        }
    }
    return len;
}

static size_t put_xml_character(struct insert_place place, uint32_t code, char *target)
{
    if (place.context == INSERT_COMMENT) {
        /* Nobody reads it; it only must not end what it stands in. */
        bool could_end = code == '-' || code == '?' || code == '>';
        return put_code(place.encoding, could_end ? '_' : code, target);
    }
    const char *reference = reference_of(place.context, code);
    if (reference != NULL) {
        return put_ascii(place.encoding, reference, target);
    }
    if (code >= 0x80 && place.encoding == INSERT_ASCII) {
        char number[16];
        (void)snprintf(number, sizeof number, "&#%" PRIu32 ";", code);
        return put_ascii(place.encoding, number, target);
    }
    return put_code(place.encoding, code, target);
}

/* RFC 3986, 2.3: what is not unreserved could mean something else to the service. */
static size_t put_path(struct str text, char *target)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        bool is_unreserved = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                             (byte >= '0' && byte <= '9') ||
                             (byte != '\0' && strchr("-._~", byte) != NULL);
        if (is_unreserved) {
            target[len++] = (char)byte;
        } else {
            target[len++] = '%';
            target[len++] = digits[byte >> 4];
            target[len++] = digits[byte & 15];
        }
    }
    return len;
}

size_t insert_put(struct insert_place place, struct str text, char *target)
{
    if (str_starts_with(text, STR(BYTE_ORDER_MARK))) {
        text = str_slice(text, 3, text.len);
    }
    if (place.context == INSERT_PATH) {
        return put_path(text, target);
    }
    if (!is_xml(place.context) && !is_wide(place.encoding)) {
        if (text.len > 0) {
            memcpy(target, text.data, text.len);
        }
        return text.len;
    }
    if (place.context == INSERT_CDATA) {
        return put_in_cdata(place.encoding, text, target);
    }
    size_t len = 0;
    uint32_t code;
    while (utf8_next(&text, &code)) {
        len += is_xml(place.context) ? put_xml_character(place, code, target + len)
                                     : put_code(place.encoding, code, target + len);
    }
    return len;
}

void insert_append(struct insert_place place, struct str text, struct buf *target)
{
    CHECK(text.len < SIZE_MAX / INSERT_MOST_GROWTH);
    char *end = buf_reserve(target, text.len * INSERT_MOST_GROWTH);
    target->len += insert_put(place, text, end);
    target->data[target->len] = '\0';
}

bool insert_keeps(struct insert_place place, struct str text)
{
    struct buf target;
    buf_init(&target);
    insert_append(place, text, &target);
    bool keeps = str_equals(buf_view(&target), text);
    buf_deinit(&target);
    return keeps;
}

size_t insert_unit_bytes(enum insert_encoding encoding)
{
    return is_wide(encoding) ? 2 : 1;
}
