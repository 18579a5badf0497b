/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the plan's way to the transport that goes it. The floor that carries bytes knows nothing of
 * plans, and plans nothing of it: here the one's words become the other's. Nothing is decided; that
 * was done when the plan was settled.
 */
#include "lather/load/wire.h"

#include "lather/net/curl_transport.h"
#include "lather/net/direct.h"

static struct transport *wire_new_direct(const struct plan *plan,
                                         const struct transport_options *options,
                                         const struct address_list *origin_addresses)
{
    (void)plan;
    (void)origin_addresses;
    return direct_new(options);
}

static struct transport *wire_new_curl(const struct plan *plan,
                                       const struct transport_options *options,
                                       const struct address_list *origin_addresses)
{
    const struct way *way = &plan->way;
    return curl_transport_new(options, &(struct curl_transport_options){
                                           .scheme = url_scheme_name(plan->target.scheme),
                                           .host = plan->target.host,
                                           .port = plan->target.port,
                                           .host_is_ipv6 = plan->target.host_is_ipv6,
                                           .peer_host = way->connect_host,
                                           .peer_port = way->connect_port,
                                           .http2 = way->http2,
                                           .resolve_each = way->resolve_each,
                                           .auth = way->auth,
                                           .user = way->user,
                                           .password = way->password,
                                           .spn_service = way->spn_service,
                                           .spn_host = way->spn_host,
                                           .proxy = way->proxy.kind,
                                           .proxy_host = way->proxy.host,
                                           .proxy_port = way->proxy.port,
                                           .proxy_host_is_ipv6 = way->proxy.host_is_ipv6,
                                           .proxy_user = way->proxy_user,
                                           .proxy_password = way->proxy_password,
                                           .origin_addresses = origin_addresses,
                                       });
}

struct transport *wire_new(const struct plan *plan, const struct transport_options *options,
                           const struct address_list *origin_addresses)
{
    static struct transport *(*const makers[WAY_TRANSPORT_COUNT])(
        const struct plan *, const struct transport_options *, const struct address_list *) = {
        [WAY_TRANSPORT_AUTO] = wire_new_direct,
        [WAY_TRANSPORT_DIRECT] = wire_new_direct,
        [WAY_TRANSPORT_CURL] = wire_new_curl,
    };
    return makers[plan->way.transport](plan, options, origin_addresses);
}

bool wire_set_up(const struct plan *plan, struct err *err)
{
    return plan->way.transport != WAY_TRANSPORT_CURL || curl_transport_set_up() ||
           err_set(err, ERR_MEMORY, "libcurl does not start: no memory");
}

void wire_tear_down(const struct plan *plan)
{
    if (plan->way.transport == WAY_TRANSPORT_CURL) {
        curl_transport_tear_down();
    }
}
