/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_WAY_PLAN_H
#define LATHER_CLI_WAY_PLAN_H

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/options.h"
#include "lather/plan/plan.h"

/*
 * What the options say about transport, authentication, proxy and connections goes into plan->way.
 * Before the message is built. Remarks are appended to notes, one line each.
 */
bool way_plan_set(struct plan *plan, const struct options *options, struct buf *notes,
                  struct err *err) MUST_USE;

/* After the message is built, when the target is known: --connect-to. */
bool way_plan_set_target(struct plan *plan, const struct options *options, struct buf *notes,
                         struct err *err) MUST_USE;

#endif
