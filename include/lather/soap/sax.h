/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_SAX_H
#define LATHER_SOAP_SAX_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/str.h"
#include "lather/soap/charset.h"

/*
 * Reads one XML text after the other, in pieces of any size, and tells its elements and its text.
 * No tree, no entities but the five of XML, no DTD, nothing opened or fetched. One a thread.
 */
struct sax;

/* How reading ended; the first that was met. */
enum sax_end {
    SAX_WHOLE = 0,           /* a well-formed text, namespaces included */
    SAX_NOT_WELL_FORMED,     /* sax_problem and sax_line say why */
    SAX_CUT_OFF,             /* well-formed as far as it goes, but it stops before its end */
    SAX_DOCTYPE,             /* a DOCTYPE was met: nothing behind it was read */
    SAX_UNKNOWN_CHARSET,     /* an encoding that is not known here; sax_problem names it */
    SAX_TOO_DEEP,            /* more than SAX_DEPTH_CEILING elements inside one another */
    SAX_TOO_MANY_ATTRIBUTES, /* in one element */
    SAX_TOO_LONG,            /* a tag, comment or instruction of more than SAX_MARKUP_CEILING */
    SAX_END_COUNT
};

/* libxml2's own ceiling for trees, so that what is read here can be read into a tree as well. */
enum { SAX_DEPTH_CEILING = 256 };

/* libxml2 compares each attribute with each other: 20,000 in one tag cost about 0.1 s. */
enum { SAX_ATTRIBUTES_CEILING = 20000 };

/*
 * Of one tag, comment or processing instruction, which libxml2 reads as a whole: below its own
 * ceiling of 10,000,000. Texts and CDATA sections have none.
 */
enum { SAX_MARKUP_CEILING = 9 * 1024 * 1024 };

/* An element begins. Strings are NUL-ended, and equal ones have one address within a text. */
struct sax_element {
    unsigned depth; /* of the root: 1 */
    const char *name;
    const char *namespace_uri;     /* "" for none */
    const char *const *namespaces; /* declared here: pairs of prefix (NULL: the default) and URI */
    size_t namespace_count;
    const unsigned char **attributes; /* libxml2's fives; read with sax_attribute */
    size_t attribute_count;
};

/*
 * What the reader's user does with it. `depth` in end and text is that of the open element. Those
 * two may be NULL.
 */
struct sax_events {
    void (*start)(void *context, const struct sax_element *element);
    void (*end)(void *context, unsigned depth);
    void (*text)(void *context, unsigned depth, struct str text); /* in pieces; CDATA as well */
};

/* The value of an attribute, references resolved; false when it is absent. "" is no namespace. */
bool sax_attribute(const struct sax_element *element, const char *namespace_uri, const char *name,
                   struct str *value);

/* What a DOCTYPE does. Its entities are not resolved in either case. */
enum sax_doctype {
    SAX_DOCTYPE_STOPS = 0, /* for what comes from the network */
    SAX_DOCTYPE_IS_NOTED,  /* for the user's own file: read on, sax_has_doctype tells */
};

/* events are copied; context goes to each of them. */
struct sax *sax_new(const struct sax_events *events, void *context,
                    enum sax_doctype doctype) MUST_USE;
void sax_free(struct sax *sax);

/*
 * Starts a new text; whatever was read before is forgotten. http_charset is that of the
 * Content-Type (empty: none); a byte order mark goes before it, the XML declaration after it
 * (RFC 7303 3).
 */
void sax_begin(struct sax *sax, struct str http_charset);

/* The next piece. Linear in its length, but for attributes (SAX_ATTRIBUTES_CEILING). */
void sax_feed(struct sax *sax, struct str bytes);

/* Ends the text and says how it was. What the following functions return stays until sax_begin. */
enum sax_end sax_finish(struct sax *sax);

/* libxml2's words for what is wrong, on one line; empty when nothing is. */
struct str sax_problem(const struct sax *sax);

/* Whether a DOCTYPE was met. */
bool sax_has_doctype(const struct sax *sax);

/* The line of the problem, from 1. */
unsigned sax_line(const struct sax *sax);

/* The encoding the bytes were found to be in, and the one they were read in. */
const struct charset *sax_charset(const struct sax *sax);
const char *sax_charset_used(const struct sax *sax);

/* Whether Content-Type, byte order mark and declaration contradict each other. */
bool sax_charset_is_contradictory(const struct sax *sax);

#endif
