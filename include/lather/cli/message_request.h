/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_MESSAGE_REQUEST_H
#define LATHER_CLI_MESSAGE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/expect_file.h"
#include "lather/cli/message_file.h"
#include "lather/cli/options.h"
#include "lather/cli/post_files.h"
#include "lather/cli/url_list.h"
#include "lather/plan/plan.h"

/* One message in the making; all borrowed, and what it does not have is NULL. */
struct message_making {
    const struct message_file *file;  /* never NULL; without a message for a request of its own */
    const struct post_file *found;    /* where the file was found */
    const struct url_item *url;       /* of the list */
    const struct options *options;    /* for this message */
    const struct options *own;        /* what is expected of its answers, when it has its own */
    const struct expect_file *beside; /* FILE.expect, when it says anything */
    size_t count;                     /* of messages that the file gives */
};

/* What it is made for. */
struct message_setting {
    const struct plan *plan;
    const struct plan_renewal *renewal;
    const char *url;   /* where nobody names one; NULL: that is an error */
    size_t file_count; /* of -p */
    size_t url_count;  /* given */
};

/* The body that is sent, "" without one. */
struct str message_request_body(const struct message_making *making);

/* Appends what the report calls the message; nothing where method and path tell it best. */
void message_request_append_name(const struct message_making *making,
                                 const struct message_setting *setting, struct buf *name);

/*
 * Fills a request for plan_add_message, all but name and expectations; its header fields are put
 * into `fields`, which is initialised. False when no URL is known or a field is none.
 */
bool message_request_fill(const struct message_making *making,
                          const struct message_setting *setting, struct plan_request *request,
                          struct http_head *fields, struct err *err) MUST_USE;

#endif
