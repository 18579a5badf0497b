/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_MESSAGE_BLAME_H
#define LATHER_CLI_MESSAGE_BLAME_H

#include <stdbool.h>

#include "lather/base/err.h"
#include "lather/cli/message_request.h"
#include "lather/cli/options.h"

/*
 * Who asked for what cannot be had: where it was a line of FILE.expect, "FILE.expect:LINE: " is put
 * before the sentence, else the sentence stays. Always false, to be returned. They try the lines
 * again one by one, so they cost as many messages as the file has lines.
 */

/* An expectation that could not be read, or not together with the others. */
bool message_blame_expectation(const struct message_making *making, struct err *err);

/*
 * A request that could not be made. given is the command line: what is wrong with that alone is no
 * line's fault.
 */
bool message_blame_request(const struct message_making *making,
                           const struct message_setting *setting, const struct options *given,
                           struct err *err);

#endif
