/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_BODY_H
#define LATHER_NET_CURL_BODY_H

#include <stddef.h>

#include "lather/base/str.h"

/*
 * A request's body where it lies, in as many pieces as the plan has it in, and how far libcurl has
 * read it. So a large message with slots is one copy for all connections.
 */
struct curl_body {
    const struct str *pieces; /* borrowed, with what they point at */
    size_t count;
    size_t skip; /* bytes of the first piece that are not the body's */
    size_t bytes;
    size_t piece;  /* what is read next */
    size_t offset; /* in it */
};

/* The body behind `skip` bytes of the first piece, to be read from its beginning. */
void curl_body_begin(struct curl_body *body, const struct str *pieces, size_t count, size_t skip);

/* Copies what comes next, `size` bytes at the most; 0 at the end. */
size_t curl_body_read(struct curl_body *body, char *to, size_t size);

/* The next byte read is that at `offset`, no more than bytes. */
void curl_body_seek(struct curl_body *body, size_t offset);

#endif
