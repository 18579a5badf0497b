/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_EXPLAIN_NEEDS_H
#define LATHER_SOAP_EXPLAIN_NEEDS_H

#include "lather/base/buf.h"
#include "lather/base/str.h"

/*
 * Appends a line "needs: ..." for each value in an envelope that by its name comes out of an
 * earlier answer (a session's id, a token, an enumeration's context), and a line "same each time:
 * ..." for each that names the message to its receiver and that nothing makes anew. By names only;
 * each name is told once. Linear.
 */
void explain_needs_append(struct str text, struct buf *lines);

#endif
