/* SPDX-License-Identifier: Apache-2.0 */
/* Failures that have something in common are one group; what a server writes cannot eat memory. */
#include "lather/measure/groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <stdlib.h>

static struct group_key key_of(const char *code, const char *reason)
{
    return (struct group_key){.outcome = OUTCOME_FAULT,
                              .status = 500,
                              .code = str_from(code),
                              .reason = str_from(reason)};
}

static void add_times(struct groups *groups, const char *reason, int times)
{
    struct group_key key = key_of("{urn:x}Sender", reason);
    for (int i = 0; i < times; i++) {
        groups_add(groups, &key);
    }
}

static void assert_group(const struct groups *groups, size_t index, const char *reason,
                         uint64_t count)
{
    const struct group *group = groups_at(groups, index);
    assert_true(str_equals(group->key.reason, str_from(reason)));
    assert_int_equal(group->count, count);
}

static void equal_keys_are_one_group(void **state)
{
    (void)state;
    struct groups *groups = groups_new();
    assert_int_equal(groups_size(groups), 0);
    assert_int_equal(groups_total(groups), 0);
    add_times(groups, "no such order", 3);
    add_times(groups, "busy", 1);
    assert_int_equal(groups_size(groups), 2);
    assert_int_equal(groups_total(groups), 4);
    assert_group(groups, 0, "no such order", 3);
    assert_group(groups, 1, "busy", 1);
    groups_free(groups);
}

static void every_part_of_the_key_tells_groups_apart(void **state)
{
    (void)state;
    const struct group_key keys[] = {
        {.outcome = OUTCOME_FAULT, .status = 500},
        {.outcome = OUTCOME_STATUS, .status = 500},
        {.outcome = OUTCOME_FAULT, .status = 200},
        {.outcome = OUTCOME_FAULT, .status = 500, .code = STR("ab")},
        {.outcome = OUTCOME_FAULT, .status = 500, .subcodes = STR("ab")},
        {.outcome = OUTCOME_FAULT, .status = 500, .detail = STR("ab")},
        {.outcome = OUTCOME_FAULT, .status = 500, .reason = STR("ab")},
        {.outcome = OUTCOME_FAULT, .status = 500, .code = STR("a"), .subcodes = STR("b")},
        {.outcome = OUTCOME_FAULT, .status = 500, .reason = STR("ab\0")},
    };
    const size_t count = sizeof keys / sizeof *keys;
    struct groups *groups = groups_new();
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < count; i++) {
            groups_add(groups, &keys[i]);
        }
    }
    assert_int_equal(groups_size(groups), count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(groups_at(groups, i)->count, 2);
    }
    groups_free(groups);
}

static void the_table_keeps_its_own_copy_of_the_texts(void **state)
{
    (void)state;
    struct groups *groups = groups_new();
    char reason[] = "before";
    struct group_key key = key_of("", reason);
    groups_add(groups, &key);
    memcpy(reason, "behind", sizeof reason);
    assert_group(groups, 0, "before", 1);
    groups_free(groups);
}

static void add_numbered(struct groups *groups, int from, int to)
{
    for (int i = from; i < to; i++) {
        char reason[32];
        (void)snprintf(reason, sizeof reason, "order %d", i);
        add_times(groups, reason, 1);
    }
}

static void a_new_text_in_each_reason_fills_the_table_and_then_only_counts(void **state)
{
    (void)state;
    struct groups *groups = groups_new();
    add_numbered(groups, 0, 5000);
    assert_int_equal(groups_size(groups), GROUPS_CEILING);
    assert_int_equal(groups_overflow(groups), 5000 - GROUPS_CEILING);
    assert_int_equal(groups_total(groups), 5000);
    add_numbered(groups, 0, 10); /* the known ones still count by name */
    assert_int_equal(groups_overflow(groups), 5000 - GROUPS_CEILING);
    assert_int_equal(groups_total(groups), 5010);
    groups_free(groups);
}

static void long_texts_are_cut_and_equal_beginnings_are_equal(void **state)
{
    (void)state;
    static char giant[100000];
    memset(giant, 'x', sizeof giant);
    struct groups *groups = groups_new();
    struct group_key key = {.outcome = OUTCOME_FAULT, .reason = {giant, sizeof giant}};
    groups_add(groups, &key);
    key.reason.len--;
    groups_add(groups, &key);
    assert_int_equal(groups_size(groups), 1);
    assert_int_equal(groups_at(groups, 0)->key.reason.len, GROUPS_TEXT_CEILING);
    groups_free(groups);
}

static void sorting_is_by_falling_count_then_by_appearance(void **state)
{
    (void)state;
    struct groups *groups = groups_new();
    groups_sort(groups); /* nothing to sort is fine */
    add_times(groups, "a", 1);
    add_times(groups, "b", 5);
    add_times(groups, "c", 1);
    add_times(groups, "d", 9);
    add_times(groups, "e", 5);
    groups_sort(groups);
    const char *order[] = {"d", "b", "e", "a", "c"};
    const uint64_t counts[] = {9, 5, 5, 1, 1};
    for (size_t i = 0; i < 5; i++) {
        assert_group(groups, i, order[i], counts[i]);
    }
    add_times(groups, "c", 1); /* still found after it moved */
    assert_int_equal(groups_size(groups), 5);
    assert_group(groups, 4, "c", 2);
    groups_free(groups);
}

static void ranking_leaves_the_table_as_it_is(void **state)
{
    (void)state;
    struct groups *groups = groups_new();
    add_times(groups, "a", 2);
    add_times(groups, "b", 3);
    add_times(groups, "c", 2);
    const struct group **ranked = groups_ranked(groups);
    assert_ptr_equal(ranked[0], groups_at(groups, 1));
    assert_ptr_equal(ranked[1], groups_at(groups, 0));
    assert_ptr_equal(ranked[2], groups_at(groups, 2));
    assert_group(groups, 0, "a", 2);
    free(ranked);
    groups_free(groups);
}

static void merging_adds_groups_and_overflow(void **state)
{
    (void)state;
    struct groups *into = groups_new();
    struct groups *from = groups_new();
    add_times(into, "a", 2);
    add_times(from, "b", 3);
    add_times(from, "a", 4);
    groups_add_overflow(from, 7);
    groups_merge(into, from);
    assert_int_equal(groups_size(into), 2);
    assert_group(into, 0, "a", 6);
    assert_group(into, 1, "b", 3);
    assert_int_equal(groups_overflow(into), 7);
    assert_int_equal(groups_total(into), 16);
    groups_free(into);
    groups_free(from);
    groups_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_keys_are_one_group),
        cmocka_unit_test(every_part_of_the_key_tells_groups_apart),
        cmocka_unit_test(the_table_keeps_its_own_copy_of_the_texts),
        cmocka_unit_test(a_new_text_in_each_reason_fills_the_table_and_then_only_counts),
        cmocka_unit_test(long_texts_are_cut_and_equal_beginnings_are_equal),
        cmocka_unit_test(sorting_is_by_falling_count_then_by_appearance),
        cmocka_unit_test(ranking_leaves_the_table_as_it_is),
        cmocka_unit_test(merging_adds_groups_and_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
