/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_SHELL_CMD_H
#define LATHER_CAPTURE_SHELL_CMD_H

#include "lather/capture/shell.h"

/* shell_next for the dialects of cmd.exe: reads one command into an empty one. */
void shell_cmd_read(struct shell *shell, struct shell_command *command);

#endif
