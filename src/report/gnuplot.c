/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ab's -g file, one row a request. The columns keep their places, so old plot scripts run; the rows
 * are in order of start, which ab's are not, so that plotting them as a time series means what it
 * shows. Names of days and months are written here, as strftime would follow the locale.
 */
#include "lather/report/gnuplot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lather/base/clock.h"
#include "lather/report/figure.h"

/*
 * The first two columns: "Mon Jan 02 15:04:05 2006", local time, and the seconds; these twice for a
 * time no calendar has. Returns their length.
 */
static size_t format_stamp(uint64_t seconds, char text[GNUPLOT_STAMP_SIZE])
{
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t since_1970 = (time_t)seconds;
    struct tm local;
    if (localtime_r(&since_1970, &local) == NULL) {
        return (size_t)snprintf(text, GNUPLOT_STAMP_SIZE, "%" PRIu64 "\t%" PRIu64, seconds,
                                seconds);
    }
    return (size_t)snprintf(text, GNUPLOT_STAMP_SIZE, "%s %s %02d %02d:%02d:%02d %d\t%" PRIu64,
                            days[local.tm_wday], months[local.tm_mon], local.tm_mday, local.tm_hour,
                            local.tm_min, local.tm_sec, local.tm_year + 1900, seconds);
}

static char *put_ms(uint64_t ns, char *row)
{
    *row++ = '\t';
    return figure_put_ms(ns, row);
}

void gnuplot_begin(struct gnuplot *gnuplot, uint64_t wall_start_ns, struct buf *out)
{
    *gnuplot = (struct gnuplot){.wall_start_ns = wall_start_ns, .stamped_s = UINT64_MAX};
    buf_append_str(out, STR("starttime\tseconds\tctime\tdtime\tttime\twait\toffset\n"));
}

void gnuplot_add(struct gnuplot *gnuplot, const struct sample_times *sample, struct buf *out)
{
    uint64_t started_s = (gnuplot->wall_start_ns + sample->start_ns) / NS_PER_S;
    if (started_s != gnuplot->stamped_s) {
        gnuplot->stamp_len = format_stamp(started_s, gnuplot->stamp);
        gnuplot->stamped_s = started_s;
    }
    char *row = buf_reserve(out, GNUPLOT_STAMP_SIZE + 6 * FIGURE_SIZE);
    memcpy(row, gnuplot->stamp, GNUPLOT_STAMP_SIZE); /* a known length costs next to nothing */
    char *end = put_ms(sample->connect_ns, row + gnuplot->stamp_len);
    char *const processing = end;
    end = put_ms(sample->total_ns - sample->connect_ns, end);
    if (sample->connect_ns == 0) { /* on a kept connection: the same again */
        const size_t len = (size_t)(end - processing);
        memcpy(end, processing, len);
        end += len;
    } else {
        end = put_ms(sample->total_ns, end);
    }
    end = put_ms(sample->waiting_ns, end);
    end = put_ms(sample->start_ns, end);
    *end++ = '\n';
    *end = '\0';
    out->len += (size_t)(end - row);
}
