/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_INSERT_H
#define LATHER_SOAP_INSERT_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

/* Where in a request a text is put: decides which characters must not stand there as they are. */
enum insert_context {
    INSERT_PLAIN = 0, /* a body that is no XML: as it is */
    INSERT_TEXT,      /* between XML tags */
    INSERT_TAG,       /* in an XML tag: an attribute's value */
    INSERT_CDATA,     /* in a CDATA section: references mean nothing there */
    INSERT_COMMENT,   /* in an XML comment or processing instruction */
    INSERT_PATH,      /* in the path or query of a URL */
    INSERT_HEADER,    /* in the value of a header field */
    INSERT_CONTEXT_COUNT
};

/* How the bytes around it are encoded. */
enum insert_encoding {
    INSERT_UTF8 = 0,
    INSERT_UTF16LE,
    INSERT_UTF16BE,
    INSERT_ASCII, /* another one that has ASCII in it: the rest goes as character references */
    INSERT_ENCODING_COUNT
};

struct insert_place {
    enum insert_context context;
    enum insert_encoding encoding;
};

/* So many bytes come out of one byte at the most: a ">" in CDATA, in UTF-16. */
enum { INSERT_MOST_GROWTH = 26 };

/*
 * Whether a text, in UTF-8, can be put there at all: XML takes no control characters, header
 * fields no line breaks, XML and UTF-16 no bytes that are not UTF-8. The sentence in err says what
 * is wrong and at which byte of the text.
 */
bool insert_check(struct insert_place place, struct str text, struct err *err) MUST_USE;

/*
 * Writes a checked text as it must stand there; returns its length. There must be room for
 * INSERT_MOST_GROWTH * text.len bytes. A byte order mark in front of the text is left out.
 */
size_t insert_put(struct insert_place place, struct str text, char *target);

/* insert_put behind the content of a buffer. */
void insert_append(struct insert_place place, struct str text, struct buf *target);

/* Whether a checked text stands there byte for byte as it is. */
bool insert_keeps(struct insert_place place, struct str text);

/* Bytes that an ASCII character takes, when it needs no reference: 1 or 2. */
size_t insert_unit_bytes(enum insert_encoding encoding);

#endif
