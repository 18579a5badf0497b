/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_SAVED_ANSWER_H
#define LATHER_NET_SAVED_ANSWER_H

#include <stddef.h>

#include "lather/base/str.h"
#include "lather/net/transport.h"

/* What the bytes of a saved answer were taken for. */
enum saved_form {
    SAVED_FORM_BODY = 0, /* a body alone: XML, multipart, anything */
    SAVED_FORM_HTTP,     /* a status line, fields, body */
    SAVED_FORM_FIELDS,   /* fields and body, the status line is missing */
    SAVED_FORM_REQUEST,  /* no answer: it begins as a request does */
    SAVED_FORM_COUNT
};

/*
 * An answer out of a file, as if it had just come over a connection that then closed: whether it is
 * whole, and what it is made of, is decided by the reader that the transport uses. Without a status
 * line the status is 200, without fields there is no content type.
 */
struct saved_answer {
    enum saved_form form;
    struct exchange exchange; /* ended: net/cause.h tells how, exchange_answer what came */
    size_t behind;            /* bytes behind the answer's end, blanks at the end of file apart */
};

/* An empty one in caller's storage; deinit frees what reading kept. */
void saved_answer_init(struct saved_answer *saved);
void saved_answer_deinit(struct saved_answer *saved);

/*
 * Reads the bytes, which are borrowed as long as the answer is. Tools that save answers often take
 * the chunks of a chunked body apart and leave the field: such a body is taken as it is.
 */
void saved_answer_read(struct saved_answer *saved, struct str bytes);

/* The body of a saved message: bytes behind the head, if there is one; for requests too. */
struct str saved_answer_body(struct str bytes);

#endif
