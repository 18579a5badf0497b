/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_PLAN_REQUEST_CHECK_H
#define LATHER_PLAN_REQUEST_CHECK_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/plan/plan.h"

/*
 * False, with the option named, for what cannot be sent: a method that is no word, a line break in
 * a part, Transfer-Encoding, a Content-Length that is another one, credentials without a colon.
 */
bool request_check_refuse(const struct plan_request *request, struct err *err) MUST_USE;

/* Appends what the user's own fields will cause, a line each ("...\n"). */
void request_check_note(const struct plan_request *request, struct buf *notes);

#endif
