/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run over time as rows of CSV, plain or as Performance Monitor writes its logs. Both have the
 * same rows and figures. The traps of the latter: its header names the clock's distance from UTC in
 * minutes with the sign turned around, stamps are local and American, every value stands in quotes,
 * and a value that is not there is a blank in quotes.
 */
#include "lather/report/timeline_csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "lather/base/clock.h"
#include "lather/base/moment.h"
#include "lather/measure/rows.h"
#include "lather/report/clean.h"
#include "lather/report/figure.h"

static const char *const default_percentiles = "50,90,99";

/* Where a row's stamp is, in the run's own time since 1970. */
static uint64_t wall_ns(const struct summary *summary, uint64_t offset_ns)
{
    return summary->wall_start_ns + offset_ns;
}

static double kb_per_s(const struct rows *rows)
{
    uint64_t lasted_ns = rows_lasted_ns(rows);
    return lasted_ns == 0 ? 0
                          : (double)span_figures(rows->span)->body_bytes / 1024 * (double)NS_PER_S /
                                (double)lasted_ns;
}

static void append_times(struct buf *out, const struct span *span,
                         const struct percentiles *percentiles)
{
    char text[FIGURE_SIZE];
    bool has_times = span_figures(span)->answers > 0;
    for (size_t i = 0; i < percentiles->count; i++) {
        uint64_t ns = span_percentile_ns(span, percentiles->at[i].percent);
        buf_printf(out, ",%s", has_times ? figure_ms(ns, text) : "");
    }
    buf_printf(out, ",%s", has_times ? figure_ms(span_figures(span)->max_ns, text) : "");
}

/* Columns of times; an open loop has them twice. */
static void append_time_names(struct buf *out, const char *prefix,
                              const struct percentiles *percentiles)
{
    for (size_t i = 0; i < percentiles->count; i++) {
        buf_printf(out, ",%s%s_ms", prefix, percentiles->at[i].label);
    }
    buf_printf(out, ",%smax_ms", prefix);
}

void timeline_csv_write(struct buf *out, const struct summary *summary)
{
    struct percentiles percentiles;
    struct rows rows;
    summary_percentiles(summary, default_percentiles, &percentiles);
    rows_init(&rows, summary, NS_PER_S, TIMELINE_CEILING);
    buf_append_str(out, STR("time,offset_s,length_s,finished,failed,requests_per_s,body_kb_per_s"));
    append_time_names(out, "", &percentiles);
    if (rows.responses != NULL) {
        append_time_names(out, "response_", &percentiles);
    }
    buf_append_byte(out, '\n');
    while (rows_next(&rows)) {
        const struct timeline_figures *figures = span_figures(rows.span);
        moment_format(wall_ns(summary, rows_from_ns(&rows)), out);
        buf_printf(out, ",%.3f,%.3f,%" PRIu64 ",%" PRIu64 ",%.2f,%.2f",
                   (double)rows_from_ns(&rows) / (double)NS_PER_S,
                   (double)rows_lasted_ns(&rows) / (double)NS_PER_S, figures->finished,
                   figures->failed, rows_rate_per_s(&rows), kb_per_s(&rows));
        append_times(out, rows.span, &percentiles);
        if (rows.responses != NULL) {
            append_times(out, rows.response_span, &percentiles);
        }
        buf_append_byte(out, '\n');
    }
    rows_deinit(&rows);
}

/* --- Performance Monitor --------------------------------------------------------------------- */

/* Days since 1970 of a broken-down date, for the difference of two that lie a day apart at most. */
static int64_t minutes_of(const struct tm *at)
{
    int64_t day = at->tm_yday + 365LL * at->tm_year;
    return (day * 24 + at->tm_hour) * 60 + at->tm_min;
}

/* Minutes that local time is behind UTC: -60 in Berlin in winter. */
static int64_t bias_minutes(uint64_t ns)
{
    time_t seconds = (time_t)(ns / NS_PER_S);
    struct tm utc;
    struct tm local;
    if (gmtime_r(&seconds, &utc) == NULL || localtime_r(&seconds, &local) == NULL) {
        return 0;
    }
    int64_t difference = minutes_of(&utc) - minutes_of(&local);
    /* around New Year the days of the two years are numbered apart */
    return difference > 24 * 60 ? difference - 24 * 60
                                : (difference < -24 * 60 ? difference + 24 * 60 : difference);
}

