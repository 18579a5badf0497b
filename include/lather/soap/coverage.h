/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_COVERAGE_H
#define LATHER_SOAP_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/str.h"
#include "lather/soap/markup.h"

/*
 * The parts of a message that signatures in its header cover (XML Signature, 4.3.3.2): a change
 * there makes the service refuse it. Elements are found by their Id, whatever its namespace, so
 * rather too much counts as covered than too little; a signature over the whole document, or over
 * something that cannot be found out, covers everything.
 */
struct coverage {
    bool is_whole;
    struct markup_span *spans; /* of whole elements */
    size_t count;
};

/* Reads a well-formed envelope. Linear when nothing is signed, a few times linear otherwise. */
void coverage_init(struct coverage *coverage, struct str text);
void coverage_deinit(struct coverage *coverage);

/* Whether a change of [from, to), or an insertion at from, falls into a covered part. */
bool coverage_has(const struct coverage *coverage, size_t from, size_t to);

#endif
