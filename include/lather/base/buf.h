/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_BUF_H
#define LATHER_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/str.h"

/*
 * An owned, growing run of bytes in caller's storage. It always holds a NUL behind its last byte
 * once anything was added. Growth doubles; memory that is not there aborts (CHECK), as nothing
 * measured could be saved then. Data from the network is bounded by buf_append_capped.
 */
struct buf {
    char *data;
    size_t len;
    size_t capacity;
};

/* An empty buffer; allocates nothing. */
void buf_init(struct buf *buf);

/* Frees what it holds and makes it empty again. */
void buf_deinit(struct buf *buf);

/* Forgets the content and keeps the memory. */
void buf_reset(struct buf *buf);

/*
 * Makes room for `extra` more bytes, and a NUL behind them; returns where they go, valid until the
 * buffer changes. buf->len is the caller's to raise, and the NUL the caller's to write.
 */
char *buf_reserve(struct buf *buf, size_t extra);

/* Appends a copy; data must not lie in the buffer itself, and may be NULL when len is 0. Linear in
   what is appended, growth aside. */
void buf_append(struct buf *buf, const void *data, size_t len);
void buf_append_str(struct buf *buf, struct str text);
void buf_append_byte(struct buf *buf, char byte);

/* Appends unless the length would pass `ceiling`; then appends nothing and returns false. */
bool buf_append_capped(struct buf *buf, const void *data, size_t len, size_t ceiling) MUST_USE;

/* Appends text formatted as printf does, whole, whatever its length. A format that the C library
   refuses aborts (CHECK): it is ours. */
PRINTF_LIKE(2, 3)
void buf_printf(struct buf *buf, const char *format, ...);

/* A view of the content; valid until the buffer changes. Its data is NULL before anything was
   added. */
struct str buf_view(const struct buf *buf);

/* The memory, NUL-ended, now the caller's to free; the buffer is empty. Never NULL. */
char *buf_take(struct buf *buf) MUST_USE;

#endif
