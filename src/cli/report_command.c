/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `lather report FILE`. The report is made from the summary alone, so it is the same as after the
 * run, but for what the options here ask otherwise. An output may be the file it was read from:
 * that is read whole before anything is written.
 */
#include "lather/cli/report_command.h"

#include "lather/cli/console.h"
#include "lather/cli/result_file.h"
#include "lather/cli/result_options.h"
#include "lather/cli/run_output.h"

static bool check_arguments(const struct options *options, struct err *err)
{
    if (options->argument_count != 1) {
        return err_set(err, ERR_USAGE,
                       "`lather report` takes one file, a result saved with --json: lather report "
                       "run.json");
    }
    return true;
}

static enum exit_status print_saved(struct run_output *output, const struct options *options)
{
    struct err err = {0};
    struct summary *summary;
    if (!result_file_read(options->arguments[0], &summary, &err)) {
        console_error(&err);
        return EXIT_STATUS_NOT_RUN;
    }
    result_options_apply(options, summary);
    enum exit_status status = exit_status_of_saved(summary);
    if (!run_output_print_saved(output, summary)) {
        status = exit_status_worse(status, EXIT_STATUS_UNTRUSTED);
    }
    summary_free(summary);
    return status;
}

enum exit_status report_command(const struct options *options, int argc, const char *const *argv)
{
    (void)argc;
    (void)argv;
    enum exit_status status = EXIT_STATUS_NOT_RUN;
    struct err err = {0};
    struct run_output output = {.options = options};
    if (!check_arguments(options, &err) || !result_options_check(options, &err) ||
        !run_output_open(&output, options, &err)) {
        console_error(&err);
    } else {
        status = print_saved(&output, options);
    }
    run_output_close(&output);
    return status;
}
