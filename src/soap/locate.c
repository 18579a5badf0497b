/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which file on disk is meant by a location in a schema or WSDL. Nothing is fetched: an address of
 * the network stands for a file of that name beside the one that names it, as tools save them.
 * Absolute paths are treated the same, so that a schema from a stranger opens nothing elsewhere.
 */
#include "lather/soap/locate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "lather/base/buf.h"

static bool file_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        (void)fclose(file);
    }
    return file != NULL;
}

static char *joined(const char *folder, struct str name, const char *ending)
{
    struct buf path;
    buf_init(&path);
    buf_printf(&path, "%s%.*s%s", folder, STR_ARG(name), ending);
    return buf_take(&path);
}

/* What may be a file for a location of the network: its last segment, or its query's value. */
static char *file_for_address(const char *folder, struct str location)
{
    struct str path;
    struct str query;
    (void)str_split(location, '?', &path, &query);
    size_t from = path.len;
    while (from > 0 && path.data[from - 1] != '/') {
        from--;
    }
    struct str segment = str_slice(path, from, path.len);
    struct str key;
    struct str value;
    (void)str_split(query, '=', &key, &value);
    const struct {
        struct str name;
        const char *ending;
    } tries[] = {{value, ".xsd"}, {value, ".wsdl"}, {value, ""}, {segment, ""}, {segment, ".xsd"}};
    for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        bool is_name = tries[i].name.len > 0 && str_find_byte(tries[i].name, '/') == SIZE_MAX &&
                       str_find_byte(tries[i].name, '\\') == SIZE_MAX;
        char *file = is_name ? joined(folder, tries[i].name, tries[i].ending) : NULL;
        if (file != NULL && file_exists(file)) {
            return file;
        }
        free(file);
    }
    return NULL;
}

char *locate_file(const char *folder, const char *location)
{
    struct str text = str_trim(str_from(location));
    if (text.len == 0) {
        return NULL;
    }
    bool is_absolute = text.data[0] == '/' || text.data[0] == '\\';
    if (str_find(text, STR("://")) != SIZE_MAX || str_find_byte(text, '?') != SIZE_MAX ||
        is_absolute || str_find_byte(text, ':') != SIZE_MAX) {
        return file_for_address(folder, text);
    }
    char *file = joined(folder, text, "");
    if (!file_exists(file)) {
        free(file);
        return NULL;
    }
    return file;
}
