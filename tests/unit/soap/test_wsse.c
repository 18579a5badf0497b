/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Digests are those of the UsernameToken Profile. Where no source is named the expected values were
 * computed with another program (Python's hashlib and base64).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/soap/wsse.h"

static void assert_digest(enum wsse_variant variant, struct str nonce, struct str created,
                          const char *expected)
{
    struct wsse_key key;
    assert_true(wsse_key_init(&key, variant, STR("geh\xC3\xA4im+42"), NULL));
    for (int i = 0; i < 3; i++) {
        char target[WSSE_DIGEST_TEXT_BYTES];
        wsse_put_digest(nonce, created, &key, target);
        if (!str_equals(str_of(target, sizeof target), str_from(expected))) {
            fail_msg("%s: %.*s", wsse_variant_name(variant), (int)sizeof target, target);
        }
    }
}

/*
 * Of ONVIF's Application Programmer's Guide 1.0, 6.1.1.3: LKqI6G/AikKCQrN0zqZFlg==, decoded. The
 * example of the profile itself (weYI3nXd8LjMNVksCKFV8t3rgHh3Rw==) is no digest: it has 22 bytes.
 */
static void B108_the_published_vector_comes_out(void **state)
{
    (void)state;
    struct wsse_key key;
    char target[WSSE_DIGEST_TEXT_BYTES];
    assert_true(wsse_key_init(&key, WSSE_PLAIN, STR("userpassword"), NULL));
    wsse_put_digest(str_of("\x2C\xAA\x88\xE8\x6F\xC0\x8A\x42\x82\x42\xB3\x74\xCE\xA6\x45\x96", 16),
                    STR("2010-09-16T07:50:45Z"), &key, target);
    assert_true(str_equals(str_of(target, sizeof target), STR("tuOSpGlFlIXsozq4HFNeeGeFLEI=")));
}

static void B108_the_decoded_nonce_goes_into_the_digest(void **state)
{
    (void)state;
    struct str nonce = STR("0123456789:;<=>?");
    struct str created = STR("2031-05-06T07:08:09.010Z");
    assert_digest(WSSE_PLAIN, nonce, created, "yJgzk32oiLJ6fsO0Wa64gm0Xqck=");
    assert_digest(WSSE_SHA1_RAW, nonce, created, "QhLr1zCUOa/uZikAHy6YFBADqHo=");
    assert_digest(WSSE_SHA1_B64, nonce, created, "gvvcNNgkyQYWRwt/eLq9yzF85/I=");
    /* Without nonce and moment it is the hash of the password alone. */
    assert_digest(WSSE_PLAIN, str_of(NULL, 0), str_of(NULL, 0), "hPQ37Fp2UxYzk7BtFQ5um40rb5I=");
}

static void base64_is_that_of_rfc_4648(void **state)
{
    (void)state;
    static const struct {
        struct str bytes;
        const char *text;
    } cases[] = {
        {{"", 0}, ""},
        {{"f", 1}, "Zg=="},
        {{"fo", 2}, "Zm8="},
        {{"foo", 3}, "Zm9v"},
        {{"foobar", 6}, "Zm9vYmFy"},
        {{"\xFF\xEF\xBE\0", 4}, "/+++AA=="},
        {{"0123456789:;<=>?", 16}, "MDEyMzQ1Njc4OTo7PD0+Pw=="},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char target[32];
        size_t len = wsse_put_base64(cases[i].bytes.data, cases[i].bytes.len, target);
        assert_true(str_equals(str_of(target, len), str_from(cases[i].text)));
    }
}

static void variants_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < WSSE_VARIANT_COUNT; i++) {
        enum wsse_variant variant = WSSE_VARIANT_COUNT;
        const char *name = wsse_variant_name((enum wsse_variant)i);
        assert_true(wsse_variant_parse(str_from(name), &variant, NULL));
        assert_int_equal(variant, i);
    }
    struct err err = {0};
    enum wsse_variant variant;
    assert_false(wsse_variant_parse(STR("md5"), &variant, &err));
    assert_string_equal(err.text,
                        "\"md5\" is no way to digest a password: plain, sha1raw or sha1b64");
}

static void endless_passwords_are_refused(void **state)
{
    (void)state;
    static const char text[WSSE_KEY_CEILING + 1] = {0};
    static struct wsse_key key;
    struct err err = {0};
    assert_true(wsse_key_init(&key, WSSE_PLAIN, str_of(text, WSSE_KEY_CEILING), &err));
    assert_false(wsse_key_init(&key, WSSE_PLAIN, str_of(text, WSSE_KEY_CEILING + 1), &err));
    assert_string_equal(err.text, "the password is longer than 1024 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(B108_the_published_vector_comes_out),
        cmocka_unit_test(B108_the_decoded_nonce_goes_into_the_digest),
        cmocka_unit_test(base64_is_that_of_rfc_4648),
        cmocka_unit_test(variants_have_names),
        cmocka_unit_test(endless_passwords_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
