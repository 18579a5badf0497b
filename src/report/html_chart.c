/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Charts of the HTML page. Every drawing is 1000 by 1000 units, stretched by the browser to its
 * frame without keeping proportions; lines keep their width (vector-effect), and no text is inside,
 * as it would be stretched as well. The trap: a point alone is no line, so a line of one point is
 * drawn with length zero and round ends, which is a dot.
 */
#include "lather/report/html_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "lather/base/clock.h"
#include "lather/report/clean.h"

enum { TICKS_CEILING = 24, LABEL_SIZE = 32 };

static const double LOG_FROM_RATIO = 30;

struct tick {
    double place;
    char label[LABEL_SIZE];
};

struct ticks {
    size_t count;
    struct tick at[TICKS_CEILING];
};

/* --- axes ------------------------------------------------------------------------------------ */

/* 1, 2 or 5 times a power of ten, not below value. */
static double nice_above(double value)
{
    double power = pow(10, floor(log10(value)));
    double digit = value / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

struct html_axis html_axis_of_values(double least_positive, double greatest)
{
    if (!(greatest > 0)) {
        return (struct html_axis){.scale = HTML_SCALE_LINEAR, .low = 0, .high = 1};
    }
    if (least_positive > 0 && greatest / least_positive > LOG_FROM_RATIO) {
        return (struct html_axis){.scale = HTML_SCALE_LOG,
                                  .low = pow(10, floor(log10(least_positive))),
                                  .high = pow(10, ceil(log10(greatest)))};
    }
    double step = nice_above(greatest / 5);
    return (struct html_axis){
        .scale = HTML_SCALE_LINEAR, .low = 0, .high = step * ceil(greatest / step)};
}

struct html_axis html_axis_of_time(uint64_t end_ns)
{
    return (struct html_axis){
        .scale = HTML_SCALE_TIME, .low = 0, .high = end_ns == 0 ? 1 : (double)end_ns};
}

struct html_axis html_axis_of_nines(uint64_t count)
{
    double least_left = 1 / (double)(count < 10 ? 10 : count);
    return (struct html_axis){.scale = HTML_SCALE_NINES, .low = 0, .high = -log10(least_left)};
}

double html_axis_place(const struct html_axis *axis, double value)
{
    double low = axis->low;
    double high = axis->high;
    if (axis->scale == HTML_SCALE_LOG) {
        value = value > 0 ? log10(value) : log10(low);
        low = log10(low);
        high = log10(high);
    } else if (axis->scale == HTML_SCALE_NINES) {
        value = value < 1 ? -log10(1 - value) : high;
    }
    double place = high > low ? (value - low) / (high - low) : 0;
    return place < 0 ? 0 : place > 1 ? 1 : place;
}

/* --- ticks ----------------------------------------------------------------------------------- */

static struct tick *add_tick(struct ticks *ticks, const struct html_axis *axis, double value)
{
    CHECK(ticks->count < TICKS_CEILING);
    struct tick *tick = &ticks->at[ticks->count++];
    tick->place = html_axis_place(axis, value);
    return tick;
}

static void add_number(struct ticks *ticks, const struct html_axis *axis, double value)
{
    struct tick *tick = add_tick(ticks, axis, value);
    if (value >= 1e6 && value < 1e15) {
        (void)snprintf(tick->label, LABEL_SIZE, "%g M", value / 1e6);
    } else {
        (void)snprintf(tick->label, LABEL_SIZE, "%g", value);
    }
}

static void add_log_ticks(struct ticks *ticks, const struct html_axis *axis)
{
    double decades = round(log10(axis->high / axis->low));
    double stride = decades <= 8 ? 1 : ceil(decades / 8);
    for (double i = 0; i <= decades; i += stride) {
        double power = axis->low * pow(10, i);
        add_number(ticks, axis, power);
        if (decades <= 2 && i < decades) {
            add_number(ticks, axis, 2 * power);
            add_number(ticks, axis, 5 * power);
        }
    }
}

static void add_linear_ticks(struct ticks *ticks, const struct html_axis *axis)
{
    double step = nice_above((axis->high - axis->low) / 5);
    for (double i = 0; axis->low + i * step <= axis->high * 1.000001; i++) {
        add_number(ticks, axis, axis->low + i * step);
    }
}

/* The distance of ticks on a time axis, in seconds, so that there are at most seven. */
static double time_step(double seconds)
{
    static const double steps[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                   600, 900, 1800, 3600, 7200, 14400, 28800, 86400};
    if (seconds < 7) {
        return nice_above(seconds / 6);
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (seconds / steps[i] <= 7) {
            return steps[i];
        }
    }
    return 86400 * nice_above(seconds / 86400 / 6);
}

static void format_time(double seconds, double step, char label[LABEL_SIZE])
{
    if (step < 60) {
        (void)snprintf(label, LABEL_SIZE, "%g s", seconds);
    } else if (step < 3600) {
        (void)snprintf(label, LABEL_SIZE, "%g min", seconds / 60);
    } else {
        (void)snprintf(label, LABEL_SIZE, "%g h", seconds / 3600);
    }
}

static void add_time_ticks(struct ticks *ticks, const struct html_axis *axis)
{
    double seconds = axis->high / (double)NS_PER_S;
    double step = time_step(seconds);
    /* Some C libraries' pow() is off by the last bit, which must not cost the tick at the end. */
    for (double i = 0; i * step <= seconds * 1.000001 && ticks->count < TICKS_CEILING; i++) {
        struct tick *tick = add_tick(ticks, axis, i * step * (double)NS_PER_S);
        format_time(i * step, step, tick->label);
    }
}

static void add_nines_ticks(struct ticks *ticks, const struct html_axis *axis)
{
    static const char *const labels[] = {"0 %",     "90 %",     "99 %",     "99.9 %",
                                         "99.99 %", "99.999 %", "99.9999 %"};
    struct tick *half = NULL;
    for (size_t i = 0; i < sizeof labels / sizeof *labels && (double)i <= axis->high; i++) {
        struct tick *tick = add_tick(ticks, axis, 1 - pow(10, -(double)i));
        /* 0 % and 50 % lie too near to each other once there are three nines */
        (void)snprintf(tick->label, LABEL_SIZE, "%s", i == 0 && axis->high >= 3 ? "" : labels[i]);
        if (i == 0) {
            half = add_tick(ticks, axis, 0.5);
            (void)snprintf(half->label, LABEL_SIZE, "50 %%");
        }
    }
}

static void make_ticks(struct ticks *ticks, const struct html_axis *axis)
{
    ticks->count = 0;
    switch (axis->scale) {
    case HTML_SCALE_LOG:
        add_log_ticks(ticks, axis);
        break;
    case HTML_SCALE_TIME:
        add_time_ticks(ticks, axis);
        break;
    case HTML_SCALE_NINES:
        add_nines_ticks(ticks, axis);
        break;
    default:
        add_linear_ticks(ticks, axis);
        break;
    }
}

/* --- drawing --------------------------------------------------------------------------------- */

static double x_of(const struct html_chart *chart, double value)
{
    return 1000 * html_axis_place(&chart->x, value);
}

static double y_of(const struct html_chart *chart, double value)
{
    return 1000 - 1000 * html_axis_place(&chart->y, value);
}

static void write_y_labels(struct buf *out, const struct ticks *ticks)
{
    buf_append_str(out, STR("<div class=\"ys\" aria-hidden=\"true\">"));
    for (size_t i = 0; i < ticks->count; i++) {
        buf_printf(out, "<span style=\"bottom:%.2f%%\">%s</span>", 100 * ticks->at[i].place,
                   ticks->at[i].label);
    }
    buf_append_str(out, STR("</div>"));
}

/* Labels at the ends are pulled in, every second one but the last can be left out for room. */
static void write_x_labels(struct buf *out, const struct ticks *ticks)
{
    buf_append_str(out, STR("<div class=\"xs\" aria-hidden=\"true\">"));
    for (size_t i = 0; i < ticks->count; i++) {
        double place = ticks->at[i].place;
        const char *side = place < 0.03 ? " first" : place > 0.94 ? " last" : "";
        buf_printf(out, "<span class=\"t%s%s\" style=\"left:%.2f%%\">%s</span>",
                   (ticks->count - 1 - i) % 2 == 1 ? " odd" : "", side, 100 * place,
                   ticks->at[i].label);
    }
    buf_append_str(out, STR("</div>"));
}

static void write_grid(struct buf *out, const struct ticks *xs, const struct ticks *ys)
{
    buf_append_str(out, STR("<path class=\"grid\" d=\""));
    for (size_t i = 0; i < ys->count; i++) {
        buf_printf(out, "M0 %.1fH1000", 1000 - 1000 * ys->at[i].place);
    }
    for (size_t i = 0; i < xs->count; i++) {
        buf_printf(out, "M%.1f 0V1000", 1000 * xs->at[i].place);
    }
    buf_append_str(out, STR("\"/>"));
}

void html_chart_begin(struct buf *out, const struct html_chart *chart)
{
    struct ticks xs;
    struct ticks ys;
    make_ticks(&xs, &chart->x);
    make_ticks(&ys, &chart->y);
    buf_printf(out, "<figure class=\"chart\" id=\"%s\"><figcaption>", chart->id);
    clean_html(out, str_from(chart->title));
    if (chart->unit[0] != '\0') {
        buf_printf(out, " <small>%s%s</small>", chart->unit,
                   chart->y.scale == HTML_SCALE_LOG ? ", logarithmic" : "");
    }
    buf_append_str(out, STR("</figcaption><div class=\"plot\">"));
    write_y_labels(out, &ys);
    buf_append_str(out, STR("<div class=\"area\">"));
    write_x_labels(out, &xs);
    buf_append_str(out, STR("<svg viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\" "
                            "role=\"img\" aria-label=\""));
    clean_html(out, str_from(chart->title));
    buf_append_str(out, STR("\">"));
    write_grid(out, &xs, &ys);
}

void html_chart_line(struct buf *out, const struct html_chart *chart, const char *class,
                     const struct html_point *points, size_t count)
{
    bool is_drawing = false;
    buf_printf(out, "<path class=\"line %s\" d=\"", class);
    for (size_t i = 0; i < count; i++) {
        if (isnan(points[i].y)) {
            is_drawing = false;
            continue;
        }
        /* "l0 0" gives a point without neighbours its round ends */
        buf_printf(out, is_drawing ? "L%.1f %.1f" : "M%.1f %.1fl0 0", x_of(chart, points[i].x),
                   y_of(chart, points[i].y));
        is_drawing = true;
    }
    buf_append_str(out, STR("\"/>"));
}

void html_chart_bars(struct buf *out, const struct html_chart *chart, const char *class,
                     const struct html_point *points, size_t count)
{
    buf_printf(out, "<path class=\"bars %s\" d=\"", class);
    for (size_t i = 0; i + 1 < count; i++) {
        if (points[i].y > 0) {
            double left = x_of(chart, points[i].x);
            double right = x_of(chart, points[i + 1].x);
            buf_printf(out, "M%.1f 1000V%.1fH%.1fV1000z", left, y_of(chart, points[i].y),
                       right - left > 4 ? right - 2 : right);
        }
    }
    buf_append_str(out, STR("\"/>"));
}

void html_chart_end(struct buf *out, const struct html_chart *chart,
                    const struct html_legend *legend, size_t count)
{
    (void)chart;
    buf_append_str(out, STR("</svg></div></div>"));
    if (count > 0) {
        buf_append_str(out, STR("<ul class=\"legend\">"));
        for (size_t i = 0; i < count; i++) {
            buf_printf(out,
                       "<li><svg viewBox=\"0 0 24 6\" aria-hidden=\"true\"><path class=\"line "
                       "%s\" d=\"M1 3H23\"/></svg>",
                       legend[i].class);
            clean_html(out, str_from(legend[i].label));
            buf_append_str(out, STR("</li>"));
        }
        buf_append_str(out, STR("</ul>"));
    }
    buf_append_str(out, STR("</figure>\n"));
}
