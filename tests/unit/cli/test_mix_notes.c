/* SPDX-License-Identifier: Apache-2.0 */
/* Remarks on many messages are said once, with the names of those they are about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lather/cli/mix_notes.h"

static void assert_notes(const struct mix_notes *notes, const char *expected)
{
    struct buf out;
    buf_init(&out);
    mix_notes_append(notes, &out);
    assert_string_equal(out.len > 0 ? out.data : "", expected);
    buf_deinit(&out);
}

static void what_holds_of_all_has_no_names(void **state)
{
    (void)state;
    struct mix_notes notes;
    mix_notes_init(&notes);
    assert_notes(&notes, "");
    mix_notes_add(&notes, "a", STR("one\ntwo\n"));
    assert_notes(&notes, "one\ntwo\n");
    mix_notes_add(&notes, "b", STR("two\n"));
    assert_notes(&notes, "a: one\ntwo\n");
    mix_notes_deinit(&notes);
}

static void of_many_the_first_are_named(void **state)
{
    (void)state;
    struct mix_notes notes;
    mix_notes_init(&notes);
    for (char name = 'a'; name <= 'e'; name++) {
        mix_notes_add(&notes, (const char[]){name, '\0'}, STR("one\n"));
    }
    mix_notes_add(&notes, "f", STR(""));
    assert_notes(&notes, "a, b, c and 2 more: one\n");
    mix_notes_deinit(&notes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_of_all_has_no_names),
        cmocka_unit_test(of_many_the_first_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
