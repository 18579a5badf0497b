/* SPDX-License-Identifier: Apache-2.0 */
/*
 * platform.h for Linux and other POSIX systems. Figures that only some systems tell (ports, listen
 * queue) come from Linux's /proc and are 0 elsewhere; a caller must live with 0. It decides nothing
 * about the run. The limits below are the process's, not the user's or the machine's.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity, pthread_setname_np */
#endif

#include "lather/base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/timerfd.h>
#endif
#include <time.h>
#include <unistd.h>

#include "lather/base/clock.h"
#include "lather/base/str.h"

const int platform_stop_signals[PLATFORM_STOP_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT,
                                                          SIGXCPU};

bool platform_signal_is_urgent(int signal)
{
    return signal == SIGQUIT;
}

const char *platform_signal_cause(int signal)
{
    switch (signal) {
    case SIGTERM:
        return "another program ended it (SIGTERM)";
    case SIGHUP:
        return "its terminal, or the connection to it, was closed (SIGHUP)";
    case SIGXCPU:
        return "its limit of processor time was reached (SIGXCPU): raise it with ulimit -t";
    default:
        return NULL;
    }
}

void platform_keep_processor_time(void)
{
    enum { PART = 10, LEAST_S = 1, MOST_S = 10 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) {
        return;
    }
    rlim_t kept_s = limit.rlim_max / PART;
    kept_s = kept_s < LEAST_S ? LEAST_S : kept_s > MOST_S ? MOST_S : kept_s;
    if (limit.rlim_max > kept_s && limit.rlim_cur > limit.rlim_max - kept_s) {
        limit.rlim_cur = limit.rlim_max - kept_s;
        (void)setrlimit(RLIMIT_CPU, &limit);
    }
}

bool platform_signal_is_ignored(int signal)
{
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/*
 * A standard stream that came closed would give its number to the next file or socket opened: a
 * report would go into the result file, and libuv refuses to close such a descriptor. What holds
 * the number cannot be read or written, as before, so that errors are still seen.
 */
static void hold_standard_streams(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
            /* The lowest free number is this one: those below are taken. */
            (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

const char *const *platform_start(int *count, char **arguments)
{
    (void)count;
    hold_standard_streams();
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error of write, not our end */
    return (const char *const *)arguments;
}

const char *platform_advice(enum platform_lack lack)
{
    static const char *const advice[PLATFORM_LACK_COUNT] = {
        [PLATFORM_LACK_PORTS] =
            "no local port free: use -k, fewer new connections a second, or more ports",
        [PLATFORM_LACK_DESCRIPTORS] = "no descriptor free: raise the limit (ulimit -n) or lower -c",
        [PLATFORM_LACK_MEMORY] = "no memory for sockets: lower -c or -b",
    };
    return advice[lack];
}

size_t platform_authorities(void (*add)(void *context, const void *der, size_t len), void *context)
{
    (void)add;
    (void)context;
    return 0;
}

static uint64_t read_clock(clockid_t clock_id)
{
    struct timespec now;
    CHECK(clock_gettime(clock_id, &now) == 0);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t platform_monotonic_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t platform_wall_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}

uint64_t platform_thread_cpu_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t platform_process_cpu_ns(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/*
 * The first numbers behind `label` in a file of /proc; returns how many of them were there. The
 * files read here are a page long at the most.
 */
static size_t read_numbers(const char *path, struct str label, uint64_t *numbers, size_t count)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return 0;
    }
    char page[4096];
    struct str rest = str_of(page, fread(page, 1, sizeof page, stream));
    (void)fclose(stream);

    size_t at = str_find(rest, label);
    if (at == SIZE_MAX) {
        return 0;
    }
    rest = str_slice(rest, at + label.len, rest.len);
    size_t found = 0;
    while (found < count) {
        rest = str_trim(rest);
        size_t len = 0;
        while (len < rest.len && rest.data[len] >= '0' && rest.data[len] <= '9') {
            len++;
        }
        if (!str_to_u64(str_slice(rest, 0, len), &numbers[found])) {
            break;
        }
        found++;
        rest = str_slice(rest, len, rest.len);
    }
    return found;
}

/* An "infinite" hard limit still ends where the kernel's own ceiling is; asking for more fails. */
static uint64_t highest_descriptor_limit(const struct rlimit *limit)
{
    if (limit->rlim_max != RLIM_INFINITY) {
        return (uint64_t)limit->rlim_max;
    }
    uint64_t ceiling = 0;
    if (read_numbers("/proc/sys/fs/nr_open", STR(""), &ceiling, 1) == 1) {
        return ceiling;
    }
#if defined(OPEN_MAX)
    return OPEN_MAX;
#else
    return 1024 * 1024;
#endif
}

bool platform_raise_descriptor_limit(uint64_t needed, struct err *err)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return err_set(err, ERR_SYSTEM, "cannot ask for the limit of open descriptors: %s",
                       strerror(errno));
    }
    if (limit.rlim_cur == RLIM_INFINITY || (uint64_t)limit.rlim_cur >= needed) {
        return true;
    }
    uint64_t highest = highest_descriptor_limit(&limit);
    if (needed > highest) {
        return err_set(err, ERR_LIMIT,
                       "%" PRIu64 " open descriptors are needed and the limit is %" PRIu64
                       ": raise it with `ulimit -n %" PRIu64
                       "` (as root, or in limits.conf), or use fewer connections",
                       needed, highest, needed);
    }
    uint64_t soft_before = (uint64_t)limit.rlim_cur;
    limit.rlim_cur = (rlim_t)needed;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return err_set(err, ERR_LIMIT,
                       "%" PRIu64 " open descriptors are needed, the limit is %" PRIu64
                       " and cannot be raised (%s): try `ulimit -n %" PRIu64
                       "`, or use fewer connections",
                       needed, soft_before, strerror(errno), needed);
    }
    return true;
}

