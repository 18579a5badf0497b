/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_VERDICT_LINES_H
#define LATHER_CLI_VERDICT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/cli/options.h"

/*
 * Options that say what a good answer is, out of lines of text and of a command line, for
 * verdict_options_apply. Freed with verdict_lines_deinit.
 */
struct verdict_lines {
    struct options options; /* what was added so far; borrows the words */
    char **words;
    size_t count;
};

/* None at first; deinit frees what was added. */
void verdict_lines_init(struct verdict_lines *lines);
/* Also safe on a zeroed one. */
void verdict_lines_deinit(struct verdict_lines *lines);

/*
 * Adds lines: an option without quotes, "--expect-text TEXT" or "--one-way", the value going to the
 * line's end. Empty lines and those that begin with # are passed over. Only options about single
 * answers may stand there. Errors begin with "NAME:LINE: ".
 */
bool verdict_lines_add(struct verdict_lines *lines, struct str text, const char *name,
                       struct err *err) MUST_USE;

/*
 * Adds what a command line says about answers: it counts more than the lines before, unless an
 * option may be given more than once; then both count.
 */
void verdict_lines_add_options(struct verdict_lines *lines, const struct options *options);

#endif
