/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_EXPECT_FILE_H
#define LATHER_CLI_EXPECT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/cli/options.h"

/*
 * Options that hold for the messages of one file, as FILE.expect or a capture has them: one a line,
 * "--name value" with the value to the line's end as it stands, no quotes around it; empty lines
 * and those that begin with # say nothing. Only what is about one message and its answers is taken.
 */
struct expect_file {
    char *name;             /* for sentences */
    struct options options; /* what the lines say; texts are in words */
    char **words;           /* one a line that says something */
    size_t *lines;          /* where it stands, from 1 */
    size_t count;
};

/*
 * Reads such a file. Files named in it are looked for in its folder. Errors name file and line.
 * After a failure it is empty; deinit may follow in both cases.
 */
bool expect_file_read(struct expect_file *file, const char *path, struct err *err) MUST_USE;

/* The same of a text; folder, "" or with its last slash, is where files it names are. */
bool expect_file_parse(struct expect_file *file, struct str text, const char *name,
                       const char *folder, struct err *err) MUST_USE;
void expect_file_deinit(struct expect_file *file);

/* Whether it says anything. */
bool expect_file_has_any(const struct expect_file *file);

/*
 * The options with those of the file laid over them: repeatable ones are added, of the others the
 * file's count. Borrows from both; freed with expect_file_drop before they are.
 */
void expect_file_lay(const struct expect_file *file, const struct options *base,
                     struct options *laid);
void expect_file_drop(const struct options *base, struct options *laid);

/*
 * Puts "NAME:LINE: " before a sentence about what the file asks together ("NAME: " when no single
 * line is to blame): is_wrong is asked about the options of each line. Always false, to be
 * returned.
 */
bool expect_file_blame(const struct expect_file *file,
                       bool (*is_wrong)(void *context, const struct options *line), void *context,
                       struct err *err);

#endif
