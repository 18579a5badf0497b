/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_MESSAGE_FILE_H
#define LATHER_CLI_MESSAGE_FILE_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/capture/capture.h"
#include "lather/cli/options.h"

/*
 * The message of -p or -u as it was given: the bytes of a file, or one message of a capture. Freed
 * with message_file_deinit.
 */
struct message_file {
    const char *path; /* as typed; NULL when neither option was given */
    struct capture capture;
    const struct capture_message *message; /* in capture; NULL without a file */
};

/*
 * Reads the file at `path`, which must outlive it, and chooses nothing: file->message is NULL. A
 * sentence names the option, -p or -u. Where it fails nothing needs to be freed.
 */
bool message_file_open_path(const struct options *options, const char *path,
                            struct message_file *file, struct err *err) MUST_USE;

/* Frees what was read; safe on a zeroed one. */
void message_file_deinit(struct message_file *file);

/* Whether the message comes from a capture, which brings URL, method and fields with it. */
bool message_file_is_capture(const struct message_file *file);

#endif
