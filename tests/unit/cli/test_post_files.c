/* SPDX-License-Identifier: Apache-2.0 */
/* Which files are messages: weights, folders by name, and what in them is none. */
#include "typed.h"

#include <stdio.h>
#include <string.h>

#include "lather/base/file.h"
#include "lather/base/platform.h"
#include "lather/cli/post_files.h"

#define FOLDER "test_post_files.tmp"

static void find(struct post_files *files, const char *const *words)
{
    struct options options;
    struct err err = {0};
    typed_run(&options, words);
    if (!post_files_find(files, &options, &err)) {
        fail_msg("refused: %s", err.text);
    }
    options_deinit(&options);
}

static void assert_refuses(const char *sentence, const char *const *words)
{
    struct options options;
    struct post_files files;
    struct err err = {0};
    typed_run(&options, words);
    assert_false(post_files_find(&files, &options, &err));
    assert_string_equal(err.text, sentence);
    assert_int_equal(files.count, 0);
    options_deinit(&options);
}

#define FIND(files, ...) find(files, (const char *const[WORDS_MOST]){__VA_ARGS__})
#define REFUSES(sentence, ...)                                                                     \
    assert_refuses(sentence, (const char *const[WORDS_MOST]){__VA_ARGS__})

static void assert_file(const struct post_files *files, size_t index, const char *path,
                        uint32_t weight)
{
    assert_true(index < files->count);
    assert_string_equal(files->items[index].path, path);
    assert_int_equal(files->items[index].weight, weight);
}

static const char *const names[] = {FOLDER "/b.xml",        FOLDER "/a.xml", FOLDER "/.hidden",
                                    FOLDER "/b.xml.expect", FOLDER "/C",     FOLDER "/at@2"};
enum { NAME_COUNT = sizeof names / sizeof *names };

static int make_folder(void **state)
{
    (void)state;
    struct err err;
    bool is_made = platform_make_directory(FOLDER, &err);
    for (size_t i = 0; i < NAME_COUNT; i++) {
        is_made = is_made && file_write(names[i], STR("x"), &err);
    }
    return is_made ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAME_COUNT; i++) {
        (void)remove(names[i]);
    }
    (void)remove(FOLDER);
    return 0;
}

static void files_have_weights(void **state)
{
    (void)state;
    struct post_files files;
    FIND(&files, "-p", FOLDER "/b.xml@5", "-p", "nowhere.xml", "-p", "-", "-p", FOLDER "/at@2",
         "-p", FOLDER "/at@2@3");
    assert_int_equal(files.count, 5);
    assert_file(&files, 0, FOLDER "/b.xml", 5);
    assert_string_equal(files.items[0].expect_path, FOLDER "/b.xml.expect");
    assert_file(&files, 1, "nowhere.xml", 1);
    assert_null(files.items[1].expect_path);
    assert_file(&files, 2, "-", 1);
    assert_file(&files, 3, FOLDER "/at@2", 1);
    assert_file(&files, 4, FOLDER "/at@2", 3);
    post_files_deinit(&files);
}

static void a_folder_is_its_files_by_name(void **state)
{
    (void)state;
    struct post_files files;
    FIND(&files, "-p", FOLDER "@7", "-p", FOLDER "/");
    assert_int_equal(files.count, 8);
    assert_file(&files, 0, FOLDER "/C", 7);
    assert_file(&files, 1, FOLDER "/a.xml", 7);
    assert_file(&files, 2, FOLDER "/at@2", 7);
    assert_file(&files, 3, FOLDER "/b.xml", 7);
    assert_file(&files, 7, FOLDER "/b.xml", 1);
    assert_string_equal(files.items[7].expect_path, FOLDER "/b.xml.expect");
    post_files_deinit(&files);
}

static void without_a_file_there_is_none(void **state)
{
    (void)state;
    struct post_files files;
    FIND(&files, "http://h/");
    assert_int_equal(files.count, 0);
    FIND(&files, "-u", "a.xml@3");
    assert_file(&files, 0, "a.xml@3", 1);
    post_files_deinit(&files);
}

static void weights_that_are_none_are_refused(void **state)
{
    (void)state;
    REFUSES(
        "-p a.xml@0: no file is called so, and \"0\" is no weight: write a whole number from 1 to "
        "100000 behind the @",
        "-p", "a.xml@0");
    REFUSES(
        "-p a.xml@: no file is called so, and \"\" is no weight: write a whole number from 1 to "
        "100000 behind the @",
        "-p", "a.xml@");
    REFUSES("-p @3: name a file in front of the weight, as order.xml@3", "-p", "@3");
}

static void standard_input_is_read_once(void **state)
{
    (void)state;
    struct post_files files;
    FIND(&files, "-p", "-@3", "-p", "a.xml");
    assert_file(&files, 0, "-", 3);
    assert_true(files.items[0].is_stream);
    assert_false(files.items[1].is_stream);
    post_files_deinit(&files);
    REFUSES("-p - is given 2 times, and standard input is read once: give it once, as -@2 for its "
            "weight, and the other messages as files",
            "-p", "-", "-p", "a.xml", "-p", "-@4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_have_weights),
        cmocka_unit_test(a_folder_is_its_files_by_name),
        cmocka_unit_test(without_a_file_there_is_none),
        cmocka_unit_test(weights_that_are_none_are_refused),
        cmocka_unit_test(standard_input_is_read_once),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
