/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_CHECK_MESSAGE_H
#define LATHER_CLI_CHECK_MESSAGE_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/message_file.h"
#include "lather/cli/options.h"
#include "lather/plan/plan.h"

/* A message that is looked at. */
struct check_message {
    const struct options *options;
    const struct message_file *file; /* its message: the one looked at; NULL: a request without */
    bool is_chosen;                  /* a run would send it */
    bool needs_no_url;               /* --dry-run */
};

/*
 * Appends what the message is and what becomes of it, as lines of one section. Returns the plan of
 * a run that sends it and nothing else, the caller's to free; NULL when such a run is refused, with
 * the reason in the lines and in err.
 */
struct plan *check_message_tell(const struct check_message *message, struct buf *out,
                                struct err *err) MUST_USE;

/* Whether options or capture say where it goes. */
bool check_message_has_url(const struct check_message *message);

#endif
