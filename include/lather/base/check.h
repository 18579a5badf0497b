/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_CHECK_H
#define LATHER_BASE_CHECK_H

#include <stddef.h>

/* Functions whose result must be looked at. */
#if defined(__GNUC__)
#define MUST_USE __attribute__((warn_unused_result))
#else
#define MUST_USE
#endif

/*
 * Functions that take a format as their argument number `format_at` and what belongs to it from
 * number `first_at` on (0: as a va_list). The build names the style where the C library's own
 * printf is not the one in use.
 */
#if !defined(LATHER_PRINTF_STYLE)
#define LATHER_PRINTF_STYLE printf
#endif
#if defined(__GNUC__)
#define PRINTF_LIKE(format_at, first_at)                                                           \
    __attribute__((format(LATHER_PRINTF_STYLE, format_at, first_at)))
#else
#define PRINTF_LIKE(format_at, first_at)
#endif

/*
 * CHECK(x) stays on in release builds: for what would falsify results if it were false. It prints
 * the condition and its place on stderr and aborts. For cheap internal assumptions use assert().
 */
#define CHECK(condition) ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))

/* Prints and aborts; what CHECK calls. */
_Noreturn void check_failed(const char *condition, const char *file, int line);

/* The exit status of a program that got no memory; the command line gives it the same meaning. */
enum { CHECK_NO_MEMORY_STATUS = 3 };

/*
 * Memory that must be there: when it is not, the program ends with a sentence on stderr and
 * CHECK_NO_MEMORY_STATUS, without a report. Free with free().
 */
void *check_malloc(size_t bytes) MUST_USE;
void *check_calloc(size_t count, size_t bytes) MUST_USE;
/* As platform_pages (base/platform.h), freed by platform_pages_free. */
void *check_pages(size_t bytes) MUST_USE;
void *check_realloc(void *memory, size_t bytes) MUST_USE;

#endif
