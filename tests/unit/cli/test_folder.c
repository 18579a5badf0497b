/* SPDX-License-Identifier: Apache-2.0 */
/* What lies in a folder, in one order, and what paths lead to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/base/platform.h"
#include "lather/cli/folder.h"

#define FOLDER "test_folder.tmp"

static const char *const names[] = {FOLDER "/b", FOLDER "/a", FOLDER "/C", FOLDER "/.hidden"};
enum { NAME_COUNT = sizeof names / sizeof *names };

static int make_folder(void **state)
{
    (void)state;
    struct err err;
    bool is_made =
        platform_make_directory(FOLDER, &err) && platform_make_directory(FOLDER "/sub", &err);
    for (size_t i = 0; i < NAME_COUNT && is_made; i++) {
        is_made = file_write(names[i], STR("x"), &err);
    }
    return is_made ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAME_COUNT; i++) {
        (void)remove(names[i]);
    }
    (void)remove(FOLDER "/sub");
    (void)remove(FOLDER);
    return 0;
}

static void names_come_in_the_order_of_their_bytes_without_hidden_ones(void **state)
{
    (void)state;
    static const char *const expected[] = {"C", "a", "b", "sub"};
    struct folder_names found;
    struct err err;
    assert_true(folder_read(&found, FOLDER, &err));
    assert_int_equal(found.count, 4);
    for (size_t i = 0; i < found.count; i++) {
        assert_string_equal(found.items[i], expected[i]);
    }
    folder_names_deinit(&found);
    assert_int_equal(found.count, 0);
}

static void what_is_no_folder_is_an_error_that_names_it(void **state)
{
    (void)state;
    struct folder_names found;
    struct err err;
    assert_false(folder_read(&found, FOLDER "/none", &err));
    assert_non_null(strstr(err.text, FOLDER "/none: cannot read this folder: "));
    folder_names_deinit(&found);
}

static void kinds_of_paths_are_told_apart(void **state)
{
    (void)state;
    assert_int_equal(folder_kind_of(FOLDER), PATH_FOLDER);
    assert_int_equal(folder_kind_of(FOLDER "/a"), PATH_FILE);
    assert_int_equal(folder_kind_of(FOLDER "/none"), PATH_NONE);
}

static void paths_are_joined_by_one_slash(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"d", "d/n"}, {"d/", "d/n"}, {"d\\", "d\\n"}};
    for (size_t i = 0; i < 3; i++) {
        struct buf path;
        buf_init(&path);
        folder_append_path(&path, cases[i][0], STR("n"));
        assert_true(str_equals(buf_view(&path), str_from(cases[i][1])));
        buf_deinit(&path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_come_in_the_order_of_their_bytes_without_hidden_ones),
        cmocka_unit_test(what_is_no_folder_is_an_error_that_names_it),
        cmocka_unit_test(kinds_of_paths_are_told_apart),
        cmocka_unit_test(paths_are_joined_by_one_slash),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
