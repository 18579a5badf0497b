/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_BINDING_H
#define LATHER_SOAP_BINDING_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/http_head.h"
#include "lather/soap/envelope.h"

enum binding_exchange { BINDING_TWO_WAY = 0, BINDING_ONE_WAY };

/* What is known when a message is bound to HTTP; all borrowed. NULL means "not given". */
struct binding_request {
    const struct envelope *envelope;
    struct str body;                 /* the bytes the envelope was read from */
    const char *content_type;        /* -T or a Content-Type field of -H, which replaces it */
    const char *soap_action;         /* --soap-action; "" is a value: an empty action is sent */
    const struct http_head *headers; /* the user's fields; may be NULL */
    enum binding_exchange exchange;
};

/* The fields that follow; NUL-ended texts, owned. */
struct binding {
    char *content_type;
    char *soap_action; /* the field's value with its quotes; NULL: no such field */
};

/*
 * Settles Content-Type and SOAPAction. Without a type given: text/xml for SOAP 1.1 and XML that is
 * no envelope, application/soap+xml for SOAP 1.2, each with the charset the bytes are in;
 * text/plain for what is no XML. A given type goes as it is, but for a "Content-Type:" typed in
 * front of it. The action is quoted unless it is already; for SOAP 1.2 without WS-Addressing it is
 * the parameter action of the type (RFC 3902), with WS-Addressing it is not sent at all. A user's
 * own SOAPAction field among the headers is the caller's: it replaces what is settled here.
 */
void binding_settle(const struct binding_request *request, struct binding *binding);
void binding_deinit(struct binding *binding);

#endif
