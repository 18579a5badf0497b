/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_PLACEHOLDER_H
#define LATHER_SOAP_PLACEHOLDER_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/soap/edits.h"
#include "lather/soap/insert.h"
#include "lather/soap/slot.h"

/* What kind of text the placeholders stand in. */
enum placeholder_kind {
    PLACEHOLDER_PLAIN = 0,
    PLACEHOLDER_XML,
    PLACEHOLDER_PATH,
    PLACEHOLDER_HEADER,
    PLACEHOLDER_KIND_COUNT
};

struct placeholder_text {
    struct str text;
    enum placeholder_kind kind;
    enum insert_encoding encoding; /* of the bytes that are sent; the text itself has ASCII */
    const char *name;              /* the file, "the URL", "-H": stands in front of errors */
};

/* What an expression may be long; a "${" whose "}" is further away is not closed. */
enum { PLACEHOLDER_BYTES_CEILING = 256 };

/*
 * Finds each "${...}" and adds an edit that puts its slot or its text there, and for "$${" one
 * that leaves "${". Errors begin with name, line, column and byte ("a.xml:3:14 (byte 92)"), quote
 * the expression and end with the way out, --no-template: an unknown name, one that is not closed,
 * a value that cannot stand there - of --data with the row's line. Linear, also in the rows.
 */
bool placeholder_find(const struct placeholder_text *text, const struct slot_names *names,
                      struct edits *edits, struct err *err) MUST_USE;

#endif
