/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_NAMESPACES_H
#define LATHER_SOAP_NAMESPACES_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/err.h"
#include "lather/base/str.h"

/* What a prefix in an expression stands for. */
enum namespace_kind {
    NAMESPACE_UNKNOWN = 0,
    NAMESPACE_URI,        /* the one URI given */
    NAMESPACE_SOAP,       /* s, soap: that of the answer's envelope */
    NAMESPACE_ADDRESSING, /* a, wsa: WS-Addressing in the version that the answer uses */
    NAMESPACE_KIND_COUNT
};

struct namespace_entry {
    char *prefix;
    char *uri;
    bool is_given; /* by the user, not taken from a message */
};

/* Prefixes for expressions; owned texts. All zero is empty. */
struct namespaces {
    struct namespace_entry *entries;
    size_t count;
};

/* More declarations in one message are not taken. */
enum { NAMESPACES_CEILING = 500 };

/* Frees what it holds; it is empty again. */
void namespaces_deinit(struct namespaces *namespaces);

/* "p=uri" as --ns takes it. A prefix given twice is an error. */
bool namespaces_parse(struct namespaces *namespaces, struct str text, struct err *err) MUST_USE;

/*
 * Takes every prefix a message declares, the first meaning of each, and its default namespaces as
 * d, d1, d2... in order of appearance. What is there already stays.
 */
void namespaces_take(struct namespaces *namespaces, struct str message);

/* What a prefix stands for. The user's word goes first, then s, soap, a, wsa, then what was taken.
 */
enum namespace_kind namespaces_find(const struct namespaces *namespaces, struct str prefix,
                                    const char **uri);

#endif
