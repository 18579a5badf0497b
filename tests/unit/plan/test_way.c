/* SPDX-License-Identifier: Apache-2.0 */
/* The way to the service: direct whenever it can serve, and contradictions name both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/plan/way.h"

static void auto_takes_direct_whenever_it_can_serve(void **state)
{
    (void)state;
    struct err err = {0};
    struct way way = {.transport = WAY_TRANSPORT_AUTO};
    assert_true(way_settle(&way, &err));
    assert_int_equal(way.transport, WAY_TRANSPORT_DIRECT);
    for (enum auth_scheme i = AUTH_SCHEME_DIGEST; i < AUTH_SCHEME_COUNT; i++) {
        struct way asked = {.auth = i};
        assert_true(way_settle(&asked, &err));
        assert_int_equal(asked.transport, WAY_TRANSPORT_CURL);
    }
    struct way http2 = {.http2 = true};
    assert_true(way_settle(&http2, &err));
    assert_int_equal(http2.transport, WAY_TRANSPORT_CURL);
    struct way proxied = {.proxy = {.kind = PROXY_KIND_HTTP}};
    assert_true(way_settle(&proxied, &err));
    assert_int_equal(proxied.transport, WAY_TRANSPORT_CURL);
    struct way asked = {.transport = WAY_TRANSPORT_CURL};
    assert_true(way_settle(&asked, &err));
    assert_int_equal(asked.transport, WAY_TRANSPORT_CURL);
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    static char word[] = "x";
    const struct {
        struct way way;
        const char *first;
        const char *second;
    } cases[] = {
        {{.transport = WAY_TRANSPORT_DIRECT, .auth = AUTH_SCHEME_NTLM}, "direct", "--ntlm"},
        {{.transport = WAY_TRANSPORT_DIRECT, .http2 = true}, "direct", "--http2"},
        {{.transport = WAY_TRANSPORT_DIRECT, .proxy = {.kind = PROXY_KIND_SOCKS5}}, "direct", "-X"},
        {{.auth = AUTH_SCHEME_NTLM, .http2 = true}, "--ntlm", "--http2"},
        {{.transport = WAY_TRANSPORT_DIRECT, .resolve_each = true}, "direct", "--resolve-each"},
        {{.resolve_each = true, .proxy = {.kind = PROXY_KIND_HTTP}}, "--resolve-each", "-X"},
        {{.auth = AUTH_SCHEME_NTLM, .spn_service = word}, "--spn", "--negotiate"},
        {{.proxy_user = word}, "-P", "-X"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct way way = cases[i].way;
        struct err err = {0};
        assert_false(way_settle(&way, &err));
        assert_non_null(strstr(err.text, cases[i].first));
        assert_non_null(strstr(err.text, cases[i].second));
    }
}

static void credentials_are_split_at_the_first_colon(void **state)
{
    (void)state;
    char *user = NULL;
    char *password = NULL;
    assert_true(way_parse_credentials(STR("CORP\\alice:a:b"), &user, &password));
    assert_string_equal(user, "CORP\\alice");
    assert_string_equal(password, "a:b");
    free(user);
    free(password);
    assert_true(way_parse_credentials(STR("alice:"), &user, &password));
    assert_string_equal(password, "");
    free(user);
    free(password);
    assert_false(way_parse_credentials(STR("alice"), &user, &password));
    assert_false(way_parse_credentials(STR(":secret"), &user, &password));
    assert_false(way_parse_credentials(STR(""), &user, &password));
}

/* B069 */
static void a_principal_is_a_service_and_a_host(void **state)
{
    (void)state;
    struct way way = {.transport = WAY_TRANSPORT_AUTO};
    struct err err = {0};
    assert_true(way_parse_spn(&way, STR("HTTP/web.corp.example"), &err));
    assert_string_equal(way.spn_service, "HTTP");
    assert_string_equal(way.spn_host, "web.corp.example");
    way_deinit(&way);
    static const char *const bad[] = {"HTTP", "HTTP/",         "/web",          "a/b/c",
                                      "",     "HTTP/web:8080", "HTTP/web@REALM"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct way none = {.transport = WAY_TRANSPORT_AUTO};
        assert_false(way_parse_spn(&none, str_from(bad[i]), &err));
        assert_null(none.spn_host);
        assert_non_null(strstr(err.text, "--spn"));
    }
}

static void connect_to_is_for_the_host_and_port_it_names(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        const char *host; /* NULL: it does not match */
        uint16_t port;
    } cases[] = {
        {"web:80:10.0.0.1:8080", "10.0.0.1", 8080},
        {"WEB:80:b:1", "b", 1},
        {"::b:1", "b", 1},
        {":80:b:1", "b", 1},
        {"web::b:", "b", 80},
        {"web:80::81", "web", 81},
        {"::[::1]:81", "::1", 81},
        {"web:81:b:1", NULL, 0},
        {"wab:80:b:1", NULL, 0},
        {"::b", "b", 80},
    };
    struct url target = {0};
    struct err err = {0};
    assert_true(url_parse(&target, STR("http://web/x"), &err));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct way way = {.transport = WAY_TRANSPORT_AUTO};
        if (!way_parse_connect_to(&way, str_from(cases[i].rule), &target, &err)) {
            fail_msg("%s: %s", cases[i].rule, err.text);
        }
        if (cases[i].host == NULL) {
            assert_null(way.connect_host);
        } else {
            assert_string_equal(way.connect_host, cases[i].host);
            assert_int_equal(way.connect_port, cases[i].port);
        }
        way_deinit(&way);
    }
    static const char *const bad[] = {
        "", "b", "a:1", "::", ":::", "a:1:b:2:c", "a:0:b:1", "a:1:b c:1", "a:1:b:x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct way way = {.transport = WAY_TRANSPORT_AUTO};
        assert_false(way_parse_connect_to(&way, str_from(bad[i]), &target, &err));
        assert_null(way.connect_host);
        assert_non_null(strstr(err.text, "--connect-to"));
    }
    url_deinit(&target);
}

static void the_first_rule_that_matches_counts(void **state)
{
    (void)state;
    struct url target = {0};
    struct err err = {0};
    struct way way = {.transport = WAY_TRANSPORT_AUTO};
    assert_true(url_parse(&target, STR("http://web/x"), &err));
    assert_true(way_parse_connect_to(&way, STR("other:80:a:1"), &target, &err));
    assert_true(way_parse_connect_to(&way, STR("web:80:b:2"), &target, &err));
    assert_true(way_parse_connect_to(&way, STR("::c:3"), &target, &err));
    assert_string_equal(way.connect_host, "b");
    way_deinit(&way);
    url_deinit(&target);
}

static void transports_have_names(void **state)
{
    (void)state;
    for (enum way_transport i = 0; i < WAY_TRANSPORT_COUNT; i++) {
        enum way_transport got = WAY_TRANSPORT_COUNT;
        assert_true(way_transport_parse(str_from(way_transport_name(i)), &got));
        assert_int_equal(got, i);
    }
    enum way_transport got;
    assert_false(way_transport_parse(STR("Curl"), &got));
    assert_false(way_transport_parse(STR(""), &got));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_takes_direct_whenever_it_can_serve),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(credentials_are_split_at_the_first_colon),
        cmocka_unit_test(a_principal_is_a_service_and_a_host),
        cmocka_unit_test(connect_to_is_for_the_host_and_port_it_names),
        cmocka_unit_test(the_first_rule_that_matches_counts),
        cmocka_unit_test(transports_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
