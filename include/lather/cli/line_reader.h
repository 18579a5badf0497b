/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_LINE_READER_H
#define LATHER_CLI_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

/* Bytes of a place, "NAME:LINE", its NUL included. */
enum { LINE_READER_PLACE_SIZE = 232 };

/*
 * A walk over the lines of a text that a person wrote: a byte order mark in front is left out, and
 * so are lines that say nothing: blank ones, and those that begin with #. In caller's storage;
 * nothing to free.
 */
struct line_reader {
    struct str line; /* the line read last, without its end; blanks around it are kept */
    size_t number;   /* its number in the text, from 1; 0 before the first */
    struct str rest;
    const char *name;
};

/* Starts a walk; both are borrowed. `name` is the text's, for sentences. */
void line_reader_begin(struct line_reader *reader, struct str text, const char *name);

/* The next line that says something; false when there is none. Linear. */
bool line_reader_next(struct line_reader *reader) MUST_USE;

/* Where a line stands, "NAME:LINE", NAME cut at 200 bytes; without a line, 0, "NAME". Returns
   text. */
const char *line_reader_place(const char *name, size_t line, char text[LINE_READER_PLACE_SIZE]);

/* Puts the place of the line read last before a sentence. Always false, to be returned. */
bool line_reader_blame(const struct line_reader *reader, struct err *err);

#endif
