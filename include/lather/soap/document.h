/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_DOCUMENT_H
#define LATHER_SOAP_DOCUMENT_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"

struct _xmlDoc;

/* Makes trees of XML texts that sax.h has already found well-formed. One a thread. */
struct document;

/* Freed with document_free, which takes NULL and frees the last tree as well. */
struct document *document_new(void) MUST_USE;
void document_free(struct document *document);

/*
 * The tree of a text in an encoding by name; NULL when libxml2 refuses it. It stays until the next
 * call. A DOCTYPE refuses; no entity, file or address is opened. CDATA becomes text.
 */
struct _xmlDoc *document_parse(struct document *document, struct str bytes, const char *charset);

/*
 * The text in UTF-8, without its byte order mark: a view of bytes when they are, otherwise of
 * converted. False when it does not convert.
 */
bool document_text(struct str bytes, const char *charset, struct buf *converted,
                   struct str *text) MUST_USE;

#endif
