/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From -p FILE to one message. What the file is is decided by its content (capture/recognise.h); a
 * bare envelope and any other bytes come through unchanged. The trap: the file is read whole before
 * anything else, so that a pipe on standard input is read once.
 */
#include "lather/cli/message_file.h"

#include <string.h>

#include "lather/base/file.h"
#include "lather/capture/pick.h"

/* A message is kept whole in memory and again in the plan; a HAR holds much besides it. */
static const uint64_t FILE_CEILING = 1ULL << 30;

/* So many names are listed when one has to be picked. */
enum { NAMES_LISTED = 8 };

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

static bool read_bytes(const struct options *options, const char *path, struct buf *content,
                       struct err *err)
{
    const char *option = options_has(options, OPTION_POST) ? "-p" : "-u";
    if (!file_read(path, FILE_CEILING, content, err)) {
        bool is_message = str_starts_with(str_trim(str_from(path)), STR("<"));
        struct err reason = *err;
        return err_set(err, reason.code, "%s: %.450s%s", option, reason.text,
                       is_message ? "" : "; name a file that holds one message");
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

/* "1 PlaceOrder, 4 GetOrder" */
static void list_names(struct buf *text, const struct capture *capture, const struct pick *pick)
{
    for (size_t i = 0; i < pick->count && i < NAMES_LISTED; i++) {
        buf_printf(text, "%s%zu %.60s", i == 0 ? "" : ", ", pick->indices[i] + 1,
                   capture->messages[pick->indices[i]].name);
    }
    if (pick->count > NAMES_LISTED) {
        buf_printf(text, " and %zu more", pick->count - NAMES_LISTED);
    }
}

static bool fail_several(const struct message_file *file, const struct pick *pick, struct err *err)
{
    struct buf names;
    buf_init(&names);
    list_names(&names, &file->capture, pick);
    (void)err_set(err, ERR_USAGE,
                  "%.200s holds %zu messages: choose one with --pick and its number or name (%s)",
                  file->path, pick->count, names.data);
    buf_deinit(&names);
    return false;
}

static bool choose(const struct options *options, struct message_file *file, struct err *err)
{
    const char *word = options_text(options, OPTION_PICK);
    struct pick pick = {.count = 0};
    bool is_chosen = pick_messages(&file->capture, &word, word == NULL ? 0 : 1, &pick, err);
    if (is_chosen && pick.count > 1) {
        is_chosen = fail_several(file, &pick, err);
    }
    if (is_chosen) {
        file->message = &file->capture.messages[pick.indices[0]];
    }
    pick_deinit(&pick);
    return is_chosen;
}

bool message_file_open(const struct options *options, struct message_file *file, struct err *err)
{
    const char *post = options_text(options, OPTION_POST);
    const char *path = post != NULL ? post : options_text(options, OPTION_PUT);
    *file = (struct message_file){.path = NULL};
    if (path == NULL) {
        return !options_has(options, OPTION_PICK) ||
               err_set(err, ERR_USAGE, "--pick says nothing without -p: give both");
    }
    struct buf content;
    buf_init(&content);
    bool is_read = read_bytes(options, path, &content, err) &&
                   capture_read(buf_view(&content), path, &file->capture, err);
    buf_deinit(&content);
    if (!is_read) {
        return false;
    }
    file->path = path;
    return true;
}

bool message_file_read(const struct options *options, struct message_file *file, struct buf *notes,
                       struct err *err)
{
    if (!message_file_open(options, file, err)) {
        return false;
    }
    if (file->path == NULL) {
        return true;
    }
    capture_append_notes(&file->capture, CAPTURE_NOTE_REMARK, notes);
    return choose(options, file, err);
}
