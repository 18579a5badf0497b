/* SPDX-License-Identifier: Apache-2.0 */
/* Slices of JSON: right ones of right texts, and no read behind the end of wrong ones. */
#include "reading.h"

#include "lather/capture/json_cut.h"

static void assert_str(struct str text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    assert_memory_equal(text.data, expected, text.len);
}

static void members_come_in_order_with_their_whole_values(void **state)
{
    (void)state;
    struct json_cut cut;
    struct str key;
    struct str value;
    json_cut_begin(&cut,
                   STR(" { \"a\" : 1 , \"b\":{\"x\":[1,{}]},\"c\":\"}]\\\"\" ,\"d\":null } "));
    assert_true(json_cut_next(&cut, &key, &value));
    assert_str(key, "a");
    assert_str(value, "1");
    assert_true(json_cut_next(&cut, &key, &value));
    assert_str(key, "b");
    assert_str(value, "{\"x\":[1,{}]}");
    assert_true(json_cut_next(&cut, &key, &value));
    assert_str(value, "\"}]\\\"\"");
    assert_true(json_cut_next(&cut, &key, &value));
    assert_str(value, "null");
    assert_false(json_cut_next(&cut, &key, &value));
    assert_false(cut.is_damaged);
    assert_false(json_cut_next(&cut, &key, &value));
}

static void elements_have_no_key(void **state)
{
    (void)state;
    struct json_cut cut;
    struct str key;
    struct str value;
    json_cut_begin(&cut, STR("[true,[]]"));
    assert_true(json_cut_next(&cut, &key, &value));
    assert_int_equal(key.len, 0);
    assert_str(value, "true");
    assert_true(json_cut_next(&cut, &key, &value));
    assert_str(value, "[]");
    assert_false(json_cut_next(&cut, &key, &value));
    assert_false(cut.is_damaged);
}

static void a_value_without_an_end_is_given_and_marked(void **state)
{
    (void)state;
    struct json_cut cut;
    struct str key;
    struct str value;
    json_cut_begin(&cut, STR("{\"a\":1,\"b\":{\"x\":\"y\""));
    assert_true(json_cut_next(&cut, &key, &value));
    assert_false(cut.is_cut);
    assert_true(json_cut_next(&cut, &key, &value));
    assert_true(cut.is_cut);
    assert_str(value, "{\"x\":\"y\"");
    assert_false(json_cut_next(&cut, &key, &value));
    assert_true(cut.is_damaged);
}

static void damage_ends_a_walk(void **state)
{
    (void)state;
    static const char *const texts[] = {"{\"a\" 1}", "{a:1}",  "[1 2]", "{\"a\":}", "[1,",
                                        "[",         "{\"a\"", "{\"",   "",         "7"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct json_cut cut;
        struct str key;
        struct str value;
        json_cut_begin(&cut, str_from(texts[i]));
        size_t count = 0;
        while (json_cut_next(&cut, &key, &value)) {
            count++;
        }
        assert_true(cut.is_damaged);
        assert_true(count <= 1);
    }
}

static void backslashes_before_a_quote_are_counted(void **state)
{
    (void)state;
    struct str value;
    assert_true(
        json_cut_find(STR("{\"a\":\"x\\\\\",\"b\":\"\\\\\\\"\",\"c\":3}"), STR("c"), &value));
    assert_str(value, "3");
}

static void find_looks_at_the_first_level_only(void **state)
{
    (void)state;
    struct str value;
    assert_false(json_cut_find(STR("{\"x\":{\"a\":1},\"y\":\"a\"}"), STR("a"), &value));
    assert_int_equal(value.len, 0);
    assert_false(json_cut_find(STR("[\"a\",1]"), STR("a"), &value));
    assert_false(json_cut_find(str_of(NULL, 0), STR("a"), &value));
}

static void text_is_decoded_and_nothing_else(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    assert_true(json_cut_text(STR("\"\\u00eb\\n\\/\\ud83c\\udf75\""), &text));
    assert_str(buf_view(&text), "\xC3\xAB\n/\xF0\x9F\x8D\xB5");
    buf_reset(&text);
    assert_true(json_cut_text(STR("\"a\\u0000b\""), &text));
    assert_int_equal(text.len, 3);
    buf_reset(&text);
    assert_true(json_cut_text(STR("-17.5e3"), &text));
    assert_str(buf_view(&text), "-17.5e3");
    assert_false(json_cut_text(STR("null"), &text));
    assert_false(json_cut_text(STR("{}"), &text));
    assert_false(json_cut_text(STR("\"\\ud800\""), &text));
    assert_false(json_cut_text(STR("\"\xFF\""), &text));
    assert_false(json_cut_text(STR("\"open"), &text));
    assert_str(buf_view(&text), "-17.5e3");
    buf_deinit(&text);
}

static void deep_nesting_costs_no_stack(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text);
    buf_append_str(&text, STR("{\"a\":"));
    for (int i = 0; i < 1000000; i++) {
        buf_append_byte(&text, '[');
    }
    struct json_cut cut;
    struct str key;
    struct str value;
    json_cut_begin(&cut, buf_view(&text));
    assert_true(json_cut_next(&cut, &key, &value));
    assert_true(cut.is_cut);
    assert_int_equal(value.len, 1000000);
    buf_deinit(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_come_in_order_with_their_whole_values),
        cmocka_unit_test(elements_have_no_key),
        cmocka_unit_test(a_value_without_an_end_is_given_and_marked),
        cmocka_unit_test(damage_ends_a_walk),
        cmocka_unit_test(backslashes_before_a_quote_are_counted),
        cmocka_unit_test(find_looks_at_the_first_level_only),
        cmocka_unit_test(text_is_decoded_and_nothing_else),
        cmocka_unit_test(deep_nesting_costs_no_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
