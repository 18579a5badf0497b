/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two results side by side. Words like faster are said only where the figures bear them; a bare
 * percentage would be read as one. What the two runs were made with is compared as well, since a
 * change there is the first thing to look at.
 */
#include "lather/report/compare_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lather/report/clean.h"
#include "lather/report/compare_messages.h"

/* What "same" may hide: 10 %, and of errors 1 point. */
static const double SAME_MOST = 0.1;
static const double SAME_ERRORS_MOST = 0.01;

/* An interval that holds "no change" beside others too large to call them none. */
static bool is_wide(enum compare_figure figure, const struct compare_row *row)
{
    const double most = figure == COMPARE_ERRORS ? SAME_ERRORS_MOST : SAME_MOST;
    return row->low < -most || row->high > most;
}

static const char *word_of(enum compare_figure figure, const struct compare_row *row)
{
    const enum compare_verdict verdict = row->verdict;
    static const char *const words[COMPARE_VERDICT_COUNT] = {
        [COMPARE_UNKNOWN] = "too little to tell",
        [COMPARE_SAME] = "same",
        [COMPARE_BETTER] = "faster",
        [COMPARE_WORSE] = "slower",
    };
    if (verdict == COMPARE_SAME && is_wide(figure, row)) {
        return "within noise";
    }
    if (figure == COMPARE_ERRORS && verdict == COMPARE_BETTER) {
        return "fewer";
    }
    if (figure == COMPARE_ERRORS && verdict == COMPARE_WORSE) {
        return "more";
    }
    return words[verdict];
}

static const char *unit_of(enum compare_figure figure)
{
    return figure == COMPARE_RATE ? "per second" : figure == COMPARE_ERRORS ? "%" : "ms";
}

/* The figure in its unit. */
static double shown(enum compare_figure figure, double value)
{
    return figure == COMPARE_RATE ? value : figure == COMPARE_ERRORS ? 100 * value : value / 1e6;
}

static void write_row(struct buf *out, enum compare_figure figure, const struct compare_row *row)
{
    const char *points = figure == COMPARE_ERRORS ? "points" : "%";
    char label[32];
    char change[32] = "";
    char interval[64] = "";
    (void)snprintf(label, sizeof label, "%s, %s", compare_figure_name(figure), unit_of(figure));
    (void)snprintf(change, sizeof change, "%+.2f %s", 100 * row->change, points);
    if (row->verdict != COMPARE_UNKNOWN) {
        (void)snprintf(interval, sizeof interval, "%+.2f to %+.2f", 100 * row->low,
                       100 * row->high);
    }
    buf_printf(out, "%-18s %12.3f %12.3f  %16s  %20s  %s\n", label, shown(figure, row->old_value),
               shown(figure, row->new_value), change, interval, word_of(figure, row));
}

static void note_text(struct buf *out, const char *what, const char *a, const char *b)
{
    if (strcmp(a, b) != 0) {
        buf_printf(out, "  - another %s: ", what);
        clean_line(out, str_from(b));
        buf_append_str(out, STR(", was "));
        clean_line(out, str_from(a));
        buf_append_byte(out, '\n');
    }
}

static void note_number(struct buf *out, const char *what, uint64_t a, uint64_t b)
{
    if (a != b) {
        buf_printf(out, "  - another %s: %" PRIu64 ", was %" PRIu64 "\n", what, b, a);
    }
}

/* A result that was not merged has no parts, and is of one box. */
static uint64_t count_boxes(const struct summary *summary)
{
    return summary->part_count > 0 ? summary->part_count : 1;
}

static void note_limit(struct buf *out, const char *which, const struct summary *summary)
{
    if (summary_client_was_limit(summary)) {
        buf_printf(out, "  - in the %s run the client itself was the limit\n", which);
    }
    if (summary->unbalanced || summary->tally->outcomes[OUTCOME_LOCAL] > 0) {
        buf_printf(out, "  - the %s run is not trustworthy\n", which);
    }
}

static void write_notes(struct buf *out, const struct compare_text *text)
{
    const struct summary_plan *a = &text->old_result->plan;
    const struct summary_plan *b = &text->new_result->plan;
    struct buf notes;
    buf_init(&notes);
    note_text(&notes, "target", a->url, b->url);
    note_text(&notes, "method", a->method, b->method);
    note_text(&notes, "SOAP action", a->soap_action, b->soap_action);
    note_text(&notes, "kind of validation", a->validate, b->validate);
    note_text(&notes, "server", text->old_result->server_software,
              text->new_result->server_software);
    note_number(&notes, "size of the message", a->body_bytes, b->body_bytes);
    note_number(&notes, "concurrency", a->concurrency, b->concurrency);
    note_number(&notes, "-k (keep-alive)", a->keep_alive, b->keep_alive);
    note_number(&notes, "rate (millionths a second)", a->rate_micro_per_s, b->rate_micro_per_s);
    note_number(&notes, "number of boxes", count_boxes(text->old_result),
                count_boxes(text->new_result));
    note_limit(&notes, "old", text->old_result);
    note_limit(&notes, "new", text->new_result);
    if (notes.len > 0) {
        buf_append_str(out, STR("\nNotes\n"));
        buf_append_str(out, buf_view(&notes));
    }
    buf_deinit(&notes);
}

void compare_text_write(struct buf *out, const struct compare_text *text)
{
    buf_append_str(out, STR("old: "));
    clean_line(out, str_from(text->old_name));
    buf_printf(out, ", %" PRIu64 " requests in %.3f s\nnew: ", text->old_result->tally->finished,
               (double)text->old_result->duration_ns / 1e9);
    clean_line(out, str_from(text->new_name));
    buf_printf(out, ", %" PRIu64 " requests in %.3f s\n\n", text->new_result->tally->finished,
               (double)text->new_result->duration_ns / 1e9);
    buf_printf(out, "%-18s %12s %12s  %16s  %20s\n", "", "old", "new", "change", "95 % interval");
    for (enum compare_figure i = 0; i < COMPARE_COUNT; i++) {
        write_row(out, i, &text->rows[i]);
    }
    compare_messages_write(out, text->old_result, text->new_result);
    write_notes(out, text);
}
