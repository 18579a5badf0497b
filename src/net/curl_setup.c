/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcurl's options, in one place. libcurl does much for its user that a load tester must not have
 * done: it reads proxies from the environment, waits for 100 Continue, adds fields, picks among
 * authentication schemes by a request that is thrown away, gives up after times of its own. All of
 * that is switched off here, and each switch says what it would cost.
 */
#include "lather/net/curl_setup.h"

#include <stdio.h>
#include <string.h>

#define CURL_SETUP_FOR_EVER_MS (24L * 3600 * 1000)

static void curl_setup_append_host(struct buf *text, const char *host, bool is_ipv6)
{
    buf_printf(text, "%s%s%s", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "");
}

static struct curl_slist *curl_setup_append(struct curl_slist *list, struct buf *line)
{
    struct curl_slist *longer = curl_slist_append(list, line->data);
    CHECK(longer != NULL);
    buf_deinit(line);
    return longer;
}

/*
 * Appends "host:port:address,address" to the list, the address at `first` before all others; only
 * those of `family` unless that is AF_UNSPEC.
 */
static struct curl_slist *curl_setup_add_addresses(struct curl_slist *resolve, const char *host,
                                                   uint16_t port, const struct address_list *list,
                                                   size_t first, int family)
{
    if (strchr(host, ':') != NULL) {
        return resolve; /* an IPv6 address is no name to be resolved */
    }
    struct buf line;
    buf_init(&line);
    buf_printf(&line, "%s:%u:", host, (unsigned)port);
    for (size_t i = 0; i < list->count; i++) {
        char text[ADDRESS_TEXT_SIZE];
        const struct sockaddr_storage *address = &list->items[(first + i) % list->count];
        if (family != AF_UNSPEC && address->ss_family != family) {
            continue;
        }
        buf_append_str(&line, i == 0 ? STR("") : STR(","));
        curl_setup_append_host(&line, address_format_ip(address, text),
                               address->ss_family == AF_INET6);
    }
    return curl_setup_append(resolve, &line);
}

/* The host libcurl believes to talk to: it makes the Kerberos name of the service from it. */
static const char *curl_setup_host(const struct curl_transport_options *way)
{
    return way->spn_host != NULL ? way->spn_host : way->host;
}

static void curl_setup_set_origin(struct curl_setup *setup)
{
    const struct curl_transport_options *way = setup->way;
    const bool is_ipv6 = way->spn_host == NULL && way->host_is_ipv6;
    buf_printf(&setup->origin, "%s://", way->scheme);
    curl_setup_append_host(&setup->origin, curl_setup_host(way), is_ipv6);
    if (way->port != (strcmp(way->scheme, "https") == 0 ? 443 : 80)) {
        buf_printf(&setup->origin, ":%u", (unsigned)way->port);
    }
}

static void curl_setup_set_peer(struct curl_setup *setup)
{
    const struct curl_transport_options *way = setup->way;
    if (way->peer_host == NULL) {
        return;
    }
    struct buf line;
    buf_init(&line);
    buf_append_str(&line, STR("::"));
    curl_setup_append_host(&line, way->peer_host, strchr(way->peer_host, ':') != NULL);
    buf_printf(&line, ":%u", (unsigned)way->peer_port);
    setup->connect_to = curl_setup_append(NULL, &line);
}

/* Whom the proxy, or without one libcurl itself, is to connect to. */
static const char *curl_setup_target_host(const struct curl_transport_options *way)
{
    return way->peer_host != NULL ? way->peer_host : curl_setup_host(way);
}

static struct curl_slist *curl_setup_resolve(const struct curl_transport_options *way,
                                             const struct address_list *peer, size_t first,
                                             int family)
{
    const char *target_host = curl_setup_target_host(way);
    const uint16_t target_port = way->peer_host != NULL ? way->peer_port : way->port;
    const bool is_direct = way->proxy == PROXY_KIND_NONE;
    struct curl_slist *resolve =
        curl_setup_add_addresses(NULL, is_direct ? target_host : way->proxy_host,
                                 is_direct ? target_port : way->proxy_port, peer, first, family);
    if (way->origin_addresses != NULL) {
        resolve = curl_setup_add_addresses(resolve, target_host, target_port, way->origin_addresses,
                                           0, AF_UNSPEC);
    }
    return resolve;
}

