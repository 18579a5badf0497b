/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_PLAN_PLAN_MESSAGE_H
#define LATHER_PLAN_PLAN_MESSAGE_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/plan/plan.h"

/*
 * The work of plan_add_message: fills the message, and of the plan what a message settles for it
 * (tls.host, secrets; with the first one target, too). Not yet one of plan->messages. On failure it
 * holds nothing.
 */
bool plan_message_build(struct plan *plan, struct plan_message *message,
                        const struct plan_request *request, struct buf *notes,
                        struct err *err) MUST_USE;

/* Frees what it holds, but not its expectations, which are the plan's. */
void plan_message_deinit(struct plan_message *message);

#endif
