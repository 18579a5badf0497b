/* SPDX-License-Identifier: Apache-2.0 */
/* References to characters: the known ones, the numbers, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lather/soap/reference.h"

static void references_are_resolved(void **state)
{
    (void)state;
    static const struct {
        const char *raw;
        const char *value;
    } cases[] = {
        {"", ""},
        {"a&amp;b&lt;&gt;&quot;&apos;", "a&b<>\"'"},
        {"&#65;&#x42;&#xe9;&#x1F600;", "AB\xC3\xA9\xF0\x9F\x98\x80"},
        {"&unknown; & &; &#; &#x; &#xD800; &#x110000; &#0; &#1x; &amp", "&unknown; & &; &#; &#x; "
                                                                        "&#xD800; &#x110000; &#0; "
                                                                        "&#1x; &amp"},
        {"&#99999999999999999999;", "&#99999999999999999999;"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf value;
        buf_init(&value);
        reference_append_resolved(str_from(cases[i].raw), &value);
        assert_true(str_equals(buf_view(&value), str_from(cases[i].value)));
        buf_deinit(&value);
    }
}

static void a_reference_is_one_character_of_unicode(void **state)
{
    (void)state;
    uint32_t code = 0;
    assert_true(reference_parse(STR("apos"), &code));
    assert_int_equal(code, '\'');
    assert_true(reference_parse(STR("#x10FFFF"), &code));
    assert_int_equal(code, 0x10FFFF);
    assert_true(reference_parse(STR("#1"), &code));
    assert_int_equal(code, 1);
    const char *const refused[] = {
        "",         "#",   "#x",          "#X41", "#0",   "#xDFFF",
        "#x110000", "#-1", "#4294967361", "AMP",  "amp ", "nbsp",
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_false(reference_parse(str_from(refused[i]), &code));
    }
}

static void text_is_escaped_as_far_as_its_place_needs(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out);
    reference_append_escaped(STR("<a b=\"c\">&'"), REFERENCE_TEXT, &out);
    assert_string_equal(out.data, "&lt;a b=\"c\"&gt;&amp;'");
    buf_reset(&out);
    reference_append_escaped(STR("<a b=\"c\">&'"), REFERENCE_ATTRIBUTE, &out);
    assert_string_equal(out.data, "&lt;a b=&quot;c&quot;&gt;&amp;'");
    buf_deinit(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_are_resolved),
        cmocka_unit_test(text_is_escaped_as_far_as_its_place_needs),
        cmocka_unit_test(a_reference_is_one_character_of_unicode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
