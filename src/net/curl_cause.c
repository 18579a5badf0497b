/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcurl's results as ends of an exchange, so that the same event at the server has the same
 * outcome as in the direct transport. The trap: libcurl keeps the last system error of a handle for
 * ever (7.88 does), so it is believed only where a system call was the reason of this very end.
 */
#include "lather/net/curl_cause.h"

#include <stdio.h>

#include "lather/base/str.h"

static enum transport_end curl_cause_end_connected(CURLcode result)
{
    switch (result) {
    case CURLE_SEND_ERROR:
    case CURLE_SEND_FAIL_REWIND:
        return TRANSPORT_END_SEND;
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
        return TRANSPORT_END_RECEIVE;
    case CURLE_OPERATION_TIMEDOUT:
        return TRANSPORT_END_TIMEOUT;
    default:
        return TRANSPORT_END_PROTOCOL;
    }
}

enum transport_end curl_cause_end(CURLcode result, enum curl_cause_phase phase)
{
    if (result == CURLE_COULDNT_RESOLVE_HOST) {
        return TRANSPORT_END_RESOLVE;
    }
    return phase == CURL_CAUSE_CONNECTING ? TRANSPORT_END_CONNECT
                                          : curl_cause_end_connected(result);
}

/* What libcurl says when the system refused to receive or send. */
static bool curl_cause_is_of_system(const char *text)
{
    static const struct str beginnings[] = {
        {.data = "Recv failure", .len = 12},
        {.data = "Send failure", .len = 12},
        {.data = "OpenSSL SSL_", .len = 12},
    };
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (str_starts_with(str_from(text), beginnings[i])) {
            return true;
        }
    }
    return false;
}

int curl_cause_said_error(const char *text)
{
    static const int errors[] = {UV_ECONNRESET, UV_EPIPE,       UV_ETIMEDOUT,   UV_ECONNABORTED,
                                 UV_ENETDOWN,   UV_ENETUNREACH, UV_EHOSTUNREACH};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (str_find_nocase(str_from(text), str_from(uv_strerror(errors[i]))) != SIZE_MAX) {
            return errors[i];
        }
    }
    /* libcurl has words of its own for Winsock's. */
    return str_find_nocase(str_from(text), STR("connection was reset")) != SIZE_MAX ? UV_ECONNRESET
                                                                                    : 0;
}

int curl_cause_error(CURLcode result, enum curl_cause_phase phase, long system_error,
                     const char *text)
{
    bool is_of_system = false;
    switch (result) {
    case CURLE_OUT_OF_MEMORY:
        /* On a connection that stands it is what libcurl says of a line beyond its ceiling. */
        return phase == CURL_CAUSE_CONNECTING ? UV_ENOMEM : 0;
    case CURLE_OPERATION_TIMEDOUT:
        return UV_ETIMEDOUT;
    case CURLE_COULDNT_CONNECT:
    case CURLE_INTERFACE_FAILED:
        is_of_system = true;
        break;
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
        is_of_system = phase == CURL_CAUSE_CONNECTED && curl_cause_is_of_system(text);
        break;
    default:
        break;
    }
    if (!is_of_system) {
        return 0;
    }
    /* The number may be that of the farewell, which failed afterwards. */
    const int said = curl_cause_said_error(text);
    if (said != 0) {
        return said;
    }
    return system_error != 0 ? uv_translate_sys_error((int)system_error) : 0;
}

/* libcurl 8.6 has a result of its own for what passes a ceiling of its. */
static bool curl_cause_is_too_large(CURLcode result)
{
#if LIBCURL_VERSION_NUM >= 0x080600
    return result == CURLE_TOO_LARGE;
#else
    (void)result;
    return false;
#endif
}

/* What libcurl 7 and 8 say of chunks that are none. */
static bool curl_cause_is_of_chunks(const char *text)
{
    return str_find(str_from(text), STR("chunked-encoding")) != SIZE_MAX ||
           str_starts_with(str_from(text), STR("chunk hex-length")) ||
           str_starts_with(str_from(text), STR("invalid chunk size"));
}

