/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `lather [options] URL`, from the plan to the exit status. The order matters: everything that can
 * be refused is refused before the first request, and once there are figures they are printed,
 * whatever else goes wrong.
 */
#include "lather/cli/run_command.h"

#include <stdio.h>
#include <stdlib.h>

#include "lather/base/platform.h"
#include "lather/cli/command_line.h"
#include "lather/cli/console.h"
#include "lather/cli/live.h"
#include "lather/cli/result_options.h"
#include "lather/cli/run_output.h"
#include "lather/cli/run_plan.h"
#include "lather/cli/trace.h"
#include "lather/load/run.h"
#include "lather/measure/diagnose.h"
#include "lather/soap/judge.h"

/* All of one run. trace belongs to the worker threads while they are there, the rest to this one.
 */
struct job {
    const struct options *options;
    const char *const *argv;
    int argc;
    struct plan *plan;
    struct buf notes; /* remarks on the plan, a line each */
    struct run_output output;
    enum run_output_progress shown;
    struct live live;
    struct trace trace;
};

static void on_started(void *context)
{
    struct job *job = context;
    run_output_print_head(&job->output, job->plan, job->shown);
}

static void on_noted(void *context, const struct buf *notes)
{
    const struct job *job = context;
    if (!options_has(job->options, OPTION_QUIET)) {
        console_notes(notes);
    }
}

static void on_progress(void *context, const struct run_progress *progress)
{
    struct job *job = context;
    live_update(&job->live, progress);
}

static void on_trace(void *context, enum run_trace direction, struct str head)
{
    struct job *job = context;
    trace_print(&job->trace, direction, head);
}

/* Printed heads would tear a line that is written over. */
static enum live_style style_of(const struct job *job)
{
    if (options_has(job->options, OPTION_QUIET)) {
        return LIVE_STYLE_NONE;
    }
    return platform_stderr_is_terminal() && job->plan->verbosity < 2 ? LIVE_STYLE_TERMINAL
                                                                     : LIVE_STYLE_LINES;
}

/* What the summary cannot know by itself: how it was asked for. */
static void complete_summary(struct summary *summary, const struct job *job)
{
    struct buf command_line;
    buf_init(&command_line);
    command_line_format(&command_line, job->options, job->argc, job->argv);
    summary_set_text(&summary->plan.command_line, buf_view(&command_line));
    buf_deinit(&command_line);

    result_options_apply(job->options, summary);
    diagnose_add_condition_notes(summary);
    struct str rest = buf_view(&job->notes);
    while (rest.len > 0) {
        struct str line;
        (void)str_split(rest, '\n', &line, &rest);
        summary_note(summary, "%.*s", STR_ARG(line));
    }
}

/* The load itself; *samples is set with -g only. */
static bool run_job(struct job *job, struct summary **summary, struct sample_log **samples,
                    struct err *err)
{
    enum live_style style = style_of(job);
    live_init(&job->live, style, job->plan, stderr);
    job->shown =
        live_has_steps(&job->live) ? RUN_OUTPUT_PROGRESS_SHOWN : RUN_OUTPUT_PROGRESS_SILENT;
    job->trace = (struct trace){.stream = stdout,
                                .method = job->plan->messages[0].method,
                                .verbosity = job->plan->verbosity};
    const struct run_events events = {
        .noted = on_noted,
        .started = on_started,
        .progress = style == LIVE_STYLE_NONE ? NULL : on_progress,
        .interval_ms = live_interval_ms(style),
        .second_ms = live_second_ms(style),
        .trace = job->plan->verbosity >= 2 ? on_trace : NULL,
        .context = job,
    };
    if (!run_load(job->plan, &events, summary, samples, err)) {
        return false;
    }
    live_end(&job->live, (*summary)->tally->finished);
    return true;
}

/* Plan and places are settled: run, then report. */
static enum exit_status fire(struct job *job)
{
    struct err err = {0};
    struct summary *summary = NULL;
    struct sample_log *samples = NULL;
    if (!run_job(job, &summary, &samples, &err)) {
        console_error(&err);
        return EXIT_STATUS_NOT_RUN;
    }
    complete_summary(summary, job);
    enum exit_status status = exit_status_of(summary);
    if (!run_output_print_report(&job->output, summary, samples, job->shown)) {
        status = exit_status_worse(status, EXIT_STATUS_UNTRUSTED);
    }
    summary_free(summary);
    sample_log_free(samples);
    return status;
}

enum exit_status run_command(const struct options *options, int argc, const char *const *argv)
{
    enum exit_status status = EXIT_STATUS_NOT_RUN;
    struct err err = {0};
    struct job job = {.options = options, .argc = argc, .argv = argv};
    buf_init(&job.notes);
    judge_setup(); /* before schemas are read */
    if (!run_plan_build(options, &job.plan, &job.notes, &err) ||
        !result_options_check(options, &err) || !run_output_open(&job.output, options, &err)) {
        console_error(&err);
    } else {
        if (!options_has(options, OPTION_QUIET)) {
            console_notes(&job.notes);
        }
        status = fire(&job);
    }
    run_output_close(&job.output);
    plan_free(job.plan);
    buf_deinit(&job.notes);
    return status;
}
