/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a body out of the pieces it lies in. It knows nothing of libcurl: who passes it on as a
 * read callback is net/curl_setup. The trap: libcurl reads a body again from its beginning when a
 * handshake leg or a closed connection took it in vain, so a position is not an end.
 */
#include "lather/net/curl_body.h"

#include <string.h>

void curl_body_begin(struct curl_body *body, const struct str *pieces, size_t count, size_t skip)
{
    *body = (struct curl_body){.pieces = pieces, .count = count, .skip = skip, .offset = skip};
    for (size_t i = 0; i < count; i++) {
        body->bytes += pieces[i].len;
    }
    body->bytes -= skip;
}

size_t curl_body_read(struct curl_body *body, char *to, size_t size)
{
    size_t copied = 0;
    while (copied < size && body->piece < body->count) {
        const struct str rest = str_slice(body->pieces[body->piece], body->offset, SIZE_MAX);
        const size_t some = rest.len < size - copied ? rest.len : size - copied;
        if (some > 0) {
            memcpy(to + copied, rest.data, some);
        }
        copied += some;
        body->offset += some;
        if (some == rest.len) {
            body->piece++;
            body->offset = 0;
        }
    }
    return copied;
}

void curl_body_seek(struct curl_body *body, size_t offset)
{
    body->piece = 0;
    body->offset = body->skip + offset;
    while (body->piece < body->count && body->offset >= body->pieces[body->piece].len) {
        body->offset -= body->pieces[body->piece].len;
        body->piece++;
    }
}
