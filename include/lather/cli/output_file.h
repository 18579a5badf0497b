/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_OUTPUT_FILE_H
#define LATHER_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "lather/base/err.h"
#include "lather/base/str.h"

/* A file to be written after a run and opened before it; the caller's storage. */
struct output_file {
    const char *path; /* borrowed; NULL: not asked for */
    FILE *stream;
    bool was_there;   /* existed before, so it is not ours to remove */
    bool has_content; /* and held something, which is replaced only when there is a result */
};

/*
 * Opens path for writing without touching what it holds, so that a run need not be repeated
 * because its result has no place. NULL asks for nothing and succeeds; "-" is refused, as
 * standard output is the report's.
 */
bool output_file_open(struct output_file *file, const char *path, struct err *err) MUST_USE;

/* Replaces the content and closes the file. Nothing happens when it was not asked for. */
bool output_file_write(struct output_file *file, struct str content, struct err *err) MUST_USE;

/*
 * The same piece by piece, of a file that was asked for: begin takes out what was there, end
 * closes. After a failure only output_file_drop may follow.
 */
bool output_file_begin(struct output_file *file, struct err *err) MUST_USE;
bool output_file_add(struct output_file *file, struct str content, struct err *err) MUST_USE;
bool output_file_end(struct output_file *file, struct err *err) MUST_USE;

/* Closes without writing; removes the file if opening had made it. Safe after write. */
void output_file_drop(struct output_file *file);

/*
 * Whether two names lead to one regular file: "a" and "./a", a link and its target. Names of
 * nothing, of devices and of pipes never do.
 */
bool output_file_is_same(const char *path, const char *other);

#endif
