/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_CHECK_SEND_H
#define LATHER_CLI_CHECK_SEND_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/cli/exit_status.h"
#include "lather/plan/plan.h"

/*
 * Makes the request of the plan's message once, appends its bytes, and puts them into the plan in
 * its place: what is shown is what is sent. False when there is none: the feed has no row.
 */
bool check_send_make(struct plan *plan, struct buf *request, struct err *err) MUST_USE;

/* The request with all that the plan knows to be secret replaced by ***. */
void check_send_mask(const struct plan *plan, struct str request, struct buf *masked);

/*
 * Sends it, once, on one connection, and appends what came back and what to think of it, as lines;
 * the first one says `sent`, which is what has been sent, or that nothing could be and why. Heads
 * are printed on standard output as -v says. False when it could not be sent at all: no address, a
 * wrong certificate file. *status is that of the program.
 */
bool check_send(struct plan *plan, int verbosity, struct str sent, struct buf *out,
                enum exit_status *status, struct err *err) MUST_USE;

#endif
