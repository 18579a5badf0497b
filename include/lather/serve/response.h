/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_RESPONSE_H
#define LATHER_SERVE_RESPONSE_H

#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"
#include "lather/serve/message.h"

/* What the answer says about the connection. */
enum response_connection {
    RESPONSE_KEEP = 0, /* nothing: HTTP/1.1 stays open */
    RESPONSE_KEEP_10,  /* keep-alive, for a client of HTTP/1.0 that asked for it */
    RESPONSE_CLOSE,
    RESPONSE_CONNECTION_COUNT
};

/* Whether the body itself is sent, or only its length (the answer to HEAD). */
enum response_part { RESPONSE_WHOLE = 0, RESPONSE_HEAD_ONLY, RESPONSE_PART_COUNT };

/* What every answer needs besides its own content. */
struct response_frame {
    enum response_connection connection;
    struct str date; /* as the Date field wants it (RFC 9110 5.6.7) */
};

/* What is the same in all answers to orders, built once. Read-only afterwards; any thread. */
struct response_book;

/* Bodies will have size_bytes, or what they need if that is more. */
struct response_book *response_book_new(uint64_t size_bytes) MUST_USE;
void response_book_free(struct response_book *book);

/*
 * The answer to an order: appends its beginning to lead; *tail is what follows, a view into the
 * book. Allocates nothing once lead has grown. The order's ids are repeated as they were written.
 */
void response_order(const struct response_book *book, const struct response_frame *frame,
                    const struct message *message, struct buf *lead, struct str *tail);

/* 202 without a body. */
void response_accepted(const struct response_frame *frame, struct buf *out);

/* 500 with a Fault that says what is wrong with the message, in its SOAP version (1.1 if it has
 * none). */
void response_fault(const struct response_frame *frame, const struct message *message,
                    struct buf *out);

/* 500 with the Fault of an order that is refused because the service was told to refuse some. */
void response_refusal(const struct response_frame *frame, const struct message *message,
                      struct buf *out);

/* The help page. */
void response_page(const struct response_frame *frame, enum response_part part, struct buf *out);

/*
 * An answer of HTTP alone: a status line such as "405 Method Not Allowed", further fields (each
 * with its line end; may be empty), and a sentence as its body.
 */
void response_plain(const struct response_frame *frame, struct str status_line, struct str fields,
                    struct str sentence, struct buf *out);

/* The Content-Type of answers in a version of SOAP; 1.1 for none. */
struct str response_content_type(enum soap_version version);

#endif
