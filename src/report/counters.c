/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server's counters, from CSV. Only the table is read here; that its clock is another machine's
 * is said where it is drawn. The traps: PDH-CSV writes local time and its distance from UTC with
 * the sign turned around, a value that is not there is a blank, and typeperf's first row has no
 * rates.
 */
#include "lather/report/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/csv.h"
#include "lather/base/moment.h"

struct series {
    size_t column;
};

struct row {
    uint64_t time_ns;
    size_t index; /* in the table */
};

struct counters {
    struct csv *csv;
    enum counters_clock clock;
    bool has_bias; /* PDH-CSV */
    int64_t bias_minutes;
    size_t time_column;
    struct row *rows;
    size_t row_count;
    struct series series[COUNTERS_SERIES_CEILING];
    size_t series_count;
    size_t left_out;
};

/* --- times ----------------------------------------------------------------------------------- */

/* Local time of whoever reads it, where the text does not say. */
static bool note_zone(struct counters *counters, enum moment_zone zone)
{
    if (zone == MOMENT_ZONE_LOCAL) {
        counters->clock = COUNTERS_CLOCK_LOCAL;
    }
    return true;
}

static bool read_american(struct counters *counters, struct str text, uint64_t *time_ns)
{
    const int64_t *bias_minutes = counters->has_bias ? &counters->bias_minutes : NULL;
    return moment_parse_american(text, bias_minutes, time_ns) &&
           note_zone(counters, bias_minutes == NULL ? MOMENT_ZONE_LOCAL : MOMENT_ZONE_TOLD);
}

static bool read_iso(struct counters *counters, struct str text, uint64_t *time_ns)
{
    enum moment_zone zone;
    return moment_parse_iso(text, time_ns, &zone) && note_zone(counters, zone);
}

static bool read_real(struct str text, double *value)
{
    char copy[64];
    char *end;
    text = str_trim(text);
    if (text.len == 0 || text.len >= sizeof copy) {
        return false;
    }
    memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    *value = strtod(copy, &end);
    return *end == '\0' && isfinite(*value);
}

/* Since 1970; which unit is told by the size: 10^9 s is 2001, 10^11 s would be the year 5138. */
static bool read_since_1970(struct str text, uint64_t *time_ns)
{
    static const struct {
        double below;
        double unit_ns;
    } units[] = {{1e11, 1e9}, {1e14, 1e6}, {1e17, 1e3}, {1e19, 1}};
    double value;
    if (!read_real(text, &value) || value < 1e8) {
        return false;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (value < units[i].below) {
            double nanoseconds = value * units[i].unit_ns;
            bool is_in_range = nanoseconds < 1.8e19; /* the year 2540: what 64 bits hold */
            *time_ns = is_in_range ? (uint64_t)nanoseconds : 0;
            return is_in_range;
        }
    }
    return false;
}

static bool read_time(struct counters *counters, struct str text, uint64_t *time_ns)
{
    text = str_trim(text);
    return read_american(counters, text, time_ns) || read_iso(counters, text, time_ns) ||
           read_since_1970(text, time_ns);
}

/* --- the table ------------------------------------------------------------------------------- */

/* "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)": minutes to add to get UTC. */
static bool read_pdh_head(struct counters *counters)
{
    struct str head = csv_column_name(counters->csv, 0);
    if (!str_starts_with(head, STR("(PDH-CSV"))) {
        return false;
    }
    size_t open = head.len;
    while (open > 0 && head.data[open - 1] != '(') {
        open--;
    }
    struct str digits = str_slice(head, open, head.len);
    digits = str_slice(digits, 0, digits.len > 0 ? digits.len - 1 : 0);
    bool is_negative = str_starts_with(digits, STR("-"));
    uint64_t minutes;
    if (str_to_u64(str_slice(digits, is_negative ? 1 : 0, digits.len), &minutes) &&
        minutes <= 24ULL * 60) {
        counters->has_bias = true;
        counters->bias_minutes = is_negative ? -(int64_t)minutes : (int64_t)minutes;
    }
    return true;
}

