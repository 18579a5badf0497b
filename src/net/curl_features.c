/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the libcurl that is linked was built with. Builds differ: GSS-API does not link statically,
 * NTLM is left out of newer builds unless asked for, and a user who is told only "401" by a build
 * without a scheme would look for the reason at the server.
 */
#include "lather/net/curl_features.h"

#include <curl/curl.h>

static bool curl_features_has(int feature)
{
    return (curl_version_info(CURLVERSION_NOW)->features & feature) != 0;
}

static bool curl_features_check_auth(const struct curl_features_wish *wish, struct err *err)
{
    if (wish->auth == AUTH_SCHEME_NTLM && !curl_features_has(CURL_VERSION_NTLM)) {
        return err_set(err, ERR_USAGE,
                       "--ntlm: this build of lather has no NTLM, as its libcurl %s was built "
                       "without it; see --version",
                       curl_version_info(CURLVERSION_NOW)->version);
    }
    if (wish->auth != AUTH_SCHEME_NEGOTIATE) {
        return true;
    }
    if (!curl_features_has(CURL_VERSION_SPNEGO)) {
        return err_set(
            err, ERR_USAGE,
            "--negotiate: this build of lather has no Negotiate: the library for "
            "Kerberos (GSS-API) cannot be part of a static binary. The dynamic build has "
            "it: build from source, or use your system's package");
    }
    if (wish->has_user && !curl_features_has(CURL_VERSION_SSPI)) {
        return err_set(
            err, ERR_USAGE,
            "--negotiate and -A contradict each other: here the ticket of kinit says who "
            "you are; leave -A out");
    }
    return true;
}

bool curl_features_check(const struct curl_features_wish *wish, struct err *err)
{
    if (wish->http2 && !curl_features_has(CURL_VERSION_HTTP2)) {
        return err_set(err, ERR_USAGE,
                       "--http2: this build of lather has no HTTP/2, as its libcurl was built "
                       "without nghttp2");
    }
    if (wish->tls && !curl_features_has(CURL_VERSION_SSL)) {
        return err_set(err, ERR_USAGE, "https:// by libcurl: this build of it has no TLS");
    }
    return curl_features_check_auth(wish, err);
}

bool curl_features_keeps_http2_in_clear(void)
{
    const unsigned version = curl_version_info(CURLVERSION_NOW)->version_num;
    return version < 0x075800 || version >= 0x080000;
}

void curl_features_add_transport(struct buf *text)
{
    buf_append_str(text, STR("curl (HTTP/1.1"));
    buf_append_str(text, curl_features_has(CURL_VERSION_HTTP2) ? STR(", HTTP/2") : STR(""));
    buf_append_str(text, STR(", TLS, HTTP and SOCKS5 proxies)"));
}

void curl_features_add_authentication(struct buf *text)
{
    buf_append_str(text, STR("Digest"));
    buf_append_str(text, curl_features_has(CURL_VERSION_NTLM) ? STR(", NTLM") : STR(""));
    if (curl_features_has(CURL_VERSION_SPNEGO)) {
        buf_printf(text, ", Negotiate (%s)",
                   curl_features_has(CURL_VERSION_SSPI) ? "SSPI" : "GSS-API");
    }
}

void curl_features_add_missing(struct buf *text)
{
    static const struct {
        int feature;
        const char *words;
    } parts[] = {
        {CURL_VERSION_NTLM, "NTLM"},
        {CURL_VERSION_SPNEGO, "Negotiate (the dynamic build has it)"},
        {CURL_VERSION_HTTP2, "HTTP/2"},
    };
    size_t missing = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!curl_features_has(parts[i].feature)) {
            buf_printf(text, "%s%s", missing++ > 0 ? ", " : "", parts[i].words);
        }
    }
    if (missing == 0) {
        buf_append_str(text, STR("nothing"));
    }
}

void curl_features_add_libraries(struct buf *text)
{
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    buf_printf(text, "libcurl %s", info->version);
    if (info->nghttp2_version != NULL) {
        buf_printf(text, ", nghttp2 %s", info->nghttp2_version);
    }
}
