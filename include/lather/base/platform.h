/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_PLATFORM_H
#define LATHER_BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"

/*
 * What differs between operating systems and no library covers. src/base/platform_posix.c
 * implements it for POSIX, win32/ for Windows; nothing else asks which system this is.
 */

/*
 * Makes the process ready, first thing in main: bytes go through the standard streams as they are,
 * a reader that went away is an error of the write rather than the end, and so is a stream that was
 * closed from the start. Returns the arguments in UTF-8 and sets *count to their number; they live
 * as long as the process.
 */
const char *const *platform_start(int *count, char **arguments);

/*
 * The signals by which a run is ended: Ctrl-C first, a script's, the terminal's end, the one to
 * quit at once, and the limit of processor time. 0: this system has fewer.
 */
enum { PLATFORM_STOP_SIGNALS = 5 };
extern const int platform_stop_signals[PLATFORM_STOP_SIGNALS];

/* Whether this signal asks for an end at once, not for one that lets requests finish. */
bool platform_signal_is_urgent(int signal);

/* What happened when this signal came, as words of a report; NULL when somebody pressed keys. */
const char *platform_signal_cause(int signal);

/*
 * Sees to it that a limit of processor time is told by a signal a while before the system kills
 * the process: a tenth of it, 1 to 10 s. `ulimit -t` sets both to the same moment.
 */
void platform_keep_processor_time(void);

/* Whether whoever started us wants this signal ignored, as nohup does. */
bool platform_signal_is_ignored(int signal);

/* What this machine may run out of under load. */
enum platform_lack {
    PLATFORM_LACK_PORTS = 0,
    PLATFORM_LACK_DESCRIPTORS,
    PLATFORM_LACK_MEMORY,
    PLATFORM_LACK_COUNT
};

/* What is lacking and what to do about it on this system, in a few words. */
const char *platform_advice(enum platform_lack lack);

/*
 * Calls add with each certificate (DER) that the system's own store trusts as an authority, and
 * returns their number: 0 where the system has no store but files.
 */
size_t platform_authorities(void (*add)(void *context, const void *der, size_t len), void *context);

/* Nanoseconds of a clock that is never set back, from an arbitrary start. Any thread. */
uint64_t platform_monotonic_ns(void);

/* Nanoseconds since 1970-01-01T00:00:00Z by the wall clock. Any thread. */
uint64_t platform_wall_ns(void);

/*
 * Makes sure that `needed` descriptors can be open at once: raises the soft limit when it is too
 * low. On failure err names the limit, the number needed and how to raise it.
 */
bool platform_raise_descriptor_limit(uint64_t needed, struct err *err) MUST_USE;

/* CPU time of the calling thread so far, user and system. */
uint64_t platform_thread_cpu_ns(void);

/* CPU time of the process so far. */
uint64_t platform_process_cpu_ns(void);

/* Peak resident memory of the process in bytes; 0 when the system does not tell. */
uint64_t platform_peak_memory_bytes(void);

/*
 * Zeroed memory from the system itself, in whole pages, of which only those written to become
 * resident: for large arrays that are mostly never touched, where an allocator might clear what it
 * hands out. NULL when there is none. Freed by platform_pages_free with the same size.
 */
void *platform_pages(size_t bytes) MUST_USE;

/* Gives pages back; NULL is fine. */
void platform_pages_free(void *pages, size_t bytes);

/* How many local ports new connections can take; 0 when the system does not tell. */
uint32_t platform_ephemeral_port_count(void);

/* How many seconds a port of a closed connection rests; 0 when the system does not tell. */
uint32_t platform_port_rest_s(void);

/* The length the system gives to a listen queue at the most; 0 when it does not tell. */
uint32_t platform_listen_backlog_limit(void);

/* Processors this process may run on; at least 1. */
uint32_t platform_processor_count(void);

/* Bytes from the system's cryptographic generator. Aborts when there are none. Any thread. */
void platform_random_bytes(void *bytes, size_t count);

/* Acknowledge what arrives on this socket at once (Linux TCP_QUICKACK); false where not known. */
bool platform_quickack(intptr_t socket);

/* Whether platform_quickack can do anything on this system. */
bool platform_has_quickack(void);

/*
 * A descriptor that becomes readable at a moment of the monotonic clock, to the microsecond (Linux
 * timerfd); -1 where the system has none or no descriptor is free.
 */
int platform_timer_open(void);

/* Sets the moment (platform_monotonic_ns), or disarms with 0; what was readable is so no more. */
void platform_timer_set(int descriptor, uint64_t due_ns);

/* Closes a descriptor of platform_timer_open; -1 is fine. */
void platform_timer_close(int descriptor);

/* Makes a folder unless it is there; fails when it is none, or nothing can be made in it. */
bool platform_make_directory(const char *path, struct err *err) MUST_USE;

/*
 * A TCP socket that does not block, for a library that connects sockets it is given: bound to
 * `bind_to` unless that is NULL, with these buffers unless that is 0. -1 with the system's error
 * when there is none (no descriptor, no port, no such address here).
 */
struct sockaddr;
intptr_t platform_socket_open(int family, const struct sockaddr *bind_to, uint64_t buffer_bytes,
                              int *system_error) MUST_USE;

/*
 * A socket that listens on 127.0.0.1 at *port, or at a free one, which *port then names, and does
 * not block; for whoever hands connections to loops other than the one that accepts them. -1 with
 * the system's error when there is none.
 */
intptr_t platform_listen(uint16_t *port, int backlog, int *system_error) MUST_USE;

/*
 * The next connection of a socket of platform_listen. -1 when none waits, with *system_error 0, or
 * when it cannot be had, with the system's error: then it still waits.
 */
intptr_t platform_accept(intptr_t listener, int *system_error) MUST_USE;

/* Closes a socket of platform_socket_open, platform_listen or platform_accept. */
void platform_socket_close(intptr_t socket);

/*
 * What waits to be read, without reading it: 0 when the peer has closed or the connection is
 * broken, the number of bytes (64 KiB at the most), or -1 when nothing waits.
 */
ptrdiff_t platform_socket_peek(intptr_t socket);

/* As platform_socket_peek, but what waits (64 KiB at the most) is read and forgotten. */
ptrdiff_t platform_socket_drain(intptr_t socket);

/* As platform_socket_peek, but what waits is read, `size` bytes at the most. */
ptrdiff_t platform_socket_read(intptr_t socket, char *bytes, size_t size);

/*
 * How many bytes the peer of a TCP connection has sent so far, as the system counts them, read or
 * not; false where it does not tell. After a reset one may be missing.
 */
bool platform_socket_received(intptr_t socket, uint64_t *bytes) MUST_USE;

/* Reads and forgets what waits, then ends both directions: whoever looks finds it closed. */
void platform_socket_end(intptr_t socket);

/* Whether stderr is a terminal, for the live line. */
bool platform_stderr_is_terminal(void);

/*
 * From now on Ctrl-C and a termination wait until the process has ended by itself: for the time in
 * which results are written. The calling thread must be the only one left.
 */
void platform_hold_interrupts(void);

/* The calling thread's name as debuggers and top show it; cut at 15 bytes. */
void platform_name_thread(const char *name);

#endif
