/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_GOLDEN_H
#define LATHER_SOAP_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/soap/xpath.h"

struct _xmlDoc;

/*
 * An answer that others must be like: same elements in the same order, same attributes in any
 * order, same text but for white space around it. Prefixes, comments and processing instructions do
 * not count, nor do wsu:Timestamp, MessageID and RelatesTo of WS-Addressing, and ActivityId.
 * Frozen; any thread compares with it.
 */
struct golden;

/*
 * Reads an answer from a file: a bare body, or a raw HTTP answer whose head is passed over. NULL
 * with the sentence in err when it is not readable or no well-formed XML.
 */
struct golden *golden_load(const char *path, struct err *err) MUST_USE;
void golden_free(struct golden *golden);

/* Its tree, not to be changed, and its wsa:Action ("" when it has none). */
struct _xmlDoc *golden_tree(const struct golden *golden);
const char *golden_action(const struct golden *golden);

/* The bytes of its XML text. */
struct str golden_text(const struct golden *golden);

/* Takes what an expression selects out of the comparison on the golden side. Before threads. */
void golden_ignore(struct golden *golden, struct xpath_reader *reader, const struct xpath *ignored);

/*
 * Whether an answer's tree is like the golden one; what `ignored` selects in it (the reader must be
 * set to it) does not count. Otherwise appends one sentence on the first difference and its place.
 */
bool golden_is_like(const struct golden *golden, struct _xmlDoc *answer,
                    struct xpath_reader *reader, const struct xpath *ignored, size_t ignored_count,
                    struct buf *sentence) MUST_USE;

#endif
