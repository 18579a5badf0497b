/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTML page: its head, tables and the charts that are not over time. It is for people who were
 * not there when the run was made, so it begins with what was run and whether it was good. All text
 * that came from outside goes through clean_html; the page allows no script and no request, so even
 * a mistake there could not send anything anywhere.
 */
#include "lather/report/html.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"
#include "lather/report/clean.h"
#include "lather/report/details.h"
#include "lather/report/figure.h"
#include "lather/report/html_chart.h"
#include "lather/report/html_over_time.h"
#include "lather/report/html_style.h"
#include "lather/report/messages.h"
#include "lather/report/stretches.h"
#include "lather/report/text.h"

enum { GROUPS_SHOWN = 20, BARS = 60, CURVE_POINTS = 200 };

/* --- head ------------------------------------------------------------------------------------ */

static void append_start(struct buf *out, uint64_t wall_ns)
{
    char text[32] = "";
    time_t seconds = (time_t)(wall_ns / NS_PER_S);
    struct tm utc;
    if (gmtime_r(&seconds, &utc) != NULL) {
        (void)strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc);
    }
    buf_append_str(out, str_from(text));
}

static void write_head(struct buf *out, const struct summary *summary)
{
    buf_append_str(out,
                   STR("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                       "'none'; style-src 'unsafe-inline'\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, "
                       "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">"
                       "\n<title>"));
    clean_html(out, str_from(summary->plan.host));
    clean_html(out, str_from(summary->plan.path));
    buf_append_str(out, STR(" - lather</title>\n<style>"));
    html_style_write(out);
    buf_append_str(out, STR("</style></head>\n<body>\n"));
}

static void append_verdict(struct buf *out, const struct summary *summary)
{
    uint64_t failed = tally_failed(summary->tally);
    const char *class = "bad";
    struct buf text;
    buf_init(&text);
    if (summary->unbalanced || summary->tally->outcomes[OUTCOME_LOCAL] > 0) {
        buf_append_str(&text, STR("do not trust this run"));
    } else if (summary->end == RUN_END_INTERRUPTED) {
        buf_append_str(&text, STR("interrupted"));
    } else if (summary_condition_holds(summary)) {
        buf_append_str(&text, STR("a condition fails the run"));
    } else if (summary->tally->finished == 0) {
        buf_append_str(&text, STR("nothing was finished"));
    } else if (failed > 0) {
        buf_printf(&text, "%" PRIu64 " failed", failed);
        class = summary->condition_count > 0 ? "good" : "bad";
    } else {
        buf_append_str(&text, STR("all good"));
        class = "good";
    }
    buf_printf(out, "<span class=\"verdict %s\">%s</span>", class, text.data);
    buf_deinit(&text);
}

static void tile(struct buf *out, const char *label, const char *value)
{
    buf_printf(out, "<div class=\"tile\"><b>%s</b><small>%s</small></div>\n", value, label);
}

static void write_tiles(struct buf *out, const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    char text[FIGURE_SIZE + 16];
    buf_append_str(out, STR("<div class=\"tiles\">\n"));
    (void)snprintf(text, sizeof text, "%.2f", summary_requests_per_s(summary));
    tile(out, "requests per second", text);
    (void)snprintf(text, sizeof text, "%" PRIu64, tally->finished);
    tile(out, "requests finished", text);
    double share =
        tally->finished == 0 ? 0 : 100 * (double)tally_failed(tally) / (double)tally->finished;
    (void)snprintf(text, sizeof text, "%.2f %%", share);
    tile(out, "of them failed", text);
    if (histogram_count(tally->total) > 0) {
        static const struct {
            const char *label;
            double percent;
        } times[] = {{"median", 50}, {"99 % within", 99}, {"longest", 100}};
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            char duration[UNITS_TEXT_SIZE];
            tile(out, times[i].label,
                 units_format_duration(histogram_percentile(tally->total, times[i].percent),
                                       duration));
        }
    }
    (void)snprintf(text, sizeof text, "%.2f", summary_received_kb_per_s(summary));
    tile(out, "KB per second received", text);
    buf_append_str(out, STR("</div>\n"));
}

static void begin_item(struct buf *out, const char *label)
{
    buf_printf(out, "<dt>%s</dt><dd>", label);
}

