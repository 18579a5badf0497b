/* SPDX-License-Identifier: Apache-2.0 */
/* What libcurl calls an error ends where the direct transport would have ended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/net/cause.h"
#include "lather/net/curl_cause.h"

static void ends_depend_on_how_far_it_came(void **state)
{
    (void)state;
    static const CURLcode any[] = {CURLE_COULDNT_CONNECT, CURLE_RECV_ERROR,
                                   CURLE_SEND_ERROR,      CURLE_GOT_NOTHING,
                                   CURLE_PROXY,           CURLE_WEIRD_SERVER_REPLY};
    for (size_t i = 0; i < sizeof any / sizeof *any; i++) {
        assert_int_equal(curl_cause_end(any[i], CURL_CAUSE_CONNECTING), TRANSPORT_END_CONNECT);
    }
    static const struct {
        CURLcode result;
        enum transport_end end;
    } connected[] = {
        {CURLE_SEND_ERROR, TRANSPORT_END_SEND},
        {CURLE_RECV_ERROR, TRANSPORT_END_RECEIVE},
        {CURLE_GOT_NOTHING, TRANSPORT_END_RECEIVE},
        {CURLE_PARTIAL_FILE, TRANSPORT_END_RECEIVE},
        {CURLE_WEIRD_SERVER_REPLY, TRANSPORT_END_PROTOCOL},
        {CURLE_HTTP2, TRANSPORT_END_PROTOCOL},
        {CURLE_AUTH_ERROR, TRANSPORT_END_PROTOCOL},
        {CURLE_COULDNT_RESOLVE_HOST, TRANSPORT_END_RESOLVE},
    };
    for (size_t i = 0; i < sizeof connected / sizeof *connected; i++) {
        assert_int_equal(curl_cause_end(connected[i].result, CURL_CAUSE_CONNECTED),
                         connected[i].end);
    }
}

/* The system's own number of an error that libuv names: errno on POSIX, Winsock's on Windows. */
static long system_error_of(int uv_error)
{
    int error = 1;
    while (uv_translate_sys_error(error) != uv_error) {
        error++;
        assert_true(error < 20000);
    }
    return error;
}