/* 01/02/2006 15:04:05.250 */
static void append_pdh_stamp(struct buf *out, uint64_t ns)
{
    time_t seconds = (time_t)(ns / NS_PER_S);
    char text[32] = "01/01/1970 00:00:00";
    struct tm local;
    if (localtime_r(&seconds, &local) != NULL) {
        (void)strftime(text, sizeof text, "%m/%d/%Y %H:%M:%S", &local);
    }
    buf_printf(out, "\"%s.%03u\"", text, (unsigned)(ns % NS_PER_S / NS_PER_MS));
}

/* \\lather\Requests(host)\counter: what a path means by itself is left out of the host. */
static void append_pdh_counter(struct buf *out, const struct summary *summary, const char *counter)
{
    struct buf host;
    buf_init(&host);
    clean_line(&host, str_from(summary->plan.host));
    buf_append_str(out, STR(",\"\\\\lather\\Requests("));
    for (size_t i = 0; i < host.len; i++) {
        bool is_special = str_find_byte(STR("\\/()#*\",[]"), host.data[i]) != SIZE_MAX;
        buf_append_byte(out, is_special ? '_' : host.data[i]);
    }
    buf_printf(out, ")\\%s\"", counter);
    buf_deinit(&host);
}

/* The same for Performance Monitor. */
static void append_pdh_time_names(struct buf *out, const struct summary *summary,
                                  const char *prefix, const struct percentiles *percentiles)
{
    char counter[PERCENTILES_LABEL_SIZE + 16];
    for (size_t i = 0; i < percentiles->count; i++) {
        (void)snprintf(counter, sizeof counter, "%s%s ms", prefix, percentiles->at[i].label);
        append_pdh_counter(out, summary, counter);
    }
    (void)snprintf(counter, sizeof counter, "%smax ms", prefix);
    append_pdh_counter(out, summary, counter);
}

static void write_pdh_head(struct buf *out, const struct summary *summary, const struct rows *rows,
                           const struct percentiles *percentiles)
{
    static const char *const counters[] = {"Finished/sec", "Failed", "Body KB/sec"};
    int64_t bias = bias_minutes(summary->wall_start_ns);
    char zone[16];
    (void)snprintf(zone, sizeof zone, "UTC%+03d:%02d", (int)(-bias / 60),
                   (int)(bias < 0 ? -bias % 60 : bias % 60));
    buf_printf(out, "\"(PDH-CSV 4.0) (%s)(%d)\"", bias == 0 ? "UTC" : zone, (int)bias);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        append_pdh_counter(out, summary, counters[i]);
    }
    append_pdh_time_names(out, summary, "", percentiles);
    if (rows->responses != NULL) {
        append_pdh_time_names(out, summary, "response ", percentiles);
    }
    buf_append_str(out, STR("\r\n"));
}

static void append_pdh_value(struct buf *out, bool is_there, double value)
{
    if (is_there) {
        buf_printf(out, ",\"%.3f\"", value);
    } else {
        buf_append_str(out, STR(",\" \""));
    }
}

static void append_pdh_times(struct buf *out, const struct span *span,
                             const struct percentiles *percentiles)
{
    const struct timeline_figures *figures = span_figures(span);
    bool has_times = figures->answers > 0;
    for (size_t i = 0; i < percentiles->count; i++) {
        uint64_t ns = span_percentile_ns(span, percentiles->at[i].percent);
        append_pdh_value(out, has_times, (double)ns / 1e6);
    }
    append_pdh_value(out, has_times, (double)figures->max_ns / 1e6);
}

void timeline_csv_write_pdh(struct buf *out, const struct summary *summary)
{
    struct percentiles percentiles;
    struct rows rows;
    summary_percentiles(summary, default_percentiles, &percentiles);
    rows_init(&rows, summary, NS_PER_S, TIMELINE_CEILING);
    write_pdh_head(out, summary, &rows, &percentiles);
    while (rows_next(&rows)) {
        const struct timeline_figures *figures = span_figures(rows.span);
        append_pdh_stamp(out, wall_ns(summary, rows_from_ns(&rows) + rows_lasted_ns(&rows)));
        append_pdh_value(out, true, rows_rate_per_s(&rows));
        append_pdh_value(out, true, (double)figures->failed);
        append_pdh_value(out, true, kb_per_s(&rows));
        append_pdh_times(out, rows.span, &percentiles);
        if (rows.responses != NULL) {
            append_pdh_times(out, rows.response_span, &percentiles);
        }
        buf_append_str(out, STR("\r\n"));
    }
    rows_deinit(&rows);
}
