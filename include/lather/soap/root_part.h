/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_ROOT_PART_H
#define LATHER_SOAP_ROOT_PART_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"

/* Where the envelope of a body stands. */
enum root_part_kind {
    ROOT_PART_WHOLE = 0, /* the body is no multipart: it is the envelope, or whatever it is */
    ROOT_PART_PLAIN,     /* a run of bytes of a multipart body */
    ROOT_PART_ENCODED,   /* a part in base64 or quoted-printable: it can be read, not changed */
    ROOT_PART_BROKEN,    /* a multipart type, and no root part in the body */
    ROOT_PART_COUNT
};

/* The root part of a body: what stands before and behind it is sent as it is. */
struct root_part {
    enum root_part_kind kind;
    struct str before;
    struct str bytes; /* as they stand in the body; all of it when it is no multipart or broken */
    struct str behind;
    struct str text;    /* what the envelope is read from: bytes, or decoded */
    struct buf decoded; /* of ROOT_PART_ENCODED */
};

/*
 * Finds the envelope of a body that goes under this Content-Type (RFC 2387: the part that `start`
 * names, else the first). Borrows the body; deinit frees what was decoded. Linear.
 */
void root_part_find(struct root_part *part, struct str content_type, struct str body);
void root_part_deinit(struct root_part *part);

#endif
