/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders given where files are: what is in them, in one order. Nothing is opened here, and nothing
 * below a folder's own names is looked at.
 */
#include "lather/cli/folder.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum path_kind folder_kind_of(const char *path)
{
    uv_fs_t request;
    const int status = uv_fs_stat(NULL, &request, path, NULL);
    const uint64_t type = status == 0 ? request.statbuf.st_mode & S_IFMT : 0;
    uv_fs_req_cleanup(&request);
    if (status != 0) {
        return PATH_NONE;
    }
    return type == S_IFDIR ? PATH_FOLDER : type == S_IFREG ? PATH_FILE : PATH_OTHER;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool folder_read(struct folder_names *names, const char *folder, struct err *err)
{
    uv_fs_t request;
    uv_dirent_t entry;
    *names = (struct folder_names){.count = 0};
    const int status = uv_fs_scandir(NULL, &request, folder, 0, NULL);
    if (status < 0) {
        uv_fs_req_cleanup(&request);
        return err_set(err, ERR_FILE, "%.300s: cannot read this folder: %s", folder,
                       uv_strerror(status));
    }
    while (uv_fs_scandir_next(&request, &entry) == 0) {
        if (entry.name[0] != '.') {
            names->items = check_realloc(names->items, (names->count + 1) * sizeof *names->items);
            names->items[names->count++] = str_dup(str_from(entry.name));
        }
    }
    uv_fs_req_cleanup(&request);
    if (names->count > 0) {
        qsort(names->items, names->count, sizeof *names->items, by_bytes);
    }
    return true;
}

void folder_names_deinit(struct folder_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->items[i]);
    }
    free(names->items);
    *names = (struct folder_names){.count = 0};
}

void folder_append_path(struct buf *path, const char *folder, struct str name)
{
    const struct str start = str_from(folder);
    buf_append_str(path, start);
    if (!str_ends_with(start, STR("/")) && !str_ends_with(start, STR("\\"))) {
        buf_append_byte(path, '/');
    }
    buf_append_str(path, name);
}
