/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in for libFuzzer where a fuzz target is built without it: gives the target each file named
 * on the command line, whole and, up to a size, cut off at each of its bytes. So that the corpus
 * is a test for every compiler, and truncation is tried for every parser.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "lather/base/check.h"

enum {
    INPUT_CEILING = 1 << 20,
    CUTS_CEILING = 4096 /* cuts cost the square of the length: 8 MB read for 4 KB */
};

/* Each input in memory of its own length, so that a sanitizer sees a read behind its end. */
static void give(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = check_malloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        copy[i] = bytes[i];
    }
    copy = check_realloc(copy, size > 0 ? size : 1);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int argc, char **argv)
{
    uint8_t *bytes = check_malloc(INPUT_CEILING);
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 1;
        }
        size_t size = fread(bytes, 1, INPUT_CEILING, file);
        (void)fclose(file);
        give(bytes, size);
        for (size_t cut = 0; cut < size && size <= CUTS_CEILING; cut++) {
            give(bytes, cut);
        }
    }
    free(bytes);
    printf("%d inputs\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
