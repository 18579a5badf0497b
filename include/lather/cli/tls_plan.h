/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_TLS_PLAN_H
#define LATHER_CLI_TLS_PLAN_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"
#include "lather/cli/options.h"
#include "lather/plan/plan.h"

/*
 * What the options say about TLS, put into a plan whose message is built. Reads the file of the
 * key's password; certificates and keys are read by the preflight. Options that an http URL leaves
 * without effect are noted.
 */
bool tls_plan_set(struct plan *plan, const struct options *options, struct buf *notes,
                  struct err *err) MUST_USE;

#endif
