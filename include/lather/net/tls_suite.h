/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_TLS_SUITE_H
#define LATHER_NET_TLS_SUITE_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"

struct ssl_ctx_st;

/*
 * Sets the protocol versions offered by ab's name for them (-f), in any case, as a prefix: TLS1,
 * TLS1.1, TLS1.2, TLS1.3 or ALL; "TLSv1.2" does too. NULL: TLS 1.2 and 1.3. Versions before 1.2
 * need OpenSSL's security level 0, which is set with them and noted.
 */
bool tls_suite_set_protocol(struct ssl_ctx_st *handle, const char *name, struct buf *notes,
                            struct err *err) MUST_USE;

/*
 * Sets the ciphers offered (-Z): names that begin with TLS_ are suites of TLS 1.3, the rest is
 * OpenSSL's list for older versions. Of which there is none in the list, that stays as it is. A
 * name that OpenSSL does not know is noted; a list of nothing else fails.
 */
bool tls_suite_set_ciphers(struct ssl_ctx_st *handle, const char *list, struct buf *notes,
                           struct err *err) MUST_USE;

#endif
