/* SPDX-License-Identifier: Apache-2.0 */
/* A secret is found in every form it is sent in, and nothing else is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "lather/load/secret_mask.h"

static void assert_masks(const char *const *secrets, size_t count, struct str text,
                         struct str expected)
{
    char *copies[8];
    struct buf masked;
    buf_init(&masked);
    for (size_t i = 0; i < count; i++) {
        copies[i] = str_dup(str_from(secrets[i]));
    }
    struct secret_mask *mask = secret_mask_new(copies, count);
    for (size_t i = 0; i < count; i++) {
        free(copies[i]);
    }
    bool has_any = secret_mask_append(mask, text, &masked);
    if (!str_equals(buf_view(&masked), expected)) {
        fail_msg("\"%s\" is not \"%.*s\"", masked.data, STR_ARG(expected));
    }
    assert_int_equal(has_any, !str_equals(text, expected));
    secret_mask_free(mask);
    buf_deinit(&masked);
}

#define MASKS(text, expected, ...)                                                                 \
    assert_masks((const char *const[]){__VA_ARGS__},                                               \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), STR(text),           \
                 STR(expected))

static void secrets_are_replaced_wherever_they_stand(void **state)
{
    (void)state;
    MASKS("a long-secret b long-secret", "a *** b ***", "long-secret");
    MASKS("xlong-secretx", "x***x", "long-secret");
    MASKS("long-secretlong-secret", "******", "long-secret");
    MASKS("nothing here", "nothing here", "long-secret");
    MASKS("", "", "long-secret");
    MASKS("long-secre", "long-secre", "long-secret");
    MASKS("two: first-one, second-one", "two: ***, ***", "first-one", "second-one");
}

static void the_longest_of_secrets_that_begin_alike_counts(void **state)
{
    (void)state;
    MASKS("password-and-more", "***", "password", "password-and-more");
    MASKS("password-and-more", "***", "password-and-more", "password");
}

/* A cookie lang=en must not make an envelope unreadable. */
static void short_secrets_stand_alone(void **state)
{
    (void)state;
    MASKS("<s:Envelope>en</s:Envelope>", "<s:Envelope>***</s:Envelope>", "en");
    MASKS("en, when, ends; en", "***, when, ends; ***", "en");
    MASKS("en", "***", "en");
    MASKS("lang=1; x=11", "lang=***; x=11", "1");
}

static void secrets_in_xml_text_are_found(void **state)
{
    (void)state;
    MASKS("<p>a&amp;b&lt;cdefg</p> a&b<cdefg", "<p>***</p> ***", "a&b<cdefg");
}

static void secrets_in_utf_16_are_found(void **state)
{
    (void)state;
    MASKS("<\0l\0o\0n\0g\0-\0s\0e\0c\0r\0e\0t\0>\0", "<\0*\0*\0*\0>\0", "long-secret");
    MASKS("\0<\0l\0o\0n\0g\0-\0s\0e\0c\0r\0e\0t\0>", "\0<\0*\0*\0*\0>", "long-secret");
    MASKS("x\0e\0n\0>\0e\0n\0<\0", "x\0e\0n\0>\0*\0*\0*\0<\0", "en");
    MASKS("\0x\0e\0n\0>\0e\0n\0<", "\0x\0e\0n\0>\0*\0*\0*\0<", "en");
}

static void without_secrets_nothing_changes(void **state)
{
    (void)state;
    struct buf masked;
    buf_init(&masked);
    struct secret_mask *mask = secret_mask_new(NULL, 0);
    assert_false(secret_mask_append(mask, STR("a\0b"), &masked));
    assert_int_equal(masked.len, 3);
    secret_mask_free(mask);
    secret_mask_free(NULL);
    buf_deinit(&masked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_replaced_wherever_they_stand),
        cmocka_unit_test(the_longest_of_secrets_that_begin_alike_counts),
        cmocka_unit_test(short_secrets_stand_alone),
        cmocka_unit_test(secrets_in_xml_text_are_found),
        cmocka_unit_test(secrets_in_utf_16_are_found),
        cmocka_unit_test(without_secrets_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
