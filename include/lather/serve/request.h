/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_REQUEST_H
#define LATHER_SERVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llhttp.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"

enum {
    REQUEST_HEAD_CEILING = 64 * 1024, /* bytes of the target, field names and values: 431 beyond */
    REQUEST_BODY_CEILING = 64 << 20,  /* bytes of the body: 413 beyond */
    REQUEST_KEPT_BYTES = 256 * 1024,  /* more memory than this is not kept for the next body */
    REQUEST_VALUE_BYTES = 160         /* of a field's value that are looked at */
};

/* Why a request is refused before its end. */
enum request_refusal {
    REQUEST_REFUSAL_NONE = 0,
    REQUEST_REFUSAL_SYNTAX,
    REQUEST_REFUSAL_HEAD,
    REQUEST_REFUSAL_BODY,
    REQUEST_REFUSAL_EXPECT,
    REQUEST_REFUSAL_COUNT
};

enum request_event {
    REQUEST_MORE = 0, /* all bytes were taken, the request goes on */
    REQUEST_EXPECTS,  /* the client waits for 100 Continue before it sends the body */
    REQUEST_WHOLE,    /* the request is whole */
    REQUEST_REFUSED,  /* it never will be; nothing more can be read from this client */
    REQUEST_EVENT_COUNT
};

/* The beginning of a field's value, gathered from the pieces the parser gives. */
struct request_value {
    size_t len; /* more than there is room for when it was cut */
    char text[REQUEST_VALUE_BYTES];
};

/*
 * One request after the other, as they come on a connection. In caller's storage. What is public
 * is right after REQUEST_WHOLE; after REQUEST_REFUSED only refusal is.
 */
struct request {
    enum request_refusal refusal;
    struct request_value content_type;
    bool keeps_alive; /* by its version and its Connection field */

    llhttp_t parser;
    int field; /* which field is being read */
    bool expects;
    size_t head_bytes;
    struct request_value name;
    struct request_value expect;
    struct str span; /* the body, when it came in one piece of the bytes being read */
    struct buf body; /* the body, otherwise */
};

/* Ready for the first request of a connection; deinit frees its buffers. */
void request_init(struct request *request);
void request_deinit(struct request *request);

/*
 * Reads HTTP/1.1 (RFC 9112) as strictly as llhttp does by default. *used says how many bytes were
 * taken: up to and with the end of the request after REQUEST_WHOLE, up to its body after
 * REQUEST_EXPECTS; the rest is to be given again.
 */
enum request_event request_read(struct request *request, struct str bytes, size_t *used) MUST_USE;

/* The whole body, framing removed. Valid as long as the bytes given to request_read. */
struct str request_body(const struct request *request);

/* An llhttp method, HTTP_POST for one. */
uint8_t request_method(const struct request *request);

/* Whether it is of HTTP/1.0 or older. */
bool request_is_http_10(const struct request *request);

#endif
