/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into the program, it counts what the program's own code allocates on the threads it
 * started, which are its workers; calls by libraries and what the main thread does before and after
 * the run are not counted. At the end the count is written to the file that LATHER_ALLOCATIONS
 * names. For glibc: it knows the allocator behind malloc by name.
 */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static atomic_ullong allocations;
static uintptr_t program_start; /* of its code; the program comes first in the list of objects */
static uintptr_t program_end;
static pthread_t main_thread;

static int find_program(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
            program_start = object->dlpi_addr + part->p_vaddr;
            program_end = program_start + part->p_memsz;
        }
    }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    main_thread = pthread_self();
    (void)dl_iterate_phdr(find_program, NULL);
}

static void count(const void *caller)
{
    const uintptr_t place = (uintptr_t)caller;
    if (place >= program_start && place < program_end &&
        !pthread_equal(pthread_self(), main_thread)) {
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    }
}

void *malloc(size_t bytes)
{
    count(__builtin_return_address(0));
    return __libc_malloc(bytes);
}

void *calloc(size_t count_of, size_t bytes)
{
    count(__builtin_return_address(0));
    return __libc_calloc(count_of, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    count(__builtin_return_address(0));
    return __libc_realloc(memory, bytes);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("LATHER_ALLOCATIONS");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%llu\n", (unsigned long long)atomic_load(&allocations));
        fclose(file);
    }
}
