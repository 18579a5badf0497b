/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_PREFLIGHT_H
#define LATHER_LOAD_PREFLIGHT_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/net/address.h"
#include "lather/net/tls_context.h"
#include "lather/plan/plan.h"

/* What is found out once, before the first request. */
struct preflight {
    struct address_list addresses;        /* of whom we connect to: the proxy if there is one */
    struct address_list origin_addresses; /* of the URL's host, where a proxy must be told them */
    struct address_list sources;          /* local addresses, used in turn; may be empty */
    struct tls_context *tls;              /* NULL: plain */
    uint64_t name_lookup_ns;              /* what resolving took; 0: there was no name */
    struct buf notes;                     /* what a tester should know, one line each */
};

/*
 * Resolves the host, reads the local address, certificates and keys, and makes sure this machine
 * can open as many sockets as the plan wants. Sends nothing. Whether it succeeds or not,
 * preflight_deinit frees what it made; the preflight must be zeroed before.
 */
bool preflight_check(const struct plan *plan, struct preflight *preflight,
                     struct err *err) MUST_USE;

/* Frees what is in it. */
void preflight_deinit(struct preflight *preflight);

#endif
