/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ab's -e file. It says nothing that the percentile table does not say, only finer; both take their
 * figures from the same estimator, so that row 99 is the table's 99% whatever the count.
 */
#include "lather/report/percentile_csv.h"

#include "lather/report/figure.h"

void percentile_csv_write(struct buf *out, const struct summary *summary)
{
    const struct histogram *total = summary->tally->total;
    char text[FIGURE_SIZE];
    buf_append_str(out, STR("Percentage served,Time in ms\n"));
    if (histogram_count(total) == 0) {
        return;
    }
    buf_printf(out, "0,%s\n", figure_ms(histogram_min(total), text));
    for (int percent = 1; percent <= 100; percent++) {
        buf_printf(out, "%d,%s\n", percent, figure_ms(histogram_percentile(total, percent), text));
    }
}
