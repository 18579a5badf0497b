/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_TESTS_TYPED_H
#define LATHER_TESTS_TYPED_H

/* Options as a user types them, in tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/cli/options.h"

enum { WORDS_MOST = 32 };

/* Words up to NULL. The options are there to be freed in either case. */
static inline bool typed_parse(struct options *options, enum command command,
                               const char *const *words, struct err *err)
{
    int count = 0;
    options_init(options);
    while (words[count] != NULL) {
        count++;
    }
    return options_parse(options, command, count, words, err);
}

/* Of a run; they must be taken. */
static inline void typed_run(struct options *options, const char *const *words)
{
    struct err err = {0};
    if (!typed_parse(options, COMMAND_RUN, words, &err)) {
        fail_msg("refused: %s", err.text);
    }
}

#endif
