/* SPDX-License-Identifier: Apache-2.0 */
/*
 * B068: --version lists the schemes of this build, and what is asked for and missing is refused
 * with where it is to be had. The build under test decides which of the two is looked at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <curl/curl.h>
#include <string.h>

#include "lather/net/curl_features.h"

static bool has(int feature)
{
    return (curl_version_info(CURLVERSION_NOW)->features & feature) != 0;
}

static void check(struct curl_features_wish wish, bool is_there, const char *names)
{
    struct err err = {0};
    assert_int_equal(curl_features_check(&wish, &err), is_there);
    if (!is_there) {
        assert_non_null(strstr(err.text, names));
        assert_non_null(strstr(err.text, "this build"));
    }
}

static void what_is_not_compiled_in_is_refused(void **state)
{
    (void)state;
    check((struct curl_features_wish){.auth = AUTH_SCHEME_NONE}, true, "");
    check((struct curl_features_wish){.auth = AUTH_SCHEME_DIGEST, .has_user = true}, true, "");
    check((struct curl_features_wish){.auth = AUTH_SCHEME_NTLM, .has_user = true},
          has(CURL_VERSION_NTLM), "--ntlm");
    check((struct curl_features_wish){.auth = AUTH_SCHEME_NEGOTIATE}, has(CURL_VERSION_SPNEGO),
          "--negotiate");
    check((struct curl_features_wish){.http2 = true}, has(CURL_VERSION_HTTP2), "--http2");
}

static void a_ticket_and_credentials_contradict_each_other(void **state)
{
    (void)state;
    struct err err = {0};
    const bool is_good = curl_features_check(
        &(struct curl_features_wish){.auth = AUTH_SCHEME_NEGOTIATE, .has_user = true}, &err);
    if (has(CURL_VERSION_SPNEGO) && !has(CURL_VERSION_SSPI)) {
        assert_false(is_good);
        assert_non_null(strstr(err.text, "-A"));
    }
}

static bool says(void (*add)(struct buf *text), const char *word)
{
    struct buf text;
    buf_init(&text);
    add(&text);
    const bool is_there = strstr(text.data, word) != NULL;
    buf_deinit(&text);
    return is_there;
}

static void every_scheme_is_there_or_named_as_missing(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int feature;
        void (*add)(struct buf *text);
    } parts[] = {
        {"NTLM", CURL_VERSION_NTLM, curl_features_add_authentication},
        {"Negotiate", CURL_VERSION_SPNEGO, curl_features_add_authentication},
        {"HTTP/2", CURL_VERSION_HTTP2, curl_features_add_transport},
    };
    bool all = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_int_equal(says(parts[i].add, parts[i].name), has(parts[i].feature));
        assert_int_equal(says(curl_features_add_missing, parts[i].name), !has(parts[i].feature));
        all = all && has(parts[i].feature);
    }
    assert_int_equal(says(curl_features_add_missing, "nothing"), all);
    assert_true(says(curl_features_add_authentication, "Digest"));
    assert_true(says(curl_features_add_libraries, curl_version_info(CURLVERSION_NOW)->version));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_compiled_in_is_refused),
        cmocka_unit_test(a_ticket_and_credentials_contradict_each_other),
        cmocka_unit_test(every_scheme_is_there_or_named_as_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
