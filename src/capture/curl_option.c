/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of curl (its manual, 7.88 and later) as far as a recorded request can have them.
 * Whether an option takes a value matters even where it means nothing here: otherwise the value
 * would be taken for the URL. Options that are not in the table are told, not guessed.
 */
#include "lather/capture/curl_option.h"

#include <stddef.h>

#define FLAG  false
#define VALUE true

static const struct curl_option options[] = {
    {'d', "data", VALUE, CURL_ACTION_DATA, NULL},
    {'\0', "data-ascii", VALUE, CURL_ACTION_DATA, NULL},
    {'\0', "data-binary", VALUE, CURL_ACTION_DATA_BINARY, NULL},
    {'\0', "data-raw", VALUE, CURL_ACTION_DATA_RAW, NULL},
    {'\0', "json", VALUE, CURL_ACTION_JSON, NULL},
    {'H', "header", VALUE, CURL_ACTION_HEADER, NULL},
    {'X', "request", VALUE, CURL_ACTION_METHOD, NULL},
    {'I', "head", FLAG, CURL_ACTION_HEAD, NULL},
    {'G', "get", FLAG, CURL_ACTION_GET, NULL},
    {'u', "user", VALUE, CURL_ACTION_USER, NULL},
    {'\0', "basic", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "ntlm", FLAG, CURL_ACTION_SCHEME, NULL},
    {'\0', "digest", FLAG, CURL_ACTION_SCHEME, NULL},
    {'\0', "negotiate", FLAG, CURL_ACTION_SCHEME, NULL},
    {'\0', "anyauth", FLAG, CURL_ACTION_SCHEME, NULL},
    {'\0', "oauth2-bearer", VALUE, CURL_ACTION_BEARER, NULL},
    {'\0', "url", VALUE, CURL_ACTION_URL, NULL},
    {'T', "upload-file", VALUE, CURL_ACTION_UPLOAD, NULL},
    {'A', "user-agent", VALUE, CURL_ACTION_AGENT, NULL},
    {'e', "referer", VALUE, CURL_ACTION_REFERER, NULL},
    {'b', "cookie", VALUE, CURL_ACTION_COOKIE, NULL},
    {'\0', "compressed", FLAG, CURL_ACTION_COMPRESSED, NULL},
    {':', "next", FLAG, CURL_ACTION_NEXT, NULL},

    {'\0', "data-urlencode", VALUE, CURL_ACTION_REFUSE, "a form body is not read here"},
    {'F', "form", VALUE, CURL_ACTION_REFUSE, "a multipart form is not read here"},
    {'\0', "form-string", VALUE, CURL_ACTION_REFUSE, "a multipart form is not read here"},
    {'K', "config", VALUE, CURL_ACTION_REFUSE, "a file with options of curl is not read here"},
    {'\0', "aws-sigv4", VALUE, CURL_ACTION_REFUSE, "a signature per request is not made here"},

    {'k', "insecure", FLAG, CURL_ACTION_ELSEWHERE, "--insecure"},
    {'x', "proxy", VALUE, CURL_ACTION_ELSEWHERE, "-X"},
    {'U', "proxy-user", VALUE, CURL_ACTION_ELSEWHERE, "-P"},
    {'E', "cert", VALUE, CURL_ACTION_ELSEWHERE, "-E"},
    {'\0', "key", VALUE, CURL_ACTION_ELSEWHERE, "--key"},
    {'\0', "pass", VALUE, CURL_ACTION_ELSEWHERE, "--key"},
    {'\0', "cacert", VALUE, CURL_ACTION_ELSEWHERE, "--cacert"},
    {'\0', "capath", VALUE, CURL_ACTION_ELSEWHERE, "--cacert"},
    {'\0', "connect-to", VALUE, CURL_ACTION_ELSEWHERE, "--connect-to"},
    {'\0', "resolve", VALUE, CURL_ACTION_ELSEWHERE, "--connect-to"},
    {'\0', "http2", FLAG, CURL_ACTION_ELSEWHERE, "--http2"},
    {'\0', "http2-prior-knowledge", FLAG, CURL_ACTION_ELSEWHERE, "--http2"},
    {'\0', "interface", VALUE, CURL_ACTION_ELSEWHERE, "-B"},
    {'\0', "ciphers", VALUE, CURL_ACTION_ELSEWHERE, "-Z"},
    {'m', "max-time", VALUE, CURL_ACTION_ELSEWHERE, "-s"},
    {'\0', "connect-timeout", VALUE, CURL_ACTION_ELSEWHERE, "--connect-timeout"},

    {'\0', "http1.1", FLAG, CURL_ACTION_NOTHING, NULL},
    {'0', "http1.0", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "http3", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "cert-type", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "key-type", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "tlsv1", FLAG, CURL_ACTION_NOTHING, NULL},
    {'1', "tlsv1.0", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "tlsv1.1", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "tlsv1.2", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "tlsv1.3", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "tls-max", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "ssl-no-revoke", FLAG, CURL_ACTION_NOTHING, NULL},
    {'4', "ipv4", FLAG, CURL_ACTION_NOTHING, NULL},
    {'6', "ipv6", FLAG, CURL_ACTION_NOTHING, NULL},
    {'L', "location", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "location-trusted", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "max-redirs", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "post301", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "post302", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "post303", FLAG, CURL_ACTION_NOTHING, NULL},
    {'s', "silent", FLAG, CURL_ACTION_NOTHING, NULL},
    {'S', "show-error", FLAG, CURL_ACTION_NOTHING, NULL},
    {'v', "verbose", FLAG, CURL_ACTION_NOTHING, NULL},
    {'i', "include", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "show-headers", FLAG, CURL_ACTION_NOTHING, NULL},
    {'f', "fail", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "fail-with-body", FLAG, CURL_ACTION_NOTHING, NULL},
    {'g', "globoff", FLAG, CURL_ACTION_NOTHING, NULL},
    {'N', "no-buffer", FLAG, CURL_ACTION_NOTHING, NULL},
    {'O', "remote-name", FLAG, CURL_ACTION_NOTHING, NULL},
    {'J', "remote-header-name", FLAG, CURL_ACTION_NOTHING, NULL},
    {'q', "disable", FLAG, CURL_ACTION_NOTHING, NULL},
    {'#', "progress-bar", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "no-progress-meter", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "no-keepalive", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "path-as-is", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "raw", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "trace-time", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "tcp-nodelay", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "parallel", FLAG, CURL_ACTION_NOTHING, NULL},
    {'Z', NULL, FLAG, CURL_ACTION_NOTHING, NULL},
    {'o', "output", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "output-dir", VALUE, CURL_ACTION_NOTHING, NULL},
    {'D', "dump-header", VALUE, CURL_ACTION_NOTHING, NULL},
    {'c', "cookie-jar", VALUE, CURL_ACTION_NOTHING, NULL},
    {'w', "write-out", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "stderr", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "trace", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "trace-ascii", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "retry", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "retry-delay", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "retry-max-time", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "retry-connrefused", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "retry-all-errors", FLAG, CURL_ACTION_NOTHING, NULL},
    {'\0', "expect100-timeout", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "keepalive-time", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "limit-rate", VALUE, CURL_ACTION_NOTHING, NULL},
    {'\0', "noproxy", VALUE, CURL_ACTION_NOTHING, NULL},
    {'y', "speed-time", VALUE, CURL_ACTION_NOTHING, NULL},
    {'Y', "speed-limit", VALUE, CURL_ACTION_NOTHING, NULL},
};

enum { OPTION_COUNT = sizeof options / sizeof options[0] };

const struct curl_option *curl_option_by_name(struct str name)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (options[i].name != NULL && str_equals(str_from(options[i].name), name)) {
            return &options[i];
        }
    }
    return NULL;
}

const struct curl_option *curl_option_by_letter(char letter)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (options[i].letter == letter && letter != '\0') {
            return &options[i];
        }
    }
    return NULL;
}
