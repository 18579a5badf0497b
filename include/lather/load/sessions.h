/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_SESSIONS_H
#define LATHER_LOAD_SESSIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/plan/plan.h"

/*
 * Where each slot of a worker stands in its session (--sessions): a number of calls one after the
 * other, a pause behind each burst of them but the last. It knows no time and sends nothing.
 */
struct sessions;

/* What a slot does when a call of its session has ended. */
enum sessions_step {
    SESSIONS_CALL = 0, /* the next one at once */
    SESSIONS_PAUSE,    /* the next one after a pause */
    SESSIONS_END       /* that was the last: another session may begin */
};

/* For so many slots and sessions; plan is borrowed. */
struct sessions *sessions_new(const struct plan_sessions *plan, uint32_t slots,
                              uint64_t count) MUST_USE;
/* NULL is fine. */
void sessions_free(struct sessions *sessions);

/* Begins a session on the slot; false when all have begun. */
bool sessions_begin(struct sessions *sessions, uint32_t slot);

/* A call of the slot's session has ended, well or badly. */
enum sessions_step sessions_next(struct sessions *sessions, uint32_t slot);

/* How many have begun. */
uint64_t sessions_begun(const struct sessions *sessions);

#endif
