/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_REPORT_COMMAND_H
#define LATHER_CLI_REPORT_COMMAND_H

#include "lather/cli/exit_status.h"
#include "lather/cli/options.h"

/*
 * `lather report FILE`: a result saved with --json, printed again in any format. "-" is standard
 * input. argc and argv are not used.
 */
enum exit_status report_command(const struct options *options, int argc, const char *const *argv);

#endif
