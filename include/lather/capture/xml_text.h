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

/* Why reading a document ended early, in a few words: "not well-formed", "a DOCTYPE". */
const char *xml_text_end(enum sax_end end);

/*
 * The document with line ends as XML wants them before it is parsed (XML 1.0 2.11): CR LF and CR
 * become LF. In memory of lines, which must be initialised, unless there is nothing to change. For
 * encodings with ASCII in them.
 */
struct str xml_text_lines(struct str document, struct buf *lines);

#endif
