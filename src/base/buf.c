/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growing bytes. The capacity always counts one byte more than was asked for, so that a NUL fits
 * behind the content and C library functions can read it. It sets no ceiling by itself: whoever
 * gathers bytes from outside appends with buf_append_capped. Any append may move the memory, so a
 * view taken before it is dead after it.
 */
#include "lather/base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_CAPACITY = 64 };

void buf_init(struct buf *buf)
{
    *buf = (struct buf){0};
}

void buf_deinit(struct buf *buf)
{
    free(buf->data);
    buf_init(buf);
}

static void end_with_nul(struct buf *buf)
{
    buf->data[buf->len] = '\0';
}

void buf_reset(struct buf *buf)
{
    buf->len = 0;
    if (buf->data != NULL) {
        end_with_nul(buf);
    }
}

char *buf_reserve(struct buf *buf, size_t extra)
{
    CHECK(extra < SIZE_MAX / 2 && buf->len < SIZE_MAX / 2 - extra);
    size_t needed = buf->len + extra + 1;
    if (needed > buf->capacity) {
        size_t capacity = buf->capacity < SMALLEST_CAPACITY ? SMALLEST_CAPACITY : buf->capacity;
        while (capacity < needed) {
            capacity *= 2;
        }
        buf->data = check_realloc(buf->data, capacity);
        buf->capacity = capacity;
        end_with_nul(buf);
    }
    return buf->data + buf->len;
}

void buf_append(struct buf *buf, const void *data, size_t len)
{
    char *place = buf_reserve(buf, len);
    if (len > 0) {
        memcpy(place, data, len);
        buf->len += len;
    }
    end_with_nul(buf);
}

void buf_append_str(struct buf *buf, struct str text)
{
    buf_append(buf, text.data, text.len);
}

void buf_append_byte(struct buf *buf, char byte)
{
    buf_append(buf, &byte, 1);
}

bool buf_append_capped(struct buf *buf, const void *data, size_t len, size_t ceiling)
{
    if (buf->len > ceiling || len > ceiling - buf->len) {
        return false;
    }
    buf_append(buf, data, len);
    return true;
}

void buf_printf(struct buf *buf, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);

    char *place = buf_reserve(buf, 0);
    size_t room = buf->capacity - buf->len;
    int len = vsnprintf(place, room, format, arguments);
    CHECK(len >= 0);
    if ((size_t)len >= room) {
        place = buf_reserve(buf, (size_t)len);
        CHECK(vsnprintf(place, (size_t)len + 1, format, again) == len);
    }
    buf->len += (size_t)len;

    va_end(again);
    va_end(arguments);
}

struct str buf_view(const struct buf *buf)
{
    return str_of(buf->data, buf->len);
}

char *buf_take(struct buf *buf)
{
    (void)buf_reserve(buf, 0);
    end_with_nul(buf);
    char *data = buf->data;
    buf_init(buf);
    return data;
}
