/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The address of a proxy as -X takes it. A port is always wanted: programs disagree about the one
 * to assume, and a wrong guess would be measured as a refusing proxy.
 */
#include "lather/base/proxy.h"

#include <stdlib.h>

#include "lather/base/host_port.h"

enum { QUOTED_BYTES = 100 };

const char *proxy_kind_name(enum proxy_kind kind)
{
    static const char *const names[PROXY_KIND_COUNT] = {
        [PROXY_KIND_NONE] = "",
        [PROXY_KIND_HTTP] = "http",
        [PROXY_KIND_SOCKS5] = "socks5",
        [PROXY_KIND_SOCKS5H] = "socks5h",
    };
    return names[kind];
}

static enum proxy_kind kind_of(struct str scheme)
{
    for (enum proxy_kind kind = PROXY_KIND_HTTP; kind < PROXY_KIND_COUNT; kind++) {
        if (str_equals_nocase(scheme, str_from(proxy_kind_name(kind)))) {
            return kind;
        }
    }
    return PROXY_KIND_NONE;
}

void proxy_format(const struct proxy *proxy, struct buf *text)
{
    buf_printf(text, "%s://%s%s%s:%u", proxy_kind_name(proxy->kind), proxy->host_is_ipv6 ? "[" : "",
               proxy->host, proxy->host_is_ipv6 ? "]" : "", (unsigned)proxy->port);
}

void proxy_deinit(struct proxy *proxy)
{
    free(proxy->host);
    *proxy = (struct proxy){.kind = PROXY_KIND_NONE};
}

bool proxy_parse(struct proxy *proxy, struct str text, struct err *err)
{
    *proxy = (struct proxy){.kind = PROXY_KIND_HTTP};
    struct str shown = str_slice(text, 0, QUOTED_BYTES);
    if (str_find_byte(text, '@') != SIZE_MAX) {
        return err_set(err, ERR_USAGE,
                       "the proxy's credentials do not belong to its address: give them with -P");
    }
    size_t scheme_end = str_find(text, STR("://"));
    if (scheme_end != SIZE_MAX) {
        proxy->kind = kind_of(str_slice(text, 0, scheme_end));
        text = str_slice(text, scheme_end + 3, text.len);
    }
    if (proxy->kind == PROXY_KIND_NONE) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is no proxy that can be spoken to: give HOST:PORT, "
                       "socks5://HOST:PORT or socks5h://HOST:PORT",
                       STR_ARG(shown));
    }
    if (str_ends_with(text, STR("/"))) {
        text = str_slice(text, 0, text.len - 1);
    }
    struct str host;
    if (!host_port_take(&text, &host, &proxy->port) || text.len > 0 || host.len == 0) {
        return err_set(err, ERR_USAGE,
                       "\"%.*s\" is no address of a proxy: give HOST:PORT, an IPv6 address in "
                       "brackets",
                       STR_ARG(shown));
    }
    if (proxy->port == 0) {
        return err_set(err, ERR_USAGE, "\"%.*s\" has no port: give HOST:PORT", STR_ARG(shown));
    }
    proxy->host_is_ipv6 = str_find_byte(host, ':') != SIZE_MAX;
    proxy->host = str_dup(host);
    return true;
}