static void item(struct buf *out, const char *label, const char *value)
{
    if (value[0] != '\0') {
        begin_item(out, label);
        clean_html(out, str_from(value));
        buf_append_str(out, STR("</dd>\n"));
    }
}

/* An item that may have nothing to say. */
static void item_of(struct buf *out, const char *label, const struct summary *summary,
                    void (*append)(struct buf *out, const struct summary *summary))
{
    struct buf value;
    buf_init(&value);
    append(&value, summary);
    item(out, label, value.len > 0 ? value.data : "");
    buf_deinit(&value);
}

static void write_load(struct buf *out, const struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    char text[UNITS_TEXT_SIZE];
    begin_item(out, "Load");
    buf_printf(out, "%" PRIu64 " at once, connections %s, worker threads: %" PRIu64,
               plan->concurrency, plan->keep_alive ? "kept open" : "new for each request",
               plan->threads);
    if (plan->requests > 0) {
        buf_printf(out, ", %" PRIu64 " requests asked for", plan->requests);
    }
    if (plan->time_limit_ns > 0) {
        buf_printf(out, ", at most %s", units_format_duration(plan->time_limit_ns, text));
    }
    if (plan->rate_micro_per_s > 0) {
        buf_printf(out, ", %.2f per second asked for", (double)plan->rate_micro_per_s / 1e6);
    }
    buf_append_str(out, STR("</dd>\n"));
}

static void write_what(struct buf *out, const struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    char text[UNITS_TEXT_SIZE];
    buf_append_str(out, STR("<h2>What was run</h2>\n<dl>\n"));
    begin_item(out, "Request");
    clean_html(out, str_from(plan->method));
    buf_append_byte(out, ' ');
    clean_html(out, str_from(plan->url));
    buf_append_str(out, STR("</dd>\n"));
    if (plan->has_body) {
        begin_item(out, "Message");
        buf_printf(out, "%s, ", units_format_size(plan->body_bytes, text));
        clean_html(out, str_from(plan->content_type));
        if (plan->soap_version[0] != '\0') {
            buf_append_str(out, STR(", SOAP "));
            clean_html(out, str_from(plan->soap_version));
        }
        buf_append_str(out, STR("</dd>\n"));
    }
    item(out, "SOAP action", plan->soap_action);
    write_load(out, summary);
    begin_item(out, "Began");
    append_start(out, summary->wall_start_ns);
    buf_append_str(out, STR("</dd>\n"));
    item_of(out, "Start", summary, stretches_start);
    item_of(out, "Warm-up", summary, stretches_warmup);
    begin_item(out, "Took");
    buf_printf(out, "%.3f s, ended: ", (double)summary->duration_ns / (double)NS_PER_S);
    details_run_end(out, summary);
    buf_append_str(out, STR("</dd>\n"));
    item(out, "Server", summary->server_software);
    if (summary->tls.used) {
        item(out, "TLS", summary->tls.protocol);
    }
    begin_item(out, "Command");
    buf_append_str(out, STR("<code>"));
    clean_html(out, str_from(plan->command_line));
    buf_append_str(out, STR("</code></dd>\n"));
    item(out, "lather", LATHER_VERSION);
    buf_append_str(out, STR("</dl>\n"));
}

static void write_conditions(struct buf *out, const struct summary *summary)
{
    if (summary->condition_count == 0) {
        return;
    }
    buf_append_str(out, STR("<h2>Conditions of --fail-if</h2>\n<div class=\"scroll\"><table id="
                            "\"conditions\"><tr><th>condition</th><th>found</th><th></th></tr>\n"));
    for (size_t i = 0; i < summary->condition_count; i++) {
        struct condition_verdict verdict;
        bool holds = summary_judge_condition(summary, i, &verdict);
        buf_append_str(out, STR("<tr><td class=\"c\">"));
        clean_html(out, str_from(summary->conditions[i]));
        buf_printf(out, "</td><td>%s</td><td><span class=\"verdict %s\">%s</span></td></tr>\n",
                   verdict.found, holds ? "bad" : "good",
                   holds ? "FAILS THE RUN" : "does not hold");
    }
    buf_append_str(out, STR("</table></div>\n"));
}

/* --- latencies ------------------------------------------------------------------------------- */

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

