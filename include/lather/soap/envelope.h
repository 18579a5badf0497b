/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_ENVELOPE_H
#define LATHER_SOAP_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/str.h"
#include "lather/soap/addressing.h"
#include "lather/soap/charset.h"
#include "lather/soap/version.h"

/* What stands in the way of sending a message again and again as it is: a set of these bits. */
enum envelope_block {
    ENVELOPE_SIGNATURE = 1 << 0,     /* ds:Signature directly in the Security header */
    ENVELOPE_ENCRYPTED = 1 << 1,     /* EncryptedData anywhere */
    ENVELOPE_CONTEXT_TOKEN = 1 << 2, /* secure conversation, its opening and closing included */
    ENVELOPE_RELIABLE = 1 << 3,      /* WS-ReliableMessaging */
    ENVELOPE_ASSERTION = 1 << 4,     /* a SAML assertion in the Security header */
    ENVELOPE_DOCTYPE = 1 << 5,       /* forbidden in SOAP; its entities are not resolved here */
};

enum { ENVELOPE_PROBLEM_SIZE = 320 };

/*
 * What can be seen in the bytes of a message to be sent. Nothing is an error: a message may be
 * anything, and is sent byte for byte. Texts are owned, trimmed, in UTF-8, and "" when absent.
 */
struct envelope {
    struct charset charset;
    size_t bytes;
    bool is_xml;                         /* a root element began */
    bool is_well_formed;                 /* to its end */
    char problem[ENVELOPE_PROBLEM_SIZE]; /* why it is not, with the line; "" otherwise */
    enum soap_version version;           /* of the root: Envelope in one of the two namespaces */
    bool is_draft;                       /* Envelope in the namespace of a draft of SOAP 1.2 */
    size_t bodies;                       /* Body elements in the envelope; 1 is right */
    unsigned blocks;                     /* of enum envelope_block */
    bool has_addressing;                 /* some header block of WS-Addressing */
    enum addressing_version addressing;  /* of the first such block */
    bool has_none_addressing;            /* header blocks in WCF's addressing/none namespace */
    bool has_security;
    bool has_timestamp;      /* in the Security header */
    bool has_username_token; /* in the Security header */
    bool has_certificate;    /* a BinarySecurityToken in the Security header */
    size_t message_ids;      /* how many MessageID blocks */
    char *action;            /* wsa:Action */
    char *to;                /* wsa:To */
    char *message_id;        /* wsa:MessageID, the first */
    char *reply_to;          /* wsa:ReplyTo/wsa:Address */
};

/* Looks at a message. envelope needs no init and must be deinited. Linear; borrows nothing. */
void envelope_read(struct envelope *envelope, struct str bytes);
void envelope_deinit(struct envelope *envelope);

#endif
