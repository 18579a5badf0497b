/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of cli/output_file: found out before the run, and nothing lost when there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/cli/output_file.h"

#define PATH "test_output_file.tmp"

static void assert_holds(const char *expected)
{
    struct buf content;
    struct err err;
    buf_init(&content);
    assert_true(file_read(PATH, 1000, &content, &err));
    assert_string_equal(content.data, expected);
    buf_deinit(&content);
}

static int remove_file(void **state)
{
    (void)state;
    (void)remove(PATH);
    return 0;
}

static void a_file_is_written_whole(void **state)
{
    (void)state;
    struct output_file file;
    struct err err;
    assert_true(output_file_open(&file, PATH, &err));
    assert_true(output_file_write(&file, STR("result"), &err));
    output_file_drop(&file);
    assert_holds("result");
}

static void standard_output_is_the_reports(void **state)
{
    (void)state;
    struct output_file file;
    struct err err;
    assert_false(output_file_open(&file, "-", &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, "name a file"));
    output_file_drop(&file);
}

static void two_names_of_one_file_are_known(void **state)
{
    (void)state;
    struct err err;
    assert_true(file_write(PATH, STR("a"), &err));
    assert_true(output_file_is_same(PATH, PATH));
    assert_true(output_file_is_same(PATH, "./" PATH));
    assert_false(output_file_is_same(PATH, "test_output_file.absent"));
    assert_false(output_file_is_same("test_output_file.absent", "test_output_file.absent"));
    assert_false(output_file_is_same(".", "."));
}

static void old_content_is_replaced_by_a_result(void **state)
{
    (void)state;
    struct output_file file;
    struct err err;
    assert_true(file_write(PATH, STR("a longer old result"), &err));
    assert_true(output_file_open(&file, PATH, &err));
    assert_true(output_file_write(&file, STR("new"), &err));
    assert_holds("new");
}

static void old_content_stays_when_there_is_no_result(void **state)
{
    (void)state;
    struct output_file file;
    struct err err;
    assert_true(file_write(PATH, STR("old"), &err));
    assert_true(output_file_open(&file, PATH, &err));
    output_file_drop(&file);
    assert_holds("old");
}

static void no_empty_file_is_left_behind(void **state)
{
    (void)state;
    struct output_file file;
    struct err err;
    struct buf content;
    buf_init(&content);
    assert_true(output_file_open(&file, PATH, &err));
    output_file_drop(&file);
    assert_false(file_read(PATH, 1000, &content, &err));
    buf_deinit(&content);
}

static void a_place_that_cannot_be_written_is_told_at_once(void **state)
{
    (void)state;
    struct output_file file;
    struct err err;
    assert_false(output_file_open(&file, "no/such/directory/file", &err));
    assert_string_equal(err.text, "no/such/directory/file: cannot write it: No such file or "
                                  "directory; name a file in a place that can be written");
    assert_false(output_file_open(&file, ".", &err));
    assert_string_equal(
        err.text,
        ".: cannot write it: it is a directory; name a file in a place that can be written");
}

static void nothing_asked_for_is_nothing_done(void **state)
{
    (void)state;
    struct output_file file;
    struct err err;
    assert_true(output_file_open(&file, NULL, &err));
    assert_true(output_file_write(&file, STR("x"), &err));
    output_file_drop(&file);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    struct output_file file;
    struct err err;
    FILE *probe = fopen("/dev/full", "ab");
    if (probe == NULL) {
        skip();
    }
    bool takes_bytes = fputc('x', probe) != EOF && fflush(probe) == 0;
    (void)fclose(probe);
    if (takes_bytes) { /* no such device, but a file by its name */
        skip();
    }
    assert_true(output_file_open(&file, "/dev/full", &err));
    assert_false(output_file_write(&file, STR("x"), &err));
    assert_string_equal(err.text, "/dev/full: cannot write it: No space left on device; name a "
                                  "file in a place that can be written");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_written_whole, remove_file, remove_file),
        cmocka_unit_test(standard_output_is_the_reports),
        cmocka_unit_test_setup_teardown(two_names_of_one_file_are_known, remove_file, remove_file),
        cmocka_unit_test_setup_teardown(old_content_is_replaced_by_a_result, remove_file,
                                        remove_file),
        cmocka_unit_test_setup_teardown(old_content_stays_when_there_is_no_result, remove_file,
                                        remove_file),
        cmocka_unit_test_setup_teardown(no_empty_file_is_left_behind, remove_file, remove_file),
        cmocka_unit_test(a_place_that_cannot_be_written_is_told_at_once),
        cmocka_unit_test(nothing_asked_for_is_nothing_done),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
