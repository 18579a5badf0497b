/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in, bytes out, from files and pipes; every refusal names the file and the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lather/base/file.h"

struct place {
    char folder[64];
    char path[96];
    struct buf content;
    struct err err;
};

static int set_up(void **state)
{
    struct place *place = check_calloc(1, sizeof *place);
    (void)snprintf(place->folder, sizeof place->folder, "/tmp/lather-file-XXXXXX");
    if (mkdtemp(place->folder) == NULL) {
        return -1;
    }
    (void)snprintf(place->path, sizeof place->path, "%s/a.xml", place->folder);
    buf_init(&place->content);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    buf_deinit(&place->content);
    (void)unlink(place->path);
    int failed = rmdir(place->folder);
    free(place);
    return failed;
}

/* B091: no locale, no line ends, no byte value changes anything. */
static void every_byte_comes_back_as_it_was(void **state)
{
    struct place *place = *state;
    assert_non_null(setlocale(LC_ALL, "C"));
    char bytes[256 + 8];
    for (size_t i = 0; i < 256; i++) {
        bytes[i] = (char)i;
    }
    memcpy(bytes + 256, "\r\n\n\r\x1A\xC3\xA9\0", 8);
    assert_true(file_write(place->path, str_of(bytes, sizeof bytes), &place->err));
    assert_true(file_read(place->path, UINT64_MAX, &place->content, &place->err));
    assert_int_equal(place->content.len, sizeof bytes);
    assert_memory_equal(place->content.data, bytes, sizeof bytes);
    assert_int_equal(place->content.data[place->content.len], '\0');
}

static void lengths_around_the_read_step_arrive_whole(void **state)
{
    struct place *place = *state;
    const size_t lengths[] = {1, 65535, 65536, 65537, 131072, 1000003};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char *bytes = check_malloc(lengths[i]);
        for (size_t at = 0; at < lengths[i]; at++) {
            bytes[at] = (char)(at * 31 % 251);
        }
        assert_true(file_write(place->path, str_of(bytes, lengths[i]), &place->err));
        buf_reset(&place->content);
        assert_true(file_read(place->path, lengths[i], &place->content, &place->err));
        assert_int_equal(place->content.len, lengths[i]);
        assert_memory_equal(place->content.data, bytes, lengths[i]);
        free(bytes);
    }
}

static void an_empty_file_is_no_error(void **state)
{
    struct place *place = *state;
    assert_true(file_write(place->path, STR(""), &place->err));
    assert_true(file_read(place->path, 0, &place->content, &place->err));
    assert_string_equal(place->content.data, "");
}

static void reading_appends_to_what_is_there(void **state)
{
    struct place *place = *state;
    assert_true(file_write(place->path, STR("two"), &place->err));
    buf_append_str(&place->content, STR("one "));
    assert_true(file_read(place->path, 3, &place->content, &place->err));
    assert_string_equal(place->content.data, "one two");
}

static void the_ceiling_takes_its_last_byte_and_not_one_more(void **state)
{
    struct place *place = *state;
    assert_true(file_write(place->path, STR("12345678"), &place->err));
    assert_true(file_read(place->path, 8, &place->content, &place->err));
    assert_false(file_read(place->path, 7, &place->content, &place->err));
    assert_int_equal(place->err.code, ERR_FILE);
    assert_non_null(strstr(place->err.text, place->path));
    assert_non_null(strstr(place->err.text, "7 B"));
    assert_string_equal(place->content.data, "12345678");
}

/* Endless input ends at the ceiling, not when memory does. */
static void a_device_without_end_is_refused(void **state)
{
    struct place *place = *state;
    assert_false(file_read("/dev/zero", 1000000, &place->content, &place->err));
    assert_true(place->content.capacity < 4000000);
    assert_int_equal(place->content.len, 0);
}

/* B026: the first thing that goes wrong names the file. */
static void a_missing_file_is_named_with_the_reason(void **state)
{
    struct place *place = *state;
    assert_false(file_read(place->path, 100, &place->content, &place->err));
    assert_int_equal(place->err.code, ERR_FILE);
    assert_non_null(strstr(place->err.text, place->path));
    assert_non_null(strstr(place->err.text, "No such file"));
}

/* B026 */
static void a_file_without_permission_is_named_with_the_reason(void **state)
{
    struct place *place = *state;
    if (geteuid() == 0) {
        skip();
    }
    assert_true(file_write(place->path, STR("x"), &place->err));
    assert_int_equal(chmod(place->path, 0), 0);
    assert_false(file_read(place->path, 100, &place->content, &place->err));
    assert_non_null(strstr(place->err.text, "Permission denied"));
}

static void a_directory_is_called_a_directory(void **state)
{
    struct place *place = *state;
    assert_false(file_read(place->folder, 100, &place->content, &place->err));
    assert_non_null(strstr(place->err.text, place->folder));
    assert_non_null(strstr(place->err.text, "is a directory"));
    assert_false(file_write(place->folder, STR("x"), &place->err));
    assert_non_null(strstr(place->err.text, "is a directory"));
}

