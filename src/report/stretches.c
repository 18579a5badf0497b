/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A warm-up, a start at a moment, and steps, as text and for the page. The figures of steps were
 * worked out when they ended; here they are only set in columns. The trap: the text report must not
 * hold a digit right before a percent sign, nor one of ab's labels (rows.c).
 */
#include "lather/report/stretches.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/moment.h"
#include "lather/base/units.h"
#include "lather/report/clean.h"
#include "lather/report/figure.h"
#include "lather/report/rows.h"

static double per_s(uint64_t micro_per_s)
{
    return (double)micro_per_s / 1e6;
}

/* --- the head -------------------------------------------------------------------------------- */

void stretches_warmup(struct buf *out, const struct summary *summary)
{
    const struct summary_warmup *warmup = &summary->warmup;
    char text[UNITS_TEXT_SIZE];
    if (summary->plan.warmup_requests == 0 && summary->plan.warmup_ns == 0) {
        return;
    }
    buf_printf(out, "%" PRIu64 " requests, %" PRIu64 " failed, %" PRIu64 " sent whole",
               warmup->finished, warmup->failed, warmup->requests_sent_whole);
    if (warmup->cut > 0) {
        buf_printf(out, ", %" PRIu64 " cut", warmup->cut);
    }
    if (warmup->auth_legs > 0) {
        buf_printf(out, ", %" PRIu64 " handshake legs", warmup->auth_legs);
    }
    buf_printf(out, " in %s before the run; in no figure below",
               units_format_duration(warmup->duration_ns, text));
}

static void append_server_clock(struct buf *out, const struct summary *summary)
{
    int64_t ahead_s;
    if (!summary_server_ahead(summary, &ahead_s)) {
        buf_append_str(out, STR("; the server does not tell its time"));
    } else if (ahead_s == 0) {
        buf_append_str(out, STR("; the server's clock agrees to the second"));
    } else {
        buf_printf(out, "; the server's clock is %lld s %s", llabs(ahead_s),
                   ahead_s > 0 ? "ahead" : "behind");
    }
}

void stretches_start(struct buf *out, const struct summary *summary)
{
    const uint64_t asked_ns = summary->plan.start_at_ns;
    const uint64_t began_ns = summary->wall_start_ns;
    char text[UNITS_TEXT_SIZE];
    if (asked_ns == 0) {
        return;
    }
    moment_format(asked_ns, out);
    if (began_ns >= asked_ns) {
        buf_printf(out, " asked for, begun %s later by this machine's clock",
                   units_format_duration(began_ns - asked_ns, text));
    } else {
        buf_printf(out, " asked for, ended %s before it",
                   units_format_duration(asked_ns - began_ns, text));
    }
    append_server_clock(out, summary);
}

void stretches_write_head(struct buf *out, const struct summary *summary)
{
    struct buf warmup;
    struct buf start;
    buf_init(&warmup);
    buf_init(&start);
    stretches_warmup(&warmup, summary);
    stretches_start(&start, summary);
    if (warmup.len > 0) {
        rows_begin_line(out, "Warm-up:");
        buf_append_str(out, buf_view(&warmup));
        buf_append_byte(out, '\n');
    }
    if (start.len > 0) {
        rows_begin_line(out, "Start:");
        buf_append_str(out, buf_view(&start));
        buf_append_byte(out, '\n');
    }
    if (warmup.len + start.len > 0) {
        buf_append_byte(out, '\n');
    }
    buf_deinit(&warmup);
    buf_deinit(&start);
}

/* --- steps ----------------------------------------------------------------------------------- */

/* `achieved`; below two requests there is none. */
static const char *achieved_text(const struct summary_step *step, const char *none,
                                 char text[FIGURE_SIZE])
{
    if (step->achieved_micro_per_s == 0) {
        return none;
    }
    (void)snprintf(text, FIGURE_SIZE, "%.2f", per_s(step->achieved_micro_per_s));
    return text;
}

static void write_step(struct buf *out, size_t number, const struct summary_step *step)
{
    const uint64_t times_ns[] = {step->p50_ns, step->p95_ns, step->p99_ns, step->response_p95_ns};
    const bool is_answered = step->max_ns > 0;
    char text[FIGURE_SIZE];
    buf_printf(out, "  %-6zu %11.2f %11s %9" PRIu64 " %9" PRIu64, number,
               per_s(step->rate_micro_per_s), achieved_text(step, "-", text), step->finished,
               step->failed);
    for (size_t i = 0; i < sizeof times_ns / sizeof *times_ns; i++) {
        buf_printf(out, " %9s", is_answered ? figure_ms(times_ns[i], text) : "-");
    }
    buf_printf(out, " %8" PRIu64 "  ", step->backlog_end);
    rows_clear(out, str_from(step->verdict));
    buf_append_byte(out, '\n');
}

