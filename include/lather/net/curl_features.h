/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_FEATURES_H
#define LATHER_NET_CURL_FEATURES_H

#include <stdbool.h>

#include "lather/base/auth_scheme.h"
#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"

/* What is asked of libcurl, beyond what every build of it has. */
struct curl_features_wish {
    enum auth_scheme auth;
    bool has_user; /* credentials are given */
    bool http2;
    bool tls;
};

/* Whether this build can do it; if not, err says what is missing and where it is to be had. */
bool curl_features_check(const struct curl_features_wish *wish, struct err *err) MUST_USE;

/* Whether HTTP/2 without TLS can be spoken on a connection that was kept. libcurl 7.88 cannot: it
 * begins it anew on the same connection, and the server refuses that. */
bool curl_features_keeps_http2_in_clear(void);

/* Appends what --version says of libcurl: protocols, schemes, what of both is missing ("nothing"),
 * and the libraries in it. Each is a part of a line. */
void curl_features_add_transport(struct buf *text);
void curl_features_add_authentication(struct buf *text);
void curl_features_add_missing(struct buf *text);
void curl_features_add_libraries(struct buf *text);

#endif
