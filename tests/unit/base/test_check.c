/* SPDX-License-Identifier: Apache-2.0 */
/* The last resort must really stop the process, in every build, and say why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lather/base/check.h"

enum { SAID_SIZE = 4096 };

/* Otherwise the address sanitizer ends the program by itself. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* Runs `act` in a child; returns its wait status, with the start of its stderr in said. */
static int run_in_child(void (*act)(void), char said[SAID_SIZE])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        act();
        _exit(0);
    }
    (void)close(ends[1]);
    size_t len = 0;
    ssize_t got;
    char rest[256];
    while ((got = read(ends[0], rest, sizeof rest)) > 0) {
        size_t kept = (size_t)got < SAID_SIZE - 1 - len ? (size_t)got : SAID_SIZE - 1 - len;
        memcpy(said + len, rest, kept);
        len += kept;
    }
    said[len] = '\0';
    (void)close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void break_a_promise(void)
{
    int books = 1;
    CHECK(books == 2);
}

static void ask_for_all_memory(void)
{
    volatile size_t bytes = SIZE_MAX / 2;
    free(check_malloc(bytes));
}

static void ask_for_more_than_size_t_counts(void)
{
    volatile size_t count = SIZE_MAX / 2;
    free(check_calloc(count, 4));
}

static void grow_to_all_memory(void)
{
    volatile size_t bytes = SIZE_MAX / 2;
    free(check_realloc(check_malloc(8), bytes));
}

static void a_false_condition_aborts_and_is_named(void **state)
{
    (void)state;
    char said[SAID_SIZE];
    int status = run_in_child(break_a_promise, said);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_non_null(strstr(said, "books == 2"));
    assert_non_null(strstr(said, "test_check.c:"));
}

static void a_true_condition_is_evaluated_once_in_every_build(void **state)
{
    (void)state;
    int evaluations = 0;
    CHECK(++evaluations == 1);
    assert_int_equal(evaluations, 1);
}

static void memory_that_is_not_there_ends_the_program_with_a_sentence(void **state)
{
    (void)state;
    void (*const acts[])(void) = {ask_for_all_memory, ask_for_more_than_size_t_counts,
                                  grow_to_all_memory};
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        char said[SAID_SIZE];
        int status = run_in_child(acts[i], said);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), CHECK_NO_MEMORY_STATUS);
        assert_non_null(strstr(said, "lather: out of memory"));
        assert_non_null(strstr(said, "lower -c"));
    }
}

static void no_bytes_are_memory_too(void **state)
{
    (void)state;
    void *memory = check_malloc(0);
    assert_non_null(memory);
    memory = check_realloc(memory, 0);
    assert_non_null(memory);
    free(memory);
    memory = check_calloc(0, 16);
    assert_non_null(memory);
    free(memory);
}

static void calloc_gives_zeroes(void **state)
{
    (void)state;
    unsigned char *memory = check_calloc(100, 7);
    for (size_t i = 0; i < 700; i++) {
        assert_int_equal(memory[i], 0);
    }
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_false_condition_aborts_and_is_named),
        cmocka_unit_test(a_true_condition_is_evaluated_once_in_every_build),
        cmocka_unit_test(memory_that_is_not_there_ends_the_program_with_a_sentence),
        cmocka_unit_test(no_bytes_are_memory_too),
        cmocka_unit_test(calloc_gives_zeroes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
