/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_PART_CODING_H
#define LATHER_SOAP_PART_CODING_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/str.h"

enum part_coding_kind {
    PART_CODING_NONE = 0, /* 7bit, 8bit, binary, or no field */
    PART_CODING_BASE64,
    PART_CODING_QUOTED, /* quoted-printable */
    PART_CODING_KIND_COUNT
};

/*
 * The Content-Transfer-Encoding of one part (RFC 2045, 6), as far as it was undone; in caller's
 * storage, nothing to free. One part at a time, one thread.
 */
struct part_coding {
    enum part_coding_kind kind;
    unsigned bits; /* base64: what has not made a byte yet */
    unsigned bit_count;
    size_t escape_len; /* quoted-printable: bytes of an escape that is not complete, "=" included */
    char first_digit;  /* of that escape */
};

/* What takes the bytes; they are valid during the call. */
typedef void part_coding_take(void *context, struct str bytes);

/* Starts a part; `name` is the field's value. False for one that is not known: kind is NONE then.
 */
bool part_coding_begin(struct part_coding *coding, struct str name) MUST_USE;

/*
 * Hands the next bytes, in pieces of any size, to `take` as they were before encoding: none, one or
 * several calls. Without an encoding the bytes are lent as they are. Linear, no allocation.
 */
void part_coding_undo(struct part_coding *coding, struct str bytes, part_coding_take *take,
                      void *context);

#endif
