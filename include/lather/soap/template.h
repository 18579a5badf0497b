/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_TEMPLATE_H
#define LATHER_SOAP_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"

struct template_source;

/*
 * A whole request - request line, head, body - as runs of bytes that never change and slots that
 * are filled anew for each request. Made by soap/template_builder, frozen from then on: any number
 * of workers read one template. It is never larger than the message and its slots' rooms.
 */
struct template;

/* Frees the template; values filled for it must not be used any more. */
void template_free(struct template *template);

/* Whether there is no slot at all: every request is the same bytes. */
bool template_is_constant(const struct template *template);

/* Whether requests take a row of the feed each. */
bool template_uses_data(const struct template *template);

/* How many pieces template_pieces writes at most: at least 1. */
size_t template_piece_count(const struct template *template);

/* Bytes from the first of the body on; with slots of varying length in it, those of the literals.
 */
size_t template_least_body_bytes(const struct template *template);

/*
 * What the slots of one request hold: one a record of an exchange, allocated once, filled again
 * and again, also for other templates as long as `bytes` is enough for the largest of them. A few
 * hundred bytes. The values of the feed are not copied: its table must outlive them.
 */
struct template_values;
size_t template_values_bytes(const struct template *template);
struct template_values *template_values_new(size_t bytes) MUST_USE;
void template_values_free(struct template_values *values);

enum template_fill_end {
    TEMPLATE_FILLED = 0,
    TEMPLATE_DATA_ENDED, /* FEED_ONCE, and this worker's rows are used up: there is no request */
};

/*
 * Makes the values of the next request: takes ids, a number, a row, the time from the worker's
 * source. Allocates nothing. About 200 ns for a MessageID and a Timestamp, a third of them for
 * random bytes.
 */
enum template_fill_end template_fill(const struct template *template,
                                     struct template_source *source,
                                     struct template_values *values) MUST_USE;

/*
 * The request as it goes out: pieces to be sent one behind the other, which point into the
 * template and the values and live as long as both are left alone. Pieces that lie side by side are
 * one. Returns how many; there must be room for template_piece_count. *head_bytes (if not NULL)
 * gets the length of what is before the body, *bytes that of all.
 */
size_t template_pieces(const struct template *template, const struct template_values *values,
                       struct str *pieces, size_t *head_bytes, size_t *bytes);

/* The same bytes in one: for saving a request that failed, for printing it. */
void template_append(const struct template *template, const struct template_values *values,
                     struct buf *request);

/*
 * The content of the (first) wsa:MessageID as it was filled, in UTF-8, without references and the
 * white space around it: what RelatesTo of the answer must be. Empty when the message has none.
 * Valid until the values are filled again.
 */
struct str template_message_id(const struct template *template,
                               const struct template_values *values);

#endif
