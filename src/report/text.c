/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ab's report with right figures. Labels, order, blanks and units are a contract with scripts that
 * are older than this program; a figure that has no place in ab's rows goes into details.c. Times
 * have three decimals, so columns are as wide as ab's or wider, never narrower. ab's warnings of a
 * mean too far from the median are not here: without its rounding they cannot come true.
 */
#include "lather/report/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/report/clean.h"
#include "lather/report/details.h"
#include "lather/report/figure.h"
#include "lather/report/rows.h"
#include "lather/report/stretches.h"

enum { COLUMNS_CEILING = 5, ROWS = 4 };

void text_banner(struct buf *out)
{
    buf_printf(out, "This is lather, Version %s\n\n", LATHER_VERSION);
}

void text_begin(struct buf *out, const char *host, enum text_progress progress)
{
    buf_append_str(out, STR("Benchmarking "));
    clean_line(out, str_from(host));
    buf_printf(out, " (be patient)%s", progress == TEXT_PROGRESS_ON ? "\n" : "...");
}

void text_end(struct buf *out, enum text_progress progress)
{
    if (progress == TEXT_PROGRESS_OFF) {
        buf_append_str(out, STR("..done\n"));
    }
}

static void row_text(struct buf *out, const char *label, const char *value)
{
    rows_begin_line(out, label);
    clean_line(out, str_from(value));
    buf_append_byte(out, '\n');
}

static void row_count(struct buf *out, const char *label, uint64_t count, const char *unit)
{
    rows_begin_line(out, label);
    buf_printf(out, "%" PRIu64 "%s\n", count, unit);
}

static void row_real(struct buf *out, const char *label, int decimals, double value,
                     const char *unit)
{
    rows_begin_line(out, label);
    buf_printf(out, "%.*f %s\n", decimals, value, unit);
}

static void write_tls(struct buf *out, const struct summary_tls *tls)
{
    if (tls->protocol[0] != '\0') {
        rows_begin_line(out, "SSL/TLS Protocol:");
        clean_line(out, str_from(tls->protocol));
        buf_append_byte(out, ',');
        clean_line(out, str_from(tls->cipher));
        buf_printf(out, ",%" PRIu32 ",%" PRIu32 "\n", tls->key_bits, tls->cipher_bits);
    }
    if (tls->temp_key[0] != '\0') {
        row_text(out, "Server Temp Key:", tls->temp_key);
    }
    if (tls->server_name[0] != '\0') {
        row_text(out, "TLS Server Name:", tls->server_name);
    }
}

static void write_target(struct buf *out, const struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    row_text(out, "Server Software:", summary->server_software);
    row_text(out, "Server Hostname:", plan->host);
    row_count(out, "Server Port:", plan->port, "");
    write_tls(out, &summary->tls);
    buf_append_byte(out, '\n');
    row_text(out, "Document Path:", plan->path);
    if (plan->any_length) {
        row_text(out, "Document Length:", "Variable");
    } else {
        row_count(out, "Document Length:", summary->document_bytes, " bytes");
    }
    buf_append_byte(out, '\n');
}

static void write_counts(struct buf *out, const struct summary *summary)
{
    const struct summary_plan *plan = &summary->plan;
    const struct tally *tally = summary->tally;
    uint64_t failed = tally_failed(tally);
    row_count(out, "Concurrency Level:", plan->concurrency, "");
    row_real(out, "Time taken for tests:", 3, (double)summary->duration_ns / (double)NS_PER_S,
             "seconds");
    row_count(out, "Complete requests:", tally->finished, "");
    row_count(out, "Failed requests:", failed, "");
    if (failed > 0) {
        buf_printf(out,
                   "   (Connect: %" PRIu64 ", Receive: %" PRIu64 ", Length: %" PRIu64
                   ", Exceptions: %" PRIu64 ")\n",
                   tally_bracket(tally, OUTCOME_BRACKET_CONNECT),
                   tally_bracket(tally, OUTCOME_BRACKET_RECEIVE),
                   tally_bracket(tally, OUTCOME_BRACKET_LENGTH),
                   tally_bracket(tally, OUTCOME_BRACKET_EXCEPTIONS));
    }
    if (tally->traffic.write_errors > 0) {
        row_count(out, "Write errors:", tally->traffic.write_errors, "");
    }
    if (tally_non_2xx(tally) > 0) {
        row_count(out, "Non-2xx responses:", tally_non_2xx(tally), "");
    }
    if (plan->keep_alive) {
        row_count(out, "Keep-Alive requests:", tally->traffic.answers_on_kept, "");
    }
    row_count(out, "Total transferred:", tally->traffic.bytes_received, " bytes");
    if (plan->has_body) {
        row_count(out, "Total body sent:", tally->traffic.bytes_sent, "");
    }
    row_count(out, "HTML transferred:", tally->body_bytes, " bytes");
}