/*
 * What libcurl says of heads that it refuses before our reader sees the line, and what the reader
 * says of them.
 */
static const char *curl_cause_bad_head(CURLcode result, const char *text)
{
    static const struct {
        struct str beginning;
        const char *words;
    } refusals[] = {
        {{"Unsupported HTTP version", 24}, HTTP1_BAD_VERSION},
        {{"Unsupported HTTP/1 subversion", 29}, HTTP1_BAD_VERSION},
        {{"Version mismatch", 16}, HTTP1_BAD_VERSION},
        {{"Unsupported response code", 25}, HTTP1_BAD_STATUS},
        {{"Header without colon", 20}, HTTP1_BAD_FIELD},
        {{"Invalid Content-Length", 22}, HTTP1_BAD_LENGTH},
        {{"Nul byte in header", 18}, HTTP1_NUL_IN_HEAD},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        if (str_starts_with(str_from(text), refusals[i].beginning)) {
            return refusals[i].words;
        }
    }
    return result == CURLE_BAD_FUNCTION_ARGUMENT ? HTTP1_BAD_FIELD : NULL; /* a name that is none */
}

const char *curl_cause_bad_answer(CURLcode result, enum curl_cause_phase phase, const char *text)
{
    if (phase == CURL_CAUSE_CONNECTING) {
        return NULL;
    }
    if (result == CURLE_OUT_OF_MEMORY || curl_cause_is_too_large(result)) {
        return HTTP1_HEAD_TOO_LARGE; /* a line of it is */
    }
    if (result == CURLE_RECV_ERROR && curl_cause_is_of_chunks(text)) {
        return text;
    }
    return curl_cause_bad_head(result, text);
}

/* What a proxy, or what is none, did, and what to try; RFC 1928, 6 for the numbers of SOCKS5. */
static const struct {
    struct str said;
    const char *hint;
} curl_cause_proxy_hints[] = {
    {{"tunnel failed, response 0", 25}, "it speaks no HTTP: is it a proxy (-X)?"},
    {{"tunnel failed, response", 23},
     "is it a proxy (-X), and does it let through to this host and port?"},
    {{"CONNECT aborted", 15}, "the proxy closed the connection: is it one (-X)?"},
    {{"connection to proxy closed", 26}, "is it a SOCKS5 proxy (-X)?"},
    {{"Recv failure", 12}, "in what was said to the proxy: is it one of this kind (-X)?"},
    {{"invalid version in initial SOCKS5", 33}, "is it a SOCKS5 proxy (-X)?"},
    {{"rejected by the SOCKS5 server", 29}, "the proxy refused the credentials of -P"},
    {{"authentication method was acceptable", 36},
     "the proxy may want credentials: -P USER:PASSWORD"},
    {{". (1)", 5}, "the proxy failed"},
    {{". (2)", 5}, "the proxy's rules forbid it"},
    {{". (3)", 5}, "network unreachable from the proxy"},
    {{". (4)", 5}, "host unreachable from the proxy"},
    {{". (5)", 5}, "refused: nobody listens there"},
    {{". (6)", 5}, "the proxy had no answer in time"},
    {{". (7)", 5}, "the proxy does not know CONNECT"},
    {{". (8)", 5}, "the proxy does not know this kind of address"},
};

void curl_cause_append_proxy_hint(char *text, size_t size)
{
    const struct str said = str_from(text);
    for (size_t i = 0; i < sizeof curl_cause_proxy_hints / sizeof *curl_cause_proxy_hints; i++) {
        if (str_find(said, curl_cause_proxy_hints[i].said) != SIZE_MAX) {
            (void)snprintf(text + said.len, size - said.len, ": %s",
                           curl_cause_proxy_hints[i].hint);
            return;
        }
    }
}

bool curl_cause_wants_text(CURLcode result)
{
    switch (result) {
    case CURLE_COULDNT_CONNECT:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_OUT_OF_MEMORY:
    case CURLE_OPERATION_TIMEDOUT:
        return false;
    default:
        return true;
    }
}
