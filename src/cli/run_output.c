/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where results go: one report on standard output, and the files asked for. Formats are made by the
 * report floor into memory; here they are only put in their places. Each place is tried, whatever
 * became of the ones before: the figures exist only once.
 */
#include "lather/cli/run_output.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/csv.h"
#include "lather/base/file.h"
#include "lather/cli/console.h"
#include "lather/measure/sample_reader.h"
#include "lather/report/gnuplot.h"
#include "lather/report/hdr.h"
#include "lather/report/html.h"
#include "lather/report/html_ab.h"
#include "lather/report/junit.h"
#include "lather/report/percentile_csv.h"
#include "lather/report/result_json.h"
#include "lather/report/text.h"
#include "lather/report/timeline_csv.h"

/* ".pdh.csv" asks for Performance Monitor's layout, as the plain one cannot be opened there. */
static void write_timeline(struct buf *out, const struct summary *summary,
                           const struct run_output *output)
{
    const char *path = options_text(output->options, OPTION_TIMELINE_FILE);
    if (str_ends_with(str_from(path), STR(".pdh.csv"))) {
        timeline_csv_write_pdh(out, summary);
    } else {
        timeline_csv_write(out, summary);
    }
}

static void write_percentiles(struct buf *out, const struct summary *summary,
                              const struct run_output *output)
{
    (void)output;
    percentile_csv_write(out, summary);
}

static void write_json(struct buf *out, const struct summary *summary,
                       const struct run_output *output)
{
    (void)output;
    result_json_write(out, summary);
}

static void write_junit(struct buf *out, const struct summary *summary,
                        const struct run_output *output)
{
    (void)output;
    junit_write(out, summary);
}

static void write_hdr(struct buf *out, const struct summary *summary,
                      const struct run_output *output)
{
    (void)output;
    hdr_write(out, summary);
}

static void write_page(struct buf *out, const struct summary *summary,
                       const struct run_output *output)
{
    html_write(out, summary, output->counters);
}

/* The formats that go to files of their own. */
static const struct place {
    enum option option;
    void (*write)(struct buf *out, const struct summary *summary, const struct run_output *output);
} places[] = {
    {OPTION_PERCENTILE_FILE, write_percentiles},
    {OPTION_JSON_FILE, write_json},
    {OPTION_JUNIT_FILE, write_junit},
    {OPTION_HDR_FILE, write_hdr},
    {OPTION_TIMELINE_FILE, write_timeline},
    {OPTION_HTML_FILE, write_page},
};
enum { PLACES = sizeof places / sizeof places[0] };
static_assert((size_t)PLACES <= (size_t)RUN_OUTPUT_FILES_CEILING, "a format without a file");

/* Whether two names are, or lead to, the same file. */
typedef bool place_is_same(const char *path, const char *other);

enum { WRITTEN = PLACES + 1 };

/* Every option that names a file that is written. */
static void list_written(enum option files[WRITTEN])
{
    for (size_t i = 0; i < PLACES; i++) {
        files[i] = places[i].option;
    }
    files[PLACES] = OPTION_SAMPLE_FILE;
}

/* Whether a path leads to what -p, or another option that takes FILE@WEIGHT, names, or into it. */
static bool is_in_message(const char *path, const char *value, place_is_same *is_same)
{
    const char *at = strrchr(value, '@');
    const size_t len = at != NULL ? (size_t)(at - value) : strlen(value);
    struct buf file;
    buf_init(&file);
    buf_append(&file, value, len);
    const bool is_inside =
        len > 0 && strncmp(path, value, len) == 0 &&
        (path[len] == '/' || path[len] == '\\' || (value[len - 1] == '/' && path[len] != '\0'));
    bool is_it = is_inside || is_same(path, value) || is_same(path, file.data);
    buf_append_str(&file, STR(".expect"));
    is_it = is_it || is_same(path, file.data);
    buf_deinit(&file);
    return is_it;
}

