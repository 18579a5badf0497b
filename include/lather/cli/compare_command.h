/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_COMPARE_COMMAND_H
#define LATHER_CLI_COMPARE_COMMAND_H

#include "lather/cli/exit_status.h"
#include "lather/cli/options.h"

/*
 * `lather compare OLD NEW`: what changed between two saved results. 1 when a figure is worse beyond
 * its interval, else 0. argc and argv are not used.
 */
enum exit_status compare_command(const struct options *options, int argc, const char *const *argv);

#endif
