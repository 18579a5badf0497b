/* SPDX-License-Identifier: Apache-2.0 */
/* POSIX functions that unit tests use and MinGW has not; included before each test built for Windows. */
#ifndef LATHER_TESTS_WINDOWS_H
#define LATHER_TESTS_WINDOWS_H

#include <direct.h>
#include <io.h>
#include <stdlib.h>

static inline char *mkdtemp(char *template)
{
    return _mktemp(template) != NULL && _mkdir(template) == 0 ? template : NULL;
}

static inline int setenv(const char *name, const char *value, int overwrite)
{
    return overwrite || getenv(name) == NULL ? _putenv_s(name, value) : 0;
}

static inline int unsetenv(const char *name)
{
    return _putenv_s(name, "");
}

#endif
