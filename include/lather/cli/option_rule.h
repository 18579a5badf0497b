/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_OPTION_RULE_H
#define LATHER_CLI_OPTION_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/err.h"
#include "lather/base/str.h"

/* What the value of an option is, and so how it is read. */
enum option_kind {
    OPTION_KIND_FLAG = 0,     /* takes no value */
    OPTION_KIND_NUMBER,       /* a whole number within the bounds */
    OPTION_KIND_DURATION,     /* as units.h reads them; bounds in ns */
    OPTION_KIND_MILLISECONDS, /* the same, a bare number being milliseconds */
    OPTION_KIND_SIZE,         /* as units.h reads them; bounds in bytes */
    OPTION_KIND_RATE,         /* as units.h reads them; bounds in millionths a second */
    OPTION_KIND_FRACTION,     /* a percentage or a part of one; bounds in parts per million */
    OPTION_KIND_TEXT,         /* `least` bytes or more; given twice, the last counts, as in ab */
    OPTION_KIND_LIST,         /* as text; given again, all count */
    OPTION_KIND_OPTIONAL,     /* a long name alone, or with a text behind "=" */
    OPTION_KIND_COUNT
};

/* What of a value must not be shown where the command line is echoed. */
enum option_secrecy {
    OPTION_OPEN = 0,
    OPTION_SECRET_PASSWORD, /* user:password */
    OPTION_SECRET_COOKIE,   /* name=value */
    OPTION_SECRET_FIELD,    /* the value of a header field that carries credentials */
    OPTION_SECRECY_COUNT
};

/* What may follow an option. */
struct option_rule {
    enum option_kind kind;
    const char *argument; /* the word for the value; NULL for a flag */
    uint64_t least;       /* bounds of the value, both included */
    uint64_t most;
    enum option_secrecy secrecy;
};

/*
 * Reads a value by its rule. Texts and lists are only held against their least length; flags take
 * everything; neither touches *number. On failure the sentence does not name the option.
 */
bool option_rule_read(const struct option_rule *rule, struct str text, uint64_t *number,
                      struct err *err) MUST_USE;

#endif
