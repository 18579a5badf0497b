/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes are compared, found and cut right at the edges, and in time that grows with the text only.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/rng.h"
#include "lather/base/str.h"

static const struct str NONE = {0};

static void assert_str(struct str text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    if (text.len > 0) {
        assert_memory_equal(text.data, expected, text.len);
    }
}

static void empty_strings_need_no_memory_behind_them(void **state)
{
    (void)state;
    assert_int_equal(str_from(NULL).len, 0);
    assert_true(str_equals(NONE, STR("")));
    assert_true(str_equals_nocase(NONE, STR("")));
    assert_true(str_starts_with(NONE, NONE));
    assert_true(str_ends_with(STR("a"), NONE));
    assert_int_equal(str_find(NONE, NONE), 0);
    assert_int_equal(str_find(NONE, STR("a")), SIZE_MAX);
    assert_int_equal(str_find_nocase(NONE, STR("a")), SIZE_MAX);
    assert_int_equal(str_find_byte(NONE, '\0'), SIZE_MAX);
    assert_int_equal(str_trim(NONE).len, 0);
    assert_int_equal(str_slice(NONE, 1, 5).len, 0);
    char *copy = str_dup(NONE);
    assert_string_equal(copy, "");
    free(copy);
}

static void equality_counts_every_byte(void **state)
{
    (void)state;
    assert_true(str_equals(STR("a\0b"), STR("a\0b")));
    assert_false(str_equals(STR("a\0b"), STR("a\0c")));
    assert_false(str_equals(STR("ab"), STR("abc")));
    assert_false(str_equals(STR("ab"), STR("aB")));
}

static void case_is_ignored_for_ascii_letters_only(void **state)
{
    (void)state;
    assert_true(str_equals_nocase(STR("SOAPAction"), STR("soapaction")));
    /* The neighbours of the letters differ by the same bit and are no letters. */
    assert_false(str_equals_nocase(STR("["), STR("{")));
    assert_false(str_equals_nocase(STR("@"), STR("`")));
    assert_false(str_equals_nocase(STR("\xC3\x84"), STR("\xC3\xA4")));
    assert_false(str_equals_nocase(STR("a"), STR("ab")));
}

static void starts_and_ends_are_whole_prefixes_and_suffixes(void **state)
{
    (void)state;
    assert_true(str_starts_with(STR("text/xml"), STR("text/")));
    assert_false(str_starts_with(STR("text"), STR("text/")));
    assert_false(str_starts_with(STR("Text/xml"), STR("text/")));
    assert_true(str_starts_with_nocase(STR("Text/xml"), STR("text/")));
    assert_true(str_ends_with(STR("a.xml"), STR(".xml")));
    assert_false(str_ends_with(STR("xml"), STR(".xml")));
    assert_false(str_ends_with(STR("a.xmlx"), STR(".xml")));
}

static size_t find_plainly(struct str text, struct str needle)
{
    for (size_t at = 0; at + needle.len <= text.len; at++) {
        if (str_equals(str_slice(text, at, at + needle.len), needle)) {
            return at;
        }
    }
    return SIZE_MAX;
}

static void find_agrees_with_trying_every_place(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 1, 0);
    size_t hits = 0;
    for (int round = 0; round < 20000; round++) {
        char bytes[64];
        size_t len = rng_below(&rng, sizeof bytes + 1);
        for (size_t i = 0; i < len; i++) {
            bytes[i] = "aab"[rng_below(&rng, 3)];
        }
        char wanted[24];
        size_t wanted_len = rng_below(&rng, sizeof wanted + 1);
        for (size_t i = 0; i < wanted_len; i++) {
            wanted[i] = "aab"[rng_below(&rng, 3)];
        }
        struct str text = str_of(bytes, len);
        struct str needle = str_of(wanted, wanted_len);
        size_t expected = find_plainly(text, needle);
        hits += expected != SIZE_MAX ? 1 : 0;
        assert_int_equal(str_find(text, needle), expected);

        for (size_t i = 0; i < wanted_len; i += 2) {
            wanted[i] = (char)(wanted[i] - 'a' + 'A');
        }
        assert_int_equal(str_find_nocase(text, needle), expected);
    }
    assert_in_range(hits, 2000, 18000);
}

