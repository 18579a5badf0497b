/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_DECODE_H
#define LATHER_SOAP_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/str.h"

/* How decoding ended; the first that was met. */
enum decode_end {
    DECODE_WHOLE = 0,
    DECODE_BROKEN,    /* the bytes are not what the coding says; decode_problem tells */
    DECODE_CUT_OFF,   /* right as far as they go, but they stop before their end */
    DECODE_TOO_LARGE, /* more than the ceiling came out */
    DECODE_UNKNOWN,   /* a coding that is not known here; decode_problem names it */
    DECODE_END_COUNT
};

/* Gets decoded bytes as they come; valid during the call. */
typedef void decode_sink(void *context, struct str bytes);

/*
 * Undoes a Content-Encoding piece by piece: gzip (RFC 1952, several members), deflate as zlib (RFC
 * 1950) and as the raw form (RFC 1951) that some servers send, identity. Memory is constant
 * whatever comes out. One body at a time; may be used for many.
 */
struct decode;

/* A decoder; freed with decode_free, which takes NULL. */
struct decode *decode_new(void) MUST_USE;
void decode_free(struct decode *decode);

/* Whether the field's value asks for no decoding at all: absent, empty or identity. */
bool decode_is_identity(struct str content_encoding);

/* Starts a body; no more than `ceiling` bytes come out of it. */
void decode_begin(struct decode *decode, struct str content_encoding, uint64_t ceiling);

/* The next bytes; what they decode to goes to sink at once. Nothing after an end was met. */
void decode_feed(struct decode *decode, struct str bytes, decode_sink *sink, void *context);

/* Ends the body. A body of no bytes is whole, whatever its coding. */
enum decode_end decode_finish(struct decode *decode);

/* What is wrong, in a few words ("gzip: incorrect header check"); stays until the next begin. */
struct str decode_problem(const struct decode *decode);

#endif
