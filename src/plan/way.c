/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way to the service: transport, proxy, credentials, another address. Here contradictions are
 * refused and the transport is chosen; whether libcurl was built with what is asked is known only
 * on the floor that has it (net/curl_features). The trap: credentials are split at the first colon,
 * as user names hold none but passwords may.
 */
#include "lather/plan/way.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/host_port.h"

enum { QUOTED_BYTES = 100 };

static void free_secret(char *secret)
{
    if (secret != NULL) {
        memset(secret, 0, strlen(secret));
    }
    free(secret);
}

void way_deinit(struct way *way)
{
    free(way->user);
    free_secret(way->password);
    free(way->spn_service);
    free(way->spn_host);
    proxy_deinit(&way->proxy);
    free(way->proxy_user);
    free_secret(way->proxy_password);
    free(way->connect_host);
    *way = (struct way){.transport = WAY_TRANSPORT_AUTO};
}

const char *way_transport_name(enum way_transport transport)
{
    static const char *const names[WAY_TRANSPORT_COUNT] = {
        [WAY_TRANSPORT_AUTO] = "auto",
        [WAY_TRANSPORT_DIRECT] = "direct",
        [WAY_TRANSPORT_CURL] = "curl",
    };
    return names[transport];
}

bool way_transport_parse(struct str name, enum way_transport *transport)
{
    for (enum way_transport i = 0; i < WAY_TRANSPORT_COUNT; i++) {
        if (str_equals(name, str_from(way_transport_name(i)))) {
            *transport = i;
            return true;
        }
    }
    return false;
}

bool way_parse_credentials(struct str text, char **user, char **password)
{
    struct str name;
    struct str secret;
    if (!str_split(text, ':', &name, &secret) || name.len == 0) {
        return false;
    }
    *user = str_dup(name);
    *password = str_dup(secret);
    return true;
}

bool way_parse_spn(struct way *way, struct str text, struct err *err)
{
    struct str service;
    struct str host;
    struct str shown = str_slice(text, 0, QUOTED_BYTES);
    if (!str_split(text, '/', &service, &host) || service.len == 0 || host.len == 0 ||
        str_find_byte(host, '/') != SIZE_MAX) {
        return err_set(err, ERR_USAGE,
                       "--spn \"%.*s\": give the principal as SERVICE/HOST, such as HTTP/web.corp",
                       STR_ARG(shown));
    }
    if (str_find_byte(host, ':') != SIZE_MAX || str_find_byte(host, '@') != SIZE_MAX) {
        return err_set(err, ERR_USAGE,
                       "--spn \"%.*s\": libcurl asks for tickets of a service and a host alone: "
                       "leave out port and realm (setspn -S HTTP/HOST on the server's account)",
                       STR_ARG(shown));
    }
    way->spn_service = str_dup(service);
    way->spn_host = str_dup(host);
    return true;
}

/* Whether a rule's "HOST:PORT" is the target's; empty parts are any. */
static bool is_target(struct str host, uint16_t port, const struct url *target)
{
    return (host.len == 0 || str_equals_nocase(host, str_from(target->host))) &&
           (port == 0 || port == target->port);
}

bool way_parse_connect_to(struct way *way, struct str text, const struct url *target,
                          struct err *err)
{
    struct str shown = str_slice(text, 0, QUOTED_BYTES);
    struct str from_host;
    struct str to_host;
    uint16_t from_port = 0;
    uint16_t to_port = 0;
    bool is_good = host_port_take(&text, &from_host, &from_port) && str_starts_with(text, STR(":"));
    text = str_slice(text, 1, text.len);
    is_good = is_good && host_port_take(&text, &to_host, &to_port) && text.len == 0 &&
              (to_host.len > 0 || to_port != 0);
    if (!is_good) {
        return err_set(err, ERR_USAGE,
                       "--connect-to \"%.*s\": give HOST:PORT:HOST2:PORT2, IPv6 addresses in "
                       "brackets, parts that stay as they are left empty (::HOST2:)",
                       STR_ARG(shown));
    }
    if (way->connect_host == NULL && is_target(from_host, from_port, target)) {
        way->connect_host = to_host.len > 0 ? str_dup(to_host) : str_dup(str_from(target->host));
        way->connect_port = to_port != 0 ? to_port : target->port;
    }
    return true;
}

const char *way_needs_curl(const struct way *way)
{
    if (way->auth != AUTH_SCHEME_NONE) {
        return auth_scheme_option(way->auth);
    }
    if (way->proxy.kind != PROXY_KIND_NONE) {
        return "-X";
    }
    if (way->resolve_each) {
        return "--resolve-each";
    }
    return way->http2 ? "--http2" : NULL;
}

bool way_binds_connection(const struct way *way)
{
    return way->auth == AUTH_SCHEME_NTLM || way->auth == AUTH_SCHEME_NEGOTIATE;
}

bool way_settle(struct way *way, struct err *err)
{
    const char *needs_curl = way_needs_curl(way);
    if (way->transport == WAY_TRANSPORT_DIRECT && needs_curl != NULL) {
        return err_set(err, ERR_USAGE,
                       "--transport direct and %s contradict each other: only curl can do that",
                       needs_curl);
    }
    if (way->auth == AUTH_SCHEME_NTLM && way->http2) {
        return err_set(err, ERR_USAGE,
                       "--ntlm and --http2 contradict each other: NTLM belongs to a connection of "
                       "HTTP/1.1");
    }
    if (way->spn_service != NULL && way->auth != AUTH_SCHEME_NEGOTIATE) {
        return err_set(err, ERR_USAGE,
                       "--spn names the service for Kerberos: give --negotiate too");
    }
    if (way->resolve_each && way->proxy.kind != PROXY_KIND_NONE) {
        return err_set(err, ERR_USAGE,
                       "--resolve-each and -X contradict each other: the name that would be looked "
                       "up is the proxy's");
    }
    if (way->proxy_user != NULL && way->proxy.kind == PROXY_KIND_NONE) {
        return err_set(err, ERR_USAGE, "-P without -X: name the proxy with -X HOST:PORT");
    }
    if (way->transport == WAY_TRANSPORT_AUTO) {
        way->transport = needs_curl != NULL ? WAY_TRANSPORT_CURL : WAY_TRANSPORT_DIRECT;
    }
    return true;
}
