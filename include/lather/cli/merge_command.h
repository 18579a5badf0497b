/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_MERGE_COMMAND_H
#define LATHER_CLI_MERGE_COMMAND_H

#include "lather/cli/exit_status.h"
#include "lather/cli/options.h"

/* `lather merge FILE...`: several saved results as one. argc and argv are not used. */
enum exit_status merge_command(const struct options *options, int argc, const char *const *argv);

#endif
