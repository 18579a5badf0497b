/* SPDX-License-Identifier: Apache-2.0 */
/* Every character goes out and comes back; what RFC 3629 forbids is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/utf8.h"

static void every_character_comes_back(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        char bytes[UTF8_MOST_BYTES];
        struct str text = str_of(bytes, utf8_put(bytes, code));
        uint32_t back = 0;
        bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
        struct str rest = text;
        bool good = utf8_next(&rest, &back);
        if (good == is_surrogate || (good && (back != code || rest.len != 0)) ||
            (!good && rest.len != text.len)) {
            fail_msg("U+%04X", code);
        }
    }
}

static void what_is_no_character_is_found(void **state)
{
    (void)state;
    static const struct {
        struct str text;
        size_t at;
    } cases[] = {
        {{"", 0}, SIZE_MAX},
        {{"abc\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 12}, SIZE_MAX},
        {{"a\x80", 2}, 1},
        {{"a\xC3", 2}, 1},
        {{"\xC3(", 2}, 0},
        {{"\xC0\x80", 2}, 0},             /* overlong */
        {{"\xC1\xBF", 2}, 0},             /* overlong */
        {{"\xE0\x9F\xBF", 3}, 0},         /* overlong */
        {{"\xF0\x8F\xBF\xBF", 4}, 0},     /* overlong */
        {{"x\xED\xA0\x80", 4}, 1},        /* surrogate */
        {{"\xF4\x90\x80\x80", 4}, 0},     /* above U+10FFFF */
        {{"\xF8\x88\x80\x80\x80", 5}, 0}, /* five bytes */
        {{"\xE2\x82", 2}, 0},
        {{"ok\xF0\x9F\x98", 5}, 2},
        {{"\xFF", 1}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(utf8_find_invalid(cases[i].text), cases[i].at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_comes_back),
        cmocka_unit_test(what_is_no_character_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
