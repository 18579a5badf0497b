/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_JUDGE_COMMAND_H
#define LATHER_CLI_JUDGE_COMMAND_H

#include "lather/cli/exit_status.h"
#include "lather/cli/options.h"

/*
 * `lather judge`: judges saved answers and prints a line each. GOOD when all are ok, FAILED when
 * one is not, NOT_RUN when a file could not be read or the options are wrong; readable files are
 * judged whatever the others are.
 */
enum exit_status judge_command(const struct options *options, int argc, const char *const *argv);

#endif