static void curl_setup_set_addresses(struct curl_setup *setup, const struct address_list *peer)
{
    setup->resolve_all = curl_setup_resolve(setup->way, peer, 0, AF_UNSPEC);
    for (size_t i = 0; i < peer->count; i++) {
        setup->resolve[i] = curl_setup_resolve(setup->way, peer, i, peer->items[i].ss_family);
    }
}

void curl_setup_init(struct curl_setup *setup, const struct curl_transport_options *way,
                     const struct address_list *peer)
{
    *setup = (struct curl_setup){.way = way};
    buf_init(&setup->origin);
    buf_init(&setup->proxy);
    curl_setup_set_origin(setup);
    curl_setup_set_peer(setup);
    curl_setup_set_addresses(setup, peer);
    if (way->proxy != PROXY_KIND_NONE) {
        buf_printf(&setup->proxy, "%s://", proxy_kind_name(way->proxy));
        curl_setup_append_host(&setup->proxy, way->proxy_host, way->proxy_host_is_ipv6);
        buf_printf(&setup->proxy, ":%u", (unsigned)way->proxy_port);
    }
}

void curl_setup_deinit(struct curl_setup *setup)
{
    buf_deinit(&setup->origin);
    buf_deinit(&setup->proxy);
    curl_slist_free_all(setup->resolve_all);
    for (size_t i = 0; i < ADDRESS_CEILING; i++) {
        curl_slist_free_all(setup->resolve[i]);
    }
    curl_slist_free_all(setup->connect_to);
}

static void curl_setup_apply_auth(const struct curl_transport_options *way, CURL *easy)
{
    static const unsigned long schemes[AUTH_SCHEME_COUNT] = {
        [AUTH_SCHEME_NONE] = CURLAUTH_NONE,
        [AUTH_SCHEME_DIGEST] = CURLAUTH_DIGEST,
        [AUTH_SCHEME_NTLM] = CURLAUTH_NTLM,
        [AUTH_SCHEME_NEGOTIATE] = CURLAUTH_NEGOTIATE,
    };
    if (way->auth == AUTH_SCHEME_NONE) {
        return;
    }
    /* One scheme: with several libcurl sends the request once in vain to hear which are offered. */
    (void)curl_easy_setopt(easy, CURLOPT_HTTPAUTH, schemes[way->auth]);
    (void)curl_easy_setopt(easy, CURLOPT_USERNAME, way->user != NULL ? way->user : "");
    (void)curl_easy_setopt(easy, CURLOPT_PASSWORD, way->password != NULL ? way->password : "");
    if (way->spn_service != NULL) {
        (void)curl_easy_setopt(easy, CURLOPT_SERVICE_NAME, way->spn_service);
    }
}

static void curl_setup_apply_proxy(const struct curl_setup *setup, CURL *easy)
{
    const struct curl_transport_options *way = setup->way;
    /* Never from the environment: the run would go another way than its command line says. */
    (void)curl_easy_setopt(easy, CURLOPT_PROXY, setup->proxy.len > 0 ? setup->proxy.data : "");
    (void)curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
    if (way->proxy_user != NULL) {
        (void)curl_easy_setopt(easy, CURLOPT_PROXYAUTH, (long)CURLAUTH_BASIC);
        (void)curl_easy_setopt(easy, CURLOPT_PROXYUSERNAME, way->proxy_user);
        (void)curl_easy_setopt(easy, CURLOPT_PROXYPASSWORD,
                               way->proxy_password != NULL ? way->proxy_password : "");
    }
    (void)curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
}

static long curl_setup_http_version(const struct curl_transport_options *way)
{
    if (!way->http2) {
        return CURL_HTTP_VERSION_1_1;
    }
    /* Without TLS nothing can be agreed on but by an upgrade, which a POST is not made for. */
    return strcmp(way->scheme, "https") == 0 ? CURL_HTTP_VERSION_2TLS
                                             : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
}

