/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses are cut as RFC 3986 says; a wrong one gets a sentence that names it and the way out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/url.h"

static void urls_are_cut_into_their_parts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum url_scheme scheme;
        const char *host;
        uint16_t port;
        const char *authority;
        const char *path;
    } cases[] = {
        {"http://h/a.svc", URL_SCHEME_HTTP, "h", 80, "h", "/a.svc"},
        {"https://h/", URL_SCHEME_HTTPS, "h", 443, "h", "/"},
        {"HTTPS://Host.Example/A", URL_SCHEME_HTTPS, "Host.Example", 443, "Host.Example", "/A"},
        {"http://h", URL_SCHEME_HTTP, "h", 80, "h", "/"},
        {"http://h:8080", URL_SCHEME_HTTP, "h", 8080, "h:8080", "/"},
        {"http://h:1/", URL_SCHEME_HTTP, "h", 1, "h:1", "/"},
        {"http://h:65535/", URL_SCHEME_HTTP, "h", 65535, "h:65535", "/"},
        {"http://h:80/", URL_SCHEME_HTTP, "h", 80, "h", "/"},
        {"https://h:443/", URL_SCHEME_HTTPS, "h", 443, "h", "/"},
        {"https://h:80/", URL_SCHEME_HTTPS, "h", 80, "h:80", "/"},
        {"http://h:443/", URL_SCHEME_HTTP, "h", 443, "h:443", "/"},
        {"host/path", URL_SCHEME_HTTP, "host", 80, "host", "/path"},
        {"host:8080/path", URL_SCHEME_HTTP, "host", 8080, "host:8080", "/path"},
        {"localhost:8080", URL_SCHEME_HTTP, "localhost", 8080, "localhost:8080", "/"},
        {"http://127.0.0.1/", URL_SCHEME_HTTP, "127.0.0.1", 80, "127.0.0.1", "/"},
        {"http://my_pc-1.local/", URL_SCHEME_HTTP, "my_pc-1.local", 80, "my_pc-1.local", "/"},
        {"http://h?wsdl", URL_SCHEME_HTTP, "h", 80, "h", "/?wsdl"},
        {"http://h#top", URL_SCHEME_HTTP, "h", 80, "h", "/"},
        {"http://h/a#b?c", URL_SCHEME_HTTP, "h", 80, "h", "/a"},
        {"http://h/a%20b/%2F?q=%C3%A9&x=a+b", URL_SCHEME_HTTP, "h", 80, "h",
         "/a%20b/%2F?q=%C3%A9&x=a+b"},
        {"http://h//a/../b;v=1", URL_SCHEME_HTTP, "h", 80, "h", "//a/../b;v=1"},
        {"http://h/\xC3\xA9", URL_SCHEME_HTTP, "h", 80, "h", "/\xC3\xA9"},
        {"h/?back=http://other:99/@x", URL_SCHEME_HTTP, "h", 80, "h", "/?back=http://other:99/@x"},
        {"http://h/user@example", URL_SCHEME_HTTP, "h", 80, "h", "/user@example"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct url url;
        struct err err = {0};
        if (!url_parse(&url, str_from(cases[i].text), &err)) {
            fail_msg("%s", err.text);
        }
        assert_int_equal(url.scheme, cases[i].scheme);
        assert_string_equal(url.host, cases[i].host);
        assert_int_equal(url.port, cases[i].port);
        assert_string_equal(url.authority, cases[i].authority);
        assert_string_equal(url.path, cases[i].path);
        assert_false(url.host_is_ipv6);
        url_deinit(&url);
    }
}

