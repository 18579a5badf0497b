/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_SCOPE_H
#define LATHER_SOAP_SCOPE_H

#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"
#include "lather/soap/sax.h"

/* Declarations kept; inside more of them a name keeps its prefix. */
enum { SCOPE_CEILING = 512 };

struct scope_declaration {
    const char *prefix; /* NULL: the default namespace */
    const char *uri;    /* "" where a default namespace is taken back */
    unsigned depth;     /* of the element that declares it; the root has 1 */
};

/*
 * The namespace declarations in force (Namespaces in XML 1.0, 6), innermost last; in caller's
 * storage, all zero is empty. Texts are the parser's, which keeps them until its next begin.
 */
struct scope {
    size_t count;
    struct scope_declaration declarations[SCOPE_CEILING];
};

/* Forgets all of them. */
void scope_reset(struct scope *scope);

/* An element begins: adds what it declares. */
void scope_enter(struct scope *scope, const struct sax_element *element);

/* The element at `depth` ends: what it and those inside of it declared is gone. */
void scope_leave(struct scope *scope, unsigned depth);

/* Appends "{uri}name", each cut at 512 bytes. uri is not NULL. */
void scope_append_name(const char *uri, struct str name, struct buf *target);

/*
 * Appends a name that stands in text, "p:Name" or "Name", as "{uri}Name". What is no name, or has a
 * prefix that is not declared, is appended as it is, cut at 512 bytes. Linear in the declarations.
 */
void scope_append_resolved(const struct scope *scope, struct str text, struct buf *target);

#endif