static void times_row(struct buf *out, const char *label, const struct histogram *histogram)
{
    static const double percents[] = {50, 90, 95, 99, 99.9};
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
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        buf_printf(out, "<td class=\"n\">%s</td>",
                   figure_ms(histogram_percentile(histogram, percents[i]), text));
    }
    buf_printf(out, "<td class=\"n\">%s</td></tr>\n", figure_ms(histogram_max(histogram), text));
}

static void write_times(struct buf *out, const struct tally *tally)
{
    static const char *const heads[] = {"count", "least", "mean", "+/-sd", "p50",
                                        "p90",   "p95",   "p99",  "p99.9", "longest"};
    buf_append_str(out, STR("<h2>Times (ms)</h2>\n<div class=\"scroll\"><table id=\"times\"><tr>"
                            "<th></th>"));
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        buf_printf(out, "<th class=\"n\">%s</th>", heads[i]);
    }
    buf_append_str(out, STR("</tr>\n"));
    times_row(out, "Connect", tally->connect);
    times_row(out, "Processing", tally->processing);
    times_row(out, "Waiting", tally->waiting);
    times_row(out, "Total", tally->total);
    times_row(out, "Response, from the moment due", tally->response);
    times_row(out, "To failure without an answer", tally->failed);
    buf_append_str(out, STR("</table></div>\n"));
}

static void write_latencies(struct buf *out, const struct tally *tally)
{
    if (histogram_count(tally->total) > 0) {
        buf_append_str(out, STR("<h2>Latency</h2>\n<div class=\"charts two\">"));
        write_curve(out, tally->total);
        write_distribution(out, tally->total);
        buf_append_str(out, STR("</div>\n"));
    }
    if (histogram_count(tally->total) + histogram_count(tally->failed) > 0) {
        write_times(out, tally);
    }
}

/* --- outcomes and failures ------------------------------------------------------------------- */

static void write_outcomes(struct buf *out, const struct tally *tally)
{
    if (tally->started == 0) {
        return;
    }
    buf_append_str(out, STR("<h2>Outcomes of the requests</h2>\n<div class=\"scroll\"><table id="
                            "\"outcomes\">\n"));
    for (size_t i = OUTCOME_COUNT; i-- > 0;) {
        if (tally->outcomes[i] > 0) {
            double share = 100 * (double)tally->outcomes[i] / (double)tally->started;
            buf_printf(out,
                       "<tr><th>%s</th><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.2f %%</td>"
                       "<td class=\"w\"><div class=\"share\"><i%s style=\"width:%.2f%%\"></i></div>"
                       "</td></tr>\n",
                       outcome_name((enum outcome)i), tally->outcomes[i], share,
                       i == OUTCOME_OK ? " class=\"ok\"" : "", share);
        }
    }
    buf_append_str(out, STR("</table></div>\n"));
}

static int by_falling_count(const void *a, const void *b)
{
    const struct group *left = *(const struct group *const *)a;
    const struct group *right = *(const struct group *const *)b;
    if (left->count != right->count) {
        return left->count > right->count ? -1 : 1;
    }
    return left < right ? -1 : left > right;
}

static void write_part(struct buf *out, const char *name, struct str part)
{
    if (part.len > 0) {
        buf_printf(out, "<br><small>%s</small> ", name);
        clean_html(out, part);
    }
}

static void write_group(struct buf *out, const struct group *group)
{
    const struct group_key *key = &group->key;
    buf_printf(out, "<tr><td class=\"n\">%" PRIu64 "</td><td>%s</td><td class=\"n\">", group->count,
               outcome_name(key->outcome));
    if (key->status != 0) {
        buf_printf(out, "%u", (unsigned)key->status);
    }
    buf_append_str(out, STR("</td><td class=\"w\">"));
    clean_html(out, key->code.len > 0 ? key->code : key->reason);
    if (key->code.len > 0) {
        write_part(out, "subcode", key->subcodes);
        write_part(out, "detail", key->detail);
        write_part(out, "reason", key->reason);
    }
    write_part(out, "message", key->message);
    buf_append_str(out, STR("</td></tr>\n"));
}

static void begin_groups(struct buf *out, const char *id)
{
    buf_printf(out,
               "<div class=\"scroll\"><table id=\"%s\"><tr><th class=\"n\">count</th>"
               "<th>outcome</th><th class=\"n\">status</th><th>what was said</th></tr>\n",
               id);
}

