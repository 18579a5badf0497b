/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_SHELL_BASH_H
#define LATHER_CAPTURE_SHELL_BASH_H

#include "lather/capture/shell.h"

/* shell_next for bash: reads one command, here-documents included, into an empty one. */
void shell_bash_read(struct shell *shell, struct shell_command *command);

#endif
