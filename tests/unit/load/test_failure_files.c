/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Never more than K of a kind, whoever saves them; nothing but our own files is touched.
 * Rows of the conformance list: B152.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "exchange_fixture.h"
#include "lather/base/file.h"
#include "lather/load/failure_files.h"

struct fixture {
    struct plan *plan;
    char folder[64];
};

static struct fixture fixture;

static int make_folder(void **state)
{
    uv_fs_t request;
    assert_int_equal(uv_fs_mkdtemp(NULL, &request, "/tmp/lather-failures-XXXXXX", NULL), 0);
    (void)snprintf(fixture.folder, sizeof fixture.folder, "%s", request.path);
    uv_fs_req_cleanup(&request);
    fixture.plan = plan_new();
    fixture.plan->save_failures_folder = str_dup(str_from(fixture.folder));
    fixture.plan->save_failures_most = 3;
    *state = &fixture;
    return 0;
}

/* The files in the folder whose names end so; removes them when asked to. */
static size_t count_files(const struct fixture *f, const char *ending, int removes)
{
    uv_fs_t request;
    uv_dirent_t entry;
    size_t count = 0;
    assert_true(uv_fs_scandir(NULL, &request, f->folder, 0, NULL) >= 0);
    while (uv_fs_scandir_next(&request, &entry) == 0) {
        if (!str_ends_with(str_from(entry.name), str_from(ending))) {
            continue;
        }
        count++;
        if (removes) {
            char path[512];
            uv_fs_t unlinking;
            (void)snprintf(path, sizeof path, "%s/%s", f->folder, entry.name);
            assert_int_equal(uv_fs_unlink(NULL, &unlinking, path, NULL), 0);
            uv_fs_req_cleanup(&unlinking);
        }
    }
    uv_fs_req_cleanup(&request);
    return count;
}

static int drop_folder(void **state)
{
    struct fixture *f = *state;
    uv_fs_t request;
    (void)count_files(f, "", 1);
    assert_int_equal(uv_fs_rmdir(NULL, &request, f->folder, NULL), 0);
    uv_fs_req_cleanup(&request);
    plan_free(f->plan);
    return 0;
}

static void save(struct failure_files *files, enum outcome outcome, const char *reason)
{
    struct exchange_fixture exchange;
    exchange_fixture_init(
        &exchange,
        &(struct exchange_setting){
            "POST /a HTTP/1.1\r\nHost: h\r\n\r\n<a/>",
            outcome_has_answer(outcome) ? STR("HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\n<a/>")
                                        : STR(""),
            outcome_has_answer(outcome) ? TRANSPORT_END_ANSWERED : TRANSPORT_END_TIMEOUT, 1000});
    const struct group_key kind = {.outcome = outcome, .reason = str_from(reason)};
    failure_files_save(files, &kind, &exchange.exchange, 0);
    exchange_fixture_deinit(&exchange);
}

static void the_first_K_of_each_kind_are_saved_B152(void **state)
{
    struct fixture *f = *state;
    struct err err;
    struct failure_files *files = failure_files_new(f->plan, &err);
    assert_non_null(files);
    for (int i = 0; i < 5; i++) {
        save(files, OUTCOME_FAULT, "out of stock");
        save(files, OUTCOME_FAULT, "unknown order");
        save(files, OUTCOME_TIMEOUT, "timed out");
    }
    assert_int_equal(failure_files_saved(files), 9);
    assert_int_equal(failure_files_lost(files), 0);
    assert_int_equal(count_files(f, ".request", 0), 9);
    assert_int_equal(count_files(f, "-fault.answer", 0), 6);
    assert_int_equal(count_files(f, "-timeout.answer", 0), 0);
    assert_int_equal(count_files(f, ".why", 0), 9);
    assert_int_equal(count_files(f, "", 0), 24);
    failure_files_free(files);
    failure_files_free(NULL);
}

static void save_many(void *files)
{
    for (int i = 0; i < 200; i++) {
        save(files, OUTCOME_FAULT, i % 2 == 0 ? "even" : "odd");
    }
}

static void workers_at_once_save_no_more_than_one_alone(void **state)
{
    struct fixture *f = *state;
    struct err err;
    uv_thread_t threads[4];
    struct failure_files *files = failure_files_new(f->plan, &err);
    assert_non_null(files);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(uv_thread_create(&threads[i], save_many, files), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(uv_thread_join(&threads[i]), 0);
    }
    assert_int_equal(failure_files_saved(files), 6);
    assert_int_equal(count_files(f, "", 0), 18);
    failure_files_free(files);
}

static void what_an_earlier_run_left_is_removed_and_nothing_else(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {
        "0001-fault.answer", "0001-fault.request", "12345-timeout.why", "notes.txt",
        "0001-fault.txt",    "0001-oops.answer",   "01-fault.answer",   "0001-fault.answer.bak"};
    struct err err;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", f->folder, names[i]);
        assert_true(file_write(path, STR("x"), &err));
    }
    struct failure_files *files = failure_files_new(f->plan, &err);
    assert_non_null(files);
    assert_int_equal(count_files(f, "", 0), 5);
    assert_int_equal(count_files(f, "notes.txt", 0), 1);
    failure_files_free(files);
}

static void a_folder_that_cannot_be_written_to_is_refused(void **state)
{
    struct fixture *f = *state;
    struct err err;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/notes.txt", f->folder);
    assert_true(file_write(path, STR("x"), &err));
    free(f->plan->save_failures_folder);
    f->plan->save_failures_folder = str_dup(str_from(path));
    assert_null(failure_files_new(f->plan, &err));
    assert_non_null(strstr(err.text, "is no folder"));
}

static void what_cannot_be_written_is_counted(void **state)
{
    struct fixture *f = *state;
    struct err err;
    char path[512];
    uv_fs_t request;
    struct failure_files *files = failure_files_new(f->plan, &err);
    assert_non_null(files);
    (void)snprintf(path, sizeof path, "%s/0001-fault.why", f->folder);
    assert_int_equal(uv_fs_mkdir(NULL, &request, path, 0777, NULL), 0);
    uv_fs_req_cleanup(&request);
    save(files, OUTCOME_FAULT, "a");
    assert_int_equal(failure_files_saved(files), 0);
    assert_int_equal(failure_files_lost(files), 1);
    assert_int_equal(uv_fs_rmdir(NULL, &request, path, NULL), 0);
    uv_fs_req_cleanup(&request);
    failure_files_free(files);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, drop_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_first_K_of_each_kind_are_saved_B152),
        TEST(workers_at_once_save_no_more_than_one_alone),
        TEST(what_an_earlier_run_left_is_removed_and_nothing_else),
        TEST(a_folder_that_cannot_be_written_to_is_refused),
        TEST(what_cannot_be_written_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
