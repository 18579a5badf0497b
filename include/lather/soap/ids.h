/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_IDS_H
#define LATHER_SOAP_IDS_H

#include <stddef.h>
#include <stdint.h>

/* Where unpredictable bytes come from; passed in so that tests can supply their own. */
struct ids_origin {
    void (*take)(void *context, void *bytes, size_t count);
    void *context;
};

/* The system's cryptographic generator. */
struct ids_origin ids_system_origin(void);

/* Bytes are drawn in blocks of this size, since each draw is a system call. */
enum { IDS_BLOCK_BYTES = 4096 };

/* A worker's supply of ids and nonces, in caller's storage; not for two threads at once. */
struct ids {
    struct ids_origin origin;
    size_t used;
    unsigned char block[IDS_BLOCK_BYTES];
};

/* An empty supply; the first use draws a block. */
void ids_init(struct ids *ids, struct ids_origin origin);

/* `count` bytes that are handed out once; at most 64. Valid until the next call. */
const unsigned char *ids_take(struct ids *ids, size_t count);

/* How an id is written. */
enum ids_style {
    IDS_DASHED = 0, /* 8-4-4-4-12 */
    IDS_BARE = 1,   /* 32 digits in a row */
    IDS_UPPER = 2,  /* added to one of them: A to F instead of a to f */
    IDS_STYLE_COUNT = 4
};

/* 36 or 32. */
size_t ids_uuid_bytes(enum ids_style style);

/*
 * Writes a new random UUID (RFC 9562, 5.4: version 4); returns ids_uuid_bytes. About 80 ns, half
 * of them in the system's generator.
 */
size_t ids_put_uuid(struct ids *ids, enum ids_style style, char *target);

#endif
