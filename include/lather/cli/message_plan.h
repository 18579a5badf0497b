/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_MESSAGE_PLAN_H
#define LATHER_CLI_MESSAGE_PLAN_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/message_file.h"
#include "lather/cli/options.h"
#include "lather/plan/plan.h"

/* Where the messages of a plan come from. */
struct message_plan_source {
    const struct options *options;
    const struct message_file *file; /* one message that was read before; NULL: as options say */
    const char *url;                 /* where nobody names one; NULL: that is an error */
};

/*
 * Adds all messages that the options name - files, folders, captures, URLs - to the plan, each with
 * the expectations of its own, and settles their order. All is refused before the first request:
 * a file that cannot be read, one without a message, two services in one run. Remarks go to notes,
 * a line each. plan->expect has the options' expectations; after this the plan's are frozen.
 */
bool message_plan_build(struct plan *plan, const struct message_plan_source *source,
                        struct buf *notes, struct err *err) MUST_USE;

#endif
