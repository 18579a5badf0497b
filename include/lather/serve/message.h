/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SERVE_MESSAGE_H
#define LATHER_SERVE_MESSAGE_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/str.h"
#include "lather/soap/version.h"

#define MESSAGE_ORDERS_NAMESPACE "urn:example:orders"

/* What a message asks for. */
enum message_kind {
    MESSAGE_ORDER = 0, /* PlaceOrder: wants an answer */
    MESSAGE_NOTICE,    /* NotifyShipment: one-way */
    MESSAGE_WRONG,     /* an envelope that cannot be served: problem says why */
    MESSAGE_BAD,       /* no envelope at all: problem says why */
    MESSAGE_KIND_COUNT
};

/* The WS-Addressing a message speaks, if any. */
enum message_addressing {
    MESSAGE_ADDRESSING_NONE = 0,
    MESSAGE_ADDRESSING_10,     /* 2005/08 */
    MESSAGE_ADDRESSING_200408, /* 2004/08 */
    MESSAGE_ADDRESSING_COUNT
};

/* Why a message is wrong, as far as the answer depends on it. */
enum message_fault {
    MESSAGE_FAULT_SENDER = 0,
    MESSAGE_FAULT_VERSION,       /* an Envelope of an unknown namespace */
    MESSAGE_FAULT_ACTION,        /* no such operation */
    MESSAGE_FAULT_NO_MESSAGE_ID, /* WS-Addressing, two-way, no MessageID */
    MESSAGE_FAULT_COUNT
};

enum { MESSAGE_ECHO_CEILING = 1024 }; /* bytes of MessageID and orderId, which an answer repeats */

/* What the service needs to know of a request. The strings are views into its body, markup as
 * written. */
struct message {
    enum message_kind kind;
    enum soap_version version; /* NONE when it is no envelope of 1.1 or 1.2 */
    enum message_addressing addressing;
    enum message_fault fault; /* of a wrong or bad message */
    struct str message_id;
    struct str order_id;
    struct str operation; /* local name of Body's first element */
    const char *problem;  /* a few words for a wrong or bad message; NULL otherwise */
};

/* Reads the body of a request. Never fails: what cannot be served is a kind of its own. */
void message_read(struct message *message, struct str body);

#endif
