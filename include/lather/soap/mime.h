/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_MIME_H
#define LATHER_SOAP_MIME_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/check.h"
#include "lather/base/str.h"

/* How unwrapping ended; the first that was met. */
enum mime_end {
    MIME_WHOLE = 0,
    MIME_NO_BOUNDARY,  /* neither Content-Type nor the first line names one */
    MIME_NO_PART,      /* the boundary never comes */
    MIME_BAD_HEADER,   /* the header of a part is longer than MIME_HEADER_CEILING */
    MIME_BAD_ENCODING, /* a Content-Transfer-Encoding that is not known here */
    MIME_CUT_OFF,      /* the last boundary is missing */
    MIME_END_COUNT
};

enum {
    MIME_HEADER_CEILING = 16 * 1024,
    MIME_BOUNDARY_CEILING = 200,
    MIME_PADDING_CEILING =
        1024 /* blanks behind a boundary (RFC 2046 5.1.1); with more it is none */
};

/* What comes out of a multipart body. Texts are valid during the call. */
struct mime_events {
    /*
     * The root part begins; its Content-Type. Called a second time when a later part turns out to
     * be the root that `start` names: what came before is to be forgotten.
     */
    void (*root)(void *context, struct str content_type);
    void (*bytes)(void *context, struct str bytes); /* of the root part, transfer encoding undone */
};

/*
 * Takes the root part out of a multipart/related body (RFC 2387) piece by piece: an MTOM answer
 * (XOP 1.0) or one with attachments. Other parts are passed over. Liberal, as real services demand:
 * LF for CRLF, folded and lower-case part headers, a Content-ID without its brackets, a first part
 * where `start` names none of them. Memory is constant and time linear in the bytes, whatever
 * pieces and parts they come in. One body at a time.
 */
struct mime;

/* A reader for many bodies; freed with mime_free, which takes NULL. */
struct mime *mime_new(const struct mime_events *events, void *context) MUST_USE;
void mime_free(struct mime *mime);

/* Starts a body with the Content-Type it came under; without a boundary there the first line is it.
 */
void mime_begin(struct mime *mime, struct str content_type);
void mime_feed(struct mime *mime, struct str bytes);
enum mime_end mime_finish(struct mime *mime);

/* Why a body has no root part, as a sentence; "" for MIME_WHOLE. */
const char *mime_end_text(enum mime_end end);

/* How many parts began. */
size_t mime_parts(const struct mime *mime);

/*
 * During `bytes`: where they stand in the body, counted from its first byte. Only where
 * mime_is_plain says that the bytes are the body's own.
 */
size_t mime_offset(const struct mime *mime);

/* At the end: whether no part is the one that `start` names, so that the first was taken. */
bool mime_start_is_lost(const struct mime *mime);

/* Whether the root part is in no transfer encoding (7bit, 8bit, binary or none). */
bool mime_is_plain(const struct mime *mime);

/* Whether a body without a Content-Type is likely multipart: it starts as boundaries do, with -. */
bool mime_is_likely(struct str bytes);

#endif
