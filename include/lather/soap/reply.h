/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_REPLY_H
#define LATHER_SOAP_REPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"
#include "lather/soap/sax.h"
#include "lather/soap/version.h"

/* Texts of a reply that are kept are cut here. */
enum { REPLY_TEXT_CEILING = 4096 };

/* What was seen in a reply. Texts belong to the reply and stay until its next begin. */
struct reply_facts {
    enum sax_end end;         /* how reading ended */
    struct str problem;       /* libxml2's words, on one line */
    unsigned line;            /* of the problem */
    const char *charset;      /* the encoding it was read in */
    bool charset_contradicts; /* Content-Type, byte order mark, declaration */
    size_t bytes;             /* how many were fed */

    enum soap_version version; /* of the root; NONE when it is no Envelope */
    const char *root_namespace;
    const char *root_name; /* "" when no root was met */
    size_t headers;
    size_t bodies;
    bool header_is_late;         /* a Header behind a Body */
    const char *before_body;     /* an element that belongs nowhere, before Body; NULL: none */
    const char *after_body;      /* an element behind Body; NULL: none (SOAP 1.1 allows it) */
    bool has_text;               /* text directly in Envelope */
    size_t body_children;        /* elements directly in the first Body */
    const char *child_namespace; /* of the first of them; "" when there is none */
    const char *child_name;

    bool is_fault;             /* the first child is Fault, by namespace and name */
    struct str fault_code;     /* "{namespace}name"; text that is no name as it is */
    struct str fault_subcodes; /* "{namespace}a/{namespace}b" */
    struct str fault_reason;   /* as sent: the English one, else the first */
    struct str fault_detail;   /* "{namespace}name" of the first child of detail */

    size_t relations;        /* RelatesTo blocks that relate a reply to its request */
    struct str relates_to;   /* the first */
    bool relates_to_request; /* one of them is the id given to begin */
    struct str action;       /* wsa:Action */
};

/*
 * Reads the envelope of an answer piece by piece, without a tree: what SOAP needs to know and
 * nothing else. Faults are read liberally: their children by local name, in any namespace, of
 * either version (SOAP 1.1 section 4.4, SOAP 1.2 part 1 section 5.4). One a thread.
 */
struct reply;

/* A reader for many replies; freed with reply_free, which takes NULL. */
struct reply *reply_new(void) MUST_USE;
void reply_free(struct reply *reply);

/*
 * Starts a reply; http_charset is that of its Content-Type, empty for none; message_id that of the
 * request it should relate to, empty when unknown. Both are borrowed until reply_end.
 */
void reply_begin(struct reply *reply, struct str http_charset, struct str message_id);

/* The next bytes, in pieces of any size. */
void reply_feed(struct reply *reply, struct str bytes);

/* Ends the reply; what was found. */
const struct reply_facts *reply_end(struct reply *reply);

/*
 * From now on `start` is told of each element that begins, in every reply, with `context`; NULL:
 * nobody is.
 */
void reply_observe(struct reply *reply,
                   void (*start)(void *context, const struct sax_element *element), void *context);

#endif
