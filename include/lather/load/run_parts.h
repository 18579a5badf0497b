/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_LOAD_RUN_PARTS_H
#define LATHER_LOAD_RUN_PARTS_H

#include <uv.h>

#include "lather/base/platform.h"
#include "lather/load/preflight.h"
#include "lather/load/run.h"
#include "lather/load/worker.h"

/*
 * The inside of a run, for load/run.c, stretch.c, steps.c and watch.c alone: everybody else keeps
 * to load/run.h. The main thread's own, but for what workers see of `shared`.
 */
struct run {
    struct run_shared shared;
    struct preflight preflight;
    uv_loop_t loop;
    uv_async_t ended;
    uv_signal_t signals[PLATFORM_STOP_SIGNALS];
    uv_timer_t progress_timer;
    uv_timer_t start_timer; /* --start-at */
    unsigned interrupts;
    const char *stop_cause; /* of the first one, as platform_signal_cause tells */
    uint64_t begun_ns;            /* the first stretch began */
    uint64_t measured_ns;         /* the first one that counts began */
    struct template_taken *taken; /* by worker: in all stretches so far */
    bool is_told;                 /* run_events.started was called */
    uint64_t asked_ns;            /* when workers were asked for their last second */
    struct span *second;          /* what they told */
    struct run_progress before;   /* what the stretches before this one add to what is seen */
    struct sample_log *samples;   /* -g: of all stretches so far; NULL before the first */
};

#endif
