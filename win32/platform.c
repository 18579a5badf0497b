/* SPDX-License-Identifier: Apache-2.0 */
/*
 * platform.h for Windows: clocks, figures of the process and limits; how a process begins is in
 * start.c. Functions that came after Windows Server 2012 are looked up when the program runs, so
 * that it starts there too. Windows tells its range of ports to no documented function, so that
 * figure is 0 here, and the advice names the command that shows it.
 */
#include "lather/base/platform.h"

#include <winsock2.h>

#include <bcrypt.h>
#include <inttypes.h>
#include <io.h>
#include <psapi.h>
#include <signal.h>
#include <stdio.h>
#include <wincrypt.h>

#include "lather/base/clock.h"

enum { CONSOLE_CLOSES = 1 }; /* libuv's number for CTRL_CLOSE_EVENT, which it calls SIGHUP */

const int platform_stop_signals[PLATFORM_STOP_SIGNALS] = {SIGINT, SIGBREAK, CONSOLE_CLOSES, 0, 0};

bool platform_signal_is_urgent(int signal)
{
    (void)signal;
    return false;
}

const char *platform_signal_cause(int signal)
{
    return signal == CONSOLE_CLOSES ? "its console window was closed" : NULL;
}

void platform_keep_processor_time(void)
{
    /* Windows has no such limit but that of a job object, which ends a process without a word. */
}

bool platform_signal_is_ignored(int signal)
{
    (void)signal;
    return false;
}

const char *platform_advice(enum platform_lack lack)
{
    static const char *const advice[PLATFORM_LACK_COUNT] = {
        [PLATFORM_LACK_PORTS] = "no local port free: use -k, fewer new connections a second, or "
                                "more ports (netsh int ipv4 show dynamicport tcp)",
        [PLATFORM_LACK_DESCRIPTORS] = "no handle free for a socket: lower -c",
        /* Winsock says the same (10055) of a full table of ports. */
        [PLATFORM_LACK_MEMORY] = "no memory or port for sockets (WSAENOBUFS): use -k, lower -c, or "
                                 "more ports (netsh int ipv4 show dynamicport tcp)",
    };
    return advice[lack];
}

uint64_t platform_monotonic_ns(void)
{
    LARGE_INTEGER frequency;
    LARGE_INTEGER ticks;
    CHECK(QueryPerformanceFrequency(&frequency) && QueryPerformanceCounter(&ticks));
    const uint64_t per_s = (uint64_t)frequency.QuadPart;
    const uint64_t count = (uint64_t)ticks.QuadPart;
    /* In two parts: at 10 MHz ticks * 1e9 passes 64 bits after half an hour. */
    return count / per_s * NS_PER_S + count % per_s * NS_PER_S / per_s;
}

static uint64_t hundreds_of_ns(const FILETIME *time)
{
    return (uint64_t)time->dwHighDateTime << 32 | time->dwLowDateTime;
}

uint64_t platform_wall_ns(void)
{
    static const uint64_t from_1601_to_1970 = 116444736000000000U;
    FILETIME now;
    GetSystemTimePreciseAsFileTime(&now);
    return (hundreds_of_ns(&now) - from_1601_to_1970) * 100;
}

/* Windows counts it by ticks of its scheduler, mostly 15.6 ms. */
uint64_t platform_thread_cpu_ns(void)
{
    FILETIME created;
    FILETIME ended;
    FILETIME kernel;
    FILETIME user;
    CHECK(GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user));
    return (hundreds_of_ns(&kernel) + hundreds_of_ns(&user)) * 100;
}

uint64_t platform_process_cpu_ns(void)
{
    FILETIME created;
    FILETIME ended;
    FILETIME kernel;
    FILETIME user;
    CHECK(GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user));
    return (hundreds_of_ns(&kernel) + hundreds_of_ns(&user)) * 100;
}

