/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into the program, it sets the wall clock back by five seconds half a second after the
 * program began, as somebody with a wrong time server does. The monotonic clock goes on.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { AFTER_MS = 500, BACK_S = 5 };

static struct timespec begun;

__attribute__((constructor)) static void begin(void)
{
    (void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &begun);
}

static int is_set_back(void)
{
    struct timespec now;
    (void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (now.tv_sec - begun.tv_sec) * 1000 + (now.tv_nsec - begun.tv_nsec) / 1000000 >= AFTER_MS;
}

int clock_gettime(clockid_t which, struct timespec *time)
{
    const int result = (int)syscall(SYS_clock_gettime, which, time);
    if (result == 0 && which == CLOCK_REALTIME && is_set_back()) {
        time->tv_sec -= BACK_S;
    }
    return result;
}
