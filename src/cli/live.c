/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is seen while a run goes on, on standard error. Scripts read ab's "Completed" and "Finished"
 * lines, so these are exact: updates come at intervals, but a line that was passed in between is
 * still written with its own number. Control characters are written to terminals only.
 */
#include "lather/cli/live.h"

#include <inttypes.h>

#include "lather/base/buf.h"
#include "lather/base/clock.h"
#include "lather/base/units.h"
#include "lather/load/worker_talk.h"

/* ab's rules; its lines begin beyond this many requests. With -t alone it plans 50000. */
enum { AB_SILENT_REQUESTS = 150, AB_STEP_LEAST = 100, AB_STEPS = 10, AB_TIMED_REQUESTS = 50000 };

static const uint64_t SILENCE_MOST_NS = 10 * NS_PER_S;

uint64_t live_interval_ms(enum live_style style)
{
    return style == LIVE_STYLE_TERMINAL ? 250 : 100;
}

uint64_t live_second_ms(enum live_style style)
{
    return style == LIVE_STYLE_TERMINAL ? live_interval_ms(style) : 1000;
}

static uint64_t at_least(uint64_t value, uint64_t least)
{
    return value > least ? value : least;
}

void live_init(struct live *live, enum live_style style, const struct plan *plan, FILE *stream)
{
    *live = (struct live){
        .stream = stream,
        .style = style,
        .requests = plan->requests,
        .is_open = plan->rate_micro_per_s > 0,
        .grace_ns = plan->shape.has_grace ? plan->shape.grace_ns : WORKER_DRAIN_MS * NS_PER_MS,
    };
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

/* Which part of the run it is, if it is made of parts. */
static void append_stretch(struct buf *line, const struct run_progress *progress)
{
    if (progress->stretch == RUN_STRETCH_WARMUP) {
        buf_append_str(line, STR("warm-up, "));
    } else if (progress->stretch == RUN_STRETCH_STEP) {
        buf_printf(line, "step %" PRIu64 " (%.1f/s), ", progress->step,
                   (double)progress->rate_micro_per_s / 1e6);
    }
}

static void append_times(struct buf *line, const struct run_progress *progress)
{
    char p50[UNITS_TEXT_SIZE];
    char p99[UNITS_TEXT_SIZE];
    if (progress->has_times) {
        buf_printf(line, ", p50 %s, p99 %s", units_format_duration(progress->p50_ns, p50),
                   units_format_duration(progress->p99_ns, p99));
    }
}

static void append_state(struct buf *line, const struct live *live,
                         const struct run_progress *progress)
{
    buf_printf(line, ", %" PRIu64 " failed, %" PRIu64 " in flight", progress->failed,
               progress->in_flight);
    if (live->is_open) {
        buf_printf(line, ", %" PRIu64 " waiting", progress->backlog);
    }
}

static void show_silence(struct live *live, const struct run_progress *progress)
{
    struct buf line;
    buf_init(&line);
    buf_printf(&line, "After %.0f s: ", (double)progress->elapsed_ns / (double)NS_PER_S);
    append_stretch(&line, progress);
    buf_printf(
        &line, "%" PRIu64 " requests, %.1f/s", progress->finished,
        rate_per_s(progress->finished - live->past_finished, progress->elapsed_ns - live->past_ns));
    append_times(&line, progress);
    append_state(&line, live, progress);
    (void)fprintf(live->stream, "%s\n", line.data);
    buf_deinit(&line);
    live->past_ns = progress->elapsed_ns;
    live->past_finished = progress->finished;
    live->shown_ns = progress->elapsed_ns;
}

static void show_lines(struct live *live, const struct run_progress *progress)
{
    char text[UNITS_TEXT_SIZE];
    if (progress->stretch != RUN_STRETCH_WARMUP) {
        show_completed(live, progress->finished, progress->elapsed_ns);
    }
    if (progress->stopping && !live->said_stopping) {
        (void)fprintf(live->stream,
                      "Interrupted: waiting at most %s for %" PRIu64
                      " requests in flight; Ctrl-C again stops at once\n",
                      units_format_duration(live->grace_ns, text), progress->in_flight);
        live->said_stopping = true;
        live->shown_ns = progress->elapsed_ns;
    }
    if (progress->elapsed_ns - live->shown_ns >= SILENCE_MOST_NS) {
        show_silence(live, progress);
    }
}

/* One line, cut off where a terminal of the usual width would begin a second one. */
static void show_on_terminal(struct live *live, const struct run_progress *progress)
{
    enum { COLUMNS = 79 };
    struct buf line;
    buf_init(&line);
    const uint64_t span_ns = progress->elapsed_ns - live->past_ns;
    buf_printf(&line, "%.1f s: ", (double)progress->elapsed_ns / (double)NS_PER_S);
    append_stretch(&line, progress);
    buf_printf(&line, "%" PRIu64, progress->finished);
    if (live->requests > 0 && progress->stretch == RUN_STRETCH_WHOLE) {
        buf_printf(&line, "/%" PRIu64, live->requests);
    }
    buf_printf(&line, ", %.0f/s", rate_per_s(progress->finished - live->past_finished, span_ns));
    append_times(&line, progress);
    append_state(&line, live, progress);
    buf_append_str(&line, progress->stopping ? STR(", ending") : STR(""));
    (void)fprintf(live->stream, "\r%.*s\x1B[K", COLUMNS, line.data);
    buf_deinit(&line);
    live->past_ns = progress->elapsed_ns;
    live->past_finished = progress->finished;
}

void live_update(struct live *live, const struct run_progress *progress)
{
    if (live->stretch == RUN_STRETCH_WARMUP && progress->stretch != RUN_STRETCH_WARMUP) {
        live->past_finished = 0; /* counting begins anew */
        live->past_ns = progress->elapsed_ns;
    }
    live->stretch = progress->stretch;
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
