/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_PREFLIGHT_H
#define LATHER_LOAD_PREFLIGHT_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/net/address.h"
#include "lather/plan/plan.h"

/* What is found out once, before the first request. */
struct preflight {
    struct address_list addresses;
    struct sockaddr_storage bind_to;
    bool has_bind_to;
};

/*
 * Resolves the host, reads the local address, and makes sure this machine can open as many sockets
 * as the plan wants. Sends nothing.
 */
bool preflight_check(const struct plan *plan, struct preflight *preflight,
                     struct err *err) MUST_USE;

#endif
