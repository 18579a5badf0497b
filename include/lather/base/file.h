/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_FILE_H
#define LATHER_BASE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

/*
 * Reads a file whole, binary, into content (which must be initialised; what it held is kept in
 * front). "-" is standard input. Refuses directories and more than `ceiling` bytes. The sentence
 * in err names the file and the reason; content is then as it was. An empty file is no error.
 */
bool file_read(const char *path, uint64_t ceiling, struct buf *content, struct err *err) MUST_USE;

/* The folder part of a path, with its last slash or backslash; "" when it has none. The caller
   frees it. */
char *file_folder(const char *path) MUST_USE;

/*
 * Which file `name` means when it stands in the file at `path`: itself when it is absolute (with /,
 * \ or a drive in front), else one in the same folder. A path that ends in a slash is a folder. The
 * caller frees it.
 */
char *file_beside(const char *path, struct str name) MUST_USE;

/* Writes a file whole, replacing it. After a failure it may hold a part. */
bool file_write(const char *path, struct str content, struct err *err) MUST_USE;

#endif