static void ipv6_addresses_lose_their_brackets_in_the_host_only(void **state)
{
    (void)state;
    struct url url;
    assert_true(url_parse(&url, STR("http://[::1]:8080/a"), NULL));
    assert_true(url.host_is_ipv6);
    assert_string_equal(url.host, "::1");
    assert_string_equal(url.authority, "[::1]:8080");
    assert_int_equal(url.port, 8080);
    assert_string_equal(url.path, "/a");
    url_deinit(&url);

    assert_true(url_parse(&url, STR("https://[2001:DB8::192.0.2.1]"), NULL));
    assert_string_equal(url.host, "2001:DB8::192.0.2.1");
    assert_string_equal(url.authority, "[2001:DB8::192.0.2.1]");
    assert_string_equal(url.path, "/");
    url_deinit(&url);
}

/* The sentence holds the hint, and the URL itself or what is left of it. */
static void assert_refused(struct str text, const char *shown, const char *hint)
{
    struct url url;
    struct err err = {0};
    if (url_parse(&url, text, &err)) {
        fail_msg("taken: %s", text.data);
    }
    assert_int_equal(err.code, ERR_USAGE);
    if (strstr(err.text, hint) == NULL || strstr(err.text, shown) == NULL) {
        fail_msg("sentence: %s", err.text);
    }
    assert_null(url.host);
    assert_null(url.authority);
    assert_null(url.path);
    url_deinit(&url);
}

static void assert_url_refused(const char *text, const char *hint)
{
    assert_refused(str_from(text), text, hint);
}

static void a_url_without_host_is_refused(void **state)
{
    (void)state;
    assert_url_refused("http:///x", "no host");
    assert_url_refused("http://", "no host");
    assert_url_refused("http://:8080/", "no host");
    assert_url_refused("/service.svc", "no host");
    assert_url_refused("?wsdl", "no host");
    assert_url_refused("https://#x", "no host");
}

static void an_empty_text_is_refused(void **state)
{
    (void)state;
    assert_refused(STR(""), "", "empty");
    assert_refused(STR(" \t\n"), "", "empty");
    assert_refused(str_from(NULL), "", "empty");
}

static void other_schemes_are_refused(void **state)
{
    (void)state;
    assert_url_refused("ftp://h/", "only http:// and https://");
    assert_url_refused("net.tcp://h:808/a.svc", "only http:// and https://");
    assert_url_refused("://h/", "only http:// and https://");
    assert_url_refused("httpss://h/", "only http:// and https://");
    assert_url_refused("http:/h/", "two slashes");
    assert_url_refused("https:h", "two slashes");
    assert_url_refused("http:8080/x", "two slashes");
}

static void ports_outside_1_to_65535_are_refused(void **state)
{
    (void)state;
    const char *const urls[] = {
        "http://h:0/",      "http://h:65536/", "http://h:http/",
        "http://h:-1/",     "http://h:+80/",   "http://h:18446744073709551696/",
        "http://h:/",       "localhost:",      "http://h:8080x/",
        "http://[::1]:0/",  "http://[::1]:/",  "mailto:a",
        "http://[::1]:x:y",
    };
    for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
        assert_url_refused(urls[i], "from 1 to 65535");
    }
}

static void broken_ipv6_addresses_are_refused(void **state)
{
    (void)state;
    assert_url_refused("http://[::1/a", "a bracket and nothing else closes");
    assert_url_refused("http://[", "a bracket and nothing else closes");
    assert_url_refused("http://[::1]8080/", "a bracket and nothing else closes");
    assert_url_refused("http://[]/", "no IPv6 address");
    assert_url_refused("http://[host]/", "no IPv6 address");
    assert_url_refused("http://[::1%25eth0]/", "no IPv6 address");
    assert_url_refused("http://[[::1]]/", "no IPv6 address");
    assert_url_refused("http://::1/", "brackets");
    assert_url_refused("fe80::1:8080", "brackets");
}

static void hosts_hold_host_characters_only(void **state)
{
    (void)state;
    assert_url_refused("http://h%41/", "letters, digits");
    assert_url_refused("http://$HOST/", "letters, digits");
    assert_url_refused("http://<host>/", "letters, digits");
    assert_url_refused("http:\\\\host\\a.svc", "two slashes");
    assert_url_refused("http://b\xC3\xBC"
                       "cher.example/",
                       "xn--");
}

