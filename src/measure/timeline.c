/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run over time in bounded memory. The interval that requests are ending in (the open one) counts
 * its latencies in an array with a place for every grain; all others keep only the grains in use
 * (measure/interval.h). It knows nothing of rows or seconds: whoever shows it adds intervals
 * up with measure/span.h. The trap: the open interval's cells are in the array and nowhere else, so
 * everything that looks at cells asks first whether the interval is the open one.
 */
#include "lather/measure/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/measure/grain.h"
#include "lather/measure/interval.h"

/* Of what is read back, in one grain of one interval: all of them add up to less than 2^64. */
static const uint64_t RESTORED_MOST = 1ULL << 39;

struct timeline {
    uint64_t start_ns;
    uint64_t interval_ns;
    struct interval *intervals;
    size_t count;
    size_t capacity;
    size_t grains; /* in use, of all intervals */
    size_t open;   /* index; SIZE_MAX: none is open */
    uint64_t
        open_from; /* where it begins, on the clock of the ends; UINT64_MAX when none is open */
    uint64_t open_width; /* interval_ns; 0 when none is open, so that nothing lies inside */
    uint64_t *counts;    /* of the open interval, a place for every grain */
};

struct timeline *timeline_new(void)
{
    struct timeline *timeline = check_calloc(1, sizeof *timeline);
    timeline->interval_ns = TIMELINE_SHORTEST_NS;
    timeline->open = SIZE_MAX;
    timeline->counts = check_calloc(GRAIN_COUNT, sizeof *timeline->counts);
    return timeline;
}

void timeline_free(struct timeline *timeline)
{
    if (timeline == NULL) {
        return;
    }
    for (size_t i = 0; i < timeline->count; i++) {
        free(timeline->intervals[i].cells);
    }
    free(timeline->intervals);
    free(timeline->counts);
    free(timeline);
}

void timeline_set_start(struct timeline *timeline, uint64_t start_ns)
{
    CHECK(timeline->count == 0);
    timeline->start_ns = start_ns;
}

uint64_t timeline_interval_ns(const struct timeline *timeline)
{
    return timeline->interval_ns;
}

size_t timeline_count(const struct timeline *timeline)
{
    return timeline->count;
}

/* --- the open interval ----------------------------------------------------------------------- */

/* How many grains of the open interval are in use. */
static uint32_t open_grains(const struct timeline *timeline)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < GRAIN_COUNT; i++) {
        used += timeline->counts[i] != 0;
    }
    return used;
}

/* Moves the open interval's counts into its cells; no interval is open then. */
static void close_open(struct timeline *timeline)
{
    if (timeline->open == SIZE_MAX) {
        return;
    }
    struct interval *interval = &timeline->intervals[timeline->open];
    interval_reserve(interval, open_grains(timeline));
    for (uint32_t i = 0; i < GRAIN_COUNT; i++) {
        if (timeline->counts[i] != 0) {
            interval->cells[interval->cell_count++] = interval_cell(i, timeline->counts[i]);
            timeline->counts[i] = 0;
        }
    }
    timeline->open = SIZE_MAX;
    timeline->open_from = UINT64_MAX;
    timeline->open_width = 0;
}

static void make_intervals(struct timeline *timeline, size_t count)
{
    if (count > timeline->capacity) {
        size_t capacity = timeline->capacity == 0 ? 16 : timeline->capacity;
        while (capacity < count) {
            capacity *= 2;
        }
        timeline->intervals =
            check_realloc(timeline->intervals, capacity * sizeof *timeline->intervals);
        timeline->capacity = capacity;
    }
    if (count > timeline->count) {
        memset(timeline->intervals + timeline->count, 0,
               (count - timeline->count) * sizeof *timeline->intervals);
        timeline->count = count;
    }
}

/* Opens the interval, moving what cells it has into the counts. */
static void open_interval(struct timeline *timeline, size_t index)
{
    close_open(timeline);
    make_intervals(timeline, index + 1);
    struct interval *interval = &timeline->intervals[index];
    for (uint32_t i = 0; i < interval->cell_count; i++) {
        timeline->counts[interval_cell_grain(interval->cells[i])] =
            interval_cell_count(interval->cells[i]);
    }
    interval->cell_count = 0;
    timeline->open = index;
    timeline->open_from = timeline->start_ns + index * timeline->interval_ns;
    timeline->open_width = timeline->interval_ns;
}

/* --- length ---------------------------------------------------------------------------------- */

static bool fits(uint64_t interval_ns, uint64_t count, size_t grains)
{
    uint64_t most = interval_ns < NS_PER_S ? TIMELINE_SHORT_CEILING : TIMELINE_CEILING;
    return count <= most && grains <= TIMELINE_GRAINS_CEILING;
}

