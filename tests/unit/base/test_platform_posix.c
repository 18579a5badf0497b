/* SPDX-License-Identifier: Apache-2.0 */
/* What POSIX systems alone have, and what a child process must try; the rest is in test_platform.c.
 */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_soft_limit_is_raised_only_when_needed),
        cmocka_unit_test(a_hard_limit_is_named_with_the_number_needed),
        cmocka_unit_test(limits_of_the_network_are_within_reason),
        cmocka_unit_test(quickack_works_on_tcp_where_it_is_known),
        cmocka_unit_test(a_pipe_is_no_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
