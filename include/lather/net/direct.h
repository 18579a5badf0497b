/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_DIRECT_H
#define LATHER_NET_DIRECT_H

#include "lather/net/transport.h"

/*
 * The direct transport: HTTP/1.1 over TCP or TLS, spoken by ourselves, one connection a slot.
 *
 * With keep-alive a slot's connection serves one request after the other. If a kept connection
 * turns out to be closed before a byte of the answer came, the request is sent once more on a new
 * one (RFC 9112 9.3.1) and counted. Without keep-alive, or when the server announced that it will
 * close, the slot waits up to DIRECT_LINGER_MS for the server to close first, so that TIME_WAIT
 * stays on its side. With TLS a server that said close_notify and does not close within
 * DIRECT_FAREWELL_MS gets ours, in case it waits for that. After a failed connect the slot pauses
 * DIRECT_PAUSE_MS, so that a refusing port is not hammered; after a failure of TLS too. A connect
 * tries every address of the host, beginning with the last that worked; TLS is not tried on another
 * one, as the same service is behind all. A slot keeps the TLS session of its last connection and
 * resumes it with the next, as one client of the server would.
 */
enum { DIRECT_LINGER_MS = 50, DIRECT_FAREWELL_MS = 5, DIRECT_PAUSE_MS = 20 };

/* A direct transport with all its slots free. Free it with transport_free. */
struct transport *direct_new(const struct transport_options *options) MUST_USE;

#endif
