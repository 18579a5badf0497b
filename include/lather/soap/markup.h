/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_MARKUP_H
#define LATHER_SOAP_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"

/*
 * Walks through the elements of an XML text and tells where each thing stands, to the byte. Meant
 * for texts that a parser found to be well-formed (soap/envelope): it does not check that, but any
 * bytes may be given and end in MARKUP_DONE or MARKUP_BROKEN. Encodings are those of
 * soap/body_text: ASCII is ASCII, all else is taken as it is.
 */
struct markup;

enum markup_event {
    MARKUP_START = 0, /* of an element */
    MARKUP_END,       /* of an element, also of one that is empty */
    MARKUP_TEXT,      /* a run of character data, or the inside of a CDATA section */
    MARKUP_DONE,      /* the text is over */
    MARKUP_BROKEN,    /* it cannot be read any further */
    MARKUP_EVENT_COUNT
};

/* Places in the text, the end not included. */
struct markup_span {
    size_t from;
    size_t to;
};

/* An element; strings point into the text or the scanner, until the next event. */
struct markup_element {
    unsigned depth; /* of the root: 1 */
    struct str qname;
    struct str prefix;      /* empty for none */
    struct str name;        /* without prefix */
    struct str uri;         /* of its namespace; empty for none */
    struct markup_span tag; /* the start tag, "<" to ">" */
    bool is_empty;          /* <a/> */
    struct markup_span
        end_tag; /* at MARKUP_END; of one that is empty: where the tag ends, no bytes */
};

/* text is borrowed. */
struct markup *markup_new(struct str text) MUST_USE;
void markup_free(struct markup *markup);

/* The next event. After MARKUP_DONE and MARKUP_BROKEN there is none. */
enum markup_event markup_next(struct markup *markup) MUST_USE;

/* The element of a MARKUP_START or MARKUP_END. */
const struct markup_element *markup_element(const struct markup *markup);

/* The run of a MARKUP_TEXT, and whether it is the inside of a CDATA section. */
struct markup_span markup_text(const struct markup *markup);
bool markup_text_is_cdata(const struct markup *markup);

/*
 * The value of an attribute of the element that has just started, as written
 * (soap/reference resolves it); the first whose local name it is, whatever its namespace. False
 * when there is none.
 */
bool markup_attribute(const struct markup *markup, struct str name, struct markup_span *value);

/* What an element with nothing but text in it holds. */
struct markup_leaf {
    struct markup_element element; /* its names are valid as long as the text; uri is empty */
    struct markup_span whole;      /* from "<" of its start tag to ">" of its end tag */
    struct markup_span content;    /* between the tags; at the end of the tag when is_empty */
    struct markup_span value;      /* the text without white space around it; where one could be
                                      put when there is none */
    bool is_simple; /* at most one run of text that is not blank, and no element inside */
};

/*
 * After MARKUP_START: moves to that element's MARKUP_END and tells what was inside. False when the
 * text breaks off.
 */
bool markup_read_leaf(struct markup *markup, struct markup_leaf *leaf) MUST_USE;

#endif
