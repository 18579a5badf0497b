/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Basic credentials as the Authorization field wants them. The bytes are encoded as typed, in
 * whatever charset the terminal had. Base64 is written out here because this floor has no library
 * that could do it.
 */
#include "lather/plan/basic.h"

#include <stdint.h>
#include <string.h>

void basic_format(struct buf *text, struct str credentials)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    buf_append_str(text, STR("Basic "));
    for (size_t at = 0; at < credentials.len; at += 3) {
        struct str group = str_slice(credentials, at, at + 3);
        uint32_t bits = 0;
        for (size_t i = 0; i < 3; i++) {
            bits = bits << 8 | (i < group.len ? (unsigned char)group.data[i] : 0);
        }
        /* n bytes make n + 1 digits; "=" fills the group of four. */
        for (size_t i = 0; i < 4; i++) {
            buf_append_byte(text, i <= group.len ? digits[bits >> (18 - 6 * i) & 63] : '=');
        }
    }
}

struct str basic_credentials(const char *typed)
{
    return str_from(typed + strspn(typed, " \t"));
}