void curl_setup_apply(const struct curl_setup *setup, CURL *easy)
{
    (void)curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, curl_setup_http_version(setup->way));
    (void)curl_easy_setopt(easy, CURLOPT_RESOLVE,
                           setup->way->resolve_each ? NULL : setup->resolve_all);
    (void)curl_easy_setopt(easy, CURLOPT_CONNECT_TO, setup->connect_to);
    (void)curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, setup->way->resolve_each ? 0L : -1L);
    curl_setup_apply_proxy(setup, easy);
    curl_setup_apply_auth(setup->way, easy);
    /* Framing as it came: our own reader takes it off, the same for both transports. What is no
     * HTTP at all goes to it as well. */
    (void)curl_easy_setopt(easy, CURLOPT_HTTP_TRANSFER_DECODING, 0L);
    (void)curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    (void)curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_ENABLE_ALPN, setup->way->http2 ? 1L : 0L);
    /* Times are ours (net/deadline): libcurl would give up connecting after 300 s, and not use a
     * connection that was idle for 118 s. */
    (void)curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CURL_SETUP_FOR_EVER_MS);
    (void)curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, CURL_SETUP_FOR_EVER_MS / 1000);
}

static size_t curl_setup_on_read(char *to, size_t size, size_t count, void *context)
{
    struct curl_request *request = context;
    return curl_body_read(&request->pieces, to, size * count);
}

static int curl_setup_on_seek(void *context, curl_off_t offset, int origin)
{
    struct curl_request *request = context;
    if (origin != SEEK_SET || offset < 0 || (uint64_t)offset > request->pieces.bytes) {
        return CURL_SEEKFUNC_FAIL;
    }
    curl_body_seek(&request->pieces, (size_t)offset);
    return CURL_SEEKFUNC_OK;
}

void curl_setup_apply_body(CURL *easy, const struct curl_request *request)
{
    const char *run = request->body.len > 0 ? request->body.data : "";
    if (request->has_length) {
        /* A body of 0 bytes is one too: POSTFIELDS must not be NULL. */
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->is_in_pieces ? NULL : run);
    }
}

static void curl_setup_apply_reader(CURL *easy, struct curl_request *request)
{
    (void)curl_easy_setopt(easy, CURLOPT_READFUNCTION, curl_setup_on_read);
    (void)curl_easy_setopt(easy, CURLOPT_READDATA, request);
    (void)curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, curl_setup_on_seek);
    (void)curl_easy_setopt(easy, CURLOPT_SEEKDATA, request);
}

/*
 * Text alone would be taken apart for each transfer, and put together again: 12,000 instructions of
 * libcurl 7.88. What is taken apart already is copied for 1,000.
 */
static void curl_setup_apply_url(const struct curl_setup *setup, CURL *easy,
                                 struct curl_request *request)
{
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, buf_view(&setup->origin));
    buf_append_str(&text, str_from(request->target));
    const bool is_url =
        curl_url_set(request->url, CURLUPART_URL, text.data, CURLU_PATH_AS_IS) == CURLUE_OK;
    (void)curl_easy_setopt(easy, CURLOPT_CURLU, is_url ? request->url : NULL);
    /* One that it does not understand is refused in its own words when the transfer starts. */
    (void)curl_easy_setopt(easy, CURLOPT_URL, text.data);
    buf_deinit(&text);
}

void curl_setup_apply_request(const struct curl_setup *setup, CURL *easy,
                              struct curl_request *request)
{
    curl_setup_apply_url(setup, easy, request);
    const bool is_head = strcmp(request->method, "HEAD") == 0;
    (void)curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    if (request->has_length) {
        (void)curl_easy_setopt(easy, CURLOPT_POST, 1L);
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                               (curl_off_t)request->pieces.bytes);
        curl_setup_apply_body(easy, request);
        curl_setup_apply_reader(easy, request);
    } else if (is_head) {
        (void)curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    }
    (void)curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    (void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, request->lines);
}
