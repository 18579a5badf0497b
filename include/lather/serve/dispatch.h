/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_DISPATCH_H
#define LATHER_SERVE_DISPATCH_H

#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"
#include "lather/serve/refusals.h"
#include "lather/serve/request.h"
#include "lather/serve/response.h"
#include "lather/serve/serve.h"

/* What is kept from request to request: the counts, and when the next order is to be refused. */
struct dispatch {
    struct serve_counts counts;
    struct response_book *book;
    struct refusals refusals;
    uint64_t date_s; /* the second that date shows */
    char date[32];
};

/* options are read, not kept; index is that of the thread. */
void dispatch_init(struct dispatch *dispatch, const struct serve_options *options, size_t index);
void dispatch_deinit(struct dispatch *dispatch);

/*
 * Answers a request that is whole or refused, and counts it: appends the answer to lead; *tail is
 * what follows, a view that stays (empty as a rule). now_s is any clock that shows when a second
 * has passed.
 */
void dispatch_answer(struct dispatch *dispatch, struct request *request,
                     enum response_connection connection, uint64_t now_s, struct buf *lead,
                     struct str *tail);

#endif
