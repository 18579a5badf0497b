/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_POST_FILES_H
#define LATHER_CLI_POST_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/options.h"

/* A file that -p or -u names, alone or by its folder. Owned. */
struct post_file {
    char *path; /* "-" is standard input */
    uint32_t weight;
    bool is_stream;    /* standard input, a FIFO or a device: can be read once only */
    char *expect_path; /* the file of that name and ".expect" beside it; NULL: there is none */
};

struct post_files {
    struct post_file *items;
    size_t count;
    struct buf notes; /* what of a folder was left out although it is seen, a line each */
};

enum { POST_FILES_WEIGHT_MOST = 100000 };

/*
 * All files of -p (in order, FILE@WEIGHT; of a folder its files by name, hidden ones,
 * expectations and what is no regular file left out) or the one of -u; none when neither was given.
 * A file whose name holds an @ is itself. Nothing is read but names; files that are not there are
 * told when they are read. Standard input twice is refused. After a failure files is empty.
 */
bool post_files_find(struct post_files *files, const struct options *options,
                     struct err *err) MUST_USE;
void post_files_deinit(struct post_files *files);

/* Whether a regular file is called so. */
bool post_files_is_file(const char *path);

#endif
