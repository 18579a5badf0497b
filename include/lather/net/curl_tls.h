/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_TLS_H
#define LATHER_NET_CURL_TLS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/measure/tally.h"
#include "lather/net/curl_line.h"
#include "lather/net/tls_context.h"
#include "lather/net/tls_facts.h"
#include "lather/net/tls_reason.h"

/*
 * TLS inside libcurl as the direct transport speaks it: by the run's one context, with the same
 * checks, names, counts and reasons. libcurl makes an OpenSSL context of its own for each
 * connection; it is given what the run's has, and watched.
 */

/* What all connections of a transport have in common. */
struct curl_tls {
    const struct tls_context *context;
    struct buf ciphers; /* of the context, as OpenSSL takes them */
    struct buf suites;  /* the same for TLS 1.3 */
    struct traffic *traffic;
    struct tls_facts *facts; /* filled by the first handshake */
};

/* Reads what the context holds; NULL: no TLS is spoken, and the rest does nothing. */
void curl_tls_init(struct curl_tls *tls, const struct tls_context *context, struct traffic *traffic,
                   struct tls_facts *facts);
/* Frees what was read. */
void curl_tls_deinit(struct curl_tls *tls);

/* What is seen of one connection's TLS. Zeroed at first; fields are private. */
struct curl_tls_watch {
    const struct curl_tls *tls;
    const struct curl_line *line; /* whose connection it is */
    uint64_t start_ns;            /* of the handshake; 0: none began */
    bool is_done;                 /* the first handshake is over */
    bool is_broken;               /* OpenSSL failed, or the peer said so */
    bool is_write_broken; /* something could not be written any more; what came is still read */
    bool certificate_wanted;
    uint64_t came_before; /* bytes read from the socket when a write failed last */
    unsigned long code;
    long verify_result;
    struct x509_st *certificate; /* the one refused */
    char first[TLS_FIRST_BYTES];
    size_t first_len;
    char reason[TLS_REASON_SIZE];
};

/* Makes a line's handle speak TLS so, told to the watch, which must outlive its connections. */
void curl_tls_apply(const struct curl_tls *tls, const struct curl_line *line,
                    struct curl_tls_watch *watch);

/* Forgets the last connection. */
void curl_tls_forget(struct curl_tls_watch *watch);

/* Takes what libcurl says of a transfer that failed: OpenSSL's code is in it when TLS is to blame.
 */
void curl_tls_note_text(struct curl_tls_watch *watch, const char *text);

/* Whether TCP is connected and the handshake is not over. */
bool curl_tls_is_shaking_hands(const struct curl_tls_watch *watch);

/* Whether TLS failed, in the handshake or later, other than by the end of its connection. */
bool curl_tls_is_broken(const struct curl_tls_watch *watch);

/* Whether the connection could not be written to any more: libcurl was not told, so that it read
 * what the peer had to say. */
bool curl_tls_is_write_broken(const struct curl_tls_watch *watch);

/* Why; `end` says how the connection ended when TLS itself did not fail. Valid until the next
 * connection. */
const char *curl_tls_reason(struct curl_tls_watch *watch, enum tls_end end);

#endif
