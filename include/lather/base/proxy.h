/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_BASE_PROXY_H
#define LATHER_BASE_PROXY_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"

enum proxy_kind {
    PROXY_KIND_NONE = 0,
    PROXY_KIND_HTTP,    /* absolute URIs for http, CONNECT for https (RFC 9110 9.3.6) */
    PROXY_KIND_SOCKS5,  /* RFC 1928, told an address: names are resolved here */
    PROXY_KIND_SOCKS5H, /* RFC 1928, told the name */
    PROXY_KIND_COUNT
};

/* Where a proxy is. The host is owned, without brackets. */
struct proxy {
    enum proxy_kind kind;
    char *host;
    uint16_t port;
    bool host_is_ipv6;
};

/*
 * Reads HOST:PORT, http://HOST:PORT, socks5://HOST:PORT or socks5h://HOST:PORT. Fails with a
 * sentence: another scheme, no port, credentials (they belong to -P).
 */
bool proxy_parse(struct proxy *proxy, struct str text, struct err *err) MUST_USE;

/* Frees the host; safe on a zeroed proxy. */
void proxy_deinit(struct proxy *proxy);

/* Appends "http://host:port", IPv6 addresses in brackets. */
void proxy_format(const struct proxy *proxy, struct buf *text);

/* "http", "socks5", "socks5h", "" for none; never NULL. */
const char *proxy_kind_name(enum proxy_kind kind);

#endif
