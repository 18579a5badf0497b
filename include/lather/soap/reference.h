/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_REFERENCE_H
#define LATHER_SOAP_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"

/*
 * The character that a reference stands for; `name` is what is between "&" and ";": "amp", "lt",
 * "gt", "quot", "apos", "#10" or "#xA" (XML 1.0, 4.1 and 4.6). False for all else, and for numbers
 * that are no character of Unicode: 0, surrogates, beyond U+10FFFF. Control characters are let
 * through, although XML 1.0 has only three of them.
 */
bool reference_parse(struct str name, uint32_t *code) MUST_USE;

/* Appends a value with its references resolved, as UTF-8. Those that are not known stay as they
   are. Linear. */
void reference_append_resolved(struct str raw, struct buf *value);

/* What the text is written into: a quote ends an attribute's value and nothing else. */
enum reference_context { REFERENCE_TEXT = 0, REFERENCE_ATTRIBUTE };

/* Appends text as XML wants it: & < > and in an attribute " as references, all else as it is.
   Linear. */
void reference_append_escaped(struct str text, enum reference_context context, struct buf *out);

#endif
