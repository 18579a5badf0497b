/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What experienced people say when they see such a failure. A table of signs, the most telling
 * first: words of the reason, names of a Fault's code, statuses. It never changes a verdict; a sign
 * that could mean two things names both.
 */
#include "lather/soap/hint.h"

#include <stddef.h>

#include "lather/soap/judge.h"
#include "lather/soap/media.h"

/* All signs given must be there. */
struct sign {
    uint16_t status;    /* 0: any */
    const char *code;   /* a name in the Fault's code or subcodes; NULL: any */
    const char *reason; /* words in the reason, in any case; NULL: any */
    const char *hint;   /* NULL: the reason says what to do, and nothing is to be added */
};

#define SECURITY_REFUSED                                                                           \
    "the Security header was refused: most often its Timestamp has expired (a captured one lives " \
    "about 10 minutes) or the clocks differ by more than 5 minutes"

static const struct sign signs[] = {
    {400, NULL, ": use https://", NULL},
    {400, NULL, ": -E FILE", NULL},
    {401, NULL, ": -E FILE", NULL},
    {403, NULL, ": -E FILE", NULL},
    {401, NULL, ": the server refused the", NULL},
    {401, NULL, "no Kerberos ticket", NULL},
    {0, NULL, "Only WS-ReliableMessaging messages",
     "the endpoint wants WS-ReliableMessaging, which is not supported here"},
    {0, "UnknownSequence", NULL,
     "the message belongs to a reliable-messaging sequence that is over; it cannot be replayed"},
    {0, NULL, "replay",
     "the service remembers what it has seen: each request needs a new nonce, timestamp and id"},
    {0, "BadContextToken", NULL,
     "the message belongs to a secure conversation that is over; it cannot be replayed"},
    {0, "MessageExpired", NULL,
     "the Timestamp of the Security header has expired, or the clocks differ"},
    {0, NULL, "expired",
     "something in the message has expired: a Timestamp, a token or a session of the capture"},
    {0, "InvalidSecurityToken", NULL,
     "the service refused a security token: a captured one may have expired"},
    {0, "InvalidSecurity", NULL, SECURITY_REFUSED},
    {0, NULL, "verifying security for the message", SECURITY_REFUSED},
    {0, "FailedAuthentication", NULL,
     "user, password or token was refused; WCF takes PasswordText only, not PasswordDigest; other "
     "stacks say the same of a nonce that was sent before"},
    {0, "ActionNotSupported", NULL,
     "the action is missing or wrong, or the request went to the base address instead of the "
     "endpoint; compare SOAPAction and wsa:Action with the contract"},
    {0, "DestinationUnreachable", NULL,
     "wsa:To has another scheme, port or path than the endpoint, or is missing beside wsa:Action"},
    {0, "MustUnderstand", NULL,
     "the envelope has a header block that the endpoint does not know, such as WS-Addressing sent "
     "to basicHttp or Security sent to an endpoint without it"},
    {0, "VersionMismatch", NULL, "the endpoint speaks the other version of SOAP"},
    {0, "InvalidAddressingHeader", NULL, "a WS-Addressing header block is there twice"},
    {0, "MessageAddressingHeaderRequired", NULL, "a WS-Addressing header block is missing"},
    {0, "ServerTooBusy", NULL, "too many security negotiations are pending at the service"},
    {400, NULL, NULL,
     "an empty 400 is WCF's answer to a body it cannot read; http.sys sends one with HTML when it "
     "does not know the Host"},
    {401, NULL, NULL,
     "the service wants HTTP authentication and did not take what was sent, if anything was: "
     "--negotiate (Kerberos, the logon of a domain), or --ntlm or --digest with -A "
     "USER:PASSWORD, or -A alone (Basic); is the password right?"},
    {403, NULL, NULL, "the service refuses this user or address"},
    {404, NULL, NULL, "there is no service at this path"},
    {405, NULL, NULL,
     "the path exists but does not take this method: is it the service's own address, and was a "
     "message given (-p)?"},
    {411, NULL, NULL, "the service wants a Content-Length"},
    {413, NULL, NULL,
     "the body is larger than the service takes (WCF: MaxReceivedMessageSize, 65536 by default); "
     "with a client certificate it may be IIS's uploadReadAheadSize of 48 KiB instead"},
    {415, NULL, "soap+msbin1", "the endpoint takes only the binary encoding of WCF"},
    {500, NULL, "ServiceActivationException", "the service cannot start: its own log says why"},
    {503, NULL, NULL,
     "the queue of http.sys or ASP.NET is full, or the application pool is stopped; WCF's own "
     "throttles never answer 503"},
};

/* Whether a name is among the local names of "{ns}a" and "{ns}b/{ns}c". */
static bool chain_names(struct str chain, struct str name)
{
    size_t from = 0;
    while (from < chain.len) {
        size_t found = str_find(str_slice(chain, from, chain.len), name);
        if (found == SIZE_MAX) {
            return false;
        }
        size_t at = from + found;
        size_t end = at + name.len;
        bool starts = at == 0 || chain.data[at - 1] == '}' || chain.data[at - 1] == '/' ||
                      chain.data[at - 1] == ':';
        if (starts && (end == chain.len || chain.data[end] == '/')) {
            return true;
        }
        from = at + 1;
    }
    return false;
}

