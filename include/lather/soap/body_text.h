/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_BODY_TEXT_H
#define LATHER_SOAP_BODY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"
#include "lather/soap/insert.h"

/*
 * The bytes of a body, or of the part of a MIME body that is XML, and the same as a text in which
 * ASCII can be searched for. Places are those of the text; body_text_offset turns them into those
 * of the bytes.
 */
struct body_text {
    struct str bytes; /* borrowed */
    struct str text;  /* the bytes, or a conversion */
    enum insert_encoding encoding;
    bool is_searchable; /* false: in an encoding without ASCII; text is empty */
    struct buf converted;
};

/* Finds the encoding from the first bytes (soap/charset.h). Linear for UTF-16, else constant. */
void body_text_init(struct body_text *body, struct str bytes);
void body_text_deinit(struct body_text *body);

/*
 * The offset in bytes of a place in the text. A cursor that starts as {0, 0} and is asked for
 * places in rising order makes all of them together linear.
 */
struct body_text_cursor {
    size_t place;
    size_t offset;
};
size_t body_text_offset(const struct body_text *body, struct body_text_cursor *cursor,
                        size_t place);

#endif
