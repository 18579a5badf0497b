/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_SESSION_OPTIONS_H
#define LATHER_CLI_SESSION_OPTIONS_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/options.h"
#include "lather/plan/plan.h"

/*
 * Puts --sessions and --burst into the plan, after all other options of the load: they say how many
 * requests there are and what becomes of connections. Refuses what says otherwise.
 */
bool session_options_apply(const struct options *options, struct plan *plan,
                           struct err *err) MUST_USE;

#endif
