/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_COMMANDS_H
#define LATHER_CLI_COMMANDS_H

#include "lather/cli/exit_status.h"

/*
 * The whole program behind main: picks the command by its word and runs it. Prints to standard
 * output, says what is wrong on standard error, returns the exit status. argv[0] is the program.
 */
enum exit_status commands_run(int argc, const char *const *argv);

#endif
