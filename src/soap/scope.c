/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The prefixes in scope on one path of open elements, for names that stand in text: a fault's code
 * is one. It is told of the elements that matter and of no others, so it costs nothing for the rest
 * of an answer. The trap: a prefix may be declared again further in, so the last one is looked at
 * first; and what an element declared goes with that element, by depth.
 */
#include "lather/soap/scope.h"

enum { NAME_CEILING = 512 }; /* of a name or namespace that is shown; longer ones are cut */

void scope_reset(struct scope *scope)
{
    scope->count = 0;
}

void scope_enter(struct scope *scope, const struct sax_element *element)
{
    for (size_t i = 0; i < element->namespace_count && scope->count < SCOPE_CEILING; i++) {
        const char *uri = element->namespaces[i * 2 + 1];
        scope->declarations[scope->count++] =
            (struct scope_declaration){.prefix = element->namespaces[i * 2],
                                       .uri = uri == NULL ? "" : uri,
                                       .depth = element->depth};
    }
}

void scope_leave(struct scope *scope, unsigned depth)
{
    while (scope->count > 0 && scope->declarations[scope->count - 1].depth >= depth) {
        scope->count--;
    }
}

/* The namespace a prefix stands for here; NULL when it is not declared. */
static const char *namespace_of(const struct scope *scope, struct str prefix)
{
    for (size_t i = scope->count; i > 0; i--) {
        if (str_equals(str_from(scope->declarations[i - 1].prefix), prefix)) {
            return scope->declarations[i - 1].uri;
        }
    }
    return prefix.len == 0 ? "" : NULL;
}

/* Letters, digits and -_. with a letter in front; other scripts are taken for letters. */
static bool is_name(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                         byte == '_' || byte >= 0x80;
        bool is_later = (byte >= '0' && byte <= '9') || byte == '-' || byte == '.';
        if (!is_letter && (i == 0 || !is_later)) {
            return false;
        }
    }
    return text.len > 0;
}

void scope_append_name(const char *uri, struct str name, struct buf *target)
{
    buf_append_byte(target, '{');
    buf_append_str(target, str_slice(str_from(uri), 0, NAME_CEILING));
    buf_append_byte(target, '}');
    buf_append_str(target, str_slice(name, 0, NAME_CEILING));
}

void scope_append_resolved(const struct scope *scope, struct str text, struct buf *target)
{
    struct str prefix;
    struct str local;
    if (!str_split(text, ':', &prefix, &local)) {
        local = prefix;
        prefix = str_of(NULL, 0);
    }
    const char *uri = namespace_of(scope, prefix);
    if (uri == NULL || !is_name(local)) {
        buf_append_str(target, str_slice(text, 0, NAME_CEILING));
        return;
    }
    scope_append_name(uri, local, target);
}
