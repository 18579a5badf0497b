/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_HELP_H
#define LATHER_CLI_HELP_H

#include "lather/base/buf.h"
#include "lather/cli/command_table.h"

/*
 * What --help prints: the command, and every option it has by its group. COMMAND_COUNT: all
 * commands and every option of the table.
 */
void help_format(struct buf *text, enum command command);

#endif
