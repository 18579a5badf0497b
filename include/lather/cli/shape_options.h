/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_SHAPE_OPTIONS_H
#define LATHER_CLI_SHAPE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/options.h"
#include "lather/plan/plan.h"

/*
 * --warmup, --grace, --start-at, --steps and --find-rate: what goes before, between and after the
 * requests that are measured. After load_options_apply, as steps take the place of its figures.
 * now_ns: the wall clock, which --start-at is held against.
 */
bool shape_options_apply(const struct options *options, struct plan *plan, uint64_t now_ns,
                         struct err *err) MUST_USE;

#endif
