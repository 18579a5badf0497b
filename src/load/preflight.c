/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What would stop a run before its first request: a name without address, a local address that is
 * none, too few descriptors, a key that is not the certificate's. Found here it costs a sentence;
 * found later it costs the figures.
 */
#include "lather/load/preflight.h"

#include "lather/base/clock.h"
#include "lather/base/platform.h"
#include "lather/load/port_needs.h"
#include "lather/net/curl_features.h"

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

static bool preflight_read_sources(const struct plan *plan, struct preflight *preflight,
                                   struct err *err)
{
    struct address_list *sources = &preflight->sources;
    if (plan->bind_address == NULL) {
        return true;
    }
    if (!address_list_parse(sources, plan->bind_address, err)) {
        return false;
    }
    for (size_t i = 0; i < sources->count; i++) {
        if (!address_check_local(&sources->items[i], err)) {
            return false;
        }
    }
    return true;
}

/* The family all sources are of, as the address of one; NULL when both are there, or none is. */
static const struct sockaddr_storage *preflight_family(const struct address_list *sources)
{
    for (size_t i = 1; i < sources->count; i++) {
        if (sources->items[i].ss_family != sources->items[0].ss_family) {
            return NULL;
        }
    }
    return sources->count > 0 ? &sources->items[0] : NULL;
}

/*
 * Resolves and takes the time. The local addresses may be of a family that the host has none of:
 * the resolver's own words would not say that.
 */
static bool preflight_look_up(const char *host, uint16_t port,
                              const struct sockaddr_storage *family, struct preflight *preflight,
                              struct err *err)
{
    struct sockaddr_storage literal;
    struct address_list others;
    const uint64_t start_ns = clock_now_ns();
    const bool is_found = address_resolve(&preflight->addresses, host, port, family, err);
    if (!address_parse_literal(&literal, host, &(struct err){.code = ERR_NONE})) {
        preflight->name_lookup_ns = clock_now_ns() - start_ns;
    }
    if (is_found || family == NULL ||
        !address_resolve(&others, host, port, NULL, &(struct err){.code = ERR_NONE})) {
        return is_found;
    }
    const bool is_ipv6 = family->ss_family == AF_INET6;
    return err_set(err, ERR_USAGE,
                   "-B gives IPv%d addresses, but '%s' has only IPv%d ones: the families must "
                   "match; leave -B out or give it an IPv%d address",
                   is_ipv6 ? 6 : 4, host, is_ipv6 ? 4 : 6, is_ipv6 ? 4 : 6);
}

static bool preflight_resolve(const struct plan *plan, struct preflight *preflight, struct err *err)
{
    const struct way *way = &plan->way;
    const struct sockaddr_storage *family = preflight_family(&preflight->sources);
    const char *host = way->connect_host != NULL ? way->connect_host : plan->target.host;
    const uint16_t port = way->connect_host != NULL ? way->connect_port : plan->target.port;
    if (way->proxy.kind == PROXY_KIND_NONE) {
        return preflight_look_up(host, port, family, preflight, err);
    }
    if (way->proxy.kind == PROXY_KIND_SOCKS5 &&
        !address_resolve(&preflight->origin_addresses, host, port, NULL, err)) {
        return false;
    }
    return preflight_look_up(way->proxy.host, way->proxy.port, family, preflight, err) ||
           err_prefix(err, "-X");
}

static bool preflight_check_curl(const struct plan *plan, struct err *err)
{
    const struct way *way = &plan->way;
    return way->transport != WAY_TRANSPORT_CURL ||
           curl_features_check(
               &(struct curl_features_wish){.auth = way->auth,
                                            .has_user = way->user != NULL,
                                            .http2 = way->http2,
                                            .tls = plan->target.scheme == URL_SCHEME_HTTPS},
               err);
}

/* The local addresses that connections can come from, of those of -B. */
static uint64_t preflight_count_sources(const struct preflight *preflight)
{
    const struct address_list *sources = &preflight->sources;
    uint64_t count = sources->count == 0 ? 1 : 0;
    for (size_t i = 0; i < sources->count; i++) {
        count += sources->items[i].ss_family == preflight->addresses.items[0].ss_family;
    }
    return count;
}

bool preflight_check(const struct plan *plan, struct preflight *preflight, struct err *err)
{
    const uint64_t descriptors = (uint64_t)plan->concurrency + PREFLIGHT_DESCRIPTORS +
                                 (uint64_t)plan->threads * PREFLIGHT_DESCRIPTORS_PER_THREAD;
    if (!preflight_check_curl(plan, err) || !preflight_read_sources(plan, preflight, err) ||
        !preflight_read_tls(plan, preflight, err) ||
        !platform_raise_descriptor_limit(descriptors, err) ||
        !preflight_resolve(plan, preflight, err)) {
        return false;
    }
    port_needs_note(plan,
                    &(struct port_supply){.ports = platform_ephemeral_port_count() *
                                                   preflight_count_sources(preflight),
                                          .rest_s = platform_port_rest_s()},
                    &preflight->notes);
    return true;
}
