/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page's charts over time. A run is drawn in at most 160 rows, as more points than pixels only
 * blur; a counter's points are joined in the same way, by their mean. The trap: counters are of
 * another clock. Their stamps are moved by the difference that the server's own Date showed, when
 * it is beyond the second that Date can tell, and the page says so in words.
 */
#include "lather/report/html_over_time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"
#include "lather/measure/rows.h"
#include "lather/report/clean.h"
#include "lather/report/figure.h"
#include "lather/report/html_chart.h"

enum { ROWS_DRAWN = 160, ROWS_LISTED = 400, LINES_CEILING = 5, SERIES_DRAWN = 12 };

/* Times in ms, as lines. */
struct time_lines {
    struct html_point *lines[LINES_CEILING]; /* percentiles, then the longest */
    double least_ms;                         /* of all lines, for the axis */
    double most_ms;
    uint64_t answers;
};

/* What the charts are drawn from: one walk over the rows. */
struct points {
    size_t count;
    struct html_axis time;
    struct time_lines latency;
    struct time_lines response; /* of an open loop; else without answers */
    struct html_point *rate;
    struct html_point *failed;
    struct percentiles percentiles; /* at most LINES_CEILING - 1 of them */
    double most_rate;
    double most_failed;
    uint64_t row_ns;
};

static void add_times(struct time_lines *times, const struct percentiles *percentiles,
                      const struct span *span, size_t at, double x)
{
    const struct timeline_figures *figures = span_figures(span);
    const bool is_there = figures->answers > 0;
    times->answers += figures->answers;
    for (size_t i = 0; i <= percentiles->count; i++) {
        const uint64_t ns = i < percentiles->count
                                ? span_percentile_ns(span, percentiles->at[i].percent)
                                : figures->max_ns;
        const double ms = (double)ns / 1e6;
        times->lines[i][at] = (struct html_point){x, is_there ? ms : NAN};
        if (is_there && ns > 0) {
            times->least_ms = times->least_ms == 0 || ms < times->least_ms ? ms : times->least_ms;
            times->most_ms = fmax(times->most_ms, ms);
        }
    }
}

static void add_row(struct points *points, const struct rows *rows)
{
    const struct timeline_figures *figures = span_figures(rows->span);
    const uint64_t lasted_ns = rows_lasted_ns(rows);
    const double middle = (double)rows_from_ns(rows) + (double)lasted_ns / 2;
    const size_t at = points->count++;
    add_times(&points->latency, &points->percentiles, rows->span, at, middle);
    if (rows->responses != NULL) {
        add_times(&points->response, &points->percentiles, rows->response_span, at, middle);
    }
    /* a short rest of a row has no rate worth drawing */
    bool is_whole = rows->count == 1 || lasted_ns >= rows->length_ns / 2;
    double failed = lasted_ns == 0 ? 0 : (double)figures->failed * 1e9 / (double)lasted_ns;
    points->rate[at] = (struct html_point){middle, is_whole ? rows_rate_per_s(rows) : NAN};
    points->failed[at] = (struct html_point){middle, is_whole ? failed : NAN};
    if (is_whole) {
        points->most_rate = fmax(points->most_rate, points->rate[at].y);
        points->most_failed = fmax(points->most_failed, failed);
    }
}

static void points_init(struct points *points, const struct summary *summary)
{
    struct rows rows;
    *points = (struct points){0};
    summary_percentiles(summary, "50,90,99", &points->percentiles);
    if (points->percentiles.count > LINES_CEILING - 1) {
        points->percentiles.count = LINES_CEILING - 1;
    }
    rows_init(&rows, summary, 0, ROWS_DRAWN);
    points->time = html_axis_of_time(rows.end_ns);
    points->row_ns = rows.length_ns;
    for (size_t i = 0; i < LINES_CEILING; i++) {
        points->latency.lines[i] = check_calloc(rows.count + 1, sizeof(struct html_point));
        points->response.lines[i] = check_calloc(rows.count + 1, sizeof(struct html_point));
    }
    points->rate = check_calloc(rows.count + 1, sizeof *points->rate);
    points->failed = check_calloc(rows.count + 1, sizeof *points->failed);
    while (rows_next(&rows)) {
        add_row(points, &rows);
    }
    rows_deinit(&rows);
}

static void points_deinit(struct points *points)
{
    for (size_t i = 0; i < LINES_CEILING; i++) {
        free(points->latency.lines[i]);
        free(points->response.lines[i]);
    }
    free(points->rate);
    free(points->failed);
}

static void write_times(struct buf *out, const struct points *points,
                        const struct time_lines *times, const char *title, const char *id)
{
    static const char *const classes[LINES_CEILING] = {"l1", "l2", "l3", "l4", "l5"};
    struct html_legend legend[LINES_CEILING];
    const struct html_chart chart = {
        .title = title,
        .unit = "ms",
        .id = id,
        .x = points->time,
        .y = html_axis_of_values(times->least_ms, times->most_ms),
    };
    const size_t lines = points->percentiles.count;
    html_chart_begin(out, &chart);
    for (size_t i = lines + 1; i-- > 0;) { /* the longest first, so that it lies behind */
        const char *class = i < lines ? classes[i] : classes[LINES_CEILING - 1];
        html_chart_line(out, &chart, class, times->lines[i], points->count);
        legend[i] = (struct html_legend){
            .class = class, .label = i < lines ? points->percentiles.at[i].label : "longest"};
    }
    html_chart_end(out, &chart, legend, lines + 1);
}

