/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service's address in parts. It does not resolve names and changes nothing of the path: what
 * the tester typed, percent-escapes and all, is what the server sees. Only the fragment goes, as
 * no client sends it (RFC 9110 7.1). Sentences quote the URL without its user information: they
 * end up in build logs.
 */
#include "lather/base/url.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"

enum { QUOTED_BYTES = 200 };

/* The URL cut at its delimiters (RFC 3986 3); views into the text. */
struct parts {
    struct str scheme; /* empty when there is no "://" */
    struct str user;   /* empty when there is no "@" */
    struct str host;   /* with brackets */
    struct str port;
    struct str path; /* from "/" or "?", without fragment */
    bool has_scheme;
    bool has_user;
    bool has_port;
};

/* Where the first of "/?#" stands, or the length. */
static size_t authority_len(struct str text)
{
    size_t at = 0;
    while (at < text.len && text.data[at] != '/' && text.data[at] != '?' && text.data[at] != '#') {
        at++;
    }
    return at;
}

static struct parts cut(struct str text)
{
    struct parts parts = {0};
    size_t scheme_end = str_find(text, STR("://"));
    if (scheme_end != SIZE_MAX && scheme_end < authority_len(text)) {
        parts.has_scheme = true;
        parts.scheme = str_slice(text, 0, scheme_end);
        text = str_slice(text, scheme_end + 3, text.len);
    }
    size_t len = authority_len(text);
    struct str authority = str_slice(text, 0, len);
    struct str fragment;
    (void)str_split(str_slice(text, len, text.len), '#', &parts.path, &fragment);

    for (size_t at = authority.len; at > 0; at--) {
        if (authority.data[at - 1] == '@') {
            parts.has_user = true;
            parts.user = str_slice(authority, 0, at - 1);
            authority = str_slice(authority, at, authority.len);
            break;
        }
    }
    if (str_starts_with(authority, STR("["))) {
        size_t end = str_find(authority, STR("]:"));
        parts.has_port = end != SIZE_MAX;
        parts.host = str_slice(authority, 0, parts.has_port ? end + 1 : authority.len);
        parts.port = str_slice(authority, parts.host.len + 1, authority.len);
    } else {
        parts.has_port = str_split(authority, ':', &parts.host, &parts.port);
    }
    return parts;
}

static void append_printable(struct buf *quoted, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        bool is_control = (unsigned char)text.data[i] < ' ' || text.data[i] == 0x7F;
        buf_append_byte(quoted, is_control ? '?' : text.data[i]);
    }
}

/* The URL as a sentence quotes it: no user information, no control characters, cut. */
static void append_quoted(struct buf *quoted, struct str text, const struct parts *parts)
{
    if (parts->has_user) {
        const char *host = parts->host.data;
        text = str_slice(text, (size_t)(host - text.data), text.len);
        append_printable(quoted, str_slice(parts->scheme, 0, QUOTED_BYTES));
        buf_append_str(quoted, parts->has_scheme ? STR("://...@") : STR("...@"));
    }
    struct str shown = str_slice(text, 0, QUOTED_BYTES);
    append_printable(quoted, shown);
    if (shown.len < text.len) {
        buf_append_str(quoted, STR("..."));
    }
}

/* What is wrong with the characters, or NULL. */
static const char *character_fault(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (byte == ' ') {
            return "a URL holds no blanks: write %20, or put the options outside the quotes";
        }
        if (byte < ' ' || byte == 0x7F) {
            return "a URL holds no line breaks or other control characters: take them out";
        }
    }
    return NULL;
}

static const char *scheme_fault(const struct parts *parts, enum url_scheme *scheme)
{
    if (parts->has_scheme) {
        if (str_equals_nocase(parts->scheme, STR("https"))) {
            *scheme = URL_SCHEME_HTTPS;
            return NULL;
        }
        *scheme = URL_SCHEME_HTTP;
        return str_equals_nocase(parts->scheme, STR("http"))
                   ? NULL
                   : "only http:// and https:// are spoken here: use the service's http address";
    }
    *scheme = URL_SCHEME_HTTP;
    /* "http:/host" would pass as a host named http. */
    if (parts->has_port && (str_equals_nocase(parts->host, STR("http")) ||
                            str_equals_nocase(parts->host, STR("https")))) {
        return "two slashes belong behind the scheme: write http://HOST/ or https://HOST/";
    }
    return NULL;
}