static void find_sees_the_first_and_the_last_place(void **state)
{
    (void)state;
    assert_int_equal(str_find(STR("Fault>"), STR("Fault")), 0);
    assert_int_equal(str_find(STR("<s:Fault"), STR("Fault")), 3);
    assert_int_equal(str_find(STR("Faul"), STR("Fault")), SIZE_MAX);
    assert_int_equal(str_find(STR("a\0b"), STR("\0b")), 1);
    assert_int_equal(str_find_nocase(STR("x CHARSET"), STR("charset")), 2);
    assert_int_equal(str_find_byte(STR("abc"), 'c'), 2);
    assert_int_equal(str_find_byte(STR("abc"), '\0'), SIZE_MAX);
}

/* Comparing the needle at each place would take minutes here. */
static void near_misses_do_not_make_find_quadratic(void **state)
{
    (void)state;
    enum { TEXT_BYTES = 16 << 20, NEEDLE_BYTES = 4 << 20 };
    char *bytes = check_malloc(TEXT_BYTES);
    memset(bytes, 'a', TEXT_BYTES);
    char *wanted = check_malloc(NEEDLE_BYTES);
    memset(wanted, 'a', NEEDLE_BYTES);
    wanted[NEEDLE_BYTES - 1] = 'b';
    struct str text = str_of(bytes, TEXT_BYTES);
    struct str needle = str_of(wanted, NEEDLE_BYTES);
    assert_int_equal(str_find(text, needle), SIZE_MAX);
    assert_int_equal(str_find_nocase(text, needle), SIZE_MAX);
    bytes[TEXT_BYTES - 1] = 'b';
    assert_int_equal(str_find(text, needle), TEXT_BYTES - NEEDLE_BYTES);
    free(wanted);
    free(bytes);
}

static void trim_takes_blanks_from_the_ends_only(void **state)
{
    (void)state;
    assert_str(str_trim(STR(" \t\r\na b\n ")), "a b");
    assert_str(str_trim(STR(" \r\n\t")), "");
    assert_str(str_trim(STR("\v a")), "\v a");
}

static void slice_is_cut_to_the_text(void **state)
{
    (void)state;
    assert_str(str_slice(STR("abcd"), 1, 3), "bc");
    assert_str(str_slice(STR("abcd"), 2, SIZE_MAX), "cd");
    assert_str(str_slice(STR("abcd"), SIZE_MAX, SIZE_MAX), "");
    assert_str(str_slice(STR("abcd"), 3, 1), "");
}

static void split_tells_an_empty_rest_from_no_separator(void **state)
{
    (void)state;
    struct str head;
    struct str rest;
    assert_true(str_split(STR("a:b:c"), ':', &head, &rest));
    assert_str(head, "a");
    assert_str(rest, "b:c");
    assert_true(str_split(STR("a:"), ':', &head, &rest));
    assert_str(head, "a");
    assert_str(rest, "");
    assert_false(str_split(STR("a"), ':', &head, &rest));
    assert_str(head, "a");
    assert_str(rest, "");
}

static void numbers_are_whole_and_fit_64_bits(void **state)
{
    (void)state;
    uint64_t value = 7;
    assert_true(str_to_u64(STR("0"), &value));
    assert_int_equal(value, 0);
    assert_true(str_to_u64(STR("18446744073709551615"), &value));
    assert_true(value == UINT64_MAX);
    assert_true(str_to_u64(STR("00000000000000000000000042"), &value));
    assert_int_equal(value, 42);
    const char *const refused[] = {
        "",
        "-1",
        "+1",
        " 1",
        "1 ",
        "1.0",
        "0x10",
        "1e3",
        "18446744073709551616",
        "99999999999999999999",
        "\xD9\xA1",
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        value = 7;
        assert_false(str_to_u64(str_from(refused[i]), &value));
        assert_int_equal(value, 7);
    }
}

