/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HdrHistogram's percentile distribution. Layout and steps are those of its
 * outputPercentileDistribution, as plotters split lines at blanks and count columns; the figures
 * are ours, to 1/1024 of the value, which is finer than three digits. The last line has no fourth
 * column: 1/(1-1) is no number.
 */
#include "lather/report/hdr.h"

#include <inttypes.h>
#include <math.h>

enum { STEPS_PER_HALVING = 5, SUB_BUCKETS = 2048, BUCKETS = 54 };

/* The next percentile to show: the less is left above, the smaller the step. */
static double next_level(double level)
{
    double halvings = floor(log2(100 / (100 - level)));
    return level + 100 / (STEPS_PER_HALVING * exp2(halvings + 1));
}

/* One line per level that lies above what the line before had already reached. */
static void write_lines(struct buf *out, const struct histogram *total)
{
    const double count = (double)histogram_count(total);
    struct histogram_bucket bucket;
    uint32_t cursor = 0;
    uint64_t seen = 0;
    double level = 0;
    bool more = histogram_next(total, &cursor, &bucket);
    while (more) {
        bool is_last = seen + bucket.count == histogram_count(total);
        uint64_t high = bucket.high < histogram_max(total) ? bucket.high : histogram_max(total);
        if (is_last) {
            seen += bucket.count;
            buf_printf(out, "%12.3f %2.12f %10" PRIu64 " %14.2f\n", (double)high / 1e6, level / 100,
                       seen, 1 / (1 - level / 100));
            buf_printf(out, "%12.3f %2.12f %10" PRIu64 "\n", (double)high / 1e6, 1.0, seen);
            return;
        }
        if (100 * (double)(seen + bucket.count) / count >= level) {
            buf_printf(out, "%12.3f %2.12f %10" PRIu64 " %14.2f\n", (double)high / 1e6, level / 100,
                       seen + bucket.count, 1 / (1 - level / 100));
            level = next_level(level);
            continue; /* the same bucket may reach the next level, too */
        }
        seen += bucket.count;
        more = histogram_next(total, &cursor, &bucket);
    }
}

void hdr_write(struct buf *out, const struct summary *summary)
{
    const struct histogram *total = summary->tally->total;
    buf_printf(out, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
               "1/(1-Percentile)");
    write_lines(out, total);
    buf_printf(out, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", histogram_mean(total) / 1e6,
               histogram_deviation(total) / 1e6);
    buf_printf(out, "#[Max     = %12.3f, Total count    = %12" PRIu64 "]\n",
               (double)histogram_max(total) / 1e6, histogram_count(total));
    buf_printf(out, "#[Buckets = %12d, SubBuckets     = %12d]\n", BUCKETS, SUB_BUCKETS);
}
