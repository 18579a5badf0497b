/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four ways from "this slot is free" to "send on it", behind one table of functions. The open pace
 * runs its schedule twice with the same seed: once for the requests sent, once for the clock, and
 * the difference is the backlog, exact and without a queue that could grow. Free slots are a stack,
 * so that connections already open are used before new ones are made.
 */
#include "lather/load/pace.h"

#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/load/alarm.h"
#include "lather/load/schedule.h"
#include "lather/load/sessions.h"

struct pace_kind {
    void (*start)(struct pace *pace, uint64_t start_ns);
    void (*ready)(struct pace *pace, uint32_t slot);
    void (*stop)(struct pace *pace);
};

/* A slot that thinks. */
struct pace_thinker {
    uv_timer_t timer;
    struct pace *pace;
    uint32_t slot;
};

struct pace {
    const struct pace_kind *kind;
    struct pace_options options;
    bool stopped;
    /* think */
    struct pace_thinker *thinkers;
    struct rng rng;
    /* session; thinks as well */
    struct sessions *sessions;
    /* open */
    struct alarm alarm;
    struct schedule sending; /* gives due_ns */
    struct schedule passing; /* the same moments, taken as the clock passes them */
    uint64_t due_ns;         /* of the next request to be sent */
    uint64_t passing_ns;     /* of the next moment the clock has not passed */
    uint64_t sent;
    uint64_t passed;
    uint64_t backlog_peak;
    uint64_t lateness_ns;
    uint64_t first_due_ns;
    uint64_t last_sent_ns;
    uint32_t *free_slots;
    uint32_t free_count;
};

static void pace_go(struct pace *pace, uint32_t slot, uint64_t due_ns)
{
    pace->options.go(pace->options.context, slot, due_ns);
}

/* --- closed --------------------------------------------------------------------------------- */

static void pace_closed_start(struct pace *pace, uint64_t start_ns)
{
    (void)start_ns;
    for (uint32_t i = 0; i < pace->options.slots; i++) {
        pace_go(pace, i, 0);
    }
}

static void pace_closed_ready(struct pace *pace, uint32_t slot)
{
    pace_go(pace, slot, 0);
}

static void pace_closed_stop(struct pace *pace)
{
    (void)pace;
}

static const struct pace_kind pace_closed = {
    .start = pace_closed_start,
    .ready = pace_closed_ready,
    .stop = pace_closed_stop,
};

/* --- think ---------------------------------------------------------------------------------- */

static void pace_on_thought(uv_timer_t *timer)
{
    struct pace_thinker *thinker = timer->data;
    pace_go(thinker->pace, thinker->slot, 0);
}

static void pace_make_thinkers(struct pace *pace)
{
    pace->thinkers = check_calloc(pace->options.slots, sizeof(*pace->thinkers));
    for (uint32_t i = 0; i < pace->options.slots; i++) {
        struct pace_thinker *thinker = &pace->thinkers[i];
        thinker->pace = pace;
        thinker->slot = i;
        (void)uv_timer_init(pace->options.loop, &thinker->timer);
        thinker->timer.data = thinker;
    }
}

static void pace_think_start(struct pace *pace, uint64_t start_ns)
{
    pace_make_thinkers(pace);
    pace_closed_start(pace, start_ns);
}

static void pace_think(struct pace *pace, uint32_t slot, uint64_t pause_ns)
{
    const uint64_t pause_ms = (pause_ns + NS_PER_MS - 1) / NS_PER_MS;
    (void)uv_timer_start(&pace->thinkers[slot].timer, pace_on_thought, pause_ms, 0);
}

static void pace_think_ready(struct pace *pace, uint32_t slot)
{
    const struct plan *plan = pace->options.plan;
    const uint64_t span_ns = plan->think_max_ns - plan->think_min_ns;
    pace_think(pace, slot, plan->think_min_ns + rng_below(&pace->rng, span_ns + 1));
}

static void pace_think_stop(struct pace *pace)
{
    for (uint32_t i = 0; pace->thinkers != NULL && i < pace->options.slots; i++) {
        uv_close((uv_handle_t *)&pace->thinkers[i].timer, NULL);
    }
}

static const struct pace_kind pace_thinking = {
    .start = pace_think_start,
    .ready = pace_think_ready,
    .stop = pace_think_stop,
};

/* --- session -------------------------------------------------------------------------------- */

static void pace_session_begin(struct pace *pace, uint32_t slot)
{
    if (sessions_begin(pace->sessions, slot)) {
        pace_go(pace, slot, 0);
    }
}

static void pace_session_start(struct pace *pace, uint64_t start_ns)
{
    (void)start_ns;
    const struct plan_sessions *plan = &pace->options.plan->sessions;
    pace_make_thinkers(pace);
    pace->sessions = sessions_new(plan, pace->options.slots, pace->options.requests / plan->calls);
    for (uint32_t i = 0; i < pace->options.slots; i++) {
        pace_session_begin(pace, i);
    }
}

static void pace_session_ready(struct pace *pace, uint32_t slot)
{
    switch (sessions_next(pace->sessions, slot)) {
    case SESSIONS_CALL:
        pace_go(pace, slot, 0);
        break;
    case SESSIONS_PAUSE:
        pace_think(pace, slot, pace->options.plan->sessions.think_ns);
        break;
    case SESSIONS_END:
        pace->options.parted(pace->options.context, slot);
        pace_session_begin(pace, slot);
        break;
    }
}

