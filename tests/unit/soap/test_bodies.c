/* SPDX-License-Identifier: Apache-2.0 */
/* Distinct bodies counted, whatever the pieces they come in: B078. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lather/soap/bodies.h"

static uint64_t hash_of(const char *body, const char *left_out, size_t piece)
{
    struct bodies_hash hash = {.value = 0};
    struct str text = str_from(body);
    bodies_hash_begin(&hash, str_from(left_out));
    for (size_t at = 0; at < text.len; at += piece) {
        bodies_hash_feed(&hash, str_slice(text, at, at + piece));
    }
    uint64_t value = bodies_hash_end(&hash);
    bodies_hash_deinit(&hash);
    return value;
}

static void ids_of_requests_do_not_count_in_pieces_of_any_size(void **state)
{
    (void)state;
    uint64_t value = hash_of("<a>id-1</a><b>id-1</b>", "id-1", 100);
    for (size_t piece = 1; piece < 25; piece++) {
        assert_true(hash_of("<a>id-1</a><b>id-1</b>", "id-1", piece) == value);
        assert_true(hash_of("<a>id-22</a><b>id-22</b>", "id-22", piece) == value);
        assert_true(hash_of("<a>id-1</a><b>id-2</b>", "id-1", piece) != value);
        assert_true(hash_of("<a>id-1</a><b>id-1</b>", "", piece) != value);
        assert_true(hash_of("<a>id-1</a><b>id-1</b> ", "id-1", piece) != value);
        assert_true(hash_of("<a></a><b></b>", "id-1", piece) != value);
    }
}

static void b078_one_different_byte_is_another_body(void **state)
{
    (void)state;
    struct bodies *bodies = bodies_new();
    char text[] = "<answer>of some length</answer>";
    for (int i = 0; i < 1000; i++) {
        bodies_add(bodies, hash_of(text, "", 7), str_from(text));
    }
    text[9] ^= 1;
    bodies_add(bodies, hash_of(text, "", 7), str_from(text));
    assert_int_equal(bodies_distinct(bodies), 2);
    assert_int_equal(bodies_at(bodies, 0).count, 1000);
    assert_int_equal(bodies_at(bodies, 1).count, 1);
    assert_true(str_equals(bodies_at(bodies, 1).sample, str_from(text)));
    bodies_free(bodies);
}

static void only_the_first_ten_are_kept_whole(void **state)
{
    (void)state;
    struct bodies *bodies = bodies_new();
    char large[BODIES_SAMPLE_CEILING + 1];
    memset(large, 'x', sizeof(large));
    bodies_add(bodies, 1000, str_of(large, sizeof(large)));
    bodies_add(bodies, 1001, str_of(NULL, 0));
    for (uint64_t i = 0; i < 20; i++) {
        bodies_add(bodies, i, STR("sample"));
    }
    size_t kept = 0;
    for (size_t i = 0; i < bodies_distinct(bodies); i++) {
        kept += bodies_at(bodies, i).sample.len > 0;
    }
    assert_int_equal(kept, BODIES_SAMPLES);
    assert_int_equal(bodies_at(bodies, 0).sample.len, 0);
    bodies_free(bodies);
}

static void counts_of_workers_add_up_and_the_rest_is_counted(void **state)
{
    (void)state;
    struct bodies *all = bodies_new();
    uint64_t added = 0;
    for (uint64_t worker = 0; worker < 3; worker++) {
        struct bodies *bodies = bodies_new();
        for (uint64_t i = 0; i < 60000; i++) {
            bodies_add(bodies, (i + worker * 30000) * UINT64_C(0x9E3779B97F4A7C15), STR("s"));
            added++;
        }
        assert_int_equal(bodies_distinct(bodies), 60000);
        bodies_merge(all, bodies);
        bodies_free(bodies);
    }
    uint64_t counted = bodies_overflow(all);
    for (size_t i = 0; i < bodies_distinct(all); i++) {
        counted += bodies_at(all, i).count;
    }
    assert_int_equal(bodies_distinct(all), BODIES_CEILING);
    assert_int_equal(bodies_overflow(all), 20000);
    assert_int_equal(counted, added);
    bodies_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_of_requests_do_not_count_in_pieces_of_any_size),
        cmocka_unit_test(b078_one_different_byte_is_another_body),
        cmocka_unit_test(only_the_first_ten_are_kept_whole),
        cmocka_unit_test(counts_of_workers_add_up_and_the_rest_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
