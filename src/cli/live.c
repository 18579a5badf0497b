/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is seen while a run goes on, on standard error. Scripts read ab's "Completed" and "Finished"
 * lines, so these are exact: updates come at intervals, but a line that was passed in between is
 * still written with its own number. Control characters are written to terminals only.
 */
#include "lather/cli/live.h"

#include <inttypes.h>

#include "lather/base/clock.h"

/* ab's rules; its lines begin beyond this many requests. With -t alone it plans 50000. */
enum { AB_SILENT_REQUESTS = 150, AB_STEP_LEAST = 100, AB_STEPS = 10, AB_TIMED_REQUESTS = 50000 };

static const uint64_t SILENCE_MOST_NS = 10 * NS_PER_S;

uint64_t live_interval_ms(enum live_style style)
{
    return style == LIVE_STYLE_TERMINAL ? 250 : 100;
}

static uint64_t at_least(uint64_t value, uint64_t least)
{
    return value > least ? value : least;
}

void live_init(struct live *live, enum live_style style, const struct plan *plan, FILE *stream)
{
    *live = (struct live){.stream = stream, .style = style, .requests = plan->requests};
    if (style != LIVE_STYLE_LINES) {
        return;
    }
    uint64_t planned = plan->requests == 0 ? AB_TIMED_REQUESTS : plan->requests;
    if (planned > AB_SILENT_REQUESTS) {
        live->step = at_least(planned / AB_STEPS, AB_STEP_LEAST);
        live->next = live->step;
        /* ab ends there; a run that goes on is left to the lines by time. */
        live->last = plan->requests == 0 ? AB_TIMED_REQUESTS : UINT64_MAX;
    }
}

bool live_has_steps(const struct live *live)
{
    return live->style == LIVE_STYLE_TERMINAL || live->step > 0;
}

/* Writes the lines of ab that are due. */
static void show_completed(struct live *live, uint64_t finished, uint64_t elapsed_ns)
{
    while (live->step > 0 && live->next <= finished && live->next <= live->last) {
        (void)fprintf(live->stream, "Completed %" PRIu64 " requests\n", live->next);
        live->next += live->step;
        live->shown_ns = elapsed_ns;
    }
}

static double rate_per_s(uint64_t count, uint64_t ns)
{
    return ns == 0 ? 0.0 : (double)count * (double)NS_PER_S / (double)ns;
}

static void show_lines(struct live *live, const struct run_progress *progress)
{
    show_completed(live, progress->finished, progress->elapsed_ns);
    if (progress->stopping && !live->said_stopping) {
        (void)fprintf(live->stream,
                      "Interrupted: waiting at most 5 s for %" PRIu64
                      " requests in flight; Ctrl-C again stops at once\n",
                      progress->in_flight);
        live->said_stopping = true;
        live->shown_ns = progress->elapsed_ns;
    }
    if (progress->elapsed_ns - live->shown_ns >= SILENCE_MOST_NS) {
        (void)fprintf(live->stream,
                      "After %.0f s: %" PRIu64 " requests, %.1f/s, %" PRIu64 " failed, %" PRIu64
                      " in flight\n",
                      (double)progress->elapsed_ns / (double)NS_PER_S, progress->finished,
                      rate_per_s(progress->finished, progress->elapsed_ns), progress->failed,
                      progress->in_flight);
        live->shown_ns = progress->elapsed_ns;
    }
}

/* One line, at most 79 columns as long as the figures stay below ten digits. */
static void show_on_terminal(struct live *live, const struct run_progress *progress)
{
    uint64_t span_ns = progress->elapsed_ns - live->past_ns;
    double rate = rate_per_s(progress->finished - live->past_finished, span_ns);
    (void)fprintf(live->stream, "\r%.1f s: %" PRIu64,
                  (double)progress->elapsed_ns / (double)NS_PER_S, progress->finished);
    if (live->requests > 0) {
        (void)fprintf(live->stream, "/%" PRIu64, live->requests);
    }
    (void)fprintf(live->stream,
                  " requests, %.0f/s, %" PRIu64 " failed, %" PRIu64 " in flight%s\x1B[K", rate,
                  progress->failed, progress->in_flight, progress->stopping ? ", ending" : "");
    live->past_ns = progress->elapsed_ns;
    live->past_finished = progress->finished;
}

void live_update(struct live *live, const struct run_progress *progress)
{
    if (live->style == LIVE_STYLE_TERMINAL) {
        show_on_terminal(live, progress);
    } else if (live->style == LIVE_STYLE_LINES) {
        show_lines(live, progress);
    }
    (void)fflush(live->stream);
}

void live_end(struct live *live, uint64_t finished)
{
    if (live->style == LIVE_STYLE_TERMINAL) {
        (void)fprintf(live->stream, "\r\x1B[K");
    } else if (live_has_steps(live) && live->style == LIVE_STYLE_LINES) {
        show_completed(live, finished, 0);
        (void)fprintf(live->stream, "Finished %" PRIu64 " requests\n", finished);
    }
    (void)fflush(live->stream);
}
