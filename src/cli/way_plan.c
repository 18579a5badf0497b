/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options about the way to the service: transport, authentication, proxy, other addresses. What
 * contradicts what among their values is known to plan/way; here it is about options that need each
 * other. With a scheme -A is its credentials and no field of the request.
 */
#include "lather/cli/way_plan.h"

#include "lather/base/http_head.h"
#include "lather/net/curl_features.h"

static const struct {
    enum option option;
    enum auth_scheme scheme;
} schemes[] = {
    {OPTION_DIGEST, AUTH_SCHEME_DIGEST},
    {OPTION_NTLM, AUTH_SCHEME_NTLM},
    {OPTION_NEGOTIATE, AUTH_SCHEME_NEGOTIATE},
};

static bool set_scheme(struct way *way, const struct options *options, struct err *err)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        if (!options_has(options, schemes[i].option)) {
            continue;
        }
        if (way->auth != AUTH_SCHEME_NONE) {
            return err_set(err, ERR_USAGE,
                           "%s and %s contradict each other: one scheme at a time, or each request "
                           "would be sent once in vain",
                           auth_scheme_option(way->auth), auth_scheme_option(schemes[i].scheme));
        }
        way->auth = schemes[i].scheme;
    }
    return true;
}

static bool set_credentials(struct way *way, const struct options *options, struct err *err)
{
    const char *text = options_text(options, OPTION_USER);
    if (way->auth == AUTH_SCHEME_NONE || (text == NULL && way->auth == AUTH_SCHEME_NEGOTIATE)) {
        return true;
    }
    if (text == NULL) {
        return err_set(err, ERR_USAGE, "%s needs credentials: give them with -A USER:PASSWORD%s",
                       auth_scheme_option(way->auth),
                       way->auth == AUTH_SCHEME_NTLM ? " or -A 'DOMAIN\\USER:PASSWORD'" : "");
    }
    return way_parse_credentials(str_from(text), &way->user, &way->password) ||
           err_set(err, ERR_USAGE, "-A: with %s give USER:PASSWORD, with a colon between them",
                   auth_scheme_option(way->auth));
}

static bool set_proxy(struct way *way, const struct options *options, struct err *err)
{
    const char *proxy = options_text(options, OPTION_PROXY);
    const char *credentials = options_text(options, OPTION_PROXY_USER);
    if (proxy != NULL && !proxy_parse(&way->proxy, str_from(proxy), err)) {
        return err_prefix(err, "-X");
    }
    return credentials == NULL ||
           way_parse_credentials(str_from(credentials), &way->proxy_user, &way->proxy_password) ||
           err_set(err, ERR_USAGE, "-P: give USER:PASSWORD, with a colon between them");
}

static bool set_transport(struct way *way, const struct options *options, struct err *err)
{
    const char *name = options_text(options, OPTION_TRANSPORT);
    return name == NULL || way_transport_parse(str_from(name), &way->transport) ||
           err_set(err, ERR_USAGE, "--transport \"%.60s\": give auto, direct or curl", name);
}

/* Fields with which libcurl would send something else than the bytes of the plan. */
static bool check_fields(const struct way *way, const struct options *options, struct err *err)
{
    const struct option_value *lines = &options->values[OPTION_HEADER];
    for (size_t i = 0; i < lines->count && way->transport == WAY_TRANSPORT_CURL; i++) {
        struct str name;
        struct str value;
        if (http_head_parse_field(str_from(lines->texts[i]), &name, &value, err) &&
            str_equals_nocase(name, STR("Transfer-Encoding"))) {
            const char *reason = way_needs_curl(way);
            return err_set(
                err, ERR_USAGE,
                "-H Transfer-Encoding and %s contradict each other: libcurl sends a body "
                "with its length",
                reason != NULL ? reason : "--transport curl");
        }
    }
    return true;
}

static void note_handshakes(const struct plan *plan, struct buf *notes)
{
    if (way_binds_connection(&plan->way) && !plan->keep_alive) {
        buf_printf(notes,
                   "%s without -k: every request opens a connection and pays for a handshake\n",
                   auth_scheme_option(plan->way.auth));
    }
}

bool way_plan_set(struct plan *plan, const struct options *options, struct buf *notes,
                  struct err *err)
{
    struct way *way = &plan->way;
    const char *spn = options_text(options, OPTION_SPN);
    way->http2 = options_has(options, OPTION_HTTP2);
    way->resolve_each = options_has(options, OPTION_RESOLVE_EACH);
    if (!set_transport(way, options, err) || !set_scheme(way, options, err) ||
        !set_credentials(way, options, err) || !set_proxy(way, options, err) ||
        (spn != NULL && !way_parse_spn(way, str_from(spn), err)) || !way_settle(way, err) ||
        !check_fields(way, options, err)) {
        return false;
    }
    note_handshakes(plan, notes);
    return true;
}

bool way_plan_set_target(struct plan *plan, const struct options *options, struct buf *notes,
                         struct err *err)
{
    const struct option_value *rules = &options->values[OPTION_CONNECT_TO];
    for (size_t i = 0; i < rules->count; i++) {
        if (!way_parse_connect_to(&plan->way, str_from(rules->texts[i]), &plan->target, err)) {
            return false;
        }
    }
    if (rules->count > 0 && plan->way.connect_host == NULL) {
        buf_printf(notes, "--connect-to has no effect: the URL's host and port are %s:%u\n",
                   plan->target.host, (unsigned)plan->target.port);
    }
    if (plan->way.http2 && plan->keep_alive && plan->target.scheme == URL_SCHEME_HTTP &&
        !curl_features_keeps_http2_in_clear()) {
        buf_append_str(notes,
                       STR("-k has no effect: this build's libcurl cannot speak HTTP/2 without TLS "
                           "on a kept connection, so each request opens its own\n"));
    }
    return true;
}
