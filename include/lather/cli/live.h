/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_LIVE_H
#define LATHER_CLI_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lather/load/run.h"
#include "lather/plan/plan.h"

/* How a run shows that it goes on. */
enum live_style {
    LIVE_STYLE_NONE = 0, /* -q */
    LIVE_STYLE_LINES,    /* whole lines, for files and other programs */
    LIVE_STYLE_TERMINAL, /* one line, written over */
    LIVE_STYLE_COUNT
};

/* What has been shown; the caller's storage, fields private. */
struct live {
    FILE *stream;
    enum live_style style;
    uint64_t requests; /* planned; 0: only the time limit ends the run */
    uint64_t step;     /* requests between ab's lines; 0: no such lines */
    uint64_t next;     /* requests of the next one */
    uint64_t last;     /* no such lines beyond */
    uint64_t shown_ns; /* when the last line was written */
    uint64_t past_ns;  /* the update before, for the rate on a terminal */
    uint64_t past_finished;
    bool said_stopping;
    bool is_open;             /* an open loop: it has a backlog */
    uint64_t grace_ns;        /* what is in flight gets after an interrupt */
    enum run_stretch stretch; /* of the update before */
};

/* How often live_update wants to be called, and to be told the percentiles of the last second. */
uint64_t live_interval_ms(enum live_style style);
uint64_t live_second_ms(enum live_style style);

/* Nothing shown yet. stream is borrowed. */
void live_init(struct live *live, enum live_style style, const struct plan *plan, FILE *stream);

/* Whether progress will be seen from the beginning: ab's lines, or a terminal's. */
bool live_has_steps(const struct live *live);

/*
 * Shows where the run is. As lines: "Completed K requests" as ab has them, every max(100, n/10)
 * requests when n > 150 (without -n every 5000 up to 50000, the count ab plans then), and a line
 * of where the run is when none was written for 10 s; those of a warm-up say so.
 */
void live_update(struct live *live, const struct run_progress *progress);

/* The last lines, ending with ab's "Finished K requests"; on a terminal the line is taken away. */
void live_end(struct live *live, uint64_t finished);

#endif
