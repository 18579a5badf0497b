/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_REPORT_HTML_CHART_H
#define LATHER_REPORT_HTML_CHART_H

#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"

/*
 * Charts as inline SVG for the page of html.h. The drawing is stretched to the room there is, the
 * words stand beside it as HTML, so that they are as large on a phone as on a desk.
 */

/* How values become places. */
enum html_scale {
    HTML_SCALE_LINEAR = 0, /* from 0 */
    HTML_SCALE_LOG,        /* whole powers of ten */
    HTML_SCALE_TIME,       /* ns from 0, as they are */
    HTML_SCALE_NINES,      /* 0..1 by 1/(1-x): 90 %, 99 %, 99.9 % at equal distances */
    HTML_SCALE_COUNT
};

struct html_axis {
    enum html_scale scale;
    double low;
    double high;
};

/*
 * An axis for values from low to high, both included: linear, or logarithmic when the greatest is
 * more than 30 times the least positive one. Nothing positive gives 0 to 1.
 */
struct html_axis html_axis_of_values(double least_positive, double greatest);

/* An axis of the run's time, and one of percentiles of `count` values. */
struct html_axis html_axis_of_time(uint64_t end_ns);
struct html_axis html_axis_of_nines(uint64_t count);

/* A value's place between 0 and 1; values outside are put at the ends. */
double html_axis_place(const struct html_axis *axis, double value);

/* A point in values; a y that is no number (NAN) breaks the line. */
struct html_point {
    double x;
    double y;
};

struct html_chart {
    const char *title;
    const char *unit; /* of y; "" when it needs none */
    const char *id;   /* of the element, for links and tests */
    struct html_axis x;
    struct html_axis y;
};

/* The frame with its axes; lines and bars follow, then the end with the legend, if any. */
void html_chart_begin(struct buf *out, const struct html_chart *chart);
void html_chart_line(struct buf *out, const struct html_chart *chart, const char *class,
                     const struct html_point *points, size_t count);
/* Bars from 0 up: bar i from points[i].x to points[i + 1].x; the last point only ends it. */
void html_chart_bars(struct buf *out, const struct html_chart *chart, const char *class,
                     const struct html_point *points, size_t count);

struct html_legend {
    const char *class;
    const char *label;
};

/* Ends the frame; below it the legend's lines with their labels, if count is not 0. */
void html_chart_end(struct buf *out, const struct html_chart *chart,
                    const struct html_legend *legend, size_t count);

#endif
