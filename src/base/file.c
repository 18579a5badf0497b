/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole files in and out, binary: bytes are never converted, whatever the locale. Reading does not
 * ask for the length first, so that pipes, /dev/stdin and <(process substitution) work. An empty
 * file is no error here; whoever wanted content says so.
 */
#include "lather/base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/units.h"

enum { READ_STEP_BYTES = 64 * 1024 };

/* The path as a sentence quotes it: cut, so that the reason behind it is never cut off. */
static struct str quoted(const char *path)
{
    return str_slice(str_from(path), 0, 300);
}

static bool fail_to(const char *verb, const char *path, int reason, struct err *err)
{
    if (reason == EISDIR) {
        return err_set(err, ERR_FILE, "%.*s: cannot %s it: it is a directory",
                       STR_ARG(quoted(path)), verb);
    }
    return err_set(err, ERR_FILE, "%.*s: cannot %s it: %s", STR_ARG(quoted(path)), verb,
                   reason == 0 ? "input/output error" : strerror(reason));
}

static bool fail_to_open(const char *path, int reason, struct err *err)
{
    struct str start = str_trim(str_from(path));
    if (str_starts_with(start, STR("<"))) {
        return err_set(err, ERR_FILE,
                       "\"%.*s...\" is a message, not the name of a file: save it in a file and "
                       "give the file's name",
                       STR_ARG(str_slice(start, 0, 40)));
    }
    if (start.len == 0) {
        return err_set(err, ERR_FILE, "the name of the file to read is empty");
    }
    return fail_to("read", path, reason, err);
}

static bool read_all(FILE *stream, const char *path, uint64_t ceiling, struct buf *content,
                     struct err *err)
{
    uint64_t done = 0;
    for (;;) {
        char *place = buf_reserve(content, READ_STEP_BYTES);
        errno = 0;
        size_t got = fread(place, 1, READ_STEP_BYTES, stream);
        content->len += got;
        done += got;
        if (done > ceiling) {
            char limit[UNITS_TEXT_SIZE];
            return err_set(err, ERR_FILE, "%.*s: larger than the limit of %s (%llu bytes)",
                           STR_ARG(quoted(path)), units_format_size(ceiling, limit),
                           (unsigned long long)ceiling);
        }
        if (got < READ_STEP_BYTES) {
            return !ferror(stream) || fail_to("read", path, errno, err);
        }
    }
}

bool file_read(const char *path, uint64_t ceiling, struct buf *content, struct err *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    const char *shown = is_stdin ? "standard input" : path;
    errno = 0;
    FILE *stream = is_stdin ? stdin : fopen(path, "rb");
    if (stream == NULL) {
        return fail_to_open(shown, errno, err);
    }
    size_t len_before = content->len;
    bool is_read = read_all(stream, shown, ceiling, content, err);
    if (!is_read) {
        content->len = len_before;
    }
    buf_append(content, NULL, 0);
    if (!is_stdin) {
        (void)fclose(stream);
    }
    return is_read;
}

bool file_write(const char *path, struct str content, struct err *err)
{
    errno = 0;
    FILE *stream = fopen(path, "wb");
    if (stream == NULL) {
        return fail_to("write", path, errno, err);
    }
    int reason = 0;
    bool is_written = true;
    /* A full disk may show only when the last bytes leave the stream, and some C libraries do not
       tell at closing. */
    if ((content.len > 0 && fwrite(content.data, 1, content.len, stream) != content.len) ||
        fflush(stream) != 0) {
        reason = errno;
        is_written = false;
    }
    if (fclose(stream) != 0 && is_written) {
        reason = errno;
        is_written = false;
    }
    return is_written || fail_to("write", path, reason, err);
}

static struct str folder_of(const char *path)
{
    struct str folder = str_from(path);
    while (folder.len > 0 && folder.data[folder.len - 1] != '/' &&
           folder.data[folder.len - 1] != '\\') {
        folder.len--;
    }
    return folder;
}

char *file_folder(const char *path)
{
    return str_dup(folder_of(path));
}

static bool is_absolute(struct str path)
{
    const bool has_drive = path.len > 2 && path.data[1] == ':';
    return has_drive || str_starts_with(path, STR("/")) || str_starts_with(path, STR("\\"));
}

char *file_beside(const char *path, struct str name)
{
    struct buf made;
    buf_init(&made);
    buf_append_str(&made, is_absolute(name) ? STR("") : folder_of(path));
    buf_append_str(&made, name);
    char *copy = str_dup(buf_view(&made));
    buf_deinit(&made);
    return copy;
}
