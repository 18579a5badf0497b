/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The prefixes that expressions may use. They have nothing to do with the prefixes an answer uses:
 * XPath compares namespaces. The four short ones for SOAP and WS-Addressing follow the version the
 * answer is in, so that one expression serves services of both versions.
 */
#include "lather/soap/namespaces.h"

#include <stdio.h>
#include <stdlib.h>

#include "lather/soap/sax.h"

void namespaces_deinit(struct namespaces *namespaces)
{
    for (size_t i = 0; i < namespaces->count; i++) {
        free(namespaces->entries[i].prefix);
        free(namespaces->entries[i].uri);
    }
    free(namespaces->entries);
    *namespaces = (struct namespaces){.count = 0};
}

static const struct namespace_entry *find_entry(const struct namespaces *namespaces,
                                                struct str prefix)
{
    for (size_t i = 0; i < namespaces->count; i++) {
        if (str_equals(str_from(namespaces->entries[i].prefix), prefix)) {
            return &namespaces->entries[i];
        }
    }
    return NULL;
}

static void add(struct namespaces *namespaces, struct str prefix, struct str uri, bool is_given)
{
    size_t bytes = (namespaces->count + 1) * sizeof(*namespaces->entries);
    namespaces->entries = check_realloc(namespaces->entries, bytes);
    namespaces->entries[namespaces->count++] = (struct namespace_entry){
        .prefix = str_dup(prefix), .uri = str_dup(uri), .is_given = is_given};
}

static bool is_prefix(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.data[i];
        bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                         byte == '_' || (unsigned char)byte >= 0x80;
        bool is_later = (byte >= '0' && byte <= '9') || byte == '-' || byte == '.';
        if (!is_letter && (i == 0 || !is_later)) {
            return false;
        }
    }
    return text.len > 0;
}

bool namespaces_parse(struct namespaces *namespaces, struct str text, struct err *err)
{
    struct str prefix;
    struct str uri;
    bool is_split = str_split(text, '=', &prefix, &uri);
    prefix = str_trim(prefix);
    uri = str_trim(uri);
    if (!is_split || !is_prefix(prefix) || uri.len == 0) {
        return err_set(err, ERR_USAGE, "\"%.*s\" declares no prefix: write p=http://its.namespace/",
                       STR_ARG(str_slice(text, 0, 100)));
    }
    if (str_equals(prefix, STR("xml")) || str_equals(prefix, STR("xmlns"))) {
        return err_set(
            err, ERR_USAGE,
            "%.*s is no prefix one can declare, and XPath has no default namespace: write "
            "p=%.*s and p: before the names",
            STR_ARG(prefix), STR_ARG(str_slice(uri, 0, 100)));
    }
    if (find_entry(namespaces, prefix) != NULL) {
        return err_set(err, ERR_USAGE, "the prefix %.*s is declared twice",
                       STR_ARG(str_slice(prefix, 0, 100)));
    }
    add(namespaces, prefix, uri, true);
    return true;
}

static bool has_default(const struct namespaces *namespaces, struct str uri)
{
    for (size_t i = 0; i < namespaces->count; i++) {
        if (namespaces->entries[i].prefix[0] == 'd' &&
            str_equals(str_from(namespaces->entries[i].uri), uri)) {
            return true;
        }
    }
    return false;
}

/* d, d1, d2...: the first that is free. */
static void add_default(struct namespaces *namespaces, struct str uri)
{
    if (uri.len == 0 || has_default(namespaces, uri)) {
        return;
    }
    for (int i = 0; i <= NAMESPACES_CEILING; i++) {
        char prefix[16] = "d";
        if (i > 0) {
            (void)snprintf(prefix, sizeof(prefix), "d%d", i);
        }
        if (find_entry(namespaces, str_from(prefix)) == NULL) {
            add(namespaces, str_from(prefix), uri, false);
            return;
        }
    }
}

static void on_start(void *context, const struct sax_element *element)
{
    struct namespaces *namespaces = context;
    for (size_t i = 0; i < element->namespace_count; i++) {
        struct str prefix = str_from(element->namespaces[i * 2]);
        struct str uri = str_from(element->namespaces[i * 2 + 1]);
        if (namespaces->count >= NAMESPACES_CEILING) {
            return;
        }
        if (prefix.len == 0) {
            add_default(namespaces, uri);
        } else if (find_entry(namespaces, prefix) == NULL) {
            add(namespaces, prefix, uri, false);
        }
    }
}

void namespaces_take(struct namespaces *namespaces, struct str message)
{
    const struct sax_events events = {.start = on_start};
    struct sax *sax = sax_new(&events, namespaces, SAX_DOCTYPE_STOPS);
    sax_feed(sax, message);
    (void)sax_finish(sax);
    sax_free(sax);
}

enum namespace_kind namespaces_find(const struct namespaces *namespaces, struct str prefix,
                                    const char **uri)
{
    const struct namespace_entry *entry = find_entry(namespaces, prefix);
    *uri = entry == NULL ? NULL : entry->uri;
    if (entry != NULL && entry->is_given) {
        return NAMESPACE_URI;
    }
    if (str_equals(prefix, STR("s")) || str_equals(prefix, STR("soap"))) {
        return NAMESPACE_SOAP;
    }
    if (str_equals(prefix, STR("a")) || str_equals(prefix, STR("wsa"))) {
        return NAMESPACE_ADDRESSING;
    }
    return entry == NULL ? NAMESPACE_UNKNOWN : NAMESPACE_URI;
}
