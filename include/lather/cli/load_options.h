/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_LOAD_OPTIONS_H
#define LATHER_CLI_LOAD_OPTIONS_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/options.h"
#include "lather/plan/plan.h"

/*
 * Puts the options that shape the load into a plan made by plan_new. Bounds were held when the
 * options were read; here only combinations and the values of --arrivals and --think can be wrong.
 */
bool load_options_apply(const struct options *options, struct plan *plan, struct err *err) MUST_USE;

#endif
