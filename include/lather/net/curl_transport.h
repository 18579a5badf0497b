/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_CURL_TRANSPORT_H
#define LATHER_NET_CURL_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/auth_scheme.h"
#include "lather/base/proxy.h"
#include "lather/net/transport.h"

/*
 * The other transport: libcurl, for what needs a conversation before the request. It has the slots,
 * events, times, counts and outcomes of the direct transport, and what both can serve ends the
 * same.
 *
 * A slot is one easy handle with one connection that no other slot ever uses, so an identity stays
 * with its connection and a handshake is never carried on elsewhere. Requests that only belong to a
 * handshake are counted and timed apart (exchange, struct traffic); their bytes are in the totals.
 * What is spoken with a proxy before the connection stands counts as connecting and is in no bytes.
 * With HTTP/2 the bytes of heads are those before their compression.
 */

/* Who we are and by which way we go. All texts are borrowed for the life of the transport. */
struct curl_transport_options {
    const char *scheme; /* of the URL: "http" or "https" */
    const char *host;   /* of the URL, without brackets */
    uint16_t port;
    bool host_is_ipv6;
    const char *peer_host; /* --connect-to: the host and port to go to instead; NULL: the URL's */
    uint16_t peer_port;
    bool http2;
    bool resolve_each; /* names are looked up for each connection, whatever the addresses given */
    enum auth_scheme auth;
    const char *user;     /* NULL: whoever the system says we are */
    const char *password; /* NULL: none */
    const char
        *spn_service; /* --spn SERVICE/HOST, in its two parts; NULL: HTTP and the URL's host */
    const char *spn_host;
    enum proxy_kind proxy;
    const char *proxy_host;
    uint16_t proxy_port;
    bool proxy_host_is_ipv6;
    const char *proxy_user;
    const char *proxy_password;
    /* Of whom we connect to the addresses are in struct transport_options: of the proxy if there is
     * one. With SOCKS5 told addresses, this holds those of the URL's host; else NULL. */
    const struct address_list *origin_addresses;
};

/*
 * Once in the life of the process, before any transport and thread. False without memory.
 */
bool curl_transport_set_up(void) MUST_USE;
/* After the last transport. */
void curl_transport_tear_down(void);

/* A curl transport with all its slots free. Free it with transport_free. */
struct transport *curl_transport_new(const struct transport_options *options,
                                     const struct curl_transport_options *way) MUST_USE;

#endif