static const struct pace_kind pace_session = {
    .start = pace_session_start,
    .ready = pace_session_ready,
    .stop = pace_think_stop,
};

uint64_t pace_sessions_begun(const struct pace *pace)
{
    return pace->sessions == NULL ? 0 : sessions_begun(pace->sessions);
}

/* --- open ----------------------------------------------------------------------------------- */

uint64_t pace_backlog(struct pace *pace, uint64_t now_ns)
{
    if (pace->free_slots == NULL) {
        return 0;
    }
    while (pace->passing_ns <= now_ns && pace->passed < pace->options.requests) {
        pace->passed++;
        pace->passing_ns = schedule_next(&pace->passing);
    }
    const uint64_t backlog = pace->passed - pace->sent;
    if (backlog > pace->backlog_peak) {
        pace->backlog_peak = backlog;
    }
    return backlog;
}

/* Sends all that is due as far as slots are free, then sleeps until the next is. */
static void pace_open_pump(struct pace *pace)
{
    while (!pace->stopped && pace->sent < pace->options.requests && pace->free_count > 0) {
        const uint64_t due_ns = pace->due_ns;
        const uint64_t now_ns = clock_now_ns();
        if (due_ns > now_ns) {
            alarm_set(&pace->alarm, due_ns);
            return;
        }
        pace->due_ns = schedule_next(&pace->sending);
        pace->sent++;
        pace->lateness_ns = now_ns - due_ns;
        pace->first_due_ns = pace->first_due_ns == 0 ? due_ns : pace->first_due_ns;
        pace->last_sent_ns = now_ns;
        if (pace->passed < pace->sent) {
            pace->passed++;
            pace->passing_ns = schedule_next(&pace->passing);
        }
        pace_go(pace, pace->free_slots[--pace->free_count], due_ns);
    }
}

static void pace_on_alarm(void *context)
{
    pace_open_pump(context);
}

static void pace_open_start(struct pace *pace, uint64_t start_ns)
{
    const struct plan *plan = pace->options.plan;
    const struct schedule_options options = {
        .arrivals = plan->arrivals,
        .rate_per_s = (double)plan->rate_micro_per_s / 1e6,
        .seed = plan->seed,
        .worker = pace->options.worker,
        .workers = pace->options.workers,
        .start_ns = start_ns,
    };
    alarm_init(&pace->alarm, pace->options.loop, pace_on_alarm, pace);
    schedule_init(&pace->sending, &options);
    schedule_init(&pace->passing, &options);
    pace->due_ns = schedule_next(&pace->sending);
    pace->passing_ns = schedule_next(&pace->passing);
    pace->free_slots = check_calloc(pace->options.slots, sizeof(*pace->free_slots));
    while (pace->free_count < pace->options.slots) {
        pace->free_slots[pace->free_count] = pace->options.slots - 1 - pace->free_count;
        pace->free_count++;
    }
    pace_open_pump(pace);
}

static void pace_open_ready(struct pace *pace, uint32_t slot)
{
    (void)pace_backlog(pace, clock_now_ns());
    pace->free_slots[pace->free_count++] = slot;
    pace_open_pump(pace);
}

static void pace_open_stop(struct pace *pace)
{
    if (pace->free_slots != NULL) {
        alarm_close(&pace->alarm);
    }
}

static const struct pace_kind pace_open = {
    .start = pace_open_start,
    .ready = pace_open_ready,
    .stop = pace_open_stop,
};

/* --- common --------------------------------------------------------------------------------- */

struct pace *pace_new(const struct pace_options *options)
{
    struct pace *pace = check_calloc(1, sizeof(*pace));
    const struct plan *plan = options->plan;
    pace->options = *options;
    pace->kind = plan->rate_micro_per_s > 0 ? &pace_open
                 : plan->sessions.count > 0 ? &pace_session
                 : plan->think_max_ns > 0   ? &pace_thinking
                                            : &pace_closed;
    rng_init(&pace->rng, plan->seed, options->worker);
    return pace;
}

void pace_start(struct pace *pace, uint64_t start_ns)
{
    pace->kind->start(pace, start_ns);
}

void pace_ready(struct pace *pace, uint32_t slot)
{
    pace->kind->ready(pace, slot);
}

uint64_t pace_backlog_peak(const struct pace *pace)
{
    return pace->backlog_peak;
}

uint64_t pace_lateness_ns(const struct pace *pace)
{
    return pace->lateness_ns;
}

uint64_t pace_first_due_ns(const struct pace *pace)
{
    return pace->first_due_ns;
}

uint64_t pace_last_sent_ns(const struct pace *pace)
{
    return pace->last_sent_ns;
}

void pace_stop(struct pace *pace)
{
    if (!pace->stopped) {
        pace->stopped = true;
        pace->kind->stop(pace);
    }
}

void pace_free(struct pace *pace)
{
    if (pace == NULL) {
        return;
    }
    free(pace->thinkers);
    sessions_free(pace->sessions);
    free(pace->free_slots);
    free(pace);
}
