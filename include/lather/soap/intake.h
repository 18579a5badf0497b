/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_INTAKE_H
#define LATHER_SOAP_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/str.h"
#include "lather/soap/media.h"
#include "lather/soap/reply.h"

/* What became of a body on its way to the reader of envelopes. */
enum intake_end {
    INTAKE_READ = 0,  /* an XML text was read; `reply` tells how it was */
    INTAKE_EMPTY,     /* no bytes came */
    INTAKE_NOT_XML,   /* bytes under a media type that holds no XML: not looked at */
    INTAKE_UNDECODED, /* the Content-Encoding could not be undone; `problem` */
    INTAKE_TOO_LARGE, /* more than the ceiling came, or came out of decoding; `problem` */
    INTAKE_UNWRAPPED, /* a multipart body without a root part to read; `problem` */
    INTAKE_END_COUNT
};

struct intake_facts {
    enum intake_end end;
    struct str problem;    /* a few words */
    struct str media_type; /* as the answer named it */
    bool is_multipart;
    bool media_contradicts; /* as in judge.h */
    uint64_t body_bytes;    /* as they came */
    const struct reply_facts *reply;
    struct str document; /* the XML text's own bytes, when asked to keep them */
    const char *charset; /* which they are in */
    uint64_t hash;       /* of the decoded body, or of the root part; message_id left out */
};

enum intake_keep { INTAKE_KEEPS_NOTHING = 0, INTAKE_KEEPS_DOCUMENT };

/* What to read of a body. Texts are borrowed until intake_end. */
struct intake_request {
    struct str content_type;
    struct str content_encoding;
    struct str message_id; /* that of the request, for RelatesTo; empty: unknown */
    uint64_t ceiling;      /* of bytes, decoded */
    enum intake_keep keep;
    bool wants_hash; /* facts->hash is to be set */
};

/*
 * The one way of every body: Content-Encoding undone, multipart unwrapped, envelope read, in pieces
 * of any size. One body at a time, one a thread; kept for many.
 */
struct intake;

/* An intake; freed with intake_free, which takes NULL. */
struct intake *intake_new(void) MUST_USE;
void intake_free(struct intake *intake);

/* As reply_observe. */
void intake_observe(struct intake *intake,
                    void (*start)(void *context, const struct sax_element *element), void *context);

/* Starts a body; the texts of request are borrowed until intake_end. */
void intake_begin(struct intake *intake, const struct intake_request *request);

/* The next bytes, as they came off the wire. */
void intake_feed(struct intake *intake, struct str bytes);

/* What was found; stays until the next begin. */
const struct intake_facts *intake_end(struct intake *intake);

#endif
