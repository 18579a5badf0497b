/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What would stop a run before its first request: a name without address, a local address that is
 * none, too few descriptors. Found here it costs a sentence; found later it costs the figures.
 */
#include "lather/load/preflight.h"

#include "lather/base/platform.h"

/*
 * Descriptors besides the connections: the standard streams, output files, and per worker the
 * loop's own (epoll, event and signal pipes).
 */
enum { PREFLIGHT_DESCRIPTORS = 32, PREFLIGHT_DESCRIPTORS_PER_THREAD = 8 };

bool preflight_check(const struct plan *plan, struct preflight *preflight, struct err *err)
{
    preflight->has_bind_to = plan->bind_address != NULL;
    if (preflight->has_bind_to &&
        !(address_parse_literal(&preflight->bind_to, plan->bind_address, err) &&
          address_check_local(&preflight->bind_to, err))) {
        return false;
    }
    const uint64_t descriptors = (uint64_t)plan->concurrency + PREFLIGHT_DESCRIPTORS +
                                 (uint64_t)plan->threads * PREFLIGHT_DESCRIPTORS_PER_THREAD;
    return platform_raise_descriptor_limit(descriptors, err) &&
           address_resolve(&preflight->addresses, plan->target.host, plan->target.port,
                           preflight->has_bind_to ? &preflight->bind_to : NULL, err);
}
