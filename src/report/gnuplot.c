/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ab's -g file, one row a request. The columns keep their places, so old plot scripts run; the rows
 * are in order of start, which ab's are not, so that plotting them as a time series means what it
 * shows. Names of days and months are written here, as strftime would follow the locale.
 */
#include "lather/report/gnuplot.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "lather/base/clock.h"
#include "lather/report/figure.h"

enum { STAMP_SIZE = 64 };

/* "Mon Jan 02 15:04:05 2006", local time; the bare seconds for a time no calendar has. */
static void format_stamp(uint64_t seconds, char text[STAMP_SIZE])
{
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t since_1970 = (time_t)seconds;
    struct tm local;
    if (localtime_r(&since_1970, &local) == NULL) {
        (void)snprintf(text, STAMP_SIZE, "%" PRIu64, seconds);
        return;
    }
    (void)snprintf(text, STAMP_SIZE, "%s %s %02d %02d:%02d:%02d %d", days[local.tm_wday],
                   months[local.tm_mon], local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
                   local.tm_year + 1900);
}

static void append_ms(struct buf *out, uint64_t ns)
{
    char text[FIGURE_SIZE];
    buf_printf(out, "\t%s", figure_ms(ns, text));
}

void gnuplot_write(struct buf *out, uint64_t wall_start_ns, const struct sample_times *samples,
                   uint64_t count)
{
    char stamp[STAMP_SIZE] = "";
    uint64_t stamped_s = UINT64_MAX; /* the second that stamp is of: formatted once */
    buf_append_str(out, STR("starttime\tseconds\tctime\tdtime\tttime\twait\toffset\n"));
    for (uint64_t i = 0; i < count; i++) {
        const struct sample_times *sample = &samples[i];
        uint64_t started_s = (wall_start_ns + sample->start_ns) / NS_PER_S;
        if (started_s != stamped_s) {
            format_stamp(started_s, stamp);
            stamped_s = started_s;
        }
        buf_printf(out, "%s\t%" PRIu64, stamp, started_s);
        append_ms(out, sample->connect_ns);
        append_ms(out, sample->processing_ns);
        append_ms(out, sample->total_ns);
        append_ms(out, sample->waiting_ns);
        append_ms(out, sample->start_ns);
        buf_append_byte(out, '\n');
    }
}
