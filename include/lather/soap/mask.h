/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_MASK_H
#define LATHER_SOAP_MASK_H

#include "lather/base/buf.h"
#include "lather/base/str.h"

/* A masked reason is cut here, between characters, and ends in "..." then. */
enum { MASK_CEILING = 240 };

/*
 * Appends a reason with everything that differs from one failure to the next of its kind put into
 * one form: quoted text becomes '...', GUIDs and long hexadecimal words {id}, dates and times
 * {date}, other digits #, white space one blank. "Order 4711 of 2024-01-02 not found" becomes
 * "Order # of {date} not found". Linear but for unclosed quotes, bounded by looking at no more than
 * MASK_LOOK bytes of text.
 */
void mask_append(struct buf *masked, struct str text);

/* So many bytes of a reason are looked at. */
enum { MASK_LOOK = 2048 };

#endif
