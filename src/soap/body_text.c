/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One way to look at bodies in any encoding. UTF-16 is converted once; all encodings that have
 * ASCII in them are searched as they are, since markup and templates are ASCII. Those in which an
 * ASCII byte can be a part of another character's are not looked into.
 */
#include "lather/soap/body_text.h"

#include "lather/soap/charset.h"
#include "lather/soap/utf16.h"

static bool hides_ascii(struct str name)
{
    static const char *const starts[] = {"utf-32",    "utf-7",  "utf7",  "ucs-4",  "iso-2022", "hz",
                                         "iso-10646", "ebcdic", "cp037", "ibm037", "ibm1047"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (str_starts_with_nocase(name, str_from(starts[i]))) {
            return true;
        }
    }
    return false;
}

static bool is_utf8(struct str name)
{
    return str_equals_nocase(name, STR("utf-8")) || str_equals_nocase(name, STR("utf8"));
}

void body_text_init(struct body_text *body, struct str bytes)
{
    struct charset charset;
    charset_detect(bytes, &charset);
    struct str name = str_from(charset.name);
    *body = (struct body_text){.bytes = bytes, .text = bytes, .is_searchable = true};
    if (is_utf8(name)) {
        body->encoding = INSERT_UTF8;
    } else if (str_equals(name, STR("utf-16le")) || str_equals(name, STR("utf-16be"))) {
        bool is_little = str_equals(name, STR("utf-16le"));
        body->encoding = is_little ? INSERT_UTF16LE : INSERT_UTF16BE;
        utf16_append_as_utf8(bytes, is_little ? UTF16_LITTLE : UTF16_BIG, &body->converted);
        body->text = buf_view(&body->converted);
    } else if (hides_ascii(name)) {
        body->is_searchable = false;
        body->text = str_of(NULL, 0);
    } else {
        body->encoding = INSERT_ASCII;
    }
}

void body_text_deinit(struct body_text *body)
{
    buf_deinit(&body->converted);
    *body = (struct body_text){.is_searchable = false};
}

size_t body_text_offset(const struct body_text *body, struct body_text_cursor *cursor, size_t place)
{
    CHECK(place >= cursor->place && place <= body->text.len);
    struct str between = str_slice(body->text, cursor->place, place);
    bool is_wide = insert_unit_bytes(body->encoding) == 2;
    cursor->offset += is_wide ? utf16_bytes(between) : between.len;
    cursor->place = place;
    return cursor->offset;
}
