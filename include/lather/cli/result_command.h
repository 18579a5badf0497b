/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_RESULT_COMMAND_H
#define LATHER_CLI_RESULT_COMMAND_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/exit_status.h"
#include "lather/cli/options.h"
#include "lather/measure/summary.h"

/* What differs between the commands that print one result out of saved files. */
struct result_command {
    /* Whether the arguments can be such files. */
    bool (*check)(const struct options *options, struct err *err);
    /* The result to be printed, the caller's to free. */
    bool (*read)(const struct options *options, struct summary **summary, struct err *err);
};

/*
 * Checks all options, opens the outputs, then reads and prints: so a wrong option is told before a
 * large file is read, and no file of the user's is touched for it.
 */
enum exit_status result_command_run(const struct result_command *command,
                                    const struct options *options) MUST_USE;

#endif
