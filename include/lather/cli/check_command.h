/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_CHECK_COMMAND_H
#define LATHER_CLI_CHECK_COMMAND_H

#include "lather/cli/exit_status.h"
#include "lather/cli/options.h"

/*
 * `lather check`: tells about each message of the file, then sends one request and explains the
 * answer. GOOD when all that a run would send can be sent and the answer is ok, FAILED when it is
 * not, NOT_RUN when nothing was sent though it was asked for, or could not be. argc and argv are
 * not used.
 */
enum exit_status check_command(const struct options *options, int argc, const char *const *argv);

#endif