/* Twice as long intervals, half as many. */
static void double_length(struct timeline *timeline)
{
    close_open(timeline);
    size_t half = (timeline->count + 1) / 2;
    timeline->grains = 0;
    for (size_t i = 0; i < half; i++) {
        struct interval sum = timeline->intervals[2 * i];
        if (2 * i + 1 < timeline->count) {
            (void)interval_merge(&sum, &timeline->intervals[2 * i + 1]);
            free(timeline->intervals[2 * i + 1].cells);
        }
        timeline->intervals[i] = sum;
        timeline->grains += sum.cell_count;
    }
    timeline->count = half;
    timeline->interval_ns *= 2;
}

static void fit(struct timeline *timeline)
{
    while (!fits(timeline->interval_ns, timeline->count, timeline->grains)) {
        double_length(timeline);
    }
}

void timeline_coarsen(struct timeline *timeline, uint64_t interval_ns)
{
    while (timeline->interval_ns < interval_ns) {
        double_length(timeline);
    }
    CHECK(interval_ns == 0 || timeline->interval_ns % interval_ns == 0);
}

/* The interval of an end, with the length it takes to have a place for it. */
static size_t place_of(struct timeline *timeline, uint64_t end_ns)
{
    CHECK(end_ns >= timeline->start_ns);
    uint64_t since_ns = end_ns - timeline->start_ns;
    while (!fits(timeline->interval_ns, since_ns / timeline->interval_ns + 1, timeline->grains)) {
        double_length(timeline);
    }
    return (size_t)(since_ns / timeline->interval_ns);
}

/* --- adding ---------------------------------------------------------------------------------- */

static inline void add_figures(struct interval *interval, const struct timeline_sample *sample)
{
    interval->finished++;
    interval->failed += sample->failed;
    interval->body_bytes += sample->body_bytes;
    if (sample->answered) {
        interval->answers++;
        interval->max_ns =
            sample->total_ns > interval->max_ns ? sample->total_ns : interval->max_ns;
        interval_add_sum(interval, sample->total_ns, 0);
    }
}

/* An end outside of the open interval: in one left already, or in the one to open next. */
static void add_elsewhere(struct timeline *timeline, const struct timeline_sample *sample)
{
    size_t index = place_of(timeline, sample->end_ns);
    if (timeline->open == SIZE_MAX || index > timeline->open) {
        open_interval(timeline, index);
    }
    struct interval *interval = &timeline->intervals[index];
    add_figures(interval, sample);
    if (!sample->answered) {
        return;
    }
    uint32_t grain = grain_of(sample->total_ns);
    if (index == timeline->open) {
        timeline->grains += timeline->counts[grain]++ == 0;
    } else {
        timeline->grains += interval_add(interval, grain, 1);
    }
    fit(timeline);
}

void timeline_add(struct timeline *timeline, const struct timeline_sample *sample)
{
    /* below open_from the difference wraps around and is great, too */
    if (sample->end_ns - timeline->open_from >= timeline->open_width) {
        add_elsewhere(timeline, sample);
        return;
    }
    add_figures(&timeline->intervals[timeline->open], sample);
    if (sample->answered) {
        timeline->grains += timeline->counts[grain_of(sample->total_ns)]++ == 0;
        if (timeline->grains > TIMELINE_GRAINS_CEILING) {
            fit(timeline);
        }
    }
}

/* --- reading --------------------------------------------------------------------------------- */

static void add_to_figures(struct timeline_figures *into, const struct interval *from)
{
    const struct wide sum = {.limb = {from->sum_low, from->sum_high}};
    into->finished += from->finished;
    into->failed += from->failed;
    into->answers += from->answers;
    into->body_bytes += from->body_bytes;
    into->max_ns = from->max_ns > into->max_ns ? from->max_ns : into->max_ns;
    wide_add(&into->sum_ns, &sum);
}

void timeline_at(const struct timeline *timeline, size_t index, struct timeline_figures *figures)
{
    CHECK(index < timeline->count);
    *figures = (struct timeline_figures){0};
    add_to_figures(figures, &timeline->intervals[index]);
}

void timeline_totals(const struct timeline *timeline, struct timeline_figures *figures)
{
    *figures = (struct timeline_figures){0};
    for (size_t i = 0; i < timeline->count; i++) {
        add_to_figures(figures, &timeline->intervals[i]);
    }
}

/* The next grain in use from `from` on, of the open interval; GRAIN_COUNT when there is none. */
static uint32_t next_used(const struct timeline *timeline, uint32_t from)
{
    while (from < GRAIN_COUNT && timeline->counts[from] == 0) {
        from++;
    }
    return from;
}

bool timeline_next(const struct timeline *timeline, size_t index, uint32_t *cursor,
                   struct histogram_bucket *bucket)
{
    CHECK(index < timeline->count);
    const struct interval *interval = &timeline->intervals[index];
    uint32_t grain;
    uint64_t count;
    if (index == timeline->open) {
        grain = next_used(timeline, *cursor);
        if (grain == GRAIN_COUNT) {
            return false;
        }
        count = timeline->counts[grain];
        *cursor = grain + 1;
    } else {
        if (*cursor >= interval->cell_count) {
            return false;
        }
        grain = interval_cell_grain(interval->cells[*cursor]);
        count = interval_cell_count(interval->cells[*cursor]);
        (*cursor)++;
    }
    *bucket = (struct histogram_bucket){
        .low = grain_low(grain), .high = grain_high(grain), .count = count};
    return true;
}

