/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What changed between two results, and how sure that is. A run's seconds hang together (a slow one
 * is followed by a slow one), so they are drawn again in blocks, and what the figures do in a
 * thousand such draws is what they might have done. It tells what chance inside the runs can do,
 * not what changed between them on the network or the machines.
 */
#include "lather/measure/compare.h"

#include <math.h>
#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/rng.h"
#include "lather/measure/span.h"

enum { UNITS_MOST = 128, UNITS_LEAST = 8, DRAWS = 1000, ABOVE_LEAST = 5 };

/* Two buckets of the run's histogram, each 1/1024 of the value. */
static const double BUCKETS_WIDTH = 2.0 / 1024;

static const double percents[COMPARE_COUNT] = {
    [COMPARE_P50] = 50, [COMPARE_P90] = 90, [COMPARE_P95] = 95, [COMPARE_P99] = 99};

/* A run, ready to be drawn from. */
struct sampled {
    const struct summary *summary;
    struct timeline *timeline; /* intervals of the length that makes at most UNITS_MOST of them */
    size_t units;              /* whole ones */
    struct span *span;
    double all[COMPARE_COUNT]; /* the figures of all whole units */
    double draws[COMPARE_COUNT][DRAWS];
};

const char *compare_figure_name(enum compare_figure figure)
{
    static const char *const names[COMPARE_COUNT] = {"rate", "errors", "mean", "p50",
                                                     "p90",  "p95",    "p99"};
    CHECK((unsigned)figure < COMPARE_COUNT);
    return names[figure];
}

static void read_figures(const struct sampled *run, size_t units, double figures[COMPARE_COUNT])
{
    const struct timeline_figures *sums = span_figures(run->span);
    const double seconds =
        (double)units * (double)timeline_interval_ns(run->timeline) / (double)NS_PER_S;
    figures[COMPARE_RATE] = (double)sums->finished / seconds;
    figures[COMPARE_ERRORS] =
        sums->finished == 0 ? 0 : (double)sums->failed / (double)sums->finished;
    figures[COMPARE_MEAN] = span_mean_ns(run->span);
    for (int i = COMPARE_P50; i < COMPARE_COUNT; i++) {
        figures[i] = span_smooth_percentile_ns(run->span, percents[i]);
    }
}

static struct sampled *sampled_new(const struct summary *summary)
{
    struct sampled *run = check_calloc(1, sizeof *run);
    run->summary = summary;
    run->span = span_new();
    run->timeline = timeline_new();
    timeline_merge(run->timeline, summary->tally->timeline, 0);
    while (timeline_count(run->timeline) > UNITS_MOST) {
        timeline_coarsen(run->timeline, 2 * timeline_interval_ns(run->timeline));
    }
    uint64_t whole = summary->duration_ns / timeline_interval_ns(run->timeline);
    run->units = timeline_count(run->timeline);
    run->units = whole < run->units ? (size_t)whole : run->units;
    if (run->units > 0) {
        for (size_t i = 0; i < run->units; i++) {
            span_add(run->span, run->timeline, i);
        }
        read_figures(run, run->units, run->all);
    }
    return run;
}

static void sampled_free(struct sampled *run)
{
    span_free(run->span);
    timeline_free(run->timeline);
    free(run);
}

/* Draws blocks until there are as many units as the run has. */
static void draw_once(struct sampled *run, struct rng *rng, size_t block, double figures[])
{
    size_t drawn = 0;
    span_reset(run->span);
    while (drawn < run->units) {
        size_t at = (size_t)rng_below(rng, run->units);
        for (size_t i = 0; i < block && drawn < run->units; i++, drawn++) {
            span_add(run->span, run->timeline, (at + i) % run->units);
        }
    }
    read_figures(run, run->units, figures);
}

static void draw(struct sampled *run, struct rng *rng)
{
    const size_t block = (size_t)lround(cbrt((double)run->units));
    for (size_t i = 0; i < DRAWS; i++) {
        double figures[COMPARE_COUNT];
        draw_once(run, rng, block < 1 ? 1 : block, figures);
        for (size_t j = 0; j < COMPARE_COUNT; j++) {
            run->draws[j][i] = figures[j];
        }
    }
}