/* The most frequent ones, and the others behind a fold. */
static void write_groups(struct buf *out, const struct group **sorted, size_t count,
                         const char *heading, const char *id)
{
    if (count == 0) {
        return;
    }
    buf_printf(out, "<h2>%s</h2>\n", heading);
    begin_groups(out, id);
    for (size_t i = 0; i < count; i++) {
        if (i == GROUPS_SHOWN) {
            buf_printf(out, "</table></div>\n<details><summary>%zu more kinds</summary>\n",
                       count - GROUPS_SHOWN);
            char more[32];
            (void)snprintf(more, sizeof more, "%s-more", id);
            begin_groups(out, more);
        }
        write_group(out, sorted[i]);
    }
    buf_append_str(out, STR("</table></div>\n"));
    if (count > GROUPS_SHOWN) {
        buf_append_str(out, STR("</details>\n"));
    }
}

static void write_failures(struct buf *out, const struct groups *failures)
{
    size_t size = groups_size(failures);
    const struct group **sorted = check_malloc((size + 1) * sizeof *sorted);
    size_t faults = 0;
    for (size_t i = 0; i < size; i++) {
        const struct group *group = groups_at(failures, i);
        if (group->key.outcome == OUTCOME_FAULT) {
            sorted[faults++] = group;
        }
    }
    size_t others = faults;
    for (size_t i = 0; i < size; i++) {
        const struct group *group = groups_at(failures, i);
        if (group->key.outcome != OUTCOME_FAULT) {
            sorted[others++] = group;
        }
    }
    qsort(sorted, faults, sizeof *sorted, by_falling_count);
    qsort(sorted + faults, size - faults, sizeof *sorted, by_falling_count);
    write_groups(out, sorted, faults, "SOAP faults by code and reason", "faults");
    write_groups(out, sorted + faults, size - faults, "Other failures by reason", "others");
    if (groups_overflow(failures) > 0) {
        buf_printf(out, "<p>%" PRIu64 " more failures are of further kinds.</p>\n",
                   groups_overflow(failures));
    }
    free(sorted);
}

/* --- the rest -------------------------------------------------------------------------------- */

static void write_notes(struct buf *out, const struct summary *summary)
{
    if (summary->note_count == 0) {
        return;
    }
    buf_append_str(out, STR("<h2>Notes</h2>\n<ul class=\"notes\">\n"));
    for (size_t i = 0; i < summary->note_count; i++) {
        buf_append_str(out, STR("<li>"));
        clean_html(out, str_from(summary->notes[i]));
        buf_append_str(out, STR("</li>\n"));
    }
    buf_append_str(out, STR("</ul>\n"));
}

static void write_text_report(struct buf *out, const struct summary *summary)
{
    static const struct report_options looks;
    struct buf text;
    struct str rest;
    buf_init(&text);
    text_report(&text, summary, &looks);
    buf_append_str(out, STR("<h2>The whole report</h2>\n<details id=\"text\"><summary>As it is "
                            "printed: connections, bytes, the client's own health</summary><pre>"));
    rest = str_trim(buf_view(&text));
    while (rest.len > 0) { /* clean_html would write line ends out */
        struct str line;
        (void)str_split(rest, '\n', &line, &rest);
        clean_html(out, line);
        buf_append_byte(out, '\n');
    }
    buf_append_str(out, STR("</pre></details>\n"));
    buf_deinit(&text);
}

void html_write(struct buf *out, const struct summary *summary, const struct counters *counters)
{
    write_head(out, summary);
    buf_append_str(out, STR("<h1>"));
    clean_html(out, str_from(summary->plan.host));
    clean_html(out, str_from(summary->plan.path));
    buf_append_str(out, STR("</h1>\n<p>"));
    append_verdict(out, summary);
    buf_append_str(out, STR(" <span class=\"soft\">"));
    append_start(out, summary->wall_start_ns);
    buf_append_str(out, STR("</span></p>\n"));
    write_tiles(out, summary);
    write_conditions(out, summary);
    write_notes(out, summary);
    stretches_write_html(out, summary);
    html_over_time_write(out, summary, counters);
    write_latencies(out, summary->tally);
    write_outcomes(out, summary->tally);
    messages_write_html(out, summary);
    write_failures(out, summary->tally->failures);
    write_what(out, summary);
    write_text_report(out, summary);
    buf_append_str(out, STR("</body></html>\n"));
}
