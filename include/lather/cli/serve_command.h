/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_SERVE_COMMAND_H
#define LATHER_CLI_SERVE_COMMAND_H

#include "lather/cli/exit_status.h"
#include "lather/cli/options.h"

/*
 * `lather serve [options]`: prints the address, serves until it is interrupted, prints what it
 * served. argc and argv are not needed.
 */
enum exit_status serve_command(const struct options *options, int argc, const char *const *argv);

#endif
