/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_RUN_PLAN_H
#define LATHER_CLI_RUN_PLAN_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"
#include "lather/cli/options.h"
#include "lather/plan/plan.h"

/*
 * Makes the frozen plan of a run out of the options, reading the message's file. Contradictory
 * options are refused before anything is read. Remarks go to notes, a line each. *plan is the
 * caller's to free, and set only on success.
 */
bool run_plan_build(const struct options *options, struct plan **plan, struct buf *notes,
                    struct err *err) MUST_USE;

#endif