static void write_rates(struct buf *out, const struct summary *summary)
{
    row_real(out, "Requests per second:", 2, summary_requests_per_s(summary), "[#/sec] (mean)");
    if (summary->tally->finished > 0) {
        row_real(out, "Time per request:", 3, summary_time_per_request_ms(summary), "[ms] (mean)");
        row_real(out, "Time per request:", 3, summary_time_per_request_across_ms(summary),
                 "[ms] (mean, across all concurrent requests)");
    }
    row_real(out, "Transfer rate:", 2, summary_received_kb_per_s(summary), "[Kbytes/sec] received");
    if (summary->plan.has_body) {
        row_real(out, "", 2, summary_sent_kb_per_s(summary), "kb/s sent");
        row_real(out, "", 2, summary_total_kb_per_s(summary), "kb/s total");
    }
}

/* One form of ab's block: what its columns are called and where they end, counted from 1. */
struct times_form {
    size_t columns;
    const char *heads[COLUMNS_CEILING];
    size_t ends[COLUMNS_CEILING];
};

static const struct times_form full_form = {
    5, {"min", "mean", "[+/-sd]", "median", "max"}, {17, 22, 28, 35, 43}};
static const struct times_form short_form = {3, {"min", "avg", "max"}, {17, 23, 28}};

/* The figures of one row, in the order of the form's columns. */
static void format_times(const struct histogram *histogram, const struct times_form *form,
                         char cells[COLUMNS_CEILING][FIGURE_SIZE])
{
    (void)figure_ms(histogram_min(histogram), cells[0]);
    (void)figure_ms_real(histogram_mean(histogram), cells[1]);
    if (form == &full_form) {
        (void)figure_ms_real(histogram_deviation(histogram), cells[2]);
        (void)figure_ms(histogram_percentile(histogram, 50), cells[3]);
    }
    (void)figure_ms(histogram_max(histogram), cells[form->columns - 1]);
}

/* Each word ends where its column ends, if there is room for a blank before it. */
static void write_times_head(struct buf *out, const struct times_form *form, const size_t ends[])
{
    size_t at = 0;
    for (size_t i = 0; i < form->columns; i++) {
        size_t length = strlen(form->heads[i]);
        size_t start = at + 1;
        if (form->heads[i][0] == '[') {
            start = at; /* ab writes mean[+/-sd] in one word */
        } else if (ends[i] > start + length) {
            start = ends[i] - length;
        }
        buf_printf(out, "%*s", (int)(start + length - at), form->heads[i]);
        at = start + length;
    }
    buf_append_byte(out, '\n');
}

static void write_times(struct buf *out, const struct tally *tally, const struct times_form *form)
{
    static const char *const labels[ROWS] = {"Connect:", "Processing:", "Waiting:", "Total:"};
    const struct histogram *const histograms[ROWS] = {tally->connect, tally->processing,
                                                      tally->waiting, tally->total};
    char cells[ROWS][COLUMNS_CEILING][FIGURE_SIZE];
    size_t ends[COLUMNS_CEILING];
    for (size_t row = 0; row < ROWS; row++) {
        format_times(histograms[row], form, cells[row]);
    }
    size_t before = strlen("Processing:");
    for (size_t i = 0; i < form->columns; i++) {
        ends[i] = form->ends[i];
        for (size_t row = 0; row < ROWS; row++) {
            size_t needed = before + 1 + strlen(cells[row][i]);
            ends[i] = needed > ends[i] ? needed : ends[i];
        }
        before = ends[i];
    }
    rows_heading(out, "Connection Times (ms)");
    write_times_head(out, form, ends);
    for (size_t row = 0; row < ROWS; row++) {
        size_t at = strlen(labels[row]);
        buf_append_str(out, str_from(labels[row]));
        for (size_t i = 0; i < form->columns; i++) {
            buf_printf(out, "%*s", (int)(ends[i] - at), cells[row][i]);
            at = ends[i];
        }
        buf_append_byte(out, '\n');
    }
}

static void write_percentiles(struct buf *out, const struct histogram *total)
{
    static const int percents[] = {50, 66, 75, 80, 90, 95, 98, 99};
    char text[FIGURE_SIZE];
    int width = (int)strlen(figure_ms(histogram_max(total), text));
    width = width > 5 ? width : 5;
    rows_heading(out, "Percentage of the requests served within a certain time (ms)");
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        buf_printf(out, "  %d%%  %*s\n", percents[i], width,
                   figure_ms(histogram_percentile(total, percents[i]), text));
    }
    buf_printf(out, " 100%%  %*s (longest request)\n", width,
               figure_ms(histogram_max(total), text));
}

void text_report(struct buf *out, const struct summary *summary,
                 const struct report_options *options)
{
    const struct tally *tally = summary->tally;
    buf_append_str(out, STR("\n\n"));
    stretches_write_head(out, summary);
    write_target(out, summary);
    write_counts(out, summary);
    write_rates(out, summary);
    if (histogram_count(tally->total) > 0) {
        write_times(out, tally, options->no_median ? &short_form : &full_form);
        if (!options->no_percentiles) {
            write_percentiles(out, tally->total);
        }
    }
    details_write(out, summary, options);
}