/* B022: a method or a body pasted into the address. */
static void blanks_are_refused(void **state)
{
    (void)state;
    assert_url_refused("http://h/a b", "%20");
    assert_url_refused("POST http://h/a", "%20");
    assert_url_refused("http://h/a.svc POST <a/>", "%20");
    assert_url_refused("http://h/ ", "%20");
    assert_url_refused(" http://h/", "%20");
}

static void control_characters_are_refused_and_not_printed(void **state)
{
    (void)state;
    assert_refused(STR("http://h/a\r\nX: y"), "http://h/a??X: y", "line breaks");
    assert_refused(STR("http://h/\x1B[2J"), "http://h/?[2J", "control");
    assert_refused(STR("http://h/\0a"), "http://h/?a", "control");
    assert_refused(STR("http://h/\x7F"), "http://h/?", "control");
    assert_refused(STR("http://h\t/"), "http://h?/", "control");
}

static void credentials_are_refused_and_not_printed(void **state)
{
    (void)state;
    const char *const urls[] = {
        "http://bob:s3cret@h/",    "bob:s3cret@h/a",      "http://bob:s3cret@h:0/",
        "http://bob:s3cret@h/a b", "ftp://bob:s3cret@h/", "http://bob:s3c@s3cret@h/",
        "http://bob:s3cret@",      "http://s3cret@[::1/", "s3cret@h",
    };
    for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
        struct url url;
        struct err err = {0};
        assert_false(url_parse(&url, str_from(urls[i]), &err));
        assert_null(strstr(err.text, "s3c"));
        assert_null(strstr(err.text, "bob"));
    }
    assert_refused(STR("http://u:p@h/"), "http://...@h/", "-A USER:PASSWORD");
    assert_refused(STR("u@h"), "...@h", "-A USER:PASSWORD");
    assert_refused(STR("http://@h/"), "...@h/", "-A USER:PASSWORD");
}

/* B021: no fixed limit, and the sentence about a long one still ends in the hint. */
static void a_long_url_is_kept_whole(void **state)
{
    (void)state;
    enum { LONG_BYTES = 100000 };
    char *text = check_malloc(LONG_BYTES);
    memset(text, 'a', LONG_BYTES);
    memcpy(text, "http://h/", 9);
    struct url url;
    assert_true(url_parse(&url, str_of(text, LONG_BYTES), NULL));
    assert_int_equal(strlen(url.path), LONG_BYTES - 8);
    url_deinit(&url);

    text[LONG_BYTES - 1] = ' ';
    assert_refused(str_of(text, LONG_BYTES), "aaa...: ", "%20");
    free(text);
}

static void freeing_twice_is_safe(void **state)
{
    (void)state;
    struct url url;
    assert_true(url_parse(&url, STR("h"), NULL));
    url_deinit(&url);
    url_deinit(&url);
}

static void schemes_have_names(void **state)
{
    (void)state;
    assert_string_equal(url_scheme_name(URL_SCHEME_HTTP), "http");
    assert_string_equal(url_scheme_name(URL_SCHEME_HTTPS), "https");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_are_cut_into_their_parts),
        cmocka_unit_test(ipv6_addresses_lose_their_brackets_in_the_host_only),
        cmocka_unit_test(a_url_without_host_is_refused),
        cmocka_unit_test(an_empty_text_is_refused),
        cmocka_unit_test(other_schemes_are_refused),
        cmocka_unit_test(ports_outside_1_to_65535_are_refused),
        cmocka_unit_test(broken_ipv6_addresses_are_refused),
        cmocka_unit_test(hosts_hold_host_characters_only),
        cmocka_unit_test(blanks_are_refused),
        cmocka_unit_test(control_characters_are_refused_and_not_printed),
        cmocka_unit_test(credentials_are_refused_and_not_printed),
        cmocka_unit_test(a_long_url_is_kept_whole),
        cmocka_unit_test(freeing_twice_is_safe),
        cmocka_unit_test(schemes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
