/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_EXPLAIN_H
#define LATHER_SOAP_EXPLAIN_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/str.h"
#include "lather/soap/envelope.h"
#include "lather/soap/refresh.h"
#include "lather/soap/root_part.h"

/* A message that is to be explained; all borrowed. */
struct explain_request {
    const struct root_part *root;           /* of its body */
    const struct envelope *envelope;        /* read from root->text */
    const struct refresh_result *refreshed; /* what refresh_find did to it */
    enum refresh_mode mode;                 /* REFRESH_LOOKS: it goes out as captured */
    struct str content_type;                /* as sent */
    bool is_https;
    struct stamp now; /* what moments are compared with */
};

/*
 * Appends what a message is and what becomes of it when it is sent again and again, a line
 * "LABEL: TEXT" each (docs/CHECK lists the labels): version, action, addressing, security, the
 * binding it looks like, what is made anew and what is not, until when it would be accepted as it
 * is, why it cannot be replayed, and what it seems to need from answers. Of the message's own texts
 * only the line breaks are changed. Linear in the body.
 */
void explain_append(const struct explain_request *request, struct buf *lines);

#endif
