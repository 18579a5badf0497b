/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `lather compare OLD NEW`. Its exit status can gate a build: 1 when something became slower or
 * fails more often, as far as two runs can show it; what they cannot show is no failure.
 */
#include "lather/cli/compare_command.h"

#include "lather/cli/console.h"
#include "lather/cli/result_file.h"
#include "lather/report/compare_text.h"

static enum exit_status compare_and_print(const struct compare_text *text)
{
    struct err err;
    struct buf out;
    enum exit_status status = EXIT_STATUS_GOOD;
    for (enum compare_figure i = 0; i < COMPARE_COUNT; i++) {
        if (text->rows[i].verdict == COMPARE_WORSE) {
            status = EXIT_STATUS_FAILED;
        }
    }
    buf_init(&out);
    compare_text_write(&out, text);
    if (!console_print(&out, &err)) {
        console_error(&err);
        status = EXIT_STATUS_UNTRUSTED;
    }
    buf_deinit(&out);
    return status;
}

enum exit_status compare_command(const struct options *options, int argc, const char *const *argv)
{
    (void)argc;
    (void)argv;
    struct err err = {0};
    struct summary *results[2] = {NULL, NULL};
    enum exit_status status = EXIT_STATUS_NOT_RUN;
    if (options->argument_count != 2) {
        (void)err_set(&err, ERR_USAGE,
                      "`lather compare` takes two files, results saved with --json: lather compare "
                      "old.json new.json");
        console_error(&err);
        return status;
    }
    if (!result_file_read(options->arguments[0], &results[0], &err) ||
        !result_file_read(options->arguments[1], &results[1], &err)) {
        console_error(&err);
    } else {
        struct compare_row rows[COMPARE_COUNT];
        compare_results(results[0], results[1], rows);
        const struct compare_text text = {.old_name = options->arguments[0],
                                          .new_name = options->arguments[1],
                                          .old_result = results[0],
                                          .new_result = results[1],
                                          .rows = rows};
        status = compare_and_print(&text);
    }
    summary_free(results[0]);
    summary_free(results[1]);
    return status;
}
