/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_RENEWAL_OPTIONS_H
#define LATHER_CLI_RENEWAL_OPTIONS_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/options.h"
#include "lather/plan/plan.h"

/* What the options stand for while a plan is built from them; freed afterwards. */
struct renewal_options {
    struct plan_renewal renewal;
    struct slot_variable *variables;
    struct buf user;
    struct buf password;
};

/*
 * Reads the options about what is made anew in each request: --verbatim, templates, --data and its
 * order, --wsse-user and its kin, --wsa-to, --clock-offset. The feed, its order and the offset go
 * into the plan, which owns them; all else into read->renewal, valid until renewal_options_deinit.
 */
bool renewal_options_read(const struct options *options, struct plan *plan,
                          struct renewal_options *read, struct err *err) MUST_USE;

/* Frees what was read, the password wiped; safe on a zeroed one. */
void renewal_options_deinit(struct renewal_options *read);

#endif
