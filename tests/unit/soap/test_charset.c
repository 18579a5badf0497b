/* SPDX-License-Identifier: Apache-2.0 */
/* The encoding of an XML text from its first bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/soap/charset.h"

#define DECLARED(name) "<?xml version=\"1.0\" encoding=\"" name "\"?><a/>"

/* ASCII text as UTF-16, with the low byte first or second. */
static struct str widened(const char *text, size_t offset, char *bytes)
{
    size_t len = strlen(text);
    memset(bytes, 0, len * 2);
    for (size_t i = 0; i < len; i++) {
        bytes[i * 2 + offset] = text[i];
    }
    return str_of(bytes, len * 2);
}

static void check(struct str bytes, const char *name, size_t bom_bytes, const char *declared,
                  bool is_wrong)
{
    struct charset charset;
    charset_detect(bytes, &charset);
    assert_string_equal(charset.name, name);
    assert_int_equal(charset.bom_bytes, bom_bytes);
    assert_string_equal(charset.declared, declared);
    assert_int_equal(charset.declaration_is_wrong, is_wrong);
}

static void nothing_said_means_utf8(void **state)
{
    (void)state;
    check(STR("<a/>"), "utf-8", 0, "", false);
    check(STR(""), "utf-8", 0, "", false);
    check(str_of(NULL, 0), "utf-8", 0, "", false);
    check(STR("<?xml version='1.0'?><a/>"), "utf-8", 0, "", false);
}

static void declaration_counts_in_lower_case(void **state)
{
    (void)state;
    check(STR(DECLARED("UTF-8")), "utf-8", 0, "UTF-8", false);
    check(STR(DECLARED("ISO-8859-1")), "iso-8859-1", 0, "ISO-8859-1", false);
    check(STR("<?xml version='1.0' encoding = 'Windows-1252' ?><a/>"), "windows-1252", 0,
          "Windows-1252", false);
}

static void byte_order_mark_goes_before_the_declaration(void **state)
{
    (void)state;
    char bytes[200];
    check(STR("\xEF\xBB\xBF<a/>"), "utf-8", 3, "", false);
    check(STR("\xEF\xBB\xBF" DECLARED("iso-8859-1")), "utf-8", 3, "iso-8859-1", true);
    memcpy(bytes, "\xFF\xFE", 2);
    struct str text = widened(DECLARED("utf-16"), 0, bytes + 2);
    check(str_of(bytes, text.len + 2), "utf-16le", 2, "utf-16", false);
    memcpy(bytes, "\xFE\xFF", 2);
    text = widened(DECLARED("utf-8"), 1, bytes + 2);
    check(str_of(bytes, text.len + 2), "utf-16be", 2, "utf-8", true);
}

static void utf16_without_a_mark_is_known_by_its_shape(void **state)
{
    (void)state;
    char bytes[200];
    check(widened("<a/>", 0, bytes), "utf-16le", 0, "", false);
    check(widened("<a/>", 1, bytes), "utf-16be", 0, "", false);
}

/* B091: a file that was written through a string writer says utf-16 and is not. */
static void b091_single_bytes_are_not_the_utf16_they_declare(void **state)
{
    (void)state;
    check(STR(DECLARED("utf-16")), "utf-8", 0, "utf-16", true);
    check(STR(DECLARED("UCS-2")), "utf-8", 0, "UCS-2", true);
}

static void broken_declarations_count_as_absent(void **state)
{
    (void)state;
    check(STR("<?xml version=\"1.0\" encoding=\"iso-8859-1\""), "utf-8", 0, "", false);
    check(STR("<?xml version=\"1.0\" encoding=\"iso-8859-1?>"), "utf-8", 0, "", false);
    check(STR("<?xml version=\"1.0\" encoding iso?>"), "utf-8", 0, "", false);
    check(STR("<?xml version=\"1.0\" encoding=?>"), "utf-8", 0, "", false);
    check(STR("<?xml encoding="), "utf-8", 0, "", false);
}

static void any_prefix_of_a_text_and_long_names_are_safe(void **state)
{
    (void)state;
    char name[1000];
    memset(name, 'x', sizeof(name));
    memcpy(name, "<?xml encoding='", 16);
    memcpy(name + 300, "'?>", 3);
    struct charset charset;
    for (size_t len = 0; len <= sizeof(name); len++) {
        charset_detect(str_of(name, len), &charset);
        assert_true(strlen(charset.name) < CHARSET_NAME_SIZE);
    }
    assert_int_equal(strlen(charset.declared), CHARSET_NAME_SIZE - 1);
    static const char nul[] = "<?xml version='1.0' enc\0oding='a'?>";
    for (size_t len = 0; len < sizeof(nul); len++) {
        charset_detect(str_of(nul, len), &charset);
        assert_string_equal(charset.name, "utf-8");
    }
}

static void names_agree_by_meaning(void **state)
{
    (void)state;
    assert_true(charset_agree(STR("UTF-8"), STR("utf-8")));
    assert_true(charset_agree(STR(" utf8 "), STR("utf-8")));
    assert_true(charset_agree(STR("us-ascii"), STR("utf-8")));
    assert_true(charset_agree(STR("utf-16"), STR("utf-16le")));
    assert_true(charset_agree(STR("Windows-1252"), STR("windows-1252")));
    assert_false(charset_agree(STR("utf-16"), STR("utf-8")));
    assert_false(charset_agree(STR("iso-8859-1"), STR("utf-8")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_said_means_utf8),
        cmocka_unit_test(declaration_counts_in_lower_case),
        cmocka_unit_test(byte_order_mark_goes_before_the_declaration),
        cmocka_unit_test(utf16_without_a_mark_is_known_by_its_shape),
        cmocka_unit_test(b091_single_bytes_are_not_the_utf16_they_declare),
        cmocka_unit_test(broken_declarations_count_as_absent),
        cmocka_unit_test(any_prefix_of_a_text_and_long_names_are_safe),
        cmocka_unit_test(names_agree_by_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
