/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From -p FILE to one message. What the file is is decided by its content (capture/recognise.h); a
 * bare envelope and any other bytes come through unchanged. The trap: the file is read whole before
 * anything else, so that a pipe on standard input is read once.
 */
#include "lather/cli/message_file.h"

#include <string.h>

#include "lather/base/file.h"

/* A message is kept whole in memory and again in the plan; a HAR holds much besides it. */
static const uint64_t FILE_CEILING = 1ULL << 30;

bool message_file_is_capture(const struct message_file *file)
{
    return file->message != NULL && !capture_kind_is_body(file->capture.kind);
}

void message_file_deinit(struct message_file *file)
{
    if (file->path != NULL) {
        capture_deinit(&file->capture);
    }
    *file = (struct message_file){.path = NULL};
}

/* What to do about a file that cannot be read. */
static const char *advice_for(const char *path)
{
    if (str_starts_with(str_trim(str_from(path)), STR("<"))) {
        return ""; /* a message in place of its file, which has been said */
    }
    if (strstr(path, "://") != NULL) {
        return "; it looks like a URL, which stands by itself: -p FILE URL";
    }
    return strpbrk(path, "*?") != NULL
               ? "; * and ? stand for other letters only where a file fits, and not in quotes: "
                 "name the folder to send each file in it"
               : "; name a file that holds one message";
}

static bool read_bytes(const struct options *options, const char *path, struct buf *content,
                       struct err *err)
{
    const char *option = options_has(options, OPTION_POST) ? "-p" : "-u";
    if (!file_read(path, FILE_CEILING, content, err)) {
        struct err reason = *err;
        return err_set(err, reason.code, "%s: %.450s%s", option, reason.text, advice_for(path));
    }
    if (content->len == 0) {
        return err_set(err, ERR_FILE,
                       "%s: %.300s is empty, there is nothing to send: name a file with a message, "
                       "or give only -m %s",
                       option, strcmp(path, "-") == 0 ? "standard input" : path,
                       options_has(options, OPTION_POST) ? "POST" : "PUT");
    }
    return true;
}

bool message_file_open_path(const struct options *options, const char *path,
                            struct message_file *file, struct err *err)
{
    struct buf content;
    *file = (struct message_file){.path = NULL};
    buf_init(&content);
    bool is_read = read_bytes(options, path, &content, err) &&
                   capture_read(buf_view(&content), path, &file->capture, err);
    buf_deinit(&content);
    file->path = is_read ? path : NULL;
    return is_read;
}