static bool check_read(const struct options *options, enum option written, place_is_same *is_same,
                       struct err *err)
{
    static const enum option read[] = {
        OPTION_POST, OPTION_PUT,    OPTION_URLS,          OPTION_DATA,        OPTION_XSD,
        OPTION_WSDL, OPTION_GOLDEN, OPTION_COUNTERS_FILE, OPTION_CERTIFICATE, OPTION_KEY};
    const char *path = options_text(options, written);
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) {
        const struct option_value *value = &options->values[read[i]];
        for (size_t k = 0; k < value->count; k++) {
            const bool is_read = read[i] == OPTION_POST
                                     ? is_in_message(path, value->texts[k], is_same)
                                     : is_same(path, value->texts[k]);
            if (is_read) {
                return err_set(
                    err, ERR_USAGE,
                    "--%s would write over %.300s, which --%s reads: give it a name of its own",
                    option_table_row(written)->name, path, option_table_row(read[i])->name);
            }
        }
    }
    for (size_t i = 0; i < options->argument_count; i++) {
        if (is_same(path, options->arguments[i])) {
            return err_set(err, ERR_USAGE,
                           "--%s would write over %.300s, which is read: give it a name of its own",
                           option_table_row(written)->name, path);
        }
    }
    return true;
}

/* Before they are opened their names are compared, then what the names lead to. */
static bool check_places(const struct options *options, place_is_same *is_same, struct err *err)
{
    enum option files[WRITTEN];
    list_written(files);
    for (size_t i = 0; i < WRITTEN; i++) {
        const char *path = options_text(options, files[i]);
        for (size_t j = i + 1; j < WRITTEN && path != NULL; j++) {
            const char *other = options_text(options, files[j]);
            if (other != NULL && is_same(path, other)) {
                return err_set(
                    err, ERR_USAGE, "--%s and --%s name the same file, %.300s: give each its own",
                    option_table_row(files[i])->name, option_table_row(files[j])->name, path);
            }
        }
        if (path != NULL && !check_read(options, files[i], is_same, err)) {
            return false;
        }
    }
    return true;
}

static bool is_same_name(const char *path, const char *other)
{
    return strcmp(path, other) == 0;
}

static bool open_place(struct output_file *file, const struct options *options, enum option option,
                       struct err *err)
{
    char spelling[40];
    (void)snprintf(spelling, sizeof spelling, "--%s", option_table_row(option)->name);
    return output_file_open(file, options_text(options, option), err) || err_prefix(err, spelling);
}

static bool check_counters(const struct options *options, struct err *err)
{
    return !options_has(options, OPTION_COUNTERS_FILE) || options_has(options, OPTION_HTML_FILE) ||
           err_set(err, ERR_USAGE,
                   "--counters draws into the page of --html: say where that is to be written");
}

/* They are read when they are drawn: a run may have to end before its server's log is fetched. */
static bool read_counters(struct run_output *output)
{
    const char *path = options_text(output->options, OPTION_COUNTERS_FILE);
    struct buf content;
    struct err err;
    if (path == NULL) {
        return true;
    }
    buf_init(&content);
    bool is_read = (file_read(path, CSV_BYTES_CEILING, &content, &err) &&
                    counters_parse(path, &content, &output->counters, &err)) ||
                   err_prefix(&err, "--counters");
    if (!is_read) {
        console_error(&err);
    }
    buf_deinit(&content);
    return is_read;
}

bool run_output_open(struct run_output *output, const struct options *options, struct err *err)
{
    *output = (struct run_output){.options = options};
    bool is_good = check_places(options, is_same_name, err) && check_counters(options, err) &&
                   open_place(&output->samples, options, OPTION_SAMPLE_FILE, err);
    for (size_t i = 0; i < PLACES && is_good; i++) {
        is_good = open_place(&output->files[i], options, places[i].option, err);
    }
    is_good = is_good && check_places(options, output_file_is_same, err);
    if (!is_good) {
        run_output_close(output);
    }
    return is_good;
}

void run_output_close(struct run_output *output)
{
    counters_free(output->counters);
    output->counters = NULL;
    /* The last opened first: Windows removes no file that is open by another name as well. */
    for (size_t i = PLACES; i-- > 0;) {
        output_file_drop(&output->files[i]);
    }
    output_file_drop(&output->samples);
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

/* As ab: the host, and through whom it is reached. */
static void begin_text(struct buf *text, const struct plan *plan, enum text_progress progress)
{
    const struct proxy *proxy = &plan->way.proxy;
    struct buf whom;
    buf_init(&whom);
    buf_append_str(&whom, str_from(plan->target.host));
    if (proxy->kind != PROXY_KIND_NONE) {
        buf_printf(&whom, " [through %s:%u]", proxy->host, (unsigned)proxy->port);
    }
    text_begin(text, whom.data, progress);
    buf_deinit(&whom);
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
        begin_text(&text, plan, progress_of(progress));
    }
    if (!console_print(&text, NULL)) {
        /* Standard output keeps its error flag: the report's own printing finds it. */
    }
    buf_deinit(&text);
}