/* B001: a message typed where a file name belongs. */
static void a_message_in_place_of_a_name_is_recognised(void **state)
{
    struct place *place = *state;
    assert_false(file_read("<?xml version=\"1.0\"?><a/>", 100, &place->content, &place->err));
    assert_non_null(strstr(place->err.text, "is a message, not the name of a file"));
    char message[3000] = " \n<a>";
    memset(message + 5, 'x', sizeof message - 6);
    message[sizeof message - 1] = '\0';
    assert_false(file_read(message, 100, &place->content, &place->err));
    assert_non_null(strstr(place->err.text, "give the file's name"));
}

static void an_odd_name_still_gets_its_reason(void **state)
{
    struct place *place = *state;
    char name[3000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_false(file_read(name, 100, &place->content, &place->err));
    assert_non_null(strstr(place->err.text, "too long"));
    assert_false(file_read("", 100, &place->content, &place->err));
    assert_non_null(strstr(place->err.text, "empty"));
}

static void a_named_pipe_is_read_to_its_end(void **state)
{
    struct place *place = *state;
    assert_int_equal(mkfifo(place->path, 0600), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        FILE *pipe_end = fopen(place->path, "wb");
        for (int i = 0; i < 50000; i++) {
            (void)fprintf(pipe_end, "<row>");
        }
        _exit(fclose(pipe_end) == 0 ? 0 : 1);
    }
    assert_true(file_read(place->path, 1000000, &place->content, &place->err));
    assert_int_equal(place->content.len, 250000);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_dash_is_standard_input(void **state)
{
    struct place *place = *state;
    assert_true(file_write(place->path, STR("from\0stdin"), &place->err));
    assert_non_null(freopen(place->path, "rb", stdin));
    assert_true(file_read("-", 100, &place->content, &place->err));
    assert_int_equal(place->content.len, 10);
    assert_memory_equal(place->content.data, "from\0stdin", 10);

    assert_non_null(freopen(place->path, "rb", stdin));
    assert_false(file_read("-", 5, &place->content, &place->err));
    assert_non_null(strstr(place->err.text, "standard input"));
}

static void writing_replaces_a_longer_file(void **state)
{
    struct place *place = *state;
    assert_true(file_write(place->path, STR("a long first version"), &place->err));
    assert_true(file_write(place->path, STR("short"), &place->err));
    assert_true(file_read(place->path, 100, &place->content, &place->err));
    assert_string_equal(place->content.data, "short");
}

static void a_full_disk_is_noticed(void **state)
{
    struct place *place = *state;
    assert_false(file_write("/dev/full", STR("x"), &place->err));
    assert_int_equal(place->err.code, ERR_FILE);
    assert_non_null(strstr(place->err.text, "/dev/full"));
    assert_non_null(strstr(place->err.text, "No space left"));

    /* More than the stream holds back: the write itself fails, not the close. */
    char *report = check_calloc(1, 1 << 20);
    place->err = (struct err){0};
    assert_false(file_write("/dev/full", str_of(report, 1 << 20), &place->err));
    assert_non_null(strstr(place->err.text, "No space left"));
    free(report);
}

static void a_missing_folder_is_named_with_the_reason(void **state)
{
    struct place *place = *state;
    assert_false(file_write("/nonexistent/report.json", STR("x"), &place->err));
    assert_non_null(strstr(place->err.text, "/nonexistent/report.json"));
    assert_non_null(strstr(place->err.text, "No such file"));
}

static void check_beside(const char *path, const char *name, const char *expected)
{
    char *made = file_beside(path, str_from(name));
    assert_string_equal(made, expected);
    free(made);
}

static void a_file_named_in_a_file_is_looked_for_beside_it(void **state)
{
    (void)state;
    check_beside("dir/list.txt", "body.xml", "dir/body.xml");
    check_beside("list.txt", "sub/body.xml", "sub/body.xml");
    check_beside("C:\\runs\\list.txt", "body.xml", "C:\\runs\\body.xml");
    check_beside("dir/", "body.xml", "dir/body.xml");
    check_beside("dir/list.txt", "/tmp/body.xml", "/tmp/body.xml");
    check_beside("dir/list.txt", "\\\\box\\body.xml", "\\\\box\\body.xml");
    check_beside("dir/list.txt", "D:body.xml", "D:body.xml");
    char *folder = file_folder("a/b.c/d");
    assert_string_equal(folder, "a/b.c/");
    free(folder);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(every_byte_comes_back_as_it_was),
        TEST(lengths_around_the_read_step_arrive_whole),
        TEST(an_empty_file_is_no_error),
        TEST(reading_appends_to_what_is_there),
        TEST(the_ceiling_takes_its_last_byte_and_not_one_more),
        TEST(a_device_without_end_is_refused),
        TEST(a_missing_file_is_named_with_the_reason),
        TEST(a_file_without_permission_is_named_with_the_reason),
        TEST(a_directory_is_called_a_directory),
        TEST(a_message_in_place_of_a_name_is_recognised),
        TEST(an_odd_name_still_gets_its_reason),
        TEST(a_named_pipe_is_read_to_its_end),
        TEST(a_dash_is_standard_input),
        TEST(writing_replaces_a_longer_file),
        TEST(a_full_disk_is_noticed),
        TEST(a_missing_folder_is_named_with_the_reason),
        cmocka_unit_test(a_file_named_in_a_file_is_looked_for_beside_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
