/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of the wire have one outcome each, and words a tester can act on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <uv.h>

#include "lather/net/cause.h"

/* B142: Winsock's 10048, 10054 and 10060 come from libuv as these too. */
static void each_end_has_its_outcome(void **state)
{
    (void)state;
    assert_int_equal(cause_outcome(TRANSPORT_END_CUT, 0), OUTCOME_CUT);
    assert_int_equal(cause_outcome(TRANSPORT_END_ANSWERED, 0), OUTCOME_OK);
    assert_int_equal(cause_outcome(TRANSPORT_END_CONNECT, UV_ECONNREFUSED), OUTCOME_CONNECT);
    assert_int_equal(cause_outcome(TRANSPORT_END_CONNECT, UV_ETIMEDOUT), OUTCOME_CONNECT);
    assert_int_equal(cause_outcome(TRANSPORT_END_CONNECT, UV_EADDRINUSE), OUTCOME_LOCAL);
    assert_int_equal(cause_outcome(TRANSPORT_END_RESOLVE, 0), OUTCOME_RESOLVE);
    assert_int_equal(cause_outcome(TRANSPORT_END_TLS, 0), OUTCOME_TLS);
    assert_int_equal(cause_outcome(TRANSPORT_END_TIMEOUT, UV_ETIMEDOUT), OUTCOME_TIMEOUT);
    assert_int_equal(cause_outcome(TRANSPORT_END_SEND, UV_EPIPE), OUTCOME_SEND);
    assert_int_equal(cause_outcome(TRANSPORT_END_RECEIVE, UV_ECONNRESET), OUTCOME_RECEIVE);
    assert_int_equal(cause_outcome(TRANSPORT_END_RECEIVE, 0), OUTCOME_RECEIVE);
    assert_int_equal(cause_outcome(TRANSPORT_END_PROTOCOL, 0), OUTCOME_PROTOCOL);
}

/* B141: what this machine lacks is never put down to the server. */
static void our_own_lacks_are_local_wherever_they_show(void **state)
{
    (void)state;
    static const int errors[] = {UV_EADDRNOTAVAIL, UV_EMFILE, UV_ENFILE, UV_ENOBUFS, UV_ENOMEM};
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        assert_int_equal(cause_outcome(TRANSPORT_END_CONNECT, errors[i]), OUTCOME_LOCAL);
        assert_int_equal(cause_outcome(TRANSPORT_END_SEND, errors[i]), OUTCOME_LOCAL);
    }
    struct exchange exchange = {.end = TRANSPORT_END_CONNECT, .error = UV_EADDRNOTAVAIL};
    char text[CAUSE_TEXT_SIZE];
    assert_non_null(strstr(cause_format(&exchange, text), "port"));
}

/* B037 B042: a broken answer tells how far it came. */
static void a_cut_off_answer_names_both_lengths(void **state)
{
    (void)state;
    struct exchange exchange = {
        .end = TRANSPORT_END_RECEIVE,
        .first_byte_ns = 1,
        .answer = {.status = 200, .body_bytes = 812, .content_length = 1766},
    };
    char text[CAUSE_TEXT_SIZE];
    assert_string_equal(cause_format(&exchange, text), "closed after 812 of 1766 body bytes");
    exchange.answer.content_length = UINT64_MAX;
    assert_string_equal(
        cause_format(&exchange, text),
        "closed in the body of an answer without a length, which only a close ends");
    exchange.answer.is_chunked = true;
    assert_string_equal(cause_format(&exchange, text), "closed before the end of a chunked body");
    exchange.first_byte_ns = 0;
    exchange.error = UV_ECONNRESET;
    assert_string_equal(cause_format(&exchange, text),
                        "connection reset by peer before any answer");
}

static void a_refused_connect_is_named_by_the_system(void **state)
{
    (void)state;
    struct exchange exchange = {.end = TRANSPORT_END_CONNECT, .error = UV_ECONNREFUSED};
    char text[CAUSE_TEXT_SIZE];
    assert_string_equal(cause_format(&exchange, text), "connection refused");
    exchange.error = UV_ETIMEDOUT;
    assert_string_equal(cause_format(&exchange, text), "no connection in time");
}

static void a_failure_of_tls_has_the_words_of_tls(void **state)
{
    (void)state;
    const struct exchange exchange = {
        .end = TRANSPORT_END_TLS,
        .tls_error = "certificate has expired",
    };
    char text[CAUSE_TEXT_SIZE];
    assert_string_equal(cause_format(&exchange, text), "certificate has expired");
}

/* B038: a port that speaks TLS says so in the clear, each server in its own words. */
static void plain_http_on_a_tls_port_is_told_to_use_https(void **state)
{
    (void)state;
    static const char *const pages[] = {
        "<center>The plain HTTP request was sent to HTTPS port</center>",
        "Reason: You're speaking plain HTTP to an SSL-enabled server port.<br />",
        "Bad Request\r\nThis combination of host and port requires TLS.\r\n",
        "Client sent an HTTP request to an HTTPS server.\n",
    };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        const char *hint = cause_hint_in_clear(400, str_from(pages[i]), NULL);
        assert_non_null(hint);
        assert_non_null(strstr(hint, "https://"));
        assert_null(cause_hint_in_clear(404, str_from(pages[i]), NULL));
        assert_ptr_equal(cause_hint_in_clear(400, STR("</html>"), hint), hint);
    }
    assert_non_null(cause_hint_in_clear(0, STR("\x15\x03\x01\x00\x02\x02\x46"), NULL));
    assert_null(cause_hint_in_clear(0, STR("\x15"), NULL));
    assert_null(cause_hint_in_clear(400, STR("Bad Request"), NULL));

    const struct exchange exchange = {
        .end = TRANSPORT_END_PROTOCOL,
        .protocol_error = "not HTTP",
        .hint = "use https://",
    };
    char text[CAUSE_TEXT_SIZE];
    assert_string_equal(cause_format(&exchange, text), "not HTTP: use https://");
}

static void a_certificate_missing_is_told_from_the_status_that_refuses(void **state)
{
    (void)state;
    assert_non_null(strstr(cause_hint_without_certificate(400), "-E"));
    assert_non_null(strstr(cause_hint_without_certificate(403), "-E"));
    assert_null(cause_hint_without_certificate(500));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_end_has_its_outcome),
        cmocka_unit_test(our_own_lacks_are_local_wherever_they_show),
        cmocka_unit_test(a_cut_off_answer_names_both_lengths),
        cmocka_unit_test(a_refused_connect_is_named_by_the_system),
        cmocka_unit_test(a_failure_of_tls_has_the_words_of_tls),
        cmocka_unit_test(plain_http_on_a_tls_port_is_told_to_use_https),
        cmocka_unit_test(a_certificate_missing_is_told_from_the_status_that_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
