/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_RUN_PLAN_H
#define LATHER_CLI_RUN_PLAN_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"
#include "lather/cli/message_file.h"
#include "lather/cli/options.h"
#include "lather/plan/plan.h"

/*
 * Makes the frozen plan of a run out of the options, reading the message's file. Contradictory
 * options are refused before anything is read. Remarks go to notes, a line each. *plan is the
 * caller's to free, and set only on success.
 */
bool run_plan_build(const struct options *options, struct plan **plan, struct buf *notes,
                    struct err *err) MUST_USE;

/*
 * The same for a message that was read before: file->message, NULL for a request without one. `url`
 * is the target where neither options nor message name one; NULL: that is an error.
 */
bool run_plan_build_for(const struct options *options, const struct message_file *file,
                        const char *url, struct plan **plan, struct buf *notes,
                        struct err *err) MUST_USE;

#endif
