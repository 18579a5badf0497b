/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_URL_H
#define LATHER_BASE_URL_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/err.h"
#include "lather/base/str.h"

enum url_scheme { URL_SCHEME_HTTP = 0, URL_SCHEME_HTTPS, URL_SCHEME_COUNT };

/* An http or https URL in parts (RFC 3986). The strings are owned; free with url_deinit. */
struct url {
    enum url_scheme scheme;
    char *host;      /* without brackets: "::1", "biztalk" */
    char *authority; /* as the Host header wants it: brackets, and the port when not the default */
    char *path;      /* with query, without fragment; "/" when the URL had none */
    uint16_t port;
    bool host_is_ipv6;
};

/*
 * Parses a URL; the scheme is optional and then http, as in ab. Errors name what is wrong and what
 * to do: no host, an unknown scheme, blanks, a bad port, user information (use -A).
 */
bool url_parse(struct url *url, struct str text, struct err *err) MUST_USE;

/* Frees the strings; safe on a zeroed or already freed url. */
void url_deinit(struct url *url);

/* "http" or "https". */
const char *url_scheme_name(enum url_scheme scheme);

#endif
