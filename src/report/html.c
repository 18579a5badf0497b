/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTML page: its head, what was run and whether it was good, and the order of the rest. It is
 * for people who were not there when the run was made, so it begins with the verdict. All text
 * that came from outside goes through clean_html; the page allows no script and no request, so even
 * a mistake there could not send anything anywhere.
 */
#include "lather/report/html.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"
#include "lather/report/clean.h"
#include "lather/report/details.h"
#include "lather/report/figure.h"
#include "lather/report/html_failures.h"
#include "lather/report/html_latency.h"
#include "lather/report/html_over_time.h"
#include "lather/report/html_style.h"
#include "lather/report/messages.h"
#include "lather/report/stretches.h"
#include "lather/report/text.h"

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
    } else if (summary_is_search(summary)) {
        const bool is_found = summary->found_micro_per_s > 0;
        class = is_found ? "good" : "bad";
        buf_append_str(&text, str_from(is_found ? "a rate held" : "no rate held"));
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
    html_latency_write(out, summary);
    html_failures_write_outcomes(out, summary->tally);
    messages_write_html(out, summary);
    html_failures_write_groups(out, summary->tally->failures);
    write_what(out, summary);
    write_text_report(out, summary);
    buf_append_str(out, STR("</body></html>\n"));
}
