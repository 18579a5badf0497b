/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_TLS_REASON_H
#define LATHER_NET_TLS_REASON_H

#include <stdbool.h>
#include <stddef.h>

struct x509_st;

enum { TLS_REASON_SIZE = 160, TLS_FIRST_BYTES = 8 };

/* How the TCP connection ended under TLS, when it was not TLS itself that failed. */
enum tls_end {
    TLS_END_NONE = 0,
    TLS_END_CLOSED,  /* in the middle of the handshake */
    TLS_END_RESET,   /* the same */
    TLS_END_LATE,    /* no handshake in time */
    TLS_END_FLOODED, /* the peer wants more said than it reads */
    TLS_END_COUNT
};

/* All that is known about a failure. */
struct tls_trouble {
    unsigned long code;          /* OpenSSL's first error; 0: none */
    long verify_result;          /* X509_V_...; X509_V_OK when verification is not the reason */
    enum tls_end end;            /* of the connection */
    bool certificate_wanted;     /* the server asked for the client's certificate */
    bool certificate_given;      /* and we have one */
    char first[TLS_FIRST_BYTES]; /* the first bytes that the server ever sent */
    size_t first_len;
    const char *host;            /* whom the certificate should have named */
    struct x509_st *certificate; /* the server's; NULL when it did not come so far */
};

/*
 * The reason in OpenSSL's words and what a tester can do about it, such as "certificate has
 * expired: renew it, or test all the same with --insecure". The same failure gives the same text.
 * Returns text.
 */
const char *tls_reason_format(const struct tls_trouble *trouble, char text[TLS_REASON_SIZE]);

#endif
