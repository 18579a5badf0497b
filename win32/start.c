/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the process begins on Windows: arguments in UTF-8 with wildcards replaced by the files they
 * stand for, streams that change no byte, a console that shows UTF-8, timers to the millisecond.
 * The console belongs to the shell we were started from, so its code page is put back at the end.
 */
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <timeapi.h>

#include "lather/base/check.h"
#include "lather/base/platform.h"

/* The C library's own reading of the command line, of which MinGW's headers know nothing. */
struct start_info {
    int new_mode;
};
__declspec(dllimport) int __cdecl __wgetmainargs(int *count, wchar_t ***arguments,
                                                 wchar_t ***environment, int wildcards,
                                                 struct start_info *info);

/* atexit takes no context. */
static UINT code_page_before;

static void restore_console(void)
{
    (void)SetConsoleOutputCP(code_page_before);
}

static char *utf8_of(const wchar_t *wide)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    CHECK(size > 0);
    char *text = check_malloc((size_t)size);
    CHECK(WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL) == size);
    return text;
}

const char *const *platform_start(int *count, char **arguments)
{
    (void)arguments; /* in the old code page */
    (void)_setmode(_fileno(stdin), _O_BINARY);
    (void)_setmode(_fileno(stdout), _O_BINARY);
    (void)_setmode(_fileno(stderr), _O_BINARY);
    code_page_before = GetConsoleOutputCP();
    if (code_page_before != 0 && code_page_before != CP_UTF8 && SetConsoleOutputCP(CP_UTF8)) {
        (void)atexit(restore_console);
    }
    /* Waits end at ticks of 15.6 ms otherwise: -s, --rate and --think would all round to that. */
    (void)timeBeginPeriod(1);

    wchar_t **wide = NULL;
    wchar_t **environment = NULL;
    struct start_info info = {0};
    CHECK(__wgetmainargs(count, &wide, &environment, 1, &info) == 0);
    char **texts = check_calloc((size_t)*count + 1, sizeof *texts);
    for (int i = 0; i < *count; i++) {
        texts[i] = utf8_of(wide[i]);
    }
    return (const char *const *)texts;
}
