/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_RUN_OUTPUT_H
#define LATHER_CLI_RUN_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/err.h"
#include "lather/cli/options.h"
#include "lather/cli/output_file.h"
#include "lather/load/run.h"
#include "lather/report/counters.h"

/* Whether the run shows its progress: ab's head line ends differently when it does. */
enum run_output_progress {
    RUN_OUTPUT_PROGRESS_SILENT = 0,
    RUN_OUTPUT_PROGRESS_SHOWN,
    RUN_OUTPUT_PROGRESS_COUNT
};

enum { RUN_OUTPUT_FILES_CEILING = 8 };

/* Where a result goes; the caller's storage. */
struct run_output {
    const struct options *options;                      /* borrowed */
    struct output_file files[RUN_OUTPUT_FILES_CEILING]; /* one a format, asked for or not */
    struct output_file samples;                         /* -g */
    struct counters *counters; /* --counters, once they are read; NULL without */
};

/*
 * Opens the files asked for. Two results, or a result and the message, in one file are refused.
 * After a failure nothing is open.
 */
bool run_output_open(struct run_output *output, const struct options *options,
                     struct err *err) MUST_USE;

/*
 * Prints what ab prints before a run: its banner and "Benchmarking host"; with -w only the former.
 * If it cannot be printed, run_output_print_report will tell.
 */
void run_output_print_head(const struct run_output *output, const struct plan *plan,
                           enum run_output_progress progress);

/*
 * Prints the report and writes the files; samples is NULL without -g. A place that cannot be
 * written gets its sentence on standard error and does not keep the others from being written;
 * false then.
 */
bool run_output_print_report(struct run_output *output, const struct summary *summary,
                             struct sample_log *samples,
                             enum run_output_progress progress) MUST_USE;

/*
 * The same of a saved result, with the banner in front: no progress was shown, and no single
 * requests are known.
 */
bool run_output_print_saved(struct run_output *output, const struct summary *summary) MUST_USE;

/* Closes what is open, removing files that were made for nothing. */
void run_output_close(struct run_output *output);

#endif
