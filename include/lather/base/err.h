/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_ERR_H
#define LATHER_BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"

/* What a failure is about; the command line turns it into an exit status. */
enum err_code {
    ERR_NONE = 0,
    ERR_USAGE,   /* an option or argument is wrong */
    ERR_FILE,    /* a file cannot be opened, read or written */
    ERR_FORMAT,  /* a file or text is not what it should be */
    ERR_RESOLVE, /* a host name has no address */
    ERR_LIMIT,   /* descriptors, ports or another limit of this machine */
    ERR_MEMORY,  /* no memory */
    ERR_SYSTEM,  /* another failure of the operating system */
    ERR_COUNT
};

enum { ERR_TEXT_SIZE = 512 };

/*
 * A failure: its kind and one sentence that a tester can act on, naming the file, line or option.
 * Fallible functions take it last and return false; it is filled only on failure.
 */
struct err {
    enum err_code code;
    char text[ERR_TEXT_SIZE];
};

/*
 * Fills err, cutting the sentence at ERR_TEXT_SIZE - 1 bytes. err may be NULL. Always returns
 * false, so that `return err_set(err, ...)` ends a fallible function.
 */
PRINTF_LIKE(3, 4)
bool err_set(struct err *err, enum err_code code, const char *format, ...);

/* err_set with an argument list. */
PRINTF_LIKE(3, 0)
bool err_set_list(struct err *err, enum err_code code, const char *format, va_list arguments);

/*
 * Puts "prefix: " in front of the sentence, so that a caller can name the file or option the
 * callee did not know. Always returns false.
 */
bool err_prefix(struct err *err, const char *prefix);

#endif
