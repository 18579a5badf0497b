/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ids that no two requests share, over all workers and machines: 122 bits of the system's
 * cryptographic generator each. A seed never touches them, since two runs with one seed against
 * one service would be a replay.
 */
#include "lather/soap/ids.h"

#include <string.h>

#include "lather/base/check.h"
#include "lather/base/platform.h"

static void take_from_system(void *context, void *bytes, size_t count)
{
    (void)context;
    platform_random_bytes(bytes, count);
}

struct ids_origin ids_system_origin(void)
{
    return (struct ids_origin){.take = take_from_system};
}

void ids_init(struct ids *ids, struct ids_origin origin)
{
    ids->origin = origin;
    ids->used = IDS_BLOCK_BYTES;
}

const unsigned char *ids_take(struct ids *ids, size_t count)
{
    CHECK(count <= 64);
    if (count > IDS_BLOCK_BYTES - ids->used) {
        ids->origin.take(ids->origin.context, ids->block, IDS_BLOCK_BYTES);
        ids->used = 0;
    }
    const unsigned char *bytes = ids->block + ids->used;
    ids->used += count;
    return bytes;
}

size_t ids_uuid_bytes(enum ids_style style)
{
    return (style & IDS_BARE) != 0 ? 32 : 36;
}

/* Digits of count bytes; returns where the next ones go. */
static char *put_hex(char *target, const unsigned char *bytes, size_t count, const char *digits)
{
    for (size_t i = 0; i < count; i++) {
        *target++ = digits[bytes[i] >> 4];
        *target++ = digits[bytes[i] & 15];
    }
    return target;
}

size_t ids_put_uuid(struct ids *ids, enum ids_style style, char *target)
{
    const char *digits = (style & IDS_UPPER) != 0 ? "0123456789ABCDEF" : "0123456789abcdef";
    unsigned char bytes[16];
    memcpy(bytes, ids_take(ids, sizeof bytes), sizeof bytes);
    bytes[6] = (unsigned char)((bytes[6] & 0x0F) | 0x40);
    bytes[8] = (unsigned char)((bytes[8] & 0x3F) | 0x80);
    if ((style & IDS_BARE) != 0) {
        (void)put_hex(target, bytes, sizeof bytes, digits);
        return 32;
    }
    char *next = put_hex(target, bytes, 4, digits);
    for (size_t group = 4; group < 10; group += 2) {
        *next++ = '-';
        next = put_hex(next, bytes + group, 2, digits);
    }
    *next++ = '-';
    (void)put_hex(next, bytes + 10, 6, digits);
    return 36;
}
