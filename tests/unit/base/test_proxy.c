/* SPDX-License-Identifier: Apache-2.0 */
/* A proxy is named by kind, host and port; what is missing or too much is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lather/base/proxy.h"

static void proxies_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum proxy_kind kind;
        const char *host;
        uint16_t port;
        const char *shown;
    } cases[] = {
        {"proxy:3128", PROXY_KIND_HTTP, "proxy", 3128, "http://proxy:3128"},
        {"http://proxy:3128/", PROXY_KIND_HTTP, "proxy", 3128, "http://proxy:3128"},
        {"HTTP://[::1]:8080", PROXY_KIND_HTTP, "::1", 8080, "http://[::1]:8080"},
        {"socks5://10.0.0.1:1080", PROXY_KIND_SOCKS5, "10.0.0.1", 1080, "socks5://10.0.0.1:1080"},
        {"socks5h://p:1", PROXY_KIND_SOCKS5H, "p", 1, "socks5h://p:1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct proxy proxy;
        struct err err = {0};
        struct buf shown;
        buf_init(&shown);
        if (!proxy_parse(&proxy, str_from(cases[i].text), &err)) {
            fail_msg("%s", err.text);
        }
        assert_int_equal(proxy.kind, cases[i].kind);
        assert_string_equal(proxy.host, cases[i].host);
        assert_int_equal(proxy.port, cases[i].port);
        proxy_format(&proxy, &shown);
        assert_string_equal(shown.data, cases[i].shown);
        buf_deinit(&shown);
        proxy_deinit(&proxy);
        proxy_deinit(&proxy);
    }
}

static void what_is_no_proxy_gets_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"proxy", "no port"},           {"http://proxy", "no port"},
        {"ftp://proxy:21", "no proxy"}, {"socks4://p:1", "no proxy"},
        {"https://p:1", "no proxy"},    {"", "no address"},
        {":8080", "no address"},        {"a:1:b:2", "no address"},
        {"a b:1", "no address"},        {"http://p:1/path", "no address"},
        {"u:secret@p:1", "-P"},         {"proxy:0", "no address"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct proxy proxy;
        struct err err = {0};
        assert_false(proxy_parse(&proxy, str_from(cases[i].text), &err));
        if (strstr(err.text, cases[i].says) == NULL) {
            fail_msg("%s: %s", cases[i].text, err.text);
        }
        assert_null(strstr(err.text, "secret"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proxies_are_read),
        cmocka_unit_test(what_is_no_proxy_gets_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
