/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_HELP_H
#define LATHER_CLI_HELP_H

#include "lather/base/buf.h"

/* What --help prints: the commands, and every option of the table by its group. */
void help_format(struct buf *text);

#endif
