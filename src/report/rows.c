/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows that all blocks of the text report are made of which ab does not have. They are kept
 * apart from ab's labels on purpose: headings are without colon, rows are indented, and no digit
 * stands before a percent sign, so that a script looking for "99%" or "Total:" finds ab's line
 * alone.
 */
#include "lather/report/rows.h"

#include <inttypes.h>

#include "lather/report/clean.h"
#include "lather/report/figure.h"

void rows_heading(struct buf *out, const char *text)
{
    buf_printf(out, "\n%s\n", text);
}

void rows_begin(struct buf *out, const char *label)
{
    buf_printf(out, "  %-*s", ROWS_LABEL_WIDTH - 2, label);
}

void rows_begin_line(struct buf *out, const char *label)
{
    buf_printf(out, "%-*s", ROWS_LABEL_WIDTH, label);
}

void rows_count(struct buf *out, const char *label, uint64_t count)
{
    rows_begin(out, label);
    buf_printf(out, "%" PRIu64 "\n", count);
}

void rows_count_if_any(struct buf *out, const char *label, uint64_t count)
{
    if (count > 0) {
        rows_count(out, label, count);
    }
}

void rows_text(struct buf *out, const char *label, const char *text)
{
    rows_begin(out, label);
    clean_line(out, str_from(text));
    buf_append_byte(out, '\n');
}

void rows_ms(struct buf *out, const char *label, uint64_t ns)
{
    char text[FIGURE_SIZE];
    rows_begin(out, label);
    buf_printf(out, "%s\n", figure_ms(ns, text));
}

void rows_spread(struct buf *out, const char *label, const struct histogram *histogram)
{
    char text[FIGURE_SIZE];
    rows_begin(out, label);
    buf_printf(out, "min %s, ", figure_ms(histogram_min(histogram), text));
    buf_printf(out, "median %s, ", figure_ms(histogram_percentile(histogram, 50), text));
    buf_printf(out, "p99 %s, ", figure_ms(histogram_percentile(histogram, 99), text));
    buf_printf(out, "max %s ms\n", figure_ms(histogram_max(histogram), text));
}

void rows_clear(struct buf *out, struct str text)
{
    struct buf clean;
    buf_init(&clean);
    clean_line(&clean, text);
    for (size_t i = 0; i < clean.len; i++) {
        if (i > 0 && clean.data[i] == '%' && clean.data[i - 1] >= '0' && clean.data[i - 1] <= '9') {
            buf_append_byte(out, ' ');
        }
        buf_append_byte(out, clean.data[i]);
    }
    buf_deinit(&clean);
}