/* The rate that --find-rate is about, in words. */
static void append_found(struct buf *out, const struct summary *summary)
{
    if (summary->found_micro_per_s > 0) {
        buf_printf(out, "%.2f a second", per_s(summary->found_micro_per_s));
    } else if (summary->end != RUN_END_DONE) {
        buf_append_str(out, STR("not found: the search was broken off"));
    } else {
        buf_append_str(out, STR("none of those tried"));
    }
}

void stretches_write_steps(struct buf *out, const struct summary *summary)
{
    char text[UNITS_TEXT_SIZE];
    if (summary->step_count == 0) {
        return;
    }
    rows_heading(out, "Steps (times in ms)");
    buf_printf(out, "  %-6s %11s %11s %9s %9s %9s %9s %9s %9s %8s\n", "step", "asked/s",
               "achieved/s", "finished", "failed", "p50", "p95", "p99", "resp. p95", "backlog");
    for (size_t i = 0; i < summary->step_count; i++) {
        write_step(out, i + 1, &summary->steps[i]);
    }
    rows_begin(out, "length of each step");
    buf_printf(out, "%s\n", units_format_duration(summary->plan.step_ns, text));
    if (summary->plan.find_rate[0] != '\0') {
        rows_begin(out, "highest that held");
        append_found(out, summary);
        buf_append_str(out, STR(" ("));
        rows_clear(out, str_from(summary->plan.find_rate));
        buf_append_str(out, STR(")\n"));
    }
}

static void write_html_cell(struct buf *out, uint64_t ns, const struct summary_step *step)
{
    char text[FIGURE_SIZE];
    buf_printf(out, "<td class=\"n\">%s</td>", step->max_ns > 0 ? figure_ms(ns, text) : "");
}

static void write_html_step(struct buf *out, size_t number, const struct summary_step *step)
{
    char text[FIGURE_SIZE];
    buf_printf(out,
               "<tr><td class=\"n\">%zu</td><td class=\"n\">%.2f</td><td class=\"n\">%s</td>"
               "<td class=\"c\"><span class=\"verdict %s\">",
               number, per_s(step->rate_micro_per_s), achieved_text(step, "", text),
               step->held ? "good" : "bad");
    clean_html(out, str_from(step->verdict));
    buf_printf(out, "</span></td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td>",
               step->finished, step->failed);
    write_html_cell(out, step->p50_ns, step);
    write_html_cell(out, step->p95_ns, step);
    write_html_cell(out, step->p99_ns, step);
    write_html_cell(out, step->response_p95_ns, step);
    buf_printf(out, "<td class=\"n\">%" PRIu64 "</td></tr>\n", step->backlog_end);
}

static void write_html_heads(struct buf *out, const char *const *heads, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, "<th class=\"n\">%s</th>", heads[i]);
    }
}

void stretches_write_html(struct buf *out, const struct summary *summary)
{
    static const char *const rates[] = {"step", "asked/s", "achieved/s"};
    static const char *const figures[] = {"finished", "failed",    "p50, ms", "p95, ms",
                                          "p99, ms",  "resp. p95", "backlog"};
    char text[UNITS_TEXT_SIZE];
    if (summary->step_count == 0) {
        return;
    }
    buf_append_str(out, STR("<h2>Steps</h2>\n"));
    if (summary->plan.find_rate[0] != '\0') {
        buf_append_str(out, STR("<p id=\"found\">Highest rate that held: <b>"));
        append_found(out, summary);
        buf_append_str(out, STR("</b> (<code>"));
        clean_html(out, str_from(summary->plan.find_rate));
        buf_append_str(out, STR("</code>)</p>\n"));
    }
    buf_printf(out, "<p class=\"soft\">Each is an open loop of %s.</p>\n",
               units_format_duration(summary->plan.step_ns, text));
    buf_append_str(out, STR("<div class=\"scroll\"><table id=\"steps\"><tr>"));
    write_html_heads(out, rates, sizeof rates / sizeof *rates);
    buf_append_str(out, STR("<th></th>"));
    write_html_heads(out, figures, sizeof figures / sizeof *figures);
    buf_append_str(out, STR("</tr>\n"));
    for (size_t i = 0; i < summary->step_count; i++) {
        write_html_step(out, i + 1, &summary->steps[i]);
    }
    buf_append_str(out, STR("</table></div>\n"));
}
