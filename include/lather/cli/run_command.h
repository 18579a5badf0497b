/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_RUN_COMMAND_H
#define LATHER_CLI_RUN_COMMAND_H

#include "lather/cli/exit_status.h"
#include "lather/cli/options.h"

/*
 * `lather [options] URL`: one run with its report. argc and argv are the words the options were
 * read from, for the echo in the report.
 */
enum exit_status run_command(const struct options *options, int argc, const char *const *argv);

#endif