/* An open loop has both: how long the service took, and how long users would have waited. */
static void write_latency(struct buf *out, const struct points *points)
{
    if (points->latency.answers == 0) {
        buf_append_str(out, STR("<p>Nothing was answered, so there is no latency.</p>\n"));
        return;
    }
    write_times(out, points, &points->latency,
                points->response.answers > 0 ? "Latency over time (service time)"
                                             : "Latency over time",
                "latency");
    if (points->response.answers > 0) {
        write_times(out, points, &points->response, "Response time over time (from the moment due)",
                    "response");
    }
}

static void write_rates(struct buf *out, const struct points *points)
{
    const struct html_chart rate = {
        .title = "Requests finished per second",
        .unit = "",
        .id = "rate",
        .x = points->time,
        .y = html_axis_of_values(0, points->most_rate),
    };
    html_chart_begin(out, &rate);
    html_chart_line(out, &rate, "l1", points->rate, points->count);
    html_chart_end(out, &rate, NULL, 0);
    if (points->most_failed == 0) {
        buf_append_str(out, STR("<p id=\"failures\">No request failed.</p>\n"));
        return;
    }
    const struct html_chart failed = {
        .title = "Requests failed per second",
        .unit = "",
        .id = "failures",
        .x = points->time,
        .y = html_axis_of_values(0, points->most_failed),
    };
    buf_append_str(out, STR("<div class=\"short\">"));
    html_chart_begin(out, &failed);
    html_chart_line(out, &failed, "failed", points->failed, points->count);
    html_chart_end(out, &failed, NULL, 0);
    buf_append_str(out, STR("</div>"));
}

static void write_time_heads(struct buf *out, const char *prefix,
                             const struct percentiles *percentiles)
{
    for (size_t i = 0; i < percentiles->count; i++) {
        buf_printf(out, "<th class=\"n\">%s%s, ms</th>", prefix, percentiles->at[i].label);
    }
    buf_printf(out, "<th class=\"n\">%slongest, ms</th>", prefix);
}

static void write_time_cells(struct buf *out, const struct span *span,
                             const struct percentiles *percentiles)
{
    const struct timeline_figures *figures = span_figures(span);
    char text[FIGURE_SIZE];
    for (size_t i = 0; i <= percentiles->count; i++) {
        uint64_t ns = i < percentiles->count ? span_percentile_ns(span, percentiles->at[i].percent)
                                             : figures->max_ns;
        buf_printf(out, "<td class=\"n\">%s</td>", figures->answers > 0 ? figure_ms(ns, text) : "");
    }
}

static void write_table(struct buf *out, const struct summary *summary)
{
    struct rows rows;
    struct percentiles percentiles;
    summary_percentiles(summary, "50,90,99", &percentiles);
    rows_init(&rows, summary, NS_PER_S, ROWS_LISTED);
    buf_append_str(out, STR("<details><summary>The same as a table</summary><div class=\"scroll\">"
                            "<table><tr><th class=\"n\">from, s</th><th class=\"n\">length, s</th>"
                            "<th class=\"n\">finished</th><th class=\"n\">failed</th>"
                            "<th class=\"n\">per second</th>"));
    write_time_heads(out, "", &percentiles);
    if (rows.responses != NULL) {
        write_time_heads(out, "response ", &percentiles);
    }
    buf_append_str(out, STR("</tr>\n"));
    while (rows_next(&rows)) {
        const struct timeline_figures *figures = span_figures(rows.span);
        buf_printf(out,
                   "<tr><td class=\"n\">%.3f</td><td class=\"n\">%.3f</td><td class=\"n\">%" PRIu64
                   "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.2f</td>",
                   (double)rows_from_ns(&rows) / 1e9, (double)rows_lasted_ns(&rows) / 1e9,
                   figures->finished, figures->failed, rows_rate_per_s(&rows));
        write_time_cells(out, rows.span, &percentiles);
        if (rows.responses != NULL) {
            write_time_cells(out, rows.response_span, &percentiles);
        }
        buf_append_str(out, STR("</tr>\n"));
    }
    buf_append_str(out, STR("</table></div></details>\n"));
    rows_deinit(&rows);
}

/* --- counters -------------------------------------------------------------------------------- */

/* How far the server's clock is before this machine's, in ns, by the Date of its first answer. */
static int64_t clock_ahead_ns(const struct summary *summary)
{
    int64_t seconds;
    return summary_server_ahead(summary, &seconds) ? seconds * (int64_t)NS_PER_S : 0;
}

