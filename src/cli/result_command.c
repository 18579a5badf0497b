/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command that prints one result out of saved files, as a run prints its own: the order of its
 * steps, and its exit status. Which files, and how one result comes out of them, is the command's.
 */
#include "lather/cli/result_command.h"

#include "lather/cli/console.h"
#include "lather/cli/result_options.h"
#include "lather/cli/run_output.h"

static enum exit_status print_saved(struct run_output *output, struct summary *summary)
{
    result_options_apply(output->options, summary);
    enum exit_status status = exit_status_of_saved(summary);
    if (!run_output_print_saved(output, summary)) {
        status = exit_status_worse(status, EXIT_STATUS_UNTRUSTED);
    }
    return status;
}

enum exit_status result_command_run(const struct result_command *command,
                                    const struct options *options)
{
    enum exit_status status = EXIT_STATUS_NOT_RUN;
    struct err err = {0};
    struct summary *summary = NULL;
    struct run_output output = {.options = options};
    if (!command->check(options, &err) || !result_options_check(options, &err) ||
        !run_output_open(&output, options, &err) || !command->read(options, &summary, &err)) {
        console_error(&err);
    } else {
        status = print_saved(&output, summary);
    }
    summary_free(summary);
    run_output_close(&output);
    return status;
}
