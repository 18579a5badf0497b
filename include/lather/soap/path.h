/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_PATH_H
#define LATHER_SOAP_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/str.h"
#include "lather/soap/namespaces.h"
#include "lather/soap/sax.h"

enum { PATH_STEPS_CEILING = 31 };

struct path_step {
    bool is_descendant; /* "//" in front, not "/" */
    bool any_name;
    bool any_namespace;
    enum namespace_kind kind; /* URI also for "no namespace" (uri "") */
    char *name;
    char *uri;
};

/*
 * A path of element names only ("/s:Envelope/s:Body//p:Result", "~Result"), which can be looked for
 * while an answer is read, without a tree. "~Name" is Name in any namespace. Owned texts.
 */
struct path {
    struct path_step steps[PATH_STEPS_CEILING];
    size_t count;
};

/*
 * Reads an XPath that is such a path; false, with nothing held, for any other (predicates,
 * functions, attributes, unknown prefixes).
 */
bool path_parse(struct path *path, struct str text, const struct namespaces *namespaces) MUST_USE;
void path_deinit(struct path *path);

/* Where a path stands in one text: which steps were met by the open elements. */
struct path_match {
    uint32_t states[SAX_DEPTH_CEILING + 1]; /* by depth: bit i: i steps are behind */
    bool is_found;
};

/* Tells the match that an element began; the root (depth 1) starts a text. */
void path_step_into(const struct path *path, struct path_match *match,
                    const struct sax_element *element, const char *root_namespace);

#endif
