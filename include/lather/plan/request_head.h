/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_PLAN_REQUEST_HEAD_H
#define LATHER_PLAN_REQUEST_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/http_head.h"
#include "lather/base/url.h"

/* What a request's head is written from; all borrowed, NULL means "leave the field out". */
struct request_head {
    const char *method;
    const struct url *target;
    const char *connection; /* "close" or "Keep-Alive" */
    const char *cookie;
    const char *authorization;
    bool has_content_length;
    uint64_t content_length;
    const char *content_type;
    const char *soap_action;
    const struct http_head *fields; /* the user's: each takes the place of ours of that name */
};

/*
 * Appends the head with its empty line, in ab's order: request line, Connection, Cookie,
 * Authorization, Content-length, Content-type, SOAPAction, the user's fields spelled as given,
 * Host, User-Agent, Accept. Names compare without case (RFC 9110 5.1). No part has a size limit.
 */
void request_head_format(struct buf *bytes, const struct request_head *head);

#endif