static size_t find_time_column(const struct csv *csv)
{
    for (size_t i = 0; i < csv_column_count(csv); i++) {
        struct str name = csv_column_name(csv, i);
        if (str_find_nocase(name, STR("time")) != SIZE_MAX ||
            str_find_nocase(name, STR("date")) != SIZE_MAX) {
            return i;
        }
    }
    return 0;
}

static int by_time(const void *a, const void *b)
{
    const struct row *left = a;
    const struct row *right = b;
    if (left->time_ns != right->time_ns) {
        return left->time_ns < right->time_ns ? -1 : 1;
    }
    return left->index < right->index ? -1 : left->index > right->index;
}

static bool read_rows(struct counters *counters, struct err *err)
{
    struct csv *csv = counters->csv;
    counters->rows = check_calloc(csv_row_count(csv), sizeof *counters->rows);
    for (size_t i = 0; i < csv_row_count(csv); i++) {
        struct row *row = &counters->rows[counters->row_count++];
        struct str cell = csv_cell(csv, i, counters->time_column);
        row->index = i;
        if (!read_time(counters, cell, &row->time_ns)) {
            struct str name = csv_column_name(csv, counters->time_column);
            return err_set(err, ERR_FORMAT,
                           "%.200s:%zu: \"%.*s\" in the column \"%.*s\" is no time that can be "
                           "read: write it as 2006-01-31T15:04:05Z",
                           csv_name(csv), csv_line(csv, i), STR_ARG(str_slice(cell, 0, 40)),
                           STR_ARG(str_slice(name, 0, 40)));
        }
    }
    qsort(counters->rows, counters->row_count, sizeof *counters->rows, by_time);
    return true;
}

static bool has_number(const struct csv *csv, size_t column)
{
    double value;
    for (size_t i = 0; i < csv_row_count(csv); i++) {
        if (read_real(csv_cell(csv, i, column), &value)) {
            return true;
        }
    }
    return false;
}

static bool find_series(struct counters *counters, struct err *err)
{
    const struct csv *csv = counters->csv;
    for (size_t i = 0; i < csv_column_count(csv); i++) {
        if (i == counters->time_column || !has_number(csv, i)) {
            continue;
        }
        if (counters->series_count == COUNTERS_SERIES_CEILING) {
            counters->left_out++;
        } else {
            counters->series[counters->series_count++].column = i;
        }
    }
    return counters->series_count > 0 ||
           err_set(err, ERR_FORMAT, "%.200s: no column of it has a number in it", csv_name(csv));
}

bool counters_parse(const char *name, struct buf *content, struct counters **counters,
                    struct err *err)
{
    struct counters *made = check_calloc(1, sizeof *made);
    if (!csv_parse(name, content, &made->csv, err)) {
        free(made);
        return false;
    }
    made->time_column = read_pdh_head(made) ? 0 : find_time_column(made->csv);
    if (!read_rows(made, err) || !find_series(made, err)) {
        counters_free(made);
        return false;
    }
    *counters = made;
    return true;
}

void counters_free(struct counters *counters)
{
    if (counters == NULL) {
        return;
    }
    csv_free(counters->csv);
    free(counters->rows);
    free(counters);
}

enum counters_clock counters_clock(const struct counters *counters)
{
    return counters->clock;
}

size_t counters_series(const struct counters *counters)
{
    return counters->series_count;
}

size_t counters_left_out(const struct counters *counters)
{
    return counters->left_out;
}

struct str counters_name(const struct counters *counters, size_t series)
{
    CHECK(series < counters->series_count);
    return csv_column_name(counters->csv, counters->series[series].column);
}

size_t counters_rows(const struct counters *counters)
{
    return counters->row_count;
}

uint64_t counters_time_ns(const struct counters *counters, size_t row)
{
    CHECK(row < counters->row_count);
    return counters->rows[row].time_ns;
}

double counters_value(const struct counters *counters, size_t series, size_t row)
{
    double value;
    CHECK(series < counters->series_count && row < counters->row_count);
    struct str cell =
        csv_cell(counters->csv, counters->rows[row].index, counters->series[series].column);
    return read_real(cell, &value) ? value : NAN;
}
