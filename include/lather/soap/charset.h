/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_CHARSET_H
#define LATHER_SOAP_CHARSET_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/str.h"

enum { CHARSET_NAME_SIZE = 48 };

/* So many first bytes decide; XML declarations that are longer count as absent. */
enum { CHARSET_LOOK_BYTES = 512 };

/* What the first bytes of an XML text say about its encoding. */
struct charset {
    char name[CHARSET_NAME_SIZE];     /* what the bytes are in: "utf-8", "utf-16le", "utf-16be",
                                         or the declared one in lower case */
    char declared[CHARSET_NAME_SIZE]; /* of the XML declaration, as written; "" when absent */
    size_t bom_bytes;                 /* 0: no byte order mark */
    bool declaration_is_wrong;        /* the bytes cannot be what the declaration says */
};

/*
 * Finds the encoding from the byte order mark, else from the shape of the first characters, else
 * from the XML declaration, else UTF-8 (XML 1.0 appendix F, RFC 7303 3). Looks at no more than
 * CHARSET_LOOK_BYTES; any bytes may be given.
 */
void charset_detect(struct str bytes, struct charset *charset);

/*
 * Whether two names mean encodings that do not contradict each other: case, "utf8" for "utf-8",
 * "utf-16" for either byte order and "us-ascii" as a part of UTF-8 are forgiven.
 */
bool charset_agree(struct str a, struct str b);

#endif
