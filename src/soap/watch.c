/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of all simple paths over one stream of elements. What a path is path.c knows; this
 * keeps one match for each and the namespace of the root, which the short prefixes stand for.
 */
#include "lather/soap/watch.h"

#include <stdlib.h>

struct watch {
    const struct xpath *xpaths;
    size_t count;
    const char *root_namespace;
    struct path_match *matches; /* by expression; unused where it is not simple */
};

struct watch *watch_new(const struct xpath *xpaths, size_t count)
{
    bool is_needed = false;
    for (size_t i = 0; i < count; i++) {
        is_needed |= xpaths[i].is_simple;
    }
    if (!is_needed) {
        return NULL;
    }
    struct watch *watch = check_calloc(1, sizeof(*watch));
    watch->xpaths = xpaths;
    watch->count = count;
    watch->matches = check_calloc(count, sizeof(*watch->matches));
    return watch;
}

void watch_free(struct watch *watch)
{
    if (watch != NULL) {
        free(watch->matches);
        free(watch);
    }
}

void watch_start(struct watch *watch, const struct sax_element *element)
{
    if (element->depth == 1) {
        watch->root_namespace = element->namespace_uri;
    }
    for (size_t i = 0; i < watch->count; i++) {
        if (watch->xpaths[i].is_simple) {
            path_step_into(&watch->xpaths[i].path, &watch->matches[i], element,
                           watch->root_namespace);
        }
    }
}

bool watch_has_found(const struct watch *watch, size_t index)
{
    return watch->matches[index].is_found;
}
