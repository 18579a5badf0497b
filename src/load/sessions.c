/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counting calls. A session is as long whatever becomes of its calls: a failed one is one of them,
 * and the next goes out on a new connection. So the requests of a run are known beforehand, and n
 * sessions are n times as many requests as one has.
 */
#include "lather/load/sessions.h"

#include <stdlib.h>

struct sessions {
    const struct plan_sessions *plan;
    uint64_t left;
    uint64_t begun;
    uint64_t calls[]; /* ended, by slot */
};

struct sessions *sessions_new(const struct plan_sessions *plan, uint32_t slots, uint64_t count)
{
    struct sessions *sessions = check_calloc(1, sizeof *sessions + slots * sizeof *sessions->calls);
    sessions->plan = plan;
    sessions->left = count;
    return sessions;
}

void sessions_free(struct sessions *sessions)
{
    free(sessions);
}

bool sessions_begin(struct sessions *sessions, uint32_t slot)
{
    if (sessions->left == 0) {
        return false;
    }
    sessions->left--;
    sessions->begun++;
    sessions->calls[slot] = 0;
    return true;
}

enum sessions_step sessions_next(struct sessions *sessions, uint32_t slot)
{
    const uint64_t calls = ++sessions->calls[slot];
    if (calls >= sessions->plan->calls) {
        return SESSIONS_END;
    }
    return calls % sessions->plan->burst == 0 ? SESSIONS_PAUSE : SESSIONS_CALL;
}

uint64_t sessions_begun(const struct sessions *sessions)
{
    return sessions->begun;
}
