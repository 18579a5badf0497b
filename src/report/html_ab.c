/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ab's -w: the report as an HTML table of four columns, in ab's order and markup, so that what was
 * made to cut it apart still can. It is no page of its own and has no percentiles, as ab's; the
 * attributes are the user's markup and go in as they are, all other text is escaped.
 */
#include "lather/report/html_ab.h"

#include <inttypes.h>

#include "lather/base/clock.h"
#include "lather/report/clean.h"
#include "lather/report/details.h"
#include "lather/report/figure.h"

/* The attributes with a blank in front, or nothing. */
struct markup {
    struct buf *out;
    struct str row;
    struct str cell;
};

void html_ab_banner(struct buf *out)
{
    buf_printf(out, "<p>\n This is lather, Version %s<br>\n</p>\n", LATHER_VERSION);
}

static void open_tag(struct buf *out, const char *tag, struct str attributes)
{
    buf_printf(out, "<%s", tag);
    if (attributes.len > 0) {
        buf_append_byte(out, ' ');
        buf_append_str(out, attributes);
    }
    buf_append_byte(out, '>');
}

static void begin_row(const struct markup *markup, const char *label)
{
    open_tag(markup->out, "tr", markup->row);
    open_tag(markup->out, "th colspan=2", markup->cell);
    buf_append_str(markup->out, str_from(label));
    buf_append_str(markup->out, STR("</th>"));
    open_tag(markup->out, "td colspan=2", markup->cell);
}

static void end_row(const struct markup *markup)
{
    buf_append_str(markup->out, STR("</td></tr>\n"));
}

static void row_text(const struct markup *markup, const char *label, const char *value)
{
    begin_row(markup, label);
    clean_html(markup->out, str_from(value));
    end_row(markup);
}

static void row_count(const struct markup *markup, const char *label, uint64_t count,
                      const char *unit)
{
    begin_row(markup, label);
    buf_printf(markup->out, "%" PRIu64 "%s", count, unit);
    end_row(markup);
}

static void row_real(const struct markup *markup, const char *label, int decimals, double value,
                     const char *unit)
{
    begin_row(markup, label);
    buf_printf(markup->out, "%.*f%s", decimals, value, unit);
    end_row(markup);
}

static void write_target(const struct markup *markup, const struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    row_text(markup, "Server Software:", summary->server_software);
    row_text(markup, "Server Hostname:", plan->host);
    row_count(markup, "Server Port:", plan->port, "");
    row_text(markup, "Document Path:", plan->path);
    if (plan->any_length) {
        row_text(markup, "Document Length:", "Variable");
    } else {
        row_count(markup, "Document Length:", summary->document_bytes, " bytes");
    }
    row_count(markup, "Concurrency Level:", plan->concurrency, "");
    row_real(markup, "Time taken for tests:", 3, (double)summary->duration_ns / (double)NS_PER_S,
             " seconds");
}

static void write_failures(const struct markup *markup, const struct tally *tally)
{
    row_count(markup, "Failed requests:", tally_failed(tally), "");
    if (tally_failed(tally) == 0) {
        return;
    }
    open_tag(markup->out, "tr", markup->row);
    open_tag(markup->out, "td colspan=4", markup->cell);
    buf_printf(markup->out,
               "   (Connect: %" PRIu64 ", Receive: %" PRIu64 ", Length: %" PRIu64
               ", Exceptions: %" PRIu64 ")",
               tally_bracket(tally, OUTCOME_BRACKET_CONNECT),
               tally_bracket(tally, OUTCOME_BRACKET_RECEIVE),
               tally_bracket(tally, OUTCOME_BRACKET_LENGTH),
               tally_bracket(tally, OUTCOME_BRACKET_EXCEPTIONS));
    end_row(markup);
}

static void write_counts(const struct markup *markup, const struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    const struct tally *tally = summary->tally;
    row_count(markup, "Complete requests:", tally->finished, "");
    write_failures(markup, tally);
    if (tally_non_2xx(tally) > 0) {
        row_count(markup, "Non-2xx responses:", tally_non_2xx(tally), "");
    }
    if (plan->keep_alive) {
        row_count(markup, "Keep-Alive requests:", tally->traffic.answers_on_kept, "");
    }
    row_count(markup, "Total transferred:", tally->traffic.bytes_received, " bytes");
    if (plan->has_body) {
        row_count(markup, "Total body sent:", tally->traffic.bytes_sent, "");
    }
    row_count(markup, "HTML transferred:", tally->body_bytes, " bytes");
    row_real(markup, "Requests per second:", 2, summary_requests_per_s(summary), "");
    row_real(markup, "Transfer rate:", 2, summary_received_kb_per_s(summary), " kb/s received");
    if (plan->has_body) {
        row_real(markup, "&nbsp;", 2, summary_sent_kb_per_s(summary), " kb/s sent");
        row_real(markup, "&nbsp;", 2, summary_total_kb_per_s(summary), " kb/s total");
    }
}

