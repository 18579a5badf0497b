/* SPDX-License-Identifier: Apache-2.0 */
/* Growing keeps every byte, ends in a NUL, and stops at a ceiling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/buf.h"

static void an_empty_buffer_allocates_nothing(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf);
    assert_null(buf.data);
    assert_int_equal(buf_view(&buf).len, 0);
    buf_reset(&buf);
    buf_deinit(&buf);
    buf_deinit(&buf);
}

static void every_byte_survives_growth_and_a_nul_follows(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf);
    for (size_t i = 0; i < 5000; i++) {
        buf_append_byte(&buf, (char)(i % 251));
        assert_int_equal(buf.data[buf.len], '\0');
        assert_true(buf.len < buf.capacity);
    }
    assert_int_equal(buf.len, 5000);
    for (size_t i = 0; i < 5000; i++) {
        assert_int_equal(buf.data[i], (char)(i % 251));
    }
    buf_deinit(&buf);
}

static void bytes_of_any_value_are_kept(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf);
    buf_append(&buf, "a\0b\r\n\xFF", 6);
    buf_append_str(&buf, STR("\0"));
    buf_append_str(&buf, str_from(NULL));
    assert_int_equal(buf.len, 7);
    assert_memory_equal(buf.data, "a\0b\r\n\xFF\0", 8);
    buf_deinit(&buf);
}

static void appending_nothing_still_gives_a_string(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf);
    buf_append(&buf, NULL, 0);
    assert_string_equal(buf.data, "");
    buf_deinit(&buf);
}

static void reserved_room_is_the_callers_to_fill(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf);
    buf_append_str(&buf, STR("ab"));
    char *place = buf_reserve(&buf, 1000);
    assert_string_equal(buf.data, "ab");
    memset(place, 'c', 1000);
    buf.len += 1000;
    buf_append_byte(&buf, 'd');
    assert_int_equal(buf.len, 1003);
    assert_int_equal(buf.data[2], 'c');
    assert_int_equal(buf.data[1001], 'c');
    assert_string_equal(buf.data + 1002, "d");
    buf_deinit(&buf);
}

static void a_ceiling_takes_its_last_byte_and_not_one_more(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf);
    assert_true(buf_append_capped(&buf, "12345", 5, 8));
    assert_true(buf_append_capped(&buf, "678", 3, 8));
    assert_false(buf_append_capped(&buf, "9", 1, 8));
    assert_true(buf_append_capped(&buf, NULL, 0, 8));
    assert_string_equal(buf.data, "12345678");
    buf_deinit(&buf);
}

static void a_length_that_would_wrap_around_is_refused(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf);
    buf_append_str(&buf, STR("abc"));
    assert_false(buf_append_capped(&buf, "x", SIZE_MAX, 100));
    assert_false(buf_append_capped(&buf, "x", SIZE_MAX - 2, 100));
    assert_false(buf_append_capped(&buf, "x", 1, 2));
    assert_string_equal(buf.data, "abc");
    buf_deinit(&buf);
}

static void printf_fits_at_every_length_around_the_capacity(void **state)
{
    (void)state;
    for (int width = 1; width < 300; width++) {
        struct buf buf;
        buf_init(&buf);
        buf_append_str(&buf, STR("<"));
        buf_printf(&buf, "%*d>", width, 7);
        assert_int_equal(buf.len, width + 2);
        assert_int_equal(strlen(buf.data), width + 2);
        assert_string_equal(buf.data + buf.len - 2, "7>");
        buf_deinit(&buf);
    }
}

static void reset_forgets_the_content_and_keeps_the_memory(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf);
    (void)buf_reserve(&buf, 10000);
    size_t capacity = buf.capacity;
    buf_append_str(&buf, STR("old"));
    buf_reset(&buf);
    assert_int_equal(buf.capacity, capacity);
    assert_string_equal(buf.data, "");
    buf_append_str(&buf, STR("n"));
    assert_string_equal(buf.data, "n");
    buf_deinit(&buf);
}

static void take_hands_over_a_string_and_leaves_an_empty_buffer(void **state)
{
    (void)state;
    struct buf buf;
    buf_init(&buf);
    char *nothing = buf_take(&buf);
    assert_string_equal(nothing, "");
    free(nothing);

    char *place = buf_reserve(&buf, 3);
    memcpy(place, "abc", 3);
    buf.len += 3;
    char *text = buf_take(&buf);
    assert_string_equal(text, "abc");
    assert_null(buf.data);
    assert_int_equal(buf.len, 0);
    assert_int_equal(buf.capacity, 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_buffer_allocates_nothing),
        cmocka_unit_test(every_byte_survives_growth_and_a_nul_follows),
        cmocka_unit_test(bytes_of_any_value_are_kept),
        cmocka_unit_test(appending_nothing_still_gives_a_string),
        cmocka_unit_test(reserved_room_is_the_callers_to_fill),
        cmocka_unit_test(a_ceiling_takes_its_last_byte_and_not_one_more),
        cmocka_unit_test(a_length_that_would_wrap_around_is_refused),
        cmocka_unit_test(printf_fits_at_every_length_around_the_capacity),
        cmocka_unit_test(reset_forgets_the_content_and_keeps_the_memory),
        cmocka_unit_test(take_hands_over_a_string_and_leaves_an_empty_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
