/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Result files. They are opened before the run, because "no such directory" after an hour of load
 * would lose the hour, and opened for appending, because a run that cannot start must not empty the
 * result of the last one. Pipes work: they are opened once and have nothing to be replaced.
 */
#include "lather/cli/output_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <uv.h>

static bool fail_to_write(const struct output_file *file, int reason, struct err *err)
{
    return err_set(err, ERR_FILE, "%.300s: cannot write it: %s; %s", file->path,
                   reason == EISDIR ? "it is a directory"
                   : reason == 0    ? "input/output error"
                                    : strerror(reason),
                   reason == EFBIG ? "raise the limit of a file's size (ulimit -f)"
                                   : "name a file in a place that can be written");
}

bool output_file_open(struct output_file *file, const char *path, struct err *err)
{
    *file = (struct output_file){.path = path};
    if (path == NULL) {
        return true;
    }
    if (strcmp(path, "-") == 0) {
        return err_set(
            err, ERR_USAGE,
            "- would be standard output, where the report goes: name a file (./- for one "
            "of that name)");
    }
    errno = 0;
    file->stream = fopen(path, "wbx");
    if (file->stream == NULL && errno == EEXIST) {
        file->was_there = true;
        file->stream = fopen(path, "ab");
    }
    if (file->stream == NULL) {
        return fail_to_write(file, errno, err);
    }
    file->has_content = fseek(file->stream, 0, SEEK_END) == 0 && ftell(file->stream) > 0;
    return true;
}

bool output_file_begin(struct output_file *file, struct err *err)
{
    errno = 0;
    if (file->has_content) {
        file->stream = freopen(file->path, "wb", file->stream);
    }
    return file->stream != NULL || fail_to_write(file, errno, err);
}

bool output_file_add(struct output_file *file, struct str content, struct err *err)
{
    errno = 0;
    return content.len == 0 || fwrite(content.data, 1, content.len, file->stream) == content.len ||
           fail_to_write(file, errno, err);
}

bool output_file_end(struct output_file *file, struct err *err)
{
    /* A full disk may show only when the last bytes leave the stream, and some C libraries do not
       tell at closing. */
    errno = 0;
    bool is_written = fflush(file->stream) == 0;
    int reason = errno;
    if (fclose(file->stream) != 0 && is_written) {
        is_written = false;
        reason = errno;
    }
    file->stream = NULL;
    return is_written || fail_to_write(file, reason, err);
}

bool output_file_write(struct output_file *file, struct str content, struct err *err)
{
    return file->path == NULL ||
           (output_file_begin(file, err) && output_file_add(file, content, err) &&
            output_file_end(file, err));
}

void output_file_drop(struct output_file *file)
{
    if (file->stream == NULL) {
        return;
    }
    (void)fclose(file->stream);
    file->stream = NULL;
    if (!file->was_there) {
        (void)remove(file->path);
    }
}

/* What a name leads to, through links; false when that is no regular file. */
static bool find_file(const char *path, uv_stat_t *found)
{
    uv_fs_t request;
    bool is_found = uv_fs_stat(NULL, &request, path, NULL) == 0;
    *found = request.statbuf;
    uv_fs_req_cleanup(&request);
    return is_found && (found->st_mode & S_IFMT) == S_IFREG;
}

bool output_file_is_same(const char *path, const char *other)
{
    uv_stat_t one;
    uv_stat_t two;
    return find_file(path, &one) && find_file(other, &two) && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}