/* The report in the form asked for. */
static void format_report(struct buf *text, const struct run_output *output,
                          const struct summary *summary)
{
    const struct options *options = output->options;
    const struct report_options looks = {
        .no_percentiles = options_has(options, OPTION_NO_PERCENTILES),
        .no_median = options_has(options, OPTION_NO_DEVIATION),
        .table_attributes = options_text(options, OPTION_TABLE_ATTRIBUTES),
        .row_attributes = options_text(options, OPTION_ROW_ATTRIBUTES),
        .cell_attributes = options_text(options, OPTION_CELL_ATTRIBUTES),
    };
    if (is_html(output)) {
        html_ab_report(text, summary, &looks);
    } else {
        text_report(text, summary, &looks);
    }
}

/* Says what went wrong, if something did, and passes it on. */
static bool told(bool is_good, const struct err *err)
{
    if (!is_good) {
        console_error(err);
    }
    return is_good;
}

static bool write_files(struct run_output *output, const struct summary *summary)
{
    bool is_good = read_counters(output);
    struct err err;
    struct buf content;
    buf_init(&content);
    for (size_t i = 0; i < PLACES; i++) {
        if (output->files[i].path != NULL) {
            buf_reset(&content);
            places[i].write(&content, summary, output);
            is_good &= told(output_file_write(&output->files[i], buf_view(&content), &err), &err);
        }
    }
    buf_deinit(&content);
    return is_good;
}

/* Row by row: there may be more of them than there is memory. */
static bool write_samples(struct run_output *output, const struct summary *summary,
                          struct sample_log *samples)
{
    enum { WRITTEN_AT_ONCE = 64 * 1024 };
    struct output_file *file = &output->samples;
    struct err err;
    struct buf rows;
    struct gnuplot gnuplot;
    struct sample_times sample;
    if (file->path == NULL) {
        return true;
    }
    buf_init(&rows);
    struct sample_reader *reader = sample_reader_new(samples);
    gnuplot_begin(&gnuplot, summary->wall_start_ns, &rows);
    bool is_good = output_file_begin(file, &err);
    while (is_good && sample_reader_next(reader, &sample)) {
        gnuplot_add(&gnuplot, &sample, &rows);
        if (rows.len >= WRITTEN_AT_ONCE) {
            is_good = output_file_add(file, buf_view(&rows), &err);
            buf_reset(&rows);
        }
    }
    is_good =
        is_good && output_file_add(file, buf_view(&rows), &err) && output_file_end(file, &err);
    if (is_good && sample_reader_failed(reader)) {
        is_good = err_set(&err, ERR_FILE,
                          "%.300s: the times could not be read back from the temporary file they "
                          "were in: rows are missing",
                          file->path);
    }
    sample_reader_free(reader);
    buf_deinit(&rows);
    return told(is_good, &err);
}

bool run_output_print_report(struct run_output *output, const struct summary *summary,
                             struct sample_log *samples, enum run_output_progress progress)
{
    struct err err;
    struct buf text;
    buf_init(&text);
    if (!is_html(output)) {
        text_end(&text, progress_of(progress));
    }
    format_report(&text, output, summary);
    bool is_good = told(console_print(&text, &err), &err);
    buf_deinit(&text);
    is_good &= write_samples(output, summary, samples);
    return write_files(output, summary) && is_good;
}

bool run_output_print_saved(struct run_output *output, const struct summary *summary)
{
    struct err err;
    struct buf text;
    buf_init(&text);
    if (is_html(output)) {
        html_ab_banner(&text);
    } else {
        text_banner(&text);
    }
    format_report(&text, output, summary);
    bool is_good = told(console_print(&text, &err), &err);
    buf_deinit(&text);
    return write_files(output, summary) && is_good;
}
