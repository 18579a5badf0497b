/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_PLAN_SECRETS_H
#define LATHER_PLAN_SECRETS_H

#include "lather/base/str.h"
#include "lather/plan/plan.h"

/* Adds a copy to plan->secrets, once; an empty text is nothing to hide. */
void secrets_add(struct plan *plan, struct str secret);

/*
 * What -A, -C, --wsse-user and the fields that carry credentials put on the wire, and what was
 * typed for it.
 */
void secrets_add_request(struct plan *plan, const struct plan_request *request);

/* Overwrites them before they are freed. */
void secrets_free(struct plan *plan);

#endif