/* The figure as the reports print it, of the whole run. */
static double value_of(const struct summary *summary, enum compare_figure figure)
{
    const struct tally *tally = summary->tally;
    switch (figure) {
    case COMPARE_RATE:
        return summary_requests_per_s(summary);
    case COMPARE_ERRORS:
        return tally->finished == 0 ? 0 : (double)tally_failed(tally) / (double)tally->finished;
    case COMPARE_MEAN:
        return histogram_mean(tally->total);
    default:
        return (double)histogram_percentile(tally->total, percents[figure]);
    }
}

static bool can_tell(const struct sampled *run, enum compare_figure figure)
{
    const struct tally *tally = run->summary->tally;
    double answers = (double)histogram_count(tally->total);
    if (run->units < UNITS_LEAST || tally->finished == 0) {
        return false;
    }
    if (figure == COMPARE_RATE || figure == COMPARE_ERRORS) {
        return true;
    }
    return answers * (100 - percents[figure]) / 100 >= ABOVE_LEAST && run->all[figure] > 0;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* How far a draw lies from the run it was drawn from: of errors the difference, else the logarithm.
 */
static double deviation(const struct sampled *run, enum compare_figure figure, size_t i)
{
    double drawn = run->draws[figure][i];
    double all = run->all[figure];
    if (figure == COMPARE_ERRORS) {
        return drawn - all;
    }
    return drawn > 0 && all > 0 ? log(drawn / all) : 0;
}

static void find_interval(const struct sampled *old_run, const struct sampled *new_run,
                          enum compare_figure figure, struct compare_row *row)
{
    double deviations[DRAWS];
    for (size_t i = 0; i < DRAWS; i++) {
        deviations[i] = deviation(new_run, figure, i) - deviation(old_run, figure, i);
    }
    qsort(deviations, DRAWS, sizeof *deviations, by_value);
    double low = deviations[DRAWS / 40]; /* 2.5 % */
    double high = deviations[DRAWS - 1 - DRAWS / 40];
    if (figure == COMPARE_ERRORS) {
        row->low = row->change + low;
        row->high = row->change + high;
        return;
    }
    double widened = figure >= COMPARE_P50 ? BUCKETS_WIDTH : 0;
    double change = log(row->new_value / row->old_value);
    row->low = exp(change + low - widened) - 1;
    row->high = exp(change + high + widened) - 1;
}

static enum compare_verdict verdict_of(enum compare_figure figure, const struct compare_row *row)
{
    if (row->low <= 0 && row->high >= 0) {
        return COMPARE_SAME;
    }
    bool is_more = row->low > 0;
    return is_more == (figure == COMPARE_RATE) ? COMPARE_BETTER : COMPARE_WORSE;
}

void compare_results(const struct summary *old_result, const struct summary *new_result,
                     struct compare_row rows[COMPARE_COUNT])
{
    struct sampled *old_run = sampled_new(old_result);
    struct sampled *new_run = sampled_new(new_result);
    struct rng rng;
    rng_init(&rng, 1, 0);
    if (old_run->units >= UNITS_LEAST && new_run->units >= UNITS_LEAST) {
        draw(old_run, &rng);
        draw(new_run, &rng);
    }
    for (enum compare_figure i = 0; i < COMPARE_COUNT; i++) {
        struct compare_row *row = &rows[i];
        *row = (struct compare_row){.old_value = value_of(old_result, i),
                                    .new_value = value_of(new_result, i)};
        row->change = i == COMPARE_ERRORS  ? row->new_value - row->old_value
                      : row->old_value > 0 ? row->new_value / row->old_value - 1
                                           : 0;
        if (can_tell(old_run, i) && can_tell(new_run, i)) {
            find_interval(old_run, new_run, i, row);
            row->verdict = verdict_of(i, row);
        }
    }
    sampled_free(old_run);
    sampled_free(new_run);
}