static void times_cell(const struct markup *markup, const char *tag, const char *text)
{
    open_tag(markup->out, tag, markup->cell);
    buf_printf(markup->out, "%s</%.2s>", text, tag);
}

static void times_row(const struct markup *markup, const char *label,
                      const struct histogram *histogram)
{
    char text[FIGURE_SIZE];
    open_tag(markup->out, "tr", markup->row);
    times_cell(markup, "th", label);
    times_cell(markup, "td", figure_ms(histogram_min(histogram), text));
    times_cell(markup, "td", figure_ms_real(histogram_mean(histogram), text));
    times_cell(markup, "td", figure_ms(histogram_max(histogram), text));
    buf_append_str(markup->out, STR("</tr>\n"));
}

static void write_times(const struct markup *markup, const struct tally *tally)
{
    open_tag(markup->out, "tr", markup->row);
    times_cell(markup, "th colspan=4", "Connection Times (ms)");
    buf_append_str(markup->out, STR("</tr>\n"));
    open_tag(markup->out, "tr", markup->row);
    times_cell(markup, "th", "&nbsp;");
    times_cell(markup, "th", "min");
    times_cell(markup, "th", "avg");
    times_cell(markup, "th", "max");
    buf_append_str(markup->out, STR("</tr>\n"));
    times_row(markup, "Connect:", tally->connect);
    times_row(markup, "Processing:", tally->processing);
    times_row(markup, "Total:", tally->total);
}

static void write_outcomes(const struct markup *markup, const struct summary *summary)
{
    begin_row(markup, "Run ended:");
    details_run_end(markup->out, summary);
    end_row(markup);
    if (summary->unbalanced) {
        row_text(markup, "Books:", "DO NOT BALANCE, do not trust this report");
    }
    for (size_t i = OUTCOME_COUNT; i-- > 0;) {
        if (summary->tally->outcomes[i] > 0) {
            row_count(markup, outcome_name((enum outcome)i), summary->tally->outcomes[i], "");
        }
    }
}

static void write_conditions(const struct markup *markup, const struct summary *summary)
{
    for (size_t i = 0; i < summary->condition_count; i++) {
        struct condition_verdict verdict;
        bool holds = summary_judge_condition(summary, i, &verdict);
        begin_row(markup, holds ? "FAILS THE RUN" : "does not hold");
        clean_html(markup->out, str_from(summary->conditions[i]));
        buf_printf(markup->out, ": %s", verdict.found);
        end_row(markup);
    }
}

static void write_notes(struct buf *out, const struct summary *summary)
{
    if (summary->note_count == 0) {
        return;
    }
    buf_append_str(out, STR("<ul>\n"));
    for (size_t i = 0; i < summary->note_count; i++) {
        buf_append_str(out, STR("<li>"));
        clean_html(out, str_from(summary->notes[i]));
        buf_append_str(out, STR("</li>\n"));
    }
    buf_append_str(out, STR("</ul>\n"));
}

void html_ab_report(struct buf *out, const struct summary *summary,
                    const struct report_options *options)
{
    const char *cell =
        options->cell_attributes == NULL ? "bgcolor=white" : options->cell_attributes;
    struct str table = str_from(options->table_attributes);
    const struct markup markup = {
        .out = out, .row = str_from(options->row_attributes), .cell = str_from(cell)};
    buf_append_str(out, STR("\n\n"));
    open_tag(out, "table", table);
    buf_append_byte(out, '\n');
    write_target(&markup, summary);
    write_counts(&markup, summary);
    if (histogram_count(summary->tally->total) > 0) {
        write_times(&markup, summary->tally);
    }
    buf_append_str(out, STR("</table>\n"));
    open_tag(out, "table", table);
    buf_append_byte(out, '\n');
    write_outcomes(&markup, summary);
    write_conditions(&markup, summary);
    buf_append_str(out, STR("</table>\n"));
    write_notes(out, summary);
}
