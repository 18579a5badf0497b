/* SPDX-License-Identifier: Apache-2.0 */
/* What the system tells is in the right unit and within reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lather/base/clock.h"
#include "lather/base/platform.h"

/* Runs `judge` in a child, whose limits may be lowered for good; its answer is the exit status. */
static int judge_in_child(int (*judge)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(judge());
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int raise_a_soft_limit(void)
{
    struct rlimit limit = {.rlim_cur = 64, .rlim_max = 128};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 1;
    }
    if (!platform_raise_descriptor_limit(64, NULL) || getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
        limit.rlim_cur != 64) {
        return 2;
    }
    if (!platform_raise_descriptor_limit(128, NULL) || getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 3;
    }
    return limit.rlim_cur == 128 && limit.rlim_max == 128 ? 0 : 4;
}

static int ask_past_the_hard_limit(void)
{
    struct rlimit limit = {.rlim_cur = 64, .rlim_max = 128};
    struct err err = {0};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 1;
    }
    if (platform_raise_descriptor_limit(2000, &err) || err.code != ERR_LIMIT) {
        return 2;
    }
    if (strstr(err.text, "2000 open descriptors") == NULL || strstr(err.text, "128") == NULL ||
        strstr(err.text, "ulimit -n 2000") == NULL) {
        return 3;
    }
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 64 ? 0 : 4;
}

/* B145 */
static void a_soft_limit_is_raised_only_when_needed(void **state)
{
    (void)state;
    assert_int_equal(judge_in_child(raise_a_soft_limit), 0);
}

/* B145 */
static void a_hard_limit_is_named_with_the_number_needed(void **state)
{
    (void)state;
    assert_int_equal(judge_in_child(ask_past_the_hard_limit), 0);
}

static void cpu_time_grows_with_work_and_not_with_sleep(void **state)
{
    (void)state;
    uint64_t before_ns = platform_thread_cpu_ns();
    const struct timespec rest = {.tv_nsec = 200 * 1000 * 1000};
    assert_int_equal(nanosleep(&rest, NULL), 0);
    assert_true(platform_thread_cpu_ns() - before_ns < 100 * NS_PER_MS);

    uint64_t process_before_ns = platform_process_cpu_ns();
    uint64_t start_ns = platform_thread_cpu_ns();
    while (platform_thread_cpu_ns() - start_ns < 20 * NS_PER_MS) {
    }
    assert_true(platform_process_cpu_ns() - process_before_ns >= 19 * NS_PER_MS);
}

static void peak_memory_is_counted_in_bytes_and_kept(void **state)
{
    (void)state;
    enum { BLOCK_BYTES = 64 << 20 };
    uint64_t before = platform_peak_memory_bytes();
    assert_true(before > 100 * 1024);
    unsigned char *block = test_malloc(BLOCK_BYTES);
    memset(block, 1, BLOCK_BYTES);
    uint64_t during = platform_peak_memory_bytes();
    test_free(block);
    assert_true(during - before > BLOCK_BYTES / 2);
    assert_true(during < 1ULL << 40);
    /* Linux counts in batches per processor and so is off by some pages. */
    assert_true(platform_peak_memory_bytes() + (1 << 20) > during);
}

static void limits_of_the_network_are_within_reason(void **state)
{
    (void)state;
    assert_in_range(platform_ephemeral_port_count(), 0, 65535);
    assert_true(platform_listen_backlog_limit() < 1U << 31);
#if defined(__linux__)
    assert_true(platform_ephemeral_port_count() > 0);
    assert_true(platform_listen_backlog_limit() > 0);
#endif
}

static void there_is_a_processor(void **state)
{
    (void)state;
    assert_in_range(platform_processor_count(), 1, 65536);
}

static void random_bytes_fill_every_place_and_differ(void **state)
{
    (void)state;
    unsigned char bytes[1000];
    unsigned char others[1000];
    unsigned char seen[1000] = {0};
    /* A byte that stays 0 over 20 draws is one that is not written (256^-20 by chance). */
    for (int draw = 0; draw < 20; draw++) {
        memset(bytes, 0, sizeof bytes);
        platform_random_bytes(bytes, sizeof bytes);
        for (size_t i = 0; i < sizeof bytes; i++) {
            seen[i] |= bytes[i];
        }
    }
    for (size_t i = 0; i < sizeof seen; i++) {
        assert_int_not_equal(seen[i], 0);
    }
    platform_random_bytes(others, sizeof others);
    assert_memory_not_equal(bytes, others, sizeof bytes);
}

static void random_bytes_stay_within_their_count(void **state)
{
    (void)state;
    unsigned char bytes[300];
    memset(bytes, 0xAA, sizeof bytes);
    platform_random_bytes(bytes, 257);
    for (size_t i = 257; i < sizeof bytes; i++) {
        assert_int_equal(bytes[i], 0xAA);
    }
    platform_random_bytes(NULL, 0);
}

static void quickack_works_on_tcp_where_it_is_known(void **state)
{
    (void)state;
    int tcp = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(tcp >= 0);
    assert_int_equal(platform_quickack(tcp), platform_has_quickack());
    (void)close(tcp);
    assert_false(platform_quickack(-1));
}

static int report_the_terminal(void)
{
    int ends[2];
    if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0) {
        return 2;
    }
    return platform_stderr_is_terminal() ? 1 : 0;
}

static void a_pipe_is_no_terminal(void **state)
{
    (void)state;
    assert_int_equal(judge_in_child(report_the_terminal), 0);
}

static void any_thread_name_is_taken(void **state)
{
    (void)state;
    platform_name_thread("");
    platform_name_thread("a name that is much too long for the kernel");
    platform_name_thread("test");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_soft_limit_is_raised_only_when_needed),
        cmocka_unit_test(a_hard_limit_is_named_with_the_number_needed),
        cmocka_unit_test(cpu_time_grows_with_work_and_not_with_sleep),
        cmocka_unit_test(peak_memory_is_counted_in_bytes_and_kept),
        cmocka_unit_test(limits_of_the_network_are_within_reason),
        cmocka_unit_test(there_is_a_processor),
        cmocka_unit_test(random_bytes_fill_every_place_and_differ),
        cmocka_unit_test(random_bytes_stay_within_their_count),
        cmocka_unit_test(quickack_works_on_tcp_where_it_is_known),
        cmocka_unit_test(a_pipe_is_no_terminal),
        cmocka_unit_test(any_thread_name_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