uint64_t platform_peak_memory_bytes(void)
{
    /* ru_maxrss survives exec, so it may be the peak of the program that started us. */
    uint64_t kib = 0;
    if (read_numbers("/proc/self/status", STR("\nVmHWM:"), &kib, 1) == 1) {
        return kib * 1024;
    }
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_maxrss < 0) {
        return 0;
    }
#if defined(__APPLE__)
    return (uint64_t)usage.ru_maxrss;
#else
    return (uint64_t)usage.ru_maxrss * 1024;
#endif
}

uint32_t platform_ephemeral_port_count(void)
{
    uint64_t range[2] = {0};
    if (read_numbers("/proc/sys/net/ipv4/ip_local_port_range", STR(""), range, 2) != 2 ||
        range[0] > range[1] || range[1] > UINT16_MAX) {
        return 0;
    }
    return (uint32_t)(range[1] - range[0] + 1);
}

uint32_t platform_port_rest_s(void)
{
#if defined(__linux__)
    return 60; /* TCP_TIMEWAIT_LEN, a constant of the kernel */
#else
    return 0;
#endif
}

uint32_t platform_listen_backlog_limit(void)
{
    uint64_t limit = 0;
    if (read_numbers("/proc/sys/net/core/somaxconn", STR(""), &limit, 1) != 1 ||
        limit > UINT32_MAX) {
        return 0;
    }
    return (uint32_t)limit;
}

void *platform_pages(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void platform_pages_free(void *pages, size_t bytes)
{
    if (pages != NULL) {
        CHECK(munmap(pages, bytes) == 0);
    }
}

uint32_t platform_processor_count(void)
{
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        return (uint32_t)CPU_COUNT(&allowed);
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

void platform_random_bytes(void *bytes, size_t count)
{
    enum { GETENTROPY_MOST = 256 };
    char *place = bytes;
    while (count > 0) {
        size_t part = count < GETENTROPY_MOST ? count : GETENTROPY_MOST;
        CHECK(getentropy(place, part) == 0);
        place += part;
        count -= part;
    }
}

int platform_timer_open(void)
{
#if defined(__linux__)
    return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
#else
    return -1;
#endif
}

void platform_timer_set(int descriptor, uint64_t due_ns)
{
#if defined(__linux__)
    const struct itimerspec moment = {
        .it_value = {.tv_sec = (time_t)(due_ns / 1000000000U),
                     .tv_nsec = (long)(due_ns % 1000000000U)},
    };
    CHECK(timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &moment, NULL) == 0);
#else
    (void)descriptor;
    (void)due_ns;
#endif
}

void platform_timer_close(int descriptor)
{
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
}

bool platform_make_directory(const char *path, struct err *err)
{
    struct stat found;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return err_set(err, ERR_FILE, "%.300s: cannot make this folder: %s", path, strerror(errno));
    }
    if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode)) {
        return err_set(err, ERR_FILE, "%.300s is no folder: name one, or a new one", path);
    }
    if (access(path, W_OK | X_OK) != 0) {
        return err_set(err, ERR_FILE, "%.300s: nothing can be written in this folder: %s", path,
                       strerror(errno));
    }
    return true;
}

bool platform_stderr_is_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

void platform_hold_interrupts(void)
{
    sigset_t held;
    (void)sigemptyset(&held);
    for (int i = 0; i < PLATFORM_STOP_SIGNALS; i++) {
        (void)sigaddset(&held, platform_stop_signals[i]);
    }
    (void)pthread_sigmask(SIG_BLOCK, &held, NULL);
}

void platform_name_thread(const char *name)
{
    char cut[16];
    (void)snprintf(cut, sizeof cut, "%s", name);
#if defined(__APPLE__)
    (void)pthread_setname_np(cut);
#else
    (void)pthread_setname_np(pthread_self(), cut);
#endif
}
