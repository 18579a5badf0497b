/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of XML documents as XML means it, in two places where libxml2's push parser gives another
 * one. An ampersand in an attribute arrives as "&#38;" while entities are not to be replaced, for a
 * tree builder that would resolve it later; actions and header values have ampersands. And line
 * ends in CDATA sections arrive as they are in the file.
 */
#include "lather/capture/xml_text.h"

#include <stdint.h>

#include "lather/base/buf.h"

char *xml_text_attribute(const struct sax_element *element, const char *name)
{
    struct str rest = str_of(NULL, 0);
    struct str mark = STR("&#38;");
    struct buf text;
    buf_init(&text);
    (void)sax_attribute(element, "", name, &rest);
    for (size_t at = str_find(rest, mark); at != SIZE_MAX; at = str_find(rest, mark)) {
        buf_append_str(&text, str_slice(rest, 0, at));
        buf_append_byte(&text, '&');
        rest = str_slice(rest, at + mark.len, rest.len);
    }
    buf_append_str(&text, rest);
    return buf_take(&text);
}

bool xml_text_attribute_is(const struct sax_element *element, const char *name, const char *value)
{
    struct str text;
    return sax_attribute(element, "", name, &text) && str_equals(text, str_from(value));
}

/* Why reading ended early, in a few words. */
static const char *words_of(enum sax_end end)
{
    static const char *const words[SAX_END_COUNT] = {
        [SAX_WHOLE] = "whole",
        [SAX_NOT_WELL_FORMED] = "not well-formed",
        [SAX_CUT_OFF] = "cut off",
        [SAX_DOCTYPE] = "a DOCTYPE",
        [SAX_UNKNOWN_CHARSET] = "an unknown charset",
        [SAX_TOO_DEEP] = "elements too deep",
        [SAX_TOO_MANY_ATTRIBUTES] = "too many attributes",
        [SAX_TOO_LONG] = "a tag or comment too long",
    };
    return words[end];
}

/* The document with LF for CR LF and CR; in memory of lines, unless there is nothing to change. */
static struct str with_line_feeds(struct str document, struct buf *lines)
{
    size_t at = str_find_byte(document, '\r');
    if (at == SIZE_MAX) {
        return document;
    }
    while (at != SIZE_MAX) {
        buf_append_str(lines, str_slice(document, 0, at));
        buf_append_byte(lines, '\n');
        document = str_slice(document, at + 1, document.len);
        if (str_starts_with(document, STR("\n"))) {
            document = str_slice(document, 1, document.len);
        }
        at = str_find_byte(document, '\r');
    }
    buf_append_str(lines, document);
    return buf_view(lines);
}

bool xml_text_read(struct str document, const struct sax_events *events, void *context,
                   const char *what, struct buf *damage)
{
    struct sax *sax = sax_new(events, context, SAX_DOCTYPE_STOPS);
    struct buf lines;
    buf_init(&lines);
    sax_begin(sax, str_of(NULL, 0));
    sax_feed(sax, with_line_feeds(document, &lines));
    const enum sax_end end = sax_finish(sax);
    if (end != SAX_WHOLE) {
        buf_printf(damage, "line %u: the %s is damaged (%s: %.*s); what follows is left out",
                   sax_line(sax), what, words_of(end), STR_ARG(sax_problem(sax)));
    }
    sax_free(sax);
    buf_deinit(&lines);
    return end == SAX_WHOLE;
}
