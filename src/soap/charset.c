/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which encoding an XML text is in, from its first bytes. Converts nothing and knows no tables:
 * the names found here are handed to libxml2. The trap: a declaration is a claim. Files written
 * through a .NET StringWriter say utf-16 and are UTF-8, so the shape of the bytes comes first.
 */
#include "lather/soap/charset.h"

#include <string.h>

/* How many bytes one ASCII character takes in the text, and where in them its value stands. */
struct unit {
    size_t width;
    size_t offset;
};

static void set_name(char target[CHARSET_NAME_SIZE], struct str name)
{
    size_t len = name.len < CHARSET_NAME_SIZE ? name.len : CHARSET_NAME_SIZE - 1;
    if (len > 0) {
        memcpy(target, name.data, len);
    }
    target[len] = '\0';
}

static void lower_name(char *name)
{
    for (; *name != '\0'; name++) {
        if (*name >= 'A' && *name <= 'Z') {
            *name = (char)(*name + ('a' - 'A'));
        }
    }
}

/* The name that byte order mark or shape give, and how to read ASCII then; "" if they tell none. */
static struct str shape_of(struct str bytes, size_t *bom_bytes, struct unit *unit)
{
    static const struct {
        struct str start;
        size_t bom_bytes;
        struct unit unit;
        struct str name;
    } shapes[] = {
        {{"\xEF\xBB\xBF", 3}, 3, {1, 0}, {"utf-8", 5}},
        {{"\xFF\xFE\0\0", 4}, 4, {4, 0}, {"utf-32le", 8}},
        {{"\0\0\xFE\xFF", 4}, 4, {4, 3}, {"utf-32be", 8}},
        {{"\xFF\xFE", 2}, 2, {2, 0}, {"utf-16le", 8}},
        {{"\xFE\xFF", 2}, 2, {2, 1}, {"utf-16be", 8}},
        {{"<\0\0\0", 4}, 0, {4, 0}, {"utf-32le", 8}},
        {{"\0\0\0<", 4}, 0, {4, 3}, {"utf-32be", 8}},
        {{"<\0", 2}, 0, {2, 0}, {"utf-16le", 8}},
        {{"\0<", 2}, 0, {2, 1}, {"utf-16be", 8}},
    };
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        if (str_starts_with(bytes, shapes[i].start)) {
            *bom_bytes = shapes[i].bom_bytes;
            *unit = shapes[i].unit;
            return shapes[i].name;
        }
    }
    *bom_bytes = 0;
    *unit = (struct unit){1, 0};
    return str_of(NULL, 0);
}

/*
 * The XML declaration as ASCII, up to its '>', what is not ASCII as '?'. Most answers have none:
 * they are done with the first character that is not "<?xml"'s.
 */
static struct str declaration_of(struct str bytes, struct unit unit, char text[CHARSET_LOOK_BYTES])
{
    const struct str start = STR("<?xml");
    size_t count = 0;
    for (size_t at = 0; at + unit.width <= bytes.len && count < CHARSET_LOOK_BYTES;
         at += unit.width) {
        unsigned char value = (unsigned char)bytes.data[at + unit.offset];
        if (count < start.len && value != (unsigned char)start.data[count]) {
            break;
        }
        text[count++] = value < 0x80 ? (char)value : '?';
        if (value == '>') {
            break;
        }
    }
    return str_of(text, count);
}

/* The value of the pseudo attribute `encoding` of an XML declaration; empty when there is none. */
static struct str declared_encoding(struct str text)
{
    struct str nothing = str_of(NULL, 0);
    if (!str_starts_with(text, STR("<?xml"))) {
        return nothing;
    }
    size_t end = str_find(text, STR("?>"));
    struct str declaration = str_slice(text, 5, end);
    size_t at = str_find(declaration, STR("encoding"));
    if (end == SIZE_MAX || at == SIZE_MAX) {
        return nothing;
    }
    struct str rest = str_trim(str_slice(declaration, at + 8, declaration.len));
    if (!str_starts_with(rest, STR("="))) {
        return nothing;
    }
    rest = str_trim(str_slice(rest, 1, rest.len));
    if (rest.len < 2 || (rest.data[0] != '"' && rest.data[0] != '\'')) {
        return nothing;
    }
    struct str value;
    struct str after;
    bool closed = str_split(str_slice(rest, 1, rest.len), rest.data[0], &value, &after);
    return closed ? value : nothing;
}

/* Whether a declaration names an encoding of two or four bytes a character. */
static bool is_wide_name(struct str name)
{
    return str_starts_with_nocase(name, STR("utf-16")) ||
           str_starts_with_nocase(name, STR("utf16")) ||
           str_starts_with_nocase(name, STR("ucs-")) ||
           str_starts_with_nocase(name, STR("utf-32")) ||
           str_starts_with_nocase(name, STR("iso-10646-ucs")) ||
           str_equals_nocase(name, STR("unicode"));
}

void charset_detect(struct str bytes, struct charset *charset)
{
    *charset = (struct charset){.bom_bytes = 0};
    struct unit unit;
    struct str shape = shape_of(bytes, &charset->bom_bytes, &unit);
    char text[CHARSET_LOOK_BYTES];
    struct str rest = str_slice(bytes, charset->bom_bytes, bytes.len);
    struct str declared = declared_encoding(declaration_of(rest, unit, text));
    set_name(charset->declared, declared);
    if (shape.len > 0) {
        set_name(charset->name, shape);
        charset->declaration_is_wrong = declared.len > 0 && !charset_agree(shape, declared);
    } else if (declared.len > 0 && !is_wide_name(declared)) {
        set_name(charset->name, declared);
        lower_name(charset->name);
    } else {
        set_name(charset->name, STR("utf-8"));
        charset->declaration_is_wrong = declared.len > 0;
    }
}

/* "utf8" and "us-ascii" as "utf-8", "utf-16le" and "utf-16be" as "utf-16". */
static struct str family_of(struct str name)
{
    if (str_equals_nocase(name, STR("utf8")) || str_equals_nocase(name, STR("us-ascii")) ||
        str_equals_nocase(name, STR("ascii"))) {
        return STR("utf-8");
    }
    if (str_starts_with_nocase(name, STR("utf-16")) || str_equals_nocase(name, STR("utf16")) ||
        str_equals_nocase(name, STR("unicode")) || str_starts_with_nocase(name, STR("ucs-2")) ||
        str_equals_nocase(name, STR("iso-10646-ucs-2"))) {
        return STR("utf-16");
    }
    return name;
}

bool charset_agree(struct str a, struct str b)
{
    return str_equals_nocase(family_of(str_trim(a)), family_of(str_trim(b)));
}