static bool is_letter_or_digit(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9');
}

static const char *ipv6_fault(struct str host)
{
    if (!str_ends_with(host, STR("]"))) {
        return "a bracket and nothing else closes an IPv6 address: write http://[::1]:8080/";
    }
    size_t colons = 0;
    for (size_t i = 1; i + 1 < host.len; i++) {
        colons += host.data[i] == ':' ? 1 : 0;
        if (host.data[i] != ':' && host.data[i] != '.' && str_hex_value(host.data[i]) < 0) {
            return "between the brackets stands no IPv6 address: write http://[::1]:8080/";
        }
    }
    return colons < 2 ? "between the brackets stands no IPv6 address: write http://[::1]:8080/"
                      : NULL;
}

static const char *host_fault(const struct parts *parts)
{
    struct str host = parts->host;
    if (str_starts_with(host, STR("["))) {
        return ipv6_fault(host);
    }
    if (str_find_byte(parts->port, ':') != SIZE_MAX) {
        return "more than one colon in the host: write an IPv6 address in brackets, http://[::1]/";
    }
    if (host.len == 0) {
        return "no host: write it behind the scheme, such as http://HOST/service.svc";
    }
    for (size_t i = 0; i < host.len; i++) {
        char byte = host.data[i];
        if ((unsigned char)byte >= 0x80) {
            return "the host holds letters outside ASCII: write it in its xn-- form";
        }
        if (!is_letter_or_digit(byte) && strchr("-._~", byte) == NULL) {
            return "the host may hold letters, digits, '-', '.' and '_' only: check how it is "
                   "written";
        }
    }
    return NULL;
}

static const char *port_fault(const struct parts *parts, enum url_scheme scheme, uint16_t *port)
{
    *port = scheme == URL_SCHEME_HTTPS ? 443 : 80;
    if (!parts->has_port) {
        return NULL;
    }
    uint64_t value = 0;
    if (!str_to_u64(parts->port, &value) || value == 0 || value > UINT16_MAX) {
        return "the port is wrong: write a number from 1 to 65535 behind the colon, or no colon";
    }
    *port = (uint16_t)value;
    return NULL;
}

static const char *find_fault(struct str text, const struct parts *parts, struct url *url)
{
    const char *fault = character_fault(text);
    if (fault == NULL) {
        fault = scheme_fault(parts, &url->scheme);
    }
    if (fault == NULL && parts->has_user) {
        fault = "a user name does not belong in the URL: give it with -A USER:PASSWORD";
    }
    if (fault == NULL) {
        fault = host_fault(parts);
    }
    if (fault == NULL) {
        fault = port_fault(parts, url->scheme, &url->port);
    }
    return fault;
}

static void fill(struct url *url, const struct parts *parts)
{
    url->host_is_ipv6 = str_starts_with(parts->host, STR("["));
    url->host =
        str_dup(url->host_is_ipv6 ? str_slice(parts->host, 1, parts->host.len - 1) : parts->host);
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, parts->host);
    if (url->port != (url->scheme == URL_SCHEME_HTTPS ? 443 : 80)) {
        buf_printf(&text, ":%" PRIu16, url->port);
    }
    url->authority = buf_take(&text);

    if (!str_starts_with(parts->path, STR("/"))) {
        buf_append_byte(&text, '/');
    }
    buf_append_str(&text, parts->path);
    url->path = buf_take(&text);
}

bool url_parse(struct url *url, struct str text, struct err *err)
{
    *url = (struct url){0};
    if (str_trim(text).len == 0) {
        return err_set(err, ERR_USAGE, "the URL is empty: write http://HOST/service.svc");
    }
    struct parts parts = cut(text);
    const char *fault = find_fault(text, &parts, url);
    if (fault != NULL) {
        struct buf quoted;
        buf_init(&quoted);
        append_quoted(&quoted, text, &parts);
        err_set(err, ERR_USAGE, "%s: %s", quoted.data, fault);
        buf_deinit(&quoted);
        return false;
    }
    fill(url, &parts);
    return true;
}

void url_deinit(struct url *url)
{
    free(url->host);
    free(url->authority);
    free(url->path);
    *url = (struct url){0};
}

const char *url_scheme_name(enum url_scheme scheme)
{
    return scheme == URL_SCHEME_HTTPS ? "https" : "http";
}
