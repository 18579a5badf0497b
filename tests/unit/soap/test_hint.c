/* SPDX-License-Identifier: Apache-2.0 */
/* The failures users meet get the hint that helps; others get none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/soap/hint.h"

#define WCF "{http://schemas.microsoft.com/ws/2005/05/addressing/none}"
#define S12 "{http://www.w3.org/2003/05/soap-envelope}"

static void check(struct hint_facts facts, const char *part)
{
    struct buf sentence;
    buf_init(&sentence);
    bool is_known = hint_append(&facts, &sentence);
    assert_int_equal(is_known, part != NULL);
    if (part == NULL) {
        assert_int_equal(sentence.len, 0);
    } else if (str_find(buf_view(&sentence), str_from(part)) == SIZE_MAX) {
        fail_msg("\"%s\" is not in: %.*s", part, STR_ARG(buf_view(&sentence)));
    }
    buf_deinit(&sentence);
}

static struct hint_facts fault(const char *code, const char *subcodes, const char *reason)
{
    return (struct hint_facts){.status = 500,
                               .code = str_from(code),
                               .subcodes = str_from(subcodes),
                               .reason = str_from(reason)};
}

static struct hint_facts status(unsigned number, const char *reason)
{
    return (struct hint_facts){.status = (uint16_t)number, .reason = str_from(reason)};
}

static void b009_dispatch_faults_are_explained_by_code_or_subcode(void **state)
{
    (void)state;
    check(fault(WCF "ActionNotSupported", "", "x"), "base address");
    check(fault(S12 "Sender", "{urn:a}ActionNotSupported", "x"), "base address");
    check(fault(S12 "Sender", "{urn:b}Other/{urn:a}DestinationUnreachable/{c}d", "x"), "wsa:To");
    check(fault(S12 "MustUnderstand", "", "x"), "header block");
    check(fault("a:ActionNotSupported", "", "x"), "base address");
    check(fault(S12 "VersionMismatch", "", "x"), "version");
}

static void names_must_be_whole(void **state)
{
    (void)state;
    check(fault("{urn:x}NotMustUnderstand", "", "x"), NULL);
    check(fault("{urn:x}MustUnderstandMore", "", "x"), NULL);
    check(fault("{urn:MustUnderstand}x", "", "x"), NULL);
    check(fault(S12 "Receiver", "{d}InternalServiceFault", "internal error"), NULL);
    check(fault("", "", ""), NULL);
}

/* B105, B107, B085 */
static void b105_b107_b085_security_and_reliability_are_explained(void **state)
{
    (void)state;
    check(fault("{wsse}InvalidSecurity", "", "An error occurred when verifying security"),
          "Timestamp");
    check(fault("{wsse}FailedAuthentication", "", "x"), "PasswordText");
    check(fault("{s}Client", "", "A replay attack has been detected"), "new nonce");
    check(fault("{s}Sender", "{wsu}MessageExpired", "x"), "expired");
    check(fault("{s}Client", "", "Only WS-ReliableMessaging messages are processed by this"),
          "not supported");
}

static void b005_b006_the_type_a_415_asks_for_is_named(void **state)
{
    (void)state;
    check(status(415, "415 Cannot process the message because the content type 'text/xml' was not "
                      "the expected type 'application/soap+xml; charset=utf-8'."),
          "takes application/soap+xml; charset=utf-8:");
    check(status(415, "415 Cannot process the message because the content type 'text/xml' was not "
                      "the expected type 'application/soap+msbin1'."),
          "binary encoding");
    check(status(415, "415 Unsupported Media Type"), "another content type");
    check(status(415, "415 expected type 'open"), "takes open:");
}

/* B061, B079 */
static void b061_b079_statuses_are_explained(void **state)
{
    (void)state;
    check(status(401, "401 Unauthorized"), "--negotiate");
    check(status(401, "401 Unauthorized"), "--ntlm or --digest with -A");
    check(status(200, "empty answer"), "--one-way");
    check(status(202, "empty answer"), "--one-way");
    check(fault("{urn:x}Some", "", "empty answer"), NULL);
    check(status(413, "413 Request Entity Too Large"), "uploadReadAheadSize");
    check(status(400, "400 Bad Request"), "http.sys");
    check(status(503, "503 Service Unavailable"), "never answer 503");
    check(status(500, "500 System.ServiceModel.ServiceActivationException"), "cannot start");
    check(status(500, "500 Internal Server Error"), NULL);
    check(status(502, "502 Bad Gateway"), NULL);
    check((struct hint_facts){.status = 400, .code = STR(S12 "Sender"), .reason = STR("no")}, NULL);
}

static void redirects_name_where_they_point(void **state)
{
    (void)state;
    for (unsigned number = 300; number < 310; number++) {
        bool is_redirect = (number >= 301 && number <= 303) || number == 307 || number == 308;
        check(status(number, "3xx Found, Location: https://host/Login?..."),
              is_redirect ? "is at https://host/Login?..., give that URL" : NULL);
        check(status(number, "3xx Found"), is_redirect ? "the URL of the service itself" : NULL);
    }
    check((struct hint_facts){.status = 302, .code = STR(S12 "Sender"), .reason = STR("no")}, NULL);
}

static void pages_are_told_from_envelopes(void **state)
{
    (void)state;
    check(status(200, "media type text/html"), "login page");
    check(status(200, "media type text/html (title: Sign in)"), "login page");
    check(status(200, "root is {}html"), "login page");
    check(status(200, "root is {http://www.w3.org/1999/xhtml}html"), "login page");
    check(status(200, "root is {}xhtml"), NULL);
    check(status(200, "media type application/json"), NULL);
    check(fault("{s}Client", "", "media type text/html"), NULL);
}

static void utf16_and_a_type_that_does_not_say_so_explain_a_415(void **state)
{
    (void)state;
    struct hint_facts facts = status(415, "415 Unsupported Media Type");
    facts.sent_type = STR("application/soap+xml; charset=utf-8");
    check(facts, "another content type");
    facts.sent_utf16 = true;
    check(facts, "-T \"application/soap+xml; charset=utf-16\"");
    facts.sent_type = STR("text/xml; charset=\"UTF-16LE\"");
    check(facts, "save it as UTF-8");
    facts.status = 400;
    check(facts, "an empty 400");
    facts = fault("{s}Client", "", "no");
    facts.status = 415;
    facts.sent_utf16 = true;
    check(facts, NULL);
}

static void what_the_reason_says_already_needs_no_hint(void **state)
{
    (void)state;
    check(status(0, "certificate has expired: renew it"), NULL);
    check(status(400, "400 Bad Request: the port speaks TLS: use https://"), NULL);
    check(status(401, "401 Unauthorized: the server refused the credentials of -A"), NULL);
    check(fault("{s}Client", "", "the session has expired"), "has expired");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b009_dispatch_faults_are_explained_by_code_or_subcode),
        cmocka_unit_test(names_must_be_whole),
        cmocka_unit_test(what_the_reason_says_already_needs_no_hint),
        cmocka_unit_test(b105_b107_b085_security_and_reliability_are_explained),
        cmocka_unit_test(b005_b006_the_type_a_415_asks_for_is_named),
        cmocka_unit_test(b061_b079_statuses_are_explained),
        cmocka_unit_test(redirects_name_where_they_point),
        cmocka_unit_test(pages_are_told_from_envelopes),
        cmocka_unit_test(utf16_and_a_type_that_does_not_say_so_explain_a_415),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