static bool sign_fits(const struct sign *sign, const struct hint_facts *facts)
{
    struct str code = str_from(sign->code);
    const bool is_answer = facts->status != 0 || facts->code.len > 0;
    if (!is_answer) {
        return false; /* a certificate that has expired is not the message's */
    }
    if (sign->status != 0 && (facts->status != sign->status || facts->code.len > 0)) {
        return false;
    }
    if (sign->code != NULL && !chain_names(facts->code, code) &&
        !chain_names(facts->subcodes, code)) {
        return false;
    }
    return sign->reason == NULL ||
           str_find_nocase(facts->reason, str_from(sign->reason)) != SIZE_MAX;
}

/* WCF's 415: "... the content type 'A' was not the expected type 'B'." */
static bool append_expected_type(const struct hint_facts *facts, struct buf *sentence)
{
    struct str words = STR("expected type '");
    size_t at = facts->status == 415 ? str_find(facts->reason, words) : SIZE_MAX;
    if (at == SIZE_MAX) {
        return false;
    }
    struct str type;
    struct str rest;
    (void)str_split(str_slice(facts->reason, at + words.len, facts->reason.len), '\'', &type,
                    &rest);
    buf_printf(
        sentence,
        "the endpoint takes %.*s: give it with -T and send the version of SOAP it belongs to",
        STR_ARG(type));
    return true;
}

/* "302 Found, Location: https://host/path": the client is asked to go elsewhere, and never goes. */
static bool append_redirect(const struct hint_facts *facts, struct buf *sentence)
{
    const uint16_t status = facts->status;
    const bool is_redirect = (status >= 301 && status <= 303) || status == 307 || status == 308;
    if (!is_redirect || facts->code.len > 0) {
        return false;
    }
    struct str words = STR(JUDGE_LOCATION);
    size_t at = str_find(facts->reason, words);
    if (at == SIZE_MAX) {
        buf_append_str(sentence, STR("a redirect, which is never followed: give the URL of the "
                                     "service itself"));
        return true;
    }
    buf_printf(sentence,
               "a redirect, which is never followed: if the service is at %.*s, give that URL; if "
               "a login page is, something in front of the service wants authentication",
               STR_ARG(str_slice(facts->reason, at + words.len, facts->reason.len)));
    return true;
}

/* HTML in place of an envelope, whatever its media type said. */
static bool append_page(const struct hint_facts *facts, struct buf *sentence)
{
    const bool is_page = str_starts_with(facts->reason, STR("media type text/html")) ||
                         (str_starts_with(facts->reason, STR("root is {")) &&
                          str_ends_with(facts->reason, STR("}html")));
    if (!is_page || facts->code.len > 0) {
        return false;
    }
    buf_append_str(sentence,
                   STR("a page for people came: a login page, an error page of a proxy or gateway, "
                       "or the help page that a service shows at its address; --save-failures "
                       "keeps it"));
    return true;
}

/* A 415 to a message in UTF-16: its type has to say so, and not every service reads that. */
static bool append_utf16(const struct hint_facts *facts, struct buf *sentence)
{
    if (facts->status != 415 || !facts->sent_utf16 || facts->code.len > 0) {
        return false;
    }
    struct str type;
    struct str charset;
    (void)media_of(facts->sent_type, &type, &charset);
    if (str_starts_with_nocase(charset, STR("utf-16"))) {
        buf_append_str(sentence,
                       STR("the message sent is in UTF-16, and says so; not every service "
                           "reads that: save it as UTF-8"));
        return true;
    }
    buf_printf(sentence,
               "the message sent is in UTF-16, and its content type does not say so: without -T it "
               "would, or give -T \"%.*s; charset=utf-16\"",
               STR_ARG(type));
    return true;
}

bool hint_append(const struct hint_facts *facts, struct buf *sentence)
{
    if (append_utf16(facts, sentence) || append_redirect(facts, sentence) ||
        append_page(facts, sentence)) {
        return true;
    }
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        if (sign_fits(&signs[i], facts)) {
            buf_append_str(sentence, str_from(signs[i].hint));
            return signs[i].hint != NULL;
        }
    }
    if (append_expected_type(facts, sentence)) {
        return true;
    }
    if (facts->code.len == 0 && str_equals(facts->reason, STR("empty answer"))) {
        buf_append_str(sentence, STR("a one-way operation? then --one-way; else the service did "
                                     "not know the action"));
        return true;
    }
    if (facts->status == 415 && facts->code.len == 0) {
        buf_append_str(sentence, STR("the endpoint takes another content type or charset, often "
                                     "that of the other version of SOAP"));
        return true;
    }
    return false;
}
