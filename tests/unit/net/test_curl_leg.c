/* SPDX-License-Identifier: Apache-2.0 */
/* A leg knows what of it went out, whether it carried a token, and what came that was not its. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/net/curl_leg.h"

#define HEAD "POST / HTTP/1.1\r\nHost: h\r\n\r\n"

static void a_request_is_sent_when_head_and_body_are(void **state)
{
    (void)state;
    struct curl_leg leg;
    curl_leg_begin(&leg, 10);
    assert_false(curl_leg_is_sent(&leg));
    curl_leg_add_head(&leg, STR(HEAD), AUTH_SCHEME_NONE, 77);
    assert_int_equal(leg.start_ns, 77);
    assert_false(curl_leg_is_sent(&leg));
    curl_leg_add_body(&leg, 9);
    assert_false(curl_leg_is_sent(&leg));
    curl_leg_add_body(&leg, 1);
    assert_true(curl_leg_is_sent(&leg));
    assert_int_equal(leg.bytes_out, sizeof HEAD - 1 + 10);
}

static void a_head_may_be_cut_anywhere(void **state)
{
    (void)state;
    const size_t len = sizeof HEAD - 1;
    for (size_t cut = 0; cut < len; cut++) {
        struct curl_leg leg;
        curl_leg_begin(&leg, 0);
        curl_leg_add_head(&leg, str_of(HEAD, cut), AUTH_SCHEME_NONE, 1);
        assert_false(curl_leg_is_sent(&leg));
        curl_leg_add_head(&leg, str_of(&HEAD[cut], len - cut), AUTH_SCHEME_NONE, 2);
        assert_true(curl_leg_is_sent(&leg));
        assert_int_equal(leg.start_ns, cut == 0 ? 2 : 1);
    }
}

static void tokens_are_those_of_the_scheme(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        enum auth_scheme scheme;
        bool has_token;
    } cases[] = {
        {"Authorization: NTLM TlRM", AUTH_SCHEME_NTLM, true},
        {"Authorization: Negotiate YII", AUTH_SCHEME_NEGOTIATE, true},
        {"Authorization: Negotiate YII", AUTH_SCHEME_NTLM, false},
        {"Authorization: Digest a=b", AUTH_SCHEME_DIGEST, false},
        {"X-Authorization: NTLM a", AUTH_SCHEME_NTLM, false},
        {"Authorization: Basic a", AUTH_SCHEME_NONE, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char head[200] = "POST / HTTP/1.1\r\n";
        struct curl_leg leg;
        memcpy(head + strlen(head), cases[i].field, strlen(cases[i].field) + 1);
        memcpy(head + strlen(head), "\r\n\r\n", 5);
        curl_leg_begin(&leg, 0);
        curl_leg_add_head(&leg, str_from(head), cases[i].scheme, 1);
        assert_int_equal(leg.has_token, cases[i].has_token);
    }
}

static void a_head_that_announces_nothing_is_a_handshakes_only_where_there_is_one(void **state)
{
    (void)state;
    static const struct {
        enum auth_scheme scheme;
        size_t body;
        bool is_bare;
    } cases[] = {
        {AUTH_SCHEME_NTLM, 10, true},
        {AUTH_SCHEME_DIGEST, 10, true},
        {AUTH_SCHEME_DIGEST, 0, false},
        {AUTH_SCHEME_NONE, 10, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct curl_leg leg;
        curl_leg_begin(&leg, cases[i].body);
        curl_leg_add_head(&leg, STR("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n"),
                          cases[i].scheme, 1);
        assert_int_equal(curl_leg_is_bare(&leg), cases[i].is_bare);
    }
}

static void what_is_not_the_answers_is_stray(void **state)
{
    (void)state;
    struct curl_leg leg;
    curl_leg_begin(&leg, 0);
    leg.body_in = 100;
    leg.body_used = 100;
    assert_int_equal(curl_leg_stray_bytes(&leg), 0);
    leg.body_in = 107;
    assert_int_equal(curl_leg_stray_bytes(&leg), 7);
    /* bodies of challenges are not always shown: never less than nothing */
    leg.body_in = 0;
    assert_int_equal(curl_leg_stray_bytes(&leg), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_sent_when_head_and_body_are),
        cmocka_unit_test(a_head_may_be_cut_anywhere),
        cmocka_unit_test(tokens_are_those_of_the_scheme),
        cmocka_unit_test(a_head_that_announces_nothing_is_a_handshakes_only_where_there_is_one),
        cmocka_unit_test(what_is_not_the_answers_is_stray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