/* --- merging --------------------------------------------------------------------------------- */

/* A closed copy of an interval; its cells are the caller's to free. */
static struct interval copy_interval(const struct timeline *timeline, size_t index)
{
    struct interval copy = timeline->intervals[index];
    struct histogram_bucket bucket;
    copy.cells = NULL;
    copy.cell_count = 0;
    copy.cell_capacity = 0;
    const uint32_t grains =
        index == timeline->open ? open_grains(timeline) : timeline->intervals[index].cell_count;
    if (grains > 0) {
        interval_reserve(&copy, grains);
    }
    for (uint32_t cursor = 0; timeline_next(timeline, index, &cursor, &bucket);) {
        CHECK(copy.cell_count < copy.cell_capacity);
        copy.cells[copy.cell_count++] = interval_cell(grain_of(bucket.low), bucket.count);
    }
    return copy;
}

void timeline_merge(struct timeline *into, const struct timeline *from, uint64_t shift)
{
    if (from->count == 0) {
        return;
    }
    close_open(into);
    timeline_coarsen(into, from->interval_ns);
    CHECK(shift <= UINT64_MAX / 2);
    for (size_t i = 0; i < from->count; i++) {
        uint64_t ratio = into->interval_ns / from->interval_ns;
        uint64_t index = (i + shift) / ratio;
        while (!fits(into->interval_ns, index + 1, into->grains)) {
            double_length(into);
            ratio *= 2;
            index = (i + shift) / ratio;
        }
        make_intervals(into, (size_t)index + 1);
        struct interval copy = copy_interval(from, i);
        into->grains += interval_merge(&into->intervals[index], &copy);
        free(copy.cells);
    }
    fit(into);
}

/* --- reading back ---------------------------------------------------------------------------- */

bool timeline_restore_length(struct timeline *timeline, uint64_t interval_ns)
{
    uint64_t doublings = interval_ns / TIMELINE_SHORTEST_NS;
    /* 2^64 ns take no longer ones */
    if (interval_ns > UINT64_MAX / TIMELINE_CEILING * 2 ||
        interval_ns % TIMELINE_SHORTEST_NS != 0 || doublings == 0 ||
        (doublings & (doublings - 1)) != 0) {
        return false;
    }
    timeline->interval_ns = interval_ns;
    return true;
}

/* The grains of the interval being read wait in the counts, as those of an open one do. */
bool timeline_restore_grain(struct timeline *timeline, uint64_t value, uint64_t count)
{
    uint64_t *place = &timeline->counts[grain_of(value)];
    if (count == 0 || count > RESTORED_MOST || *place > RESTORED_MOST - count) {
        return false;
    }
    timeline->grains += *place == 0;
    *place += count;
    return fits(timeline->interval_ns, timeline->count, timeline->grains);
}

/* Whether such figures can be those of the grains that wait in the counts. */
static bool figures_fit(const struct timeline *timeline, const struct timeline_figures *figures)
{
    uint64_t answers = 0;
    uint32_t last = 0;
    struct wide least = {{0}};
    struct wide most = {{0}};
    for (uint32_t i = next_used(timeline, 0); i < GRAIN_COUNT; i = next_used(timeline, i + 1)) {
        uint64_t count = timeline->counts[i];
        struct wide low = wide_from_product(grain_low(i), count);
        struct wide high = wide_from_product(grain_high(i), count);
        wide_add(&least, &low);
        wide_add(&most, &high);
        answers += count; /* below 2^64: less than 2^12 counts below 2^52 */
        last = i;
    }
    return figures->answers == answers && figures->answers <= figures->finished &&
           figures->failed <= figures->finished &&
           (answers == 0 ? figures->max_ns == 0 : grain_of(figures->max_ns) == last) &&
           wide_compare(&figures->sum_ns, &least) >= 0 &&
           wide_compare(&figures->sum_ns, &most) <= 0;
}

bool timeline_restore_figures(struct timeline *timeline, const struct timeline_figures *figures)
{
    if (!fits(timeline->interval_ns, timeline->count + 1, timeline->grains) ||
        !figures_fit(timeline, figures)) {
        return false;
    }
    make_intervals(timeline, timeline->count + 1);
    timeline->open = timeline->count - 1;
    struct interval *interval = &timeline->intervals[timeline->open];
    interval->finished = figures->finished;
    interval->failed = figures->failed;
    interval->answers = figures->answers;
    interval->body_bytes = figures->body_bytes;
    interval->max_ns = figures->max_ns;
    interval->sum_low = figures->sum_ns.limb[0];
    interval->sum_high = figures->sum_ns.limb[1];
    close_open(timeline);
    return true;
}
