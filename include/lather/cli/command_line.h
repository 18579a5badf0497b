/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_COMMAND_LINE_H
#define LATHER_CLI_COMMAND_LINE_H

#include "lather/base/buf.h"
#include "lather/cli/options.h"

/*
 * Appends the command line as a shell would take it, for the echo in reports: "lather" and the
 * words options_parse has read, quoted where they need it. What the option table calls secret
 * (passwords, cookies, header fields that carry credentials) is written as "***".
 */
void command_line_format(struct buf *text, const struct options *options, int argc,
                         const char *const *argv);

#endif
