/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What would stop a run before its first request: a name without address, a local address that is
 * none, too few descriptors, a key that is not the certificate's. Found here it costs a sentence;
 * found later it costs the figures.
 */
#include "lather/load/preflight.h"

#include "lather/base/platform.h"

/*
 * Descriptors besides the connections: the standard streams, output files, and per worker the
 * loop's own (epoll, event and signal pipes).
 */
enum { PREFLIGHT_DESCRIPTORS = 32, PREFLIGHT_DESCRIPTORS_PER_THREAD = 8 };

static bool preflight_read_tls(const struct plan *plan, struct preflight *preflight,
                               struct err *err)
{
    const struct plan_tls *tls = &plan->tls;
    if (plan->target.scheme != URL_SCHEME_HTTPS) {
        return true;
    }
    preflight->tls =
        tls_context_new(&(struct tls_options){.host = tls->host,
                                              .omit_server_name = tls->omit_server_name,
                                              .insecure = tls->insecure,
                                              .no_resume = tls->no_resume,
                                              .authority_file = tls->authority_file,
                                              .certificate_file = tls->certificate_file,
                                              .key_file = tls->key_file,
                                              .key_password = tls->key_password,
                                              .ciphers = tls->ciphers,
                                              .protocol = tls->protocol},
                        &preflight->notes, err);
    return preflight->tls != NULL;
}

void preflight_deinit(struct preflight *preflight)
{
    tls_context_free(preflight->tls);
    buf_deinit(&preflight->notes);
}

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
    return preflight_read_tls(plan, preflight, err) &&
           platform_raise_descriptor_limit(descriptors, err) &&
           address_resolve(&preflight->addresses, plan->target.host, plan->target.port,
                           preflight->has_bind_to ? &preflight->bind_to : NULL, err);
}