/* A socket is a handle, and a process may have 16,777,216 of those; no setting changes that. */
bool platform_raise_descriptor_limit(uint64_t needed, struct err *err)
{
    static const uint64_t handles_most = 16 * 1024 * 1024;
    if (needed <= handles_most) {
        return true;
    }
    return err_set(err, ERR_LIMIT,
                   "%" PRIu64 " open handles are needed and a process on Windows has %" PRIu64
                   " at the most: use fewer connections",
                   needed, handles_most);
}

uint64_t platform_peak_memory_bytes(void)
{
    PROCESS_MEMORY_COUNTERS counters = {.cb = sizeof counters};
    return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)
               ? (uint64_t)counters.PeakWorkingSetSize
               : 0;
}

uint32_t platform_ephemeral_port_count(void)
{
    return 0;
}

uint32_t platform_listen_backlog_limit(void)
{
    return 0;
}

uint32_t platform_processor_count(void)
{
    DWORD_PTR allowed = 0;
    DWORD_PTR present = 0;
    uint32_t count = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &allowed, &present)) {
        for (; allowed != 0; allowed &= allowed - 1) {
            count++;
        }
    }
    /* 0: threads in several groups of 64 processors. */
    return count > 0 ? count : (uint32_t)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

void platform_random_bytes(void *bytes, size_t count)
{
    unsigned char *place = bytes;
    while (count > 0) {
        ULONG part = count < 1024 * 1024 ? (ULONG)count : 1024 * 1024;
        CHECK(BCryptGenRandom(NULL, place, part, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0);
        place += part;
        count -= part;
    }
}

void *platform_pages(size_t bytes)
{
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void platform_pages_free(void *pages, size_t bytes)
{
    (void)bytes;
    if (pages != NULL) {
        CHECK(VirtualFree(pages, 0, MEM_RELEASE) != 0);
    }
}

bool platform_quickack(intptr_t socket)
{
    (void)socket;
    return false;
}

bool platform_has_quickack(void)
{
    return false;
}

int platform_timer_open(void)
{
    return -1;
}

void platform_timer_set(int descriptor, uint64_t due_ns)
{
    (void)descriptor;
    (void)due_ns;
}

void platform_timer_close(int descriptor)
{
    (void)descriptor;
}

/* A console too old for the live line's control characters is treated as none. */
bool platform_stderr_is_terminal(void)
{
    DWORD mode = 0;
    HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
    return GetConsoleMode(console, &mode) &&
           SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

/* A union, as ISO C has no cast between kinds of functions. */
union set_description {
    FARPROC found;
    HRESULT(WINAPI *call)(HANDLE thread, PCWSTR description);
};

/* TRUE: the event is dealt with, by doing nothing. */
static BOOL WINAPI hold_event(DWORD event)
{
    return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

void platform_hold_interrupts(void)
{
    (void)SetConsoleCtrlHandler(hold_event, TRUE);
}

void platform_name_thread(const char *name)
{
    wchar_t wide[16];
    union set_description set = {
        .found = GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "SetThreadDescription"),
    };
    if (set.found == NULL) {
        return;
    }
    size_t len = 0;
    for (; len < sizeof wide / sizeof *wide - 1 && name[len] != '\0'; len++) {
        wide[len] = (unsigned char)name[len];
    }
    wide[len] = L'\0';
    (void)set.call(GetCurrentThread(), wide);
}

size_t platform_authorities(void (*add)(void *context, const void *der, size_t len), void *context)
{
    HCERTSTORE store = CertOpenSystemStoreW(0, L"ROOT");
    if (store == NULL) {
        return 0;
    }
    size_t count = 0;
    const CERT_CONTEXT *certificate = NULL;
    while ((certificate = CertEnumCertificatesInStore(store, certificate)) != NULL) {
        add(context, certificate->pbCertEncoded, certificate->cbCertEncoded);
        count++;
    }
    (void)CertCloseStore(store, 0);
    return count;
}
