/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of a mix: a line each message, in text and in HTML, with the same figures. The sum of
 * a column is the whole's, but for times. A name may be anything a file can be called, so it is
 * cleaned first and then measured; it is never cut, as two long ones may differ at either end.
 */
#include "lather/report/messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lather/report/clean.h"
#include "lather/report/rows.h"

enum { NAME_WIDTH_MOST = 48, BYTES_PER_KB = 1024 };

const char *messages_head(enum messages_column column)
{
    static const char *const heads[MESSAGES_COUNT] = {
        "requests", "ok", "failed", "KB sent", "KB received", "mean", "p50", "p95", "p99"};
    return heads[column];
}

static void put_count(char *cell, uint64_t count)
{
    (void)snprintf(cell, FIGURE_SIZE, "%" PRIu64, count);
}

static void put_kb(char *cell, uint64_t bytes)
{
    (void)snprintf(cell, FIGURE_SIZE, "%.1f", (double)bytes / BYTES_PER_KB);
}

void messages_format(const struct message_tally *tally, char cells[MESSAGES_COUNT][FIGURE_SIZE])
{
    put_count(cells[MESSAGES_REQUESTS], tally->started);
    put_count(cells[MESSAGES_OK], tally->outcomes[OUTCOME_OK]);
    put_count(cells[MESSAGES_FAILED], message_tally_failed(tally));
    put_kb(cells[MESSAGES_SENT], tally->traffic.bytes_sent);
    put_kb(cells[MESSAGES_RECEIVED], tally->traffic.bytes_received);
    if (tally->total == NULL || histogram_count(tally->total) == 0) {
        for (int i = MESSAGES_MEAN; i < MESSAGES_COUNT; i++) {
            (void)snprintf(cells[i], FIGURE_SIZE, "-");
        }
        return;
    }
    (void)figure_ms_real(histogram_mean(tally->total), cells[MESSAGES_MEAN]);
    (void)figure_ms(histogram_percentile(tally->total, 50), cells[MESSAGES_P50]);
    (void)figure_ms(histogram_percentile(tally->total, 95), cells[MESSAGES_P95]);
    (void)figure_ms(histogram_percentile(tally->total, 99), cells[MESSAGES_P99]);
}

/* Characters, of clean UTF-8. */
static size_t width_of(struct str text)
{
    size_t width = 0;
    for (size_t i = 0; i < text.len; i++) {
        width += ((unsigned char)text.data[i] & 0xc0U) != 0x80U;
    }
    return width;
}

static size_t name_width(const struct summary *summary)
{
    size_t widest = 0;
    for (size_t i = 0; i < summary->message_count; i++) {
        struct buf name;
        buf_init(&name);
        rows_clear(&name, str_from(summary->messages[i].name));
        const size_t width = width_of(buf_view(&name));
        widest = width > widest ? width : widest;
        buf_deinit(&name);
    }
    return widest < NAME_WIDTH_MOST ? widest : NAME_WIDTH_MOST;
}

static void measure_columns(const struct summary *summary, int widths[MESSAGES_COUNT])
{
    for (int column = 0; column < MESSAGES_COUNT; column++) {
        widths[column] = (int)strlen(messages_head((enum messages_column)column));
    }
    for (size_t i = 0; i < summary->message_count; i++) {
        char cells[MESSAGES_COUNT][FIGURE_SIZE];
        messages_format(&summary->messages[i].tally, cells);
        for (int column = 0; column < MESSAGES_COUNT; column++) {
            const int width = (int)strlen(cells[column]);
            widths[column] = width > widths[column] ? width : widths[column];
        }
    }
}

static void pad(struct buf *out, size_t from, size_t to)
{
    for (; from < to; from++) {
        buf_append_byte(out, ' ');
    }
}

void messages_write(struct buf *out, const struct summary *summary)
{
    int widths[MESSAGES_COUNT];
    if (summary->message_count == 0) {
        return;
    }
    const size_t width = name_width(summary);
    measure_columns(summary, widths);
    rows_heading(out, "Messages of the mix (times in ms)");
    buf_append_str(out, STR("  "));
    pad(out, 0, width);
    for (int column = 0; column < MESSAGES_COUNT; column++) {
        buf_printf(out, "  %*s", widths[column], messages_head((enum messages_column)column));
    }
    buf_append_byte(out, '\n');
    for (size_t i = 0; i < summary->message_count; i++) {
        char cells[MESSAGES_COUNT][FIGURE_SIZE];
        messages_format(&summary->messages[i].tally, cells);
        buf_append_str(out, STR("  "));
        const size_t start = out->len;
        rows_clear(out, str_from(summary->messages[i].name));
        pad(out, width_of(str_slice(buf_view(out), start, out->len)), width);
        for (int column = 0; column < MESSAGES_COUNT; column++) {
            buf_printf(out, "  %*s", widths[column], cells[column]);
        }
        buf_append_byte(out, '\n');
    }
}

void messages_write_html(struct buf *out, const struct summary *summary)
{
    if (summary->message_count == 0) {
        return;
    }
    buf_append_str(out, STR("<h2>Messages of the mix</h2>\n<div class=\"scroll\"><table "
                            "id=\"messages\"><tr><th>message</th>"));
    for (int column = 0; column < MESSAGES_COUNT; column++) {
        buf_printf(out, "<th class=\"n\">%s</th>", messages_head((enum messages_column)column));
    }
    buf_append_str(out, STR("</tr>\n"));
    for (size_t i = 0; i < summary->message_count; i++) {
        char cells[MESSAGES_COUNT][FIGURE_SIZE];
        messages_format(&summary->messages[i].tally, cells);
        buf_append_str(out, STR("<tr><th>"));
        clean_html(out, str_from(summary->messages[i].name));
        buf_append_str(out, STR("</th>"));
        for (int column = 0; column < MESSAGES_COUNT; column++) {
            buf_printf(out, "<td class=\"n\">%s</td>", cells[column]);
        }
        buf_append_str(out, STR("</tr>\n"));
    }
    buf_append_str(out, STR("</table></div>\n"));
}
