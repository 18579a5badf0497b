/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_TLS_FACTS_H
#define LATHER_NET_TLS_FACTS_H

#include <stdint.h>

#include "lather/base/buf.h"

struct ssl_st;

enum { TLS_FACT_SIZE = 64, TLS_NAME_SIZE = 256 };

/* What was agreed on, as text; "" where there is nothing to tell. */
struct tls_facts {
    char protocol[TLS_FACT_SIZE]; /* "TLSv1.3" */
    char cipher[TLS_FACT_SIZE];   /* "TLS_AES_256_GCM_SHA384" */
    char temp_key[TLS_FACT_SIZE]; /* "X25519 253 bits" */
    uint32_t key_bits;            /* of the server certificate's key */
    uint32_t cipher_bits;
    char subject[TLS_NAME_SIZE]; /* of the server's certificate */
    char issuer[TLS_NAME_SIZE];
    char not_before[TLS_FACT_SIZE];
    char not_after[TLS_FACT_SIZE];
};

/* Reads the facts of a connection whose handshake is over. */
void tls_facts_read(struct tls_facts *facts, struct ssl_st *ssl);

/* The lines ab prints of them at -v 2. */
void tls_facts_format(const struct tls_facts *facts, struct buf *text);

#endif
