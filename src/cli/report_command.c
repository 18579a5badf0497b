/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `lather report FILE`. The report is made from the summary alone, so it is the same as after the
 * run, but for what the options here ask otherwise. An output may be the file it was read from:
 * that is read whole before anything is written.
 */
#include "lather/cli/report_command.h"

#include "lather/cli/result_command.h"
#include "lather/cli/result_file.h"

static bool check_arguments(const struct options *options, struct err *err)
{
    if (options->argument_count != 1) {
        return err_set(err, ERR_USAGE,
                       "`lather report` takes one file, a result saved with --json: lather report "
                       "run.json");
    }
    return true;
}

static bool read_one(const struct options *options, struct summary **summary, struct err *err)
{
    return result_file_read(options->arguments[0], summary, err);
}

enum exit_status report_command(const struct options *options, int argc, const char *const *argv)
{
    (void)argc;
    (void)argv;
    const struct result_command command = {.check = check_arguments, .read = read_one};
    return result_command_run(&command, options);
}
