/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_PLAN_SECRETS_H
#define LATHER_PLAN_SECRETS_H

#include "lather/base/str.h"
#include "lather/plan/plan.h"

/*
 * The texts that must not be shown in what is saved or printed (load/secret_mask.h takes them out).
 * While the plan is made, by one thread.
 */

/* Adds a copy to plan->secrets, once; an empty text is nothing to hide. Linear in their number. */
void secrets_add(struct plan *plan, struct str secret);

/*
 * What -A, -C, --wsse-user and the fields that carry credentials put on the wire, and what was
 * typed for it: base64 and plain text, as either would tell (RFC 7617, 2).
 */
void secrets_add_request(struct plan *plan, const struct plan_request *request);

/* Overwrites them before they are freed; the plan has none then. */
void secrets_free(struct plan *plan);

#endif
