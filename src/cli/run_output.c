/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where results go: one report on standard output, and the files asked for. Formats are made by the
 * report floor into memory; here they are only put in their places. Each place is tried, whatever
 * became of the ones before: the figures exist only once.
 */
#include "lather/cli/run_output.h"

#include <stdio.h>
#include <string.h>

#include "lather/cli/console.h"
#include "lather/report/gnuplot.h"
#include "lather/report/html_ab.h"
#include "lather/report/percentile_csv.h"
#include "lather/report/result_json.h"
#include "lather/report/text.h"

static bool check_places(const struct options *options, struct err *err)
{
    static const enum option results[] = {OPTION_PERCENTILE_FILE, OPTION_SAMPLE_FILE,
                                          OPTION_JSON_FILE};
    static const enum option all[] = {OPTION_PERCENTILE_FILE, OPTION_SAMPLE_FILE, OPTION_JSON_FILE,
                                      OPTION_POST, OPTION_PUT};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        const char *path = options_text(options, results[i]);
        for (size_t j = i + 1; j < sizeof all / sizeof all[0] && path != NULL; j++) {
            const char *other = options_text(options, all[j]);
            if (other != NULL && strcmp(path, other) == 0) {
                return err_set(
                    err, ERR_USAGE, "--%s and --%s name the same file, %.300s: give each its own",
                    option_table_row(results[i])->name, option_table_row(all[j])->name, path);
            }
        }
    }
    return true;
}

static bool open_place(struct output_file *file, const struct options *options, enum option option,
                       struct err *err)
{
    char spelling[40];
    (void)snprintf(spelling, sizeof spelling, "--%s", option_table_row(option)->name);
    return output_file_open(file, options_text(options, option), err) || err_prefix(err, spelling);
}

bool run_output_open(struct run_output *output, const struct options *options, struct err *err)
{
    *output = (struct run_output){.options = options};
    if (check_places(options, err) &&
        open_place(&output->percentiles, options, OPTION_PERCENTILE_FILE, err) &&
        open_place(&output->samples, options, OPTION_SAMPLE_FILE, err) &&
        open_place(&output->json, options, OPTION_JSON_FILE, err)) {
        return true;
    }
    run_output_close(output);
    return false;
}

void run_output_close(struct run_output *output)
{
    output_file_drop(&output->percentiles);
    output_file_drop(&output->samples);
    output_file_drop(&output->json);
}

/* -x, -y and -z switch -w on, as in ab. */
static bool is_html(const struct run_output *output)
{
    static const enum option switches[] = {OPTION_HTML, OPTION_TABLE_ATTRIBUTES,
                                           OPTION_ROW_ATTRIBUTES, OPTION_CELL_ATTRIBUTES};
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        if (options_has(output->options, switches[i])) {
            return true;
        }
    }
    return false;
}

static enum text_progress progress_of(enum run_output_progress progress)
{
    return progress == RUN_OUTPUT_PROGRESS_SHOWN ? TEXT_PROGRESS_ON : TEXT_PROGRESS_OFF;
}

void run_output_print_head(const struct run_output *output, const struct plan *plan,
                           enum run_output_progress progress)
{
    struct buf text;
    buf_init(&text);
    if (is_html(output)) {
        html_ab_banner(&text);
    } else {
        text_banner(&text);
        text_begin(&text, plan->target.host, progress_of(progress));
    }
    if (!console_print(&text, NULL)) {
        /* Standard output keeps its error flag: the report's own printing finds it. */
    }
    buf_deinit(&text);
}

static bool print_report(const struct run_output *output, const struct summary *summary,
                         enum run_output_progress progress, struct err *err)
{
    const struct options *options = output->options;
    const struct report_options looks = {
        .no_percentiles = options_has(options, OPTION_NO_PERCENTILES),
        .no_median = options_has(options, OPTION_NO_DEVIATION),
        .table_attributes = options_text(options, OPTION_TABLE_ATTRIBUTES),
        .row_attributes = options_text(options, OPTION_ROW_ATTRIBUTES),
        .cell_attributes = options_text(options, OPTION_CELL_ATTRIBUTES),
    };
    struct buf text;
    buf_init(&text);
    if (is_html(output)) {
        html_ab_report(&text, summary, &looks);
    } else {
        text_end(&text, progress_of(progress));
        text_report(&text, summary, &looks);
    }
    bool is_printed = console_print(&text, err);
    buf_deinit(&text);
    return is_printed;
}

/* Says what went wrong, if something did, and passes it on. */
static bool told(bool is_good, const struct err *err)
{
    if (!is_good) {
        console_error(err);
    }
    return is_good;
}

bool run_output_print_report(struct run_output *output, const struct summary *summary,
                             const struct run_output_samples *samples,
                             enum run_output_progress progress)
{
    struct err err;
    struct buf content;
    buf_init(&content);
    bool is_good = told(print_report(output, summary, progress, &err), &err);
    if (output->percentiles.path != NULL) {
        percentile_csv_write(&content, summary);
        is_good &= told(output_file_write(&output->percentiles, buf_view(&content), &err), &err);
    }
    buf_reset(&content);
    if (output->samples.path != NULL) {
        gnuplot_write(&content, summary->wall_start_ns, samples->times, samples->count);
        is_good &= told(output_file_write(&output->samples, buf_view(&content), &err), &err);
    }
    buf_reset(&content);
    if (output->json.path != NULL) {
        result_json_write(&content, summary);
        is_good &= told(output_file_write(&output->json, buf_view(&content), &err), &err);
    }
    buf_deinit(&content);
    return is_good;
}