static void the_systems_error_is_believed_where_it_belongs(void **state)
{
    (void)state;
    assert_int_equal(curl_cause_said_error("Recv failure: Connection was reset"), UV_ECONNRESET);
    assert_int_equal(curl_cause_error(CURLE_COULDNT_CONNECT, CURL_CAUSE_CONNECTING,
                                      system_error_of(UV_ECONNREFUSED), ""),
                     UV_ECONNREFUSED);
    assert_int_equal(curl_cause_error(CURLE_RECV_ERROR, CURL_CAUSE_CONNECTED,
                                      system_error_of(UV_ECONNRESET),
                                      "Recv failure: Connection reset by peer"),
                     UV_ECONNRESET);
    /* what an earlier transfer left behind */
    assert_int_equal(curl_cause_error(CURLE_RECV_ERROR, CURL_CAUSE_CONNECTED,
                                      system_error_of(UV_ECONNRESET),
                                      "Illegal or missing hexadecimal sequence"),
                     0);
    assert_int_equal(curl_cause_error(CURLE_RECV_ERROR, CURL_CAUSE_CONNECTING,
                                      system_error_of(UV_EALREADY),
                                      "Received HTTP code 407 from proxy after CONNECT"),
                     0);
    /* the number was overwritten by the farewell's; the sentence was not */
    assert_int_equal(curl_cause_error(CURLE_RECV_ERROR, CURL_CAUSE_CONNECTED,
                                      system_error_of(UV_EPIPE),
                                      "Recv failure: Connection reset by peer"),
                     UV_ECONNRESET);
    assert_int_equal(curl_cause_said_error("Recv failure: Connection reset by peer"),
                     UV_ECONNRESET);
    assert_int_equal(curl_cause_said_error("Empty reply from server"), 0);
    /* what was received was no answer: that is not a failure to receive */
    assert_null(curl_cause_bad_answer(CURLE_RECV_ERROR, CURL_CAUSE_CONNECTED, "Recv failure: x"));
    assert_null(curl_cause_bad_answer(CURLE_OUT_OF_MEMORY, CURL_CAUSE_CONNECTING, ""));
    assert_non_null(curl_cause_bad_answer(CURLE_OUT_OF_MEMORY, CURL_CAUSE_CONNECTED, ""));
    assert_string_equal(curl_cause_bad_answer(CURLE_RECV_ERROR, CURL_CAUSE_CONNECTED,
                                              "Too long hexadecimal number in chunked-encoding"),
                        "Too long hexadecimal number in chunked-encoding");
    assert_non_null(curl_cause_bad_answer(CURLE_RECV_ERROR, CURL_CAUSE_CONNECTED,
                                          "chunk hex-length longer than 16"));
    assert_string_equal(curl_cause_bad_answer(CURLE_UNSUPPORTED_PROTOCOL, CURL_CAUSE_CONNECTED,
                                              "Unsupported HTTP version (1.2) in response"),
                        HTTP1_BAD_VERSION);
    assert_string_equal(curl_cause_bad_answer(CURLE_UNSUPPORTED_PROTOCOL, CURL_CAUSE_CONNECTED,
                                              "Unsupported HTTP/1 subversion in response"),
                        HTTP1_BAD_VERSION);
    assert_string_equal(curl_cause_bad_answer(CURLE_UNSUPPORTED_PROTOCOL, CURL_CAUSE_CONNECTED,
                                              "Version mismatch (from HTTP/1 to HTTP/2)"),
                        HTTP1_BAD_VERSION);
    assert_string_equal(
        curl_cause_bad_answer(CURLE_WEIRD_SERVER_REPLY, CURL_CAUSE_CONNECTED, "Nul byte in header"),
        HTTP1_NUL_IN_HEAD);
    assert_int_equal(curl_cause_error(CURLE_OUT_OF_MEMORY, CURL_CAUSE_CONNECTED, 0, ""), 0);
    assert_int_equal(curl_cause_error(CURLE_OUT_OF_MEMORY, CURL_CAUSE_CONNECTING, 0, ""),
                     UV_ENOMEM);
    assert_int_equal(curl_cause_error(CURLE_GOT_NOTHING, CURL_CAUSE_CONNECTED,
                                      system_error_of(UV_ECONNRESET), ""),
                     0);
}

/* B141: our own lack is never the server's failure. */
static void our_own_lacks_are_local(void **state)
{
    (void)state;
    static const int errors[] = {UV_EMFILE, UV_EADDRNOTAVAIL, UV_EADDRINUSE, UV_ENOMEM};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        const int error = curl_cause_error(CURLE_COULDNT_CONNECT, CURL_CAUSE_CONNECTING,
                                           system_error_of(errors[i]), "");
        assert_int_equal(cause_outcome(TRANSPORT_END_CONNECT, error), OUTCOME_LOCAL);
    }
    const int memory = curl_cause_error(CURLE_OUT_OF_MEMORY, CURL_CAUSE_CONNECTING, 0, "");
    assert_int_equal(cause_outcome(TRANSPORT_END_CONNECT, memory), OUTCOME_LOCAL);
}

static void libcurls_sentence_is_for_what_no_error_tells(void **state)
{
    (void)state;
    assert_true(curl_cause_wants_text(CURLE_PROXY));
    assert_true(curl_cause_wants_text(CURLE_RECV_ERROR));
    assert_true(curl_cause_wants_text(CURLE_WEIRD_SERVER_REPLY));
    assert_false(curl_cause_wants_text(CURLE_GOT_NOTHING));
    assert_false(curl_cause_wants_text(CURLE_PARTIAL_FILE));
    struct exchange exchange = {.end = TRANSPORT_END_CONNECT,
                                .protocol_error = "the proxy said no"};
    char text[CAUSE_TEXT_SIZE];
    assert_string_equal(cause_format(&exchange, text), "the proxy said no");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_depend_on_how_far_it_came),
        cmocka_unit_test(the_systems_error_is_believed_where_it_belongs),
        cmocka_unit_test(our_own_lacks_are_local),
        cmocka_unit_test(libcurls_sentence_is_for_what_no_error_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
