/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-16 is read as UTF-8 without losing a unit, and every offset is found again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lather/base/utf8.h"
#include "lather/soap/utf16.h"

static void every_character_goes_there_and_back(void **state)
{
    (void)state;
    for (int order = UTF16_LITTLE; order <= UTF16_BIG; order++) {
        struct buf text;
        buf_init(&text);
        for (uint32_t code = 0; code <= 0x10FFFF; code += code < 0x11000 ? 1 : 257) {
            char units[4];
            size_t len = utf16_put(units, code, (enum utf16_order)order);
            buf_reset(&text);
            utf16_append_as_utf8(str_of(units, len), (enum utf16_order)order, &text);
            char expected[UTF8_MOST_BYTES];
            size_t expected_len = utf8_put(expected, code);
            if (!str_equals(buf_view(&text), str_of(expected, expected_len)) ||
                utf16_bytes(buf_view(&text)) != len) {
                fail_msg("U+%04X", code);
            }
        }
        buf_deinit(&text);
    }
}

static void offsets_are_found_in_broken_text_too(void **state)
{
    (void)state;
    /* a, a high surrogate alone, a pair, a low one alone, euro, an odd byte */
    static const char units[] = "a\0\x01\xD8"
                                "\x3D\xD8\x00\xDE"
                                "\x00\xDC\xAC\x20x";
    struct buf text;
    buf_init(&text);
    utf16_append_as_utf8(str_of(units, sizeof units - 1), UTF16_LITTLE, &text);
    assert_int_equal(text.len, 1 + 3 + 4 + 3 + 3);
    static const size_t bytes[] = {0, 2, 4, 8, 10, 12};
    static const size_t at[] = {0, 1, 4, 8, 11, 14};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        assert_int_equal(utf16_bytes(str_slice(buf_view(&text), 0, at[i])), bytes[i]);
    }
    buf_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_goes_there_and_back),
        cmocka_unit_test(offsets_are_found_in_broken_text_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
