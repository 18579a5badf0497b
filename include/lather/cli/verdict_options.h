/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_VERDICT_OPTIONS_H
#define LATHER_CLI_VERDICT_OPTIONS_H

#include <stdbool.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/options.h"
#include "lather/soap/expect.h"

/*
 * Puts the options that say what a good answer is into `expect`, made by expect_init. Files of
 * --xsd, --wsdl and --golden are read here. --validate is applied when it was given; what holds
 * without it is the caller's. The caller freezes.
 */
bool verdict_options_apply(const struct options *options, struct expect *expect,
                           struct err *err) MUST_USE;

#endif