static void write_clocks(struct buf *out, const struct summary *summary,
                         const struct counters *counters)
{
    const int64_t ahead_ns = clock_ahead_ns(summary);
    const uint64_t first_ns = counters_time_ns(counters, 0);
    const uint64_t last_ns = counters_time_ns(counters, counters_rows(counters) - 1);
    char text[UNITS_TEXT_SIZE];
    buf_append_str(out,
                   STR("<p id=\"clocks\"><b>The server's counters</b> carry their own clock. "));
    if (summary->server_date_s == 0) {
        buf_append_str(out, STR("How far it is from this machine's is not known: the server's "
                                "answers had no Date. They are drawn as they are stamped."));
    } else if (ahead_ns == 0) {
        buf_append_str(out, STR("By the Date of the first answer the server's clock and this "
                                "machine's agree to the second."));
    } else {
        (void)units_format_duration((uint64_t)llabs(ahead_ns), text);
        buf_printf(out,
                   "By the Date of the first answer the server's clock is %s %s this machine's, "
                   "to the second: the counters are drawn that much %s.",
                   text, ahead_ns > 0 ? "ahead of" : "behind", ahead_ns > 0 ? "earlier" : "later");
    }
    if (counters_clock(counters) == COUNTERS_CLOCK_LOCAL) {
        buf_append_str(out, STR(" Their stamps do not say how far they are from UTC and were taken "
                                "as local time of the machine that made this page."));
    }
    int64_t begin_ns = (int64_t)(first_ns - summary->wall_start_ns) - ahead_ns;
    (void)units_format_duration((uint64_t)llabs(begin_ns), text);
    buf_printf(out, " They begin %s %s the run", text, begin_ns < 0 ? "before" : "after");
    (void)units_format_duration(last_ns - first_ns, text);
    buf_printf(out, " and last %s.</p>\n", text);
}

/* One counter on the run's axis; its points are joined, as many as there are rows. */
static void write_counter(struct buf *out, const struct summary *summary,
                          const struct counters *counters, size_t series,
                          const struct html_axis *time)
{
    struct html_point points[ROWS_DRAWN];
    size_t counts[ROWS_DRAWN] = {0};
    const int64_t ahead_ns = clock_ahead_ns(summary);
    double most = 0;
    for (size_t i = 0; i < ROWS_DRAWN; i++) {
        points[i] = (struct html_point){((double)i + 0.5) * time->high / ROWS_DRAWN, 0};
    }
    for (size_t row = 0; row < counters_rows(counters); row++) {
        double value = counters_value(counters, series, row);
        double since = (double)(int64_t)(counters_time_ns(counters, row) - summary->wall_start_ns) -
                       (double)ahead_ns;
        if (isnan(value) || since < 0 || since > time->high) {
            continue;
        }
        size_t at = (size_t)(since / time->high * ROWS_DRAWN);
        at = at < ROWS_DRAWN ? at : ROWS_DRAWN - 1;
        points[at].y += value;
        counts[at]++;
    }
    size_t used = 0;
    for (size_t i = 0; i < ROWS_DRAWN; i++) {
        if (counts[i] > 0) {
            points[used] = (struct html_point){points[i].x, points[i].y / (double)counts[i]};
            most = fmax(most, points[used++].y);
        }
    }
    char id[32];
    char *name = str_dup(counters_name(counters, series));
    (void)snprintf(id, sizeof id, "counter-%zu", series + 1);
    const struct html_chart chart = {.title = name,
                                     .unit = used == 0 ? "no value during the run" : "",
                                     .id = id,
                                     .x = *time,
                                     .y = html_axis_of_values(0, most)};
    html_chart_begin(out, &chart);
    html_chart_line(out, &chart, "l2 solid", points, used);
    html_chart_end(out, &chart, NULL, 0);
    free(name);
}

static void write_counters(struct buf *out, const struct summary *summary,
                           const struct counters *counters, const struct html_axis *time)
{
    size_t count = counters_series(counters);
    size_t drawn = count < SERIES_DRAWN ? count : SERIES_DRAWN;
    write_clocks(out, summary, counters);
    buf_append_str(out, STR("<div class=\"short\">"));
    for (size_t i = 0; i < drawn; i++) {
        write_counter(out, summary, counters, i, time);
    }
    buf_append_str(out, STR("</div>"));
    size_t more = count - drawn + counters_left_out(counters);
    if (more > 0) {
        buf_printf(out, "<p class=\"soft\">%zu more counters are in the file and not drawn.</p>\n",
                   more);
    }
}

void html_over_time_write(struct buf *out, const struct summary *summary,
                          const struct counters *counters)
{
    struct points points;
    char text[UNITS_TEXT_SIZE];
    buf_append_str(out, STR("<h2>Over time</h2>\n"));
    if (timeline_count(summary->tally->timeline) == 0) {
        buf_append_str(out, STR("<p>Nothing was finished, so there is nothing to draw.</p>\n"));
        return;
    }
    points_init(&points, summary);
    buf_printf(out,
               "<p class=\"soft\">A point is %s of the run; a request counts where it ended. "
               "Percentiles are of that time alone.</p>\n",
               units_format_duration(points.row_ns, text));
    write_latency(out, &points);
    if (counters != NULL) {
        write_counters(out, summary, counters, &points.time);
    }
    write_rates(out, &points);
    write_table(out, summary);
    points_deinit(&points);
}
