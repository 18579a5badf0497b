/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_RESULT_OPTIONS_H
#define LATHER_CLI_RESULT_OPTIONS_H

#include "lather/cli/options.h"
#include "lather/measure/summary.h"

/* Whether --percentiles and --fail-if can be read; to be asked before a run. */
bool result_options_check(const struct options *options, struct err *err) MUST_USE;

/* Puts them into a summary, after the check; of a saved one they replace what it had. */
void result_options_apply(const struct options *options, struct summary *summary);

#endif
