/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_LEG_H
#define LATHER_NET_CURL_LEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/auth_scheme.h"
#include "lather/base/str.h"

/*
 * One request and its answer of those that a transfer of libcurl is made of: while it authenticates
 * there are several, and when a kept connection turns out to be closed there is another. What goes
 * out is told piece by piece, as it reached the system.
 */
struct curl_leg {
    size_t body_expected; /* of the whole request; a leg of a handshake may have none */
    uint64_t start_ns;    /* its first byte went out; 0: nothing did */
    uint64_t bytes_out;
    size_t body_out;
    uint64_t body_in;   /* bytes behind the head, framing included */
    uint64_t body_used; /* of these: the answer's */
    char tail[4];       /* the last bytes of the head so far */
    bool is_begun;      /* the connection stood for it */
    bool head_is_whole;
    bool is_bare;       /* its head announces no body, although the request has one */
    bool was_seen;      /* a byte of its answer came, but libcurl did not tell */
    bool has_answer;    /* a byte of it came from libcurl */
    bool has_token;     /* it carried credentials that were made for it */
    bool has_field;     /* it carried credentials of any kind */
    bool is_challenged; /* its answer asks for the next step of a handshake */
    bool is_looping;    /* the handshake had no end: its answer is that of the request */
    bool is_answered;   /* the answer is whole */
    bool is_salvaged;   /* the rest of what came was read behind libcurl's back */
    bool is_bad;        /* it is no HTTP, or wrongly framed */
    bool is_coded;      /* its Transfer-Encoding names more than chunked */
    bool is_late;       /* cut off: it was still coming after its time */
    bool is_too_large;  /* cut off: it passed options.body_ceiling */
};

/* A leg of nothing. */
void curl_leg_begin(struct curl_leg *leg, size_t body_expected);

/* A piece of the head went out. `scheme` is whose credentials are looked for. */
void curl_leg_add_head(struct curl_leg *leg, struct str bytes, enum auth_scheme scheme,
                       uint64_t now_ns);

/* A piece of the body went out. */
void curl_leg_add_body(struct curl_leg *leg, size_t bytes);

/* Whether all of the request is with the system. */
bool curl_leg_is_sent(const struct curl_leg *leg);

/* Whether it was one of a handshake, whole but without the body: libcurl keeps that for later. */
bool curl_leg_is_bare(const struct curl_leg *leg);

/* Bytes behind the answer that belong to nothing. */
uint64_t curl_leg_stray_bytes(const struct curl_leg *leg);

#endif
