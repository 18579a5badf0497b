/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_FOLDER_H
#define LATHER_CLI_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

/* What a path leads to. What is neither file nor folder, a FIFO or a device, may never end. */
enum path_kind { PATH_NONE = 0, PATH_FILE, PATH_FOLDER, PATH_OTHER };

/* Follows links; PATH_NONE when nothing can be found out. */
enum path_kind folder_kind_of(const char *path);

/* What lies in a folder, by name. */
struct folder_names {
    char **items;
    size_t count;
};

/*
 * The names in a folder but for hidden ones (they begin with a dot), sorted by bytes: the same
 * order on every system. To be freed with folder_names_deinit, after a failure too.
 */
bool folder_read(struct folder_names *names, const char *folder, struct err *err) MUST_USE;
void folder_names_deinit(struct folder_names *names);

/* Appends the path of a name in a folder. */
void folder_append_path(struct buf *path, const char *folder, struct str name);

#endif
