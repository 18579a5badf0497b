/* SPDX-License-Identifier: Apache-2.0 */
/* A whole command line, one word a line of the input: read for each command, or refused with a
 * sentence. */
#include <stdlib.h>

#include "fuzz.h"
#include "lather/base/check.h"
#include "lather/cli/options.h"

enum { WORDS_CEILING = 64 };

/* Cuts a copy of the input at its line ends (and NULs); returns the number of words. */
static int split(char *text, size_t size, const char **words)
{
    int count = 0;
    bool at_start = true;
    for (size_t i = 0; i < size; i++) {
        if (at_start && count < WORDS_CEILING) {
            words[count++] = text + i;
        }
        at_start = text[i] == '\n' || text[i] == '\0';
        text[i] = text[i] == '\n' ? '\0' : text[i];
    }
    text[size] = '\0';
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = check_malloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        text[i] = (char)data[i];
    }
    const char *words[WORDS_CEILING];
    int count = split(text, size, words);
    for (int command = 0; command < COMMAND_COUNT; command++) {
        struct options options;
        struct err err = {0};
        options_init(&options);
        if (!options_parse(&options, (enum command)command, count, words, &err)) {
            CHECK(err.code != ERR_NONE && err.text[0] != '\0');
        }
        options_deinit(&options);
    }
    free(text);
    return 0;
}
