/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_XML_TEXT_H
#define LATHER_CAPTURE_XML_TEXT_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/soap/sax.h"

/* The value of an attribute without a namespace, all references resolved; "" when it is absent.
   The caller frees it. */
char *xml_text_attribute(const struct sax_element *element, const char *name) MUST_USE;

/* Whether the attribute is there with exactly that value, which has no reference in it. */
bool xml_text_attribute_is(const struct sax_element *element, const char *name, const char *value);

/*
 * Reads a document to its end: `events` are told with `context`, line ends in CDATA sections as XML
 * wants them (XML 1.0, 2.11), which libxml2's push parser leaves as they are. For encodings with
 * ASCII in them; a DOCTYPE ends it. True when it was read whole; otherwise a sentence about where
 * and why it broke off, calling the document `what`, is appended to damage. Linear; a document with
 * CR in it is copied once.
 */
bool xml_text_read(struct str document, const struct sax_events *events, void *context,
                   const char *what, struct buf *damage) MUST_USE;

#endif
