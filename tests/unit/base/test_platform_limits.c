/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits that this kernel would not let a test set: the C library's calls are replaced here by ones
 * that keep a limit of their own. They live in this executable only.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lather/base/platform.h"

/* The stand-ins have no parameter to carry it. */
static struct {
    struct rlimit limit;
    rlim_t kernel_ceiling;
    unsigned set_calls;
} fake;

int getrlimit(int resource, struct rlimit *limit)
{
    if (resource != RLIMIT_NOFILE) {
        return (int)syscall(SYS_prlimit64, 0, resource, NULL, limit);
    }
    *limit = fake.limit;
    return 0;
}

int setrlimit(int resource, const struct rlimit *limit)
{
    if (resource != RLIMIT_NOFILE) {
        return (int)syscall(SYS_prlimit64, 0, resource, limit, NULL);
    }
    fake.set_calls++;
    if (limit->rlim_cur > fake.kernel_ceiling) {
        errno = EPERM;
        return -1;
    }
    fake.limit = *limit;
    return 0;
}

static int begin_infinite(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof fake);
    fake.limit = (struct rlimit){.rlim_cur = 1024, .rlim_max = RLIM_INFINITY};
    fake.kernel_ceiling = 4096;
    return 0;
}

/* B144: what is asked for is the number needed, never infinity. */
static void under_an_infinite_hard_limit_the_number_needed_is_set(void **state)
{
    (void)state;
    struct err err = {0};
    assert_true(platform_raise_descriptor_limit(2000, &err));
    assert_true(fake.limit.rlim_cur == 2000);
    assert_true(fake.limit.rlim_max == RLIM_INFINITY);
}

/* B144: no number near 2^64 is tried or printed as a limit. */
static void an_infinite_hard_limit_still_ends_somewhere(void **state)
{
    (void)state;
    struct err err = {0};
    assert_false(platform_raise_descriptor_limit(1ULL << 40, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(fake.set_calls, 0);
    assert_non_null(strstr(err.text, "1099511627776"));
    assert_null(strstr(err.text, "18446744073709551615"));
    assert_non_null(strstr(err.text, "ulimit -n"));
}

static void a_refusal_of_the_system_is_passed_on_with_its_reason(void **state)
{
    (void)state;
    struct err err = {0};
    assert_false(platform_raise_descriptor_limit(5000, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.text, "5000"));
    assert_non_null(strstr(err.text, "1024"));
    assert_non_null(strstr(err.text, strerror(EPERM)));
    assert_non_null(strstr(err.text, "ulimit -n 5000"));
}

static void an_infinite_soft_limit_is_left_alone(void **state)
{
    (void)state;
    fake.limit.rlim_cur = RLIM_INFINITY;
    assert_true(platform_raise_descriptor_limit(UINT64_MAX - 1, NULL));
    assert_int_equal(fake.set_calls, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin_infinite)
    const struct CMUnitTest tests[] = {
        TEST(under_an_infinite_hard_limit_the_number_needed_is_set),
        TEST(an_infinite_hard_limit_still_ends_somewhere),
        TEST(a_refusal_of_the_system_is_passed_on_with_its_reason),
        TEST(an_infinite_soft_limit_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
