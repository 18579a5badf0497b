/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typographic quotes and dashes in a command copied from a web page. The shell knows only the plain
 * ones, so they reach us as part of a word, and a value between such quotes even falls into several
 * words. Only the edges of a word are looked at: inside a value they may well be meant.
 */
#include "lather/cli/paste.h"

enum { QUOTED_BYTES = 60 };

static struct str quoted(struct str text)
{
    return str_slice(text, 0, QUOTED_BYTES);
}

/* The length of the UTF-8 character at the start, as far as typographic marks go. */
static size_t first_character_len(struct str text)
{
    unsigned char lead = text.len == 0 ? 0 : (unsigned char)text.data[0];
    return lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
}

static struct str first_character(struct str text)
{
    return str_slice(text, 0, first_character_len(text));
}

/* Marks have two or three bytes; what precedes them in the slice can be no part of another. */
static bool ends_with_typographic_quote(struct str text)
{
    struct str last_three = str_slice(text, text.len < 3 ? 0 : text.len - 3, text.len);
    struct str last_two = str_slice(text, text.len < 2 ? 0 : text.len - 2, text.len);
    return (first_character_len(last_three) == 3 && str_has_typographic_quote(last_three)) ||
           str_has_typographic_quote(last_two);
}

static bool begins_with_typographic_dash(struct str text)
{
    static const char *const dashes[] = {
        "\xE2\x80\x90", "\xE2\x80\x91", "\xE2\x80\x92",
        "\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x88\x92",
    };
    for (size_t i = 0; i < sizeof dashes / sizeof dashes[0]; i++) {
        if (str_starts_with(text, str_from(dashes[i]))) {
            return true;
        }
    }
    return false;
}

bool paste_check_word(struct str word, struct err *err)
{
    if (begins_with_typographic_dash(word)) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" begins with a typographic dash, as text from a web page does: "
                       "type a plain - instead",
                       STR_ARG(quoted(word)));
    }
    if (str_has_typographic_quote(first_character(word)) || ends_with_typographic_quote(word)) {
        return err_set(err, ERR_USAGE,
                       "%.*s holds a typographic quote, as text from a web page does: type plain "
                       "\" or ' instead",
                       STR_ARG(quoted(word)));
    }
    return true;
}

bool paste_check_value(const char *option, struct str value, struct err *err)
{
    struct str mark = first_character(value);
    if (!str_has_typographic_quote(mark)) {
        return true;
    }
    return err_set(err, ERR_USAGE,
                   "%s %.*s: the value begins with a typographic quote (%.*s), as text from a web "
                   "page does: type plain \" or ' instead",
                   option, STR_ARG(quoted(value)), STR_ARG(mark));
}
