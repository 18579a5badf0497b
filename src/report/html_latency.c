/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The latencies of the whole run in the HTML page: two charts and a table of all times. Charts over
 * time are elsewhere (html_over_time). The trap: the first point of the percentile curve is the
 * least value, which no percentile above 0 % need be.
 */
#include "lather/report/html_latency.h"

#include <inttypes.h>
#include <math.h>

#include "lather/report/figure.h"
#include "lather/report/html_chart.h"

enum { BARS = 60, CURVE_POINTS = 200 };

/* From 0 % on in equal steps of the nines, to the longest. */
static void write_curve(struct buf *out, const struct histogram *total)
{
    struct html_point points[CURVE_POINTS + 1];
    const struct html_chart chart = {
        .title = "Latency by percentile",
        .unit = "ms",
        .id = "percentiles",
        .x = html_axis_of_nines(histogram_count(total)),
        .y = html_axis_of_values((double)histogram_min(total) / 1e6,
                                 (double)histogram_max(total) / 1e6),
    };
    for (size_t i = 0; i <= CURVE_POINTS; i++) {
        double part = 1 - pow(10, -chart.x.high * (double)i / CURVE_POINTS);
        double percent = i == 0 ? 0.000001 : 100 * part;
        points[i] = (struct html_point){part, (double)histogram_percentile(total, percent) / 1e6};
    }
    html_chart_begin(out, &chart);
    html_chart_line(out, &chart, "l1", points, CURVE_POINTS + 1);
    html_chart_end(out, &chart, NULL, 0);
}

/* The place of a time among bars of equal width, in logarithms when the axis is. */
static double bar_of(const struct html_axis *axis, double ms)
{
    return html_axis_place(axis, ms) * BARS;
}

static double bar_edge(const struct html_axis *axis, double bar)
{
    double place = bar / BARS;
    return axis->scale == HTML_SCALE_LOG ? axis->low * pow(axis->high / axis->low, place)
                                         : axis->low + (axis->high - axis->low) * place;
}

/* A bucket that lies in several bars is shared out evenly. */
static void write_distribution(struct buf *out, const struct histogram *total)
{
    struct html_point bars[BARS + 1];
    double most = 0;
    struct html_chart chart = {
        .title = "Distribution of the latencies",
        .unit = "answers, by ms",
        .id = "distribution",
        .x = html_axis_of_values((double)histogram_min(total) / 1e6,
                                 (double)histogram_max(total) / 1e6),
    };
    for (size_t i = 0; i <= BARS; i++) {
        bars[i] = (struct html_point){bar_edge(&chart.x, (double)i), 0};
    }
    struct histogram_bucket bucket;
    for (uint32_t cursor = 0; histogram_next(total, &cursor, &bucket);) {
        size_t first = (size_t)bar_of(&chart.x, (double)bucket.low / 1e6);
        size_t last = (size_t)bar_of(&chart.x, (double)bucket.high / 1e6);
        first = first < BARS ? first : BARS - 1;
        last = last < BARS ? last : BARS - 1;
        for (size_t i = first; i <= last; i++) {
            bars[i].y += (double)bucket.count / (double)(last - first + 1);
            most = fmax(most, bars[i].y);
        }
    }
    chart.y = html_axis_of_values(0, most);
    html_chart_begin(out, &chart);
    html_chart_bars(out, &chart, "", bars, BARS + 1);
    html_chart_end(out, &chart, NULL, 0);
}

static void times_row(struct buf *out, const char *label, const struct histogram *histogram,
                      const struct percentiles *percentiles)
{
    char text[FIGURE_SIZE];
    if (histogram_count(histogram) == 0) {
        return;
    }
    buf_printf(out, "<tr><th>%s</th><td class=\"n\">%" PRIu64 "</td>", label,
               histogram_count(histogram));
    buf_printf(out, "<td class=\"n\">%s</td>", figure_ms(histogram_min(histogram), text));
    buf_printf(out, "<td class=\"n\">%s</td>", figure_ms_real(histogram_mean(histogram), text));
    buf_printf(out, "<td class=\"n\">%s</td>",
               figure_ms_real(histogram_deviation(histogram), text));
    for (size_t i = 0; i < percentiles->count; i++) {
        const double percent = percentiles->at[i].percent;
        buf_printf(out, "<td class=\"n\">%s</td>",
                   figure_ms(histogram_percentile(histogram, percent), text));
    }
    buf_printf(out, "<td class=\"n\">%s</td></tr>\n", figure_ms(histogram_max(histogram), text));
}

static void write_times(struct buf *out, const struct summary *summary)
{
    static const char *const heads[] = {"count", "least", "mean", "+/-sd"};
    const struct tally *tally = summary->tally;
    struct percentiles percentiles;
    summary_percentiles(summary, "50,90,95,99,99.9", &percentiles);
    buf_append_str(out, STR("<h2>Times (ms)</h2>\n<div class=\"scroll\"><table id=\"times\"><tr>"
                            "<th></th>"));
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        buf_printf(out, "<th class=\"n\">%s</th>", heads[i]);
    }
    for (size_t i = 0; i < percentiles.count; i++) {
        buf_printf(out, "<th class=\"n\">%s</th>", percentiles.at[i].label);
    }
    buf_append_str(out, STR("<th class=\"n\">longest</th></tr>\n"));
    times_row(out, "Connect", tally->connect, &percentiles);
    times_row(out, "Processing", tally->processing, &percentiles);
    times_row(out, "Waiting", tally->waiting, &percentiles);
    times_row(out, "Total", tally->total, &percentiles);
    times_row(out, "Response, from the moment due", tally->response, &percentiles);
    times_row(out, "To failure without an answer", tally->failed, &percentiles);
    buf_append_str(out, STR("</table></div>\n"));
}

void html_latency_write(struct buf *out, const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    if (histogram_count(tally->total) > 0) {
        buf_append_str(out, STR("<h2>Latency</h2>\n<div class=\"charts two\">"));
        write_curve(out, tally->total);
        write_distribution(out, tally->total);
        buf_append_str(out, STR("</div>\n"));
    }
    if (histogram_count(tally->total) + histogram_count(tally->failed) > 0) {
        write_times(out, summary);
    }
}
