/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds simple paths in the stream of elements. Each open element carries the set of steps that
 * lead to it as bits; the set of a child follows from its parent's, so nothing is ever looked at
 * twice. Existence is all it can tell; whatever asks for more goes to xpath.c.
 */
#include "lather/soap/path.h"

#include <stdlib.h>
#include <string.h>

#include "lather/soap/addressing.h"

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '-' || byte == '.' ||
           (unsigned char)byte >= 0x80;
}

static size_t name_len(struct str text)
{
    size_t len = 0;
    while (len < text.len && is_name_byte(text.data[len])) {
        len++;
    }
    bool is_name = len > 0 && !(text.data[0] >= '0' && text.data[0] <= '9') &&
                   text.data[0] != '-' && text.data[0] != '.';
    return is_name ? len : 0;
}

/* A name or "*"; returns its length, 0 for neither. */
static size_t test_len(struct str text)
{
    return str_starts_with(text, STR("*")) ? 1 : name_len(text);
}

static void set_test(struct path_step *step, struct str name, const char *uri)
{
    step->any_name = str_equals(name, STR("*"));
    step->name = str_dup(name);
    step->uri = str_dup(str_from(uri));
}

/* "Name", "*", "p:Name", "p:*" or "~Name" at the start of text; returns its length or 0. */
static size_t step_parse(struct path_step *step, struct str text,
                         const struct namespaces *namespaces)
{
    if (str_starts_with(text, STR("~"))) {
        size_t len = name_len(str_slice(text, 1, text.len));
        if (len == 0) {
            return 0;
        }
        step->any_namespace = true;
        set_test(step, str_slice(text, 1, 1 + len), "");
        return 1 + len;
    }
    size_t len = test_len(text);
    struct str behind = str_slice(text, len, text.len);
    if (len == 0 || !str_starts_with(behind, STR(":"))) {
        if (len > 0) {
            step->kind = NAMESPACE_URI;
            step->any_namespace = str_equals(str_slice(text, 0, len), STR("*"));
            set_test(step, str_slice(text, 0, len), "");
        }
        return len;
    }
    size_t local = test_len(str_slice(behind, 1, behind.len));
    const char *uri;
    step->kind = namespaces_find(namespaces, str_slice(text, 0, len), &uri);
    if (local == 0 || step->kind == NAMESPACE_UNKNOWN) {
        return 0;
    }
    set_test(step, str_slice(behind, 1, 1 + local), uri);
    return len + 1 + local;
}

bool path_parse(struct path *path, struct str text, const struct namespaces *namespaces)
{
    *path = (struct path){.count = 0};
    text = str_trim(text);
    bool is_first = true;
    while (text.len > 0 || is_first) {
        bool is_descendant = str_starts_with(text, STR("//"));
        bool is_child = str_starts_with(text, STR("/"));
        if ((!is_first && !is_child) || path->count == PATH_STEPS_CEILING) {
            goto fail;
        }
        text = str_slice(text, is_descendant ? 2 : is_child ? 1 : 0, text.len);
        struct path_step *step = &path->steps[path->count];
        size_t len = step_parse(step, text, namespaces);
        if (len == 0) {
            goto fail;
        }
        step->is_descendant = is_descendant;
        path->count++;
        text = str_slice(text, len, text.len);
        is_first = false;
    }
    return true;
fail:
    path_deinit(path);
    return false;
}

void path_deinit(struct path *path)
{
    for (size_t i = 0; i < path->count; i++) {
        free(path->steps[i].name);
        free(path->steps[i].uri);
    }
    *path = (struct path){.count = 0};
}

static bool step_fits(const struct path_step *step, const struct sax_element *element,
                      const char *root_namespace)
{
    if (!step->any_name && strcmp(step->name, element->name) != 0) {
        return false;
    }
    if (step->any_namespace) {
        return true;
    }
    if (step->kind == NAMESPACE_SOAP) {
        return strcmp(root_namespace, element->namespace_uri) == 0;
    }
    if (step->kind == NAMESPACE_ADDRESSING) {
        return addressing_is_namespace(str_from(element->namespace_uri));
    }
    return strcmp(step->uri, element->namespace_uri) == 0;
}

void path_step_into(const struct path *path, struct path_match *match,
                    const struct sax_element *element, const char *root_namespace)
{
    if (element->depth == 1) {
        match->states[0] = 1;
        match->is_found = false;
    }
    uint32_t parent = match->states[element->depth - 1];
    uint32_t states = 0;
    for (size_t i = 0; i < path->count && parent >> i != 0; i++) {
        if ((parent >> i & 1) == 0) {
            continue;
        }
        if (path->steps[i].is_descendant) {
            states |= UINT32_C(1) << i;
        }
        if (step_fits(&path->steps[i], element, root_namespace)) {
            states |= UINT32_C(1) << (i + 1);
        }
    }
    match->states[element->depth] = states;
    match->is_found |= (states >> path->count & 1) != 0;
}
