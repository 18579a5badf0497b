/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last resort: what must hold for figures to be believed, and memory without which a run
 * cannot go on. It does not report errors of the user or the network; those travel in struct err.
 * A newcomer's trap: CHECK is not assert, its condition is evaluated in release builds too.
 */
#include "lather/base/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "lather/base/platform.h"

_Noreturn void check_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "lather: %s:%d: this should always hold and does not: %s\n", file, line,
            condition);
    abort();
}

static _Noreturn void out_of_memory(size_t count, size_t bytes)
{
    fprintf(
        stderr,
        "lather: out of memory: the system did not give %zu x %zu bytes; use a lower -c, smaller "
        "messages, or a machine with more\n",
        count, bytes);
    _Exit(CHECK_NO_MEMORY_STATUS); /* not exit(): other threads are at work */
}

/* Zero bytes may give NULL (C17 7.22.3), which would read as failure: ask for one. */
static size_t at_least_one(size_t bytes)
{
    return bytes == 0 ? 1 : bytes;
}

void *check_malloc(size_t bytes)
{
    void *memory = malloc(at_least_one(bytes));
    if (memory == NULL) {
        out_of_memory(1, bytes);
    }
    return memory;
}

void *check_calloc(size_t count, size_t bytes)
{
    void *memory = calloc(at_least_one(count), at_least_one(bytes));
    if (memory == NULL) {
        out_of_memory(count, bytes);
    }
    return memory;
}

void *check_pages(size_t bytes)
{
    void *pages = platform_pages(bytes);
    if (pages == NULL) {
        out_of_memory(1, bytes);
    }
    return pages;
}

void *check_realloc(void *memory, size_t bytes)
{
    void *moved = realloc(memory, at_least_one(bytes));
    if (moved == NULL) {
        out_of_memory(1, bytes);
    }
    return moved;
}
