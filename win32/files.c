/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of files in UTF-8. The C library's own functions take them in the old code page of the
 * machine, where "Auftrag-Müller.xml" may have no spelling; the manifest turns that into UTF-8 on
 * Windows 10 from 1903 on only, and servers are older. The linker puts these in the place of the
 * C library's (--wrap in cmake/windows.cmake), in the libraries linked in as well.
 */
#include <windows.h>

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lather/base/platform.h"

FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_freopen(const char *path, const char *mode, FILE *stream);
int __wrap_remove(const char *path);

/* NULL with errno set when it is no UTF-8 or memory is short. Free with free(). */
static wchar_t *wide_of(const char *text)
{
    int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = size > 0 ? malloc((size_t)size * sizeof *wide) : NULL;
    if (wide == NULL) {
        errno = size > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    (void)MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, size);
    return wide;
}

/* Windows refuses to open a directory with EACCES; callers know EISDIR. */
static void name_the_reason(const wchar_t *path)
{
    DWORD attributes = GetFileAttributesW(path);
    if (errno == EACCES && attributes != INVALID_FILE_ATTRIBUTES &&
        (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        errno = EISDIR;
    }
}

/* C11's "x", which this C library does not know: fails with EEXIST when the file is there. */
static FILE *create_new(const wchar_t *path)
{
    int descriptor = _wopen(path, _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY, _S_IREAD | _S_IWRITE);
    FILE *stream = descriptor >= 0 ? _fdopen(descriptor, "wb") : NULL;
    if (stream == NULL && descriptor >= 0) {
        (void)_close(descriptor);
    }
    return stream;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    wchar_t *wide_path = wide_of(path);
    wchar_t *wide_mode = wide_of(mode);
    FILE *stream = NULL;
    if (wide_path != NULL && wide_mode != NULL) {
        stream = strchr(mode, 'x') != NULL ? create_new(wide_path) : _wfopen(wide_path, wide_mode);
        if (stream == NULL) {
            name_the_reason(wide_path);
        }
    }
    free(wide_path);
    free(wide_mode);
    return stream;
}

FILE *__wrap_freopen(const char *path, const char *mode, FILE *stream)
{
    wchar_t *wide_path = wide_of(path);
    wchar_t *wide_mode = wide_of(mode);
    FILE *opened = NULL;
    if (wide_path != NULL && wide_mode != NULL) {
        opened = _wfreopen(wide_path, wide_mode, stream);
    }
    free(wide_path);
    free(wide_mode);
    return opened;
}

int __wrap_remove(const char *path)
{
    wchar_t *wide = wide_of(path);
    int result = wide != NULL ? _wremove(wide) : -1;
    free(wide);
    return result;
}

/* Whether this user may put files in it: the access list is asked, as attributes do not tell. */
static bool takes_files(const wchar_t *folder)
{
    HANDLE handle =
        CreateFileW(folder, FILE_ADD_FILE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        return false;
    }
    (void)CloseHandle(handle);
    return true;
}

bool platform_make_directory(const char *path, struct err *err)
{
    wchar_t *wide = wide_of(path);
    bool is_made = wide != NULL && (_wmkdir(wide) == 0 || errno == EEXIST);
    if (!is_made) {
        (void)err_set(err, ERR_FILE, "%.300s: cannot make this folder: %s", path, strerror(errno));
    } else if ((GetFileAttributesW(wide) & FILE_ATTRIBUTE_DIRECTORY) == 0) {
        is_made = err_set(err, ERR_FILE, "%.300s is no folder: name one, or a new one", path);
    } else if (!takes_files(wide)) {
        is_made = err_set(err, ERR_FILE, "%.300s: nothing can be written in this folder", path);
    }
    free(wide);
    return is_made;
}