static void hexadecimal_digits_have_a_value_and_nothing_else_has(void **state)
{
    (void)state;
    const struct str digits = STR("0123456789abcdef");
    const struct str capitals = STR("0123456789ABCDEF");
    int known = 0;
    for (size_t i = 0; i < digits.len; i++) {
        assert_int_equal(str_hex_value(digits.data[i]), i);
        assert_int_equal(str_hex_value(capitals.data[i]), i);
    }
    for (int byte = 0; byte < 256; byte++) {
        known += str_hex_value((char)byte) >= 0;
    }
    assert_int_equal(known, 22);
}

static void a_view_need_not_end_in_a_nul(void **state)
{
    (void)state;
    const char digits[3] = {'1', '2', '3'};
    uint64_t value = 0;
    assert_true(str_to_u64(str_of(digits, 2), &value));
    assert_int_equal(value, 12);
    char *copy = str_dup(str_of(digits, 2));
    assert_string_equal(copy, "12");
    free(copy);
}

static void distance_counts_typing_slips(void **state)
{
    (void)state;
    assert_int_equal(str_distance(NONE, NONE), 0);
    assert_int_equal(str_distance(STR("rate"), NONE), 4);
    assert_int_equal(str_distance(STR("duration"), STR("duration")), 0);
    assert_int_equal(str_distance(STR("duratoin"), STR("duration")), 1);
    assert_int_equal(str_distance(STR("warmup"), STR("warm-up")), 1);
    assert_int_equal(str_distance(STR("timeouts"), STR("timeout")), 1);
    assert_int_equal(str_distance(STR("kitten"), STR("sitting")), 3);
    /* Swapped, then filled in between: where the restricted form says 3. */
    assert_int_equal(str_distance(STR("ca"), STR("abc")), 2);
    assert_int_equal(str_distance(STR("\xFF"), STR("\x01")), 1);
}

static void distance_looks_at_32_bytes(void **state)
{
    (void)state;
    char a[100];
    char b[100];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    assert_int_equal(str_distance(str_of(a, 100), str_of(b, 100)), 32);
    assert_int_equal(str_distance(str_of(a, 100), str_of(a, 32)), 0);
}

static void typographic_quotes_are_recognised_and_plain_ones_are_not(void **state)
{
    (void)state;
    const char *const quotes[] = {
        "\u2018", "\u2019", "\u201C", "\u201D", "\u201E", "\u2033", "\u2032", "\u00AB", "\u00BB",
    };
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        char text[16] = "-H a";
        memcpy(text + 4, quotes[i], strlen(quotes[i]));
        assert_true(str_has_typographic_quote(str_from(text)));
    }
    assert_false(str_has_typographic_quote(STR("'a' \"b\" `c` \u00E9 \u20AC \u4E2D \u2026")));
    assert_false(str_has_typographic_quote(STR("\xE2\x80")));
    assert_false(str_has_typographic_quote(NONE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_strings_need_no_memory_behind_them),
        cmocka_unit_test(equality_counts_every_byte),
        cmocka_unit_test(case_is_ignored_for_ascii_letters_only),
        cmocka_unit_test(starts_and_ends_are_whole_prefixes_and_suffixes),
        cmocka_unit_test(find_agrees_with_trying_every_place),
        cmocka_unit_test(find_sees_the_first_and_the_last_place),
        cmocka_unit_test(near_misses_do_not_make_find_quadratic),
        cmocka_unit_test(trim_takes_blanks_from_the_ends_only),
        cmocka_unit_test(slice_is_cut_to_the_text),
        cmocka_unit_test(split_tells_an_empty_rest_from_no_separator),
        cmocka_unit_test(numbers_are_whole_and_fit_64_bits),
        cmocka_unit_test(hexadecimal_digits_have_a_value_and_nothing_else_has),
        cmocka_unit_test(a_view_need_not_end_in_a_nul),
        cmocka_unit_test(distance_counts_typing_slips),
        cmocka_unit_test(distance_looks_at_32_bytes),
        cmocka_unit_test(typographic_quotes_are_recognised_and_plain_ones_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
