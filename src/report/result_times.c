/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times out of a result: histograms with the exact figures beside their buckets, and the books over
 * time. They are what merging is exact by, so a bucket that cannot be, or figures that contradict
 * their buckets, refuse the whole result.
 */
#include "lather/report/result_times.h"

#include "lather/report/json_member.h"

/* Hands the pairs of "buckets_ns" to `restore`, which refuses those that cannot be. */
static bool read_buckets(const json_t *object,
                         bool (*restore)(void *into, uint64_t value, uint64_t count), void *into,
                         struct err *err)
{
    json_t *buckets;
    if (!json_member_get(object, "buckets_ns", JSON_ARRAY, &buckets, err)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(buckets); i++) {
        const json_t *pair = json_array_get(buckets, i);
        uint64_t value;
        uint64_t count;
        if (json_array_size(pair) != 2 || !json_member_count_of(json_array_get(pair, 0), &value) ||
            !json_member_count_of(json_array_get(pair, 1), &count) ||
            !restore(into, value, count)) {
            return json_member_wrong(err, "buckets_ns", "a list of pairs [ns, count]");
        }
    }
    return true;
}

static bool restore_bucket(void *histogram, uint64_t value, uint64_t count)
{
    return histogram_restore_bucket(histogram, value, count);
}

static bool restore_grain(void *timeline, uint64_t value, uint64_t count)
{
    return timeline_restore_grain(timeline, value, count);
}

bool result_times_histogram(const json_t *times, const char *key, struct histogram *histogram,
                            struct err *err)
{
    json_t *object;
    struct histogram_exact exact;
    uint64_t count;
    if (!json_member_get(times, key, JSON_OBJECT, &object, err)) {
        return false;
    }
    if (!read_buckets(object, restore_bucket, histogram, err) ||
        !json_member_count(object, "count", UINT64_MAX, &count, err) ||
        !json_member_count(object, "min_ns", UINT64_MAX, &exact.min, err) ||
        !json_member_count(object, "max_ns", UINT64_MAX, &exact.max, err) ||
        !json_member_wide(object, "sum_ns", &exact.sum, err) ||
        !json_member_wide(object, "squares_ns2", &exact.squares, err)) {
        return err_prefix(err, key);
    }
    if (count != histogram_count(histogram) || !histogram_restore_exact(histogram, &exact)) {
        return err_set(err, ERR_FORMAT, "%s: the buckets and the figures beside them disagree",
                       key);
    }
    return true;
}

/* Intervals in which nothing ended are not written. */
static bool skip_to(const json_t *object, struct timeline *timeline, struct err *err)
{
    static const struct timeline_figures nothing;
    uint64_t at;
    if (!json_member_count(object, "at", TIMELINE_CEILING - 1, &at, err)) {
        return false;
    }
    while (timeline_count(timeline) < at) {
        if (!timeline_restore_figures(timeline, &nothing)) {
            return json_member_wrong(err, "at", "the number of an interval");
        }
    }
    return timeline_count(timeline) == at || json_member_wrong(err, "at", "above the one before");
}

static bool read_interval(const json_t *object, struct timeline *timeline, struct err *err)
{
    struct timeline_figures figures;
    if (!skip_to(object, timeline, err) || !read_buckets(object, restore_grain, timeline, err) ||
        !json_member_count(object, "finished", UINT64_MAX, &figures.finished, err) ||
        !json_member_count(object, "failed", UINT64_MAX, &figures.failed, err) ||
        !json_member_count(object, "answers", UINT64_MAX, &figures.answers, err) ||
        !json_member_count(object, "body_bytes", UINT64_MAX, &figures.body_bytes, err) ||
        !json_member_count(object, "max_ns", UINT64_MAX, &figures.max_ns, err) ||
        !json_member_wide(object, "sum_ns", &figures.sum_ns, err)) {
        return false;
    }
    return timeline_restore_figures(timeline, &figures) ||
           err_set(err, ERR_FORMAT, "the figures of an interval contradict each other");
}

bool result_times_timeline(const json_t *root, const char *key, struct timeline *timeline,
                           struct err *err)
{
    json_t *object;
    json_t *intervals;
    uint64_t interval_ns;
    if (json_object_get(root, key) == NULL) {
        return true;
    }
    if (!json_member_get(root, key, JSON_OBJECT, &object, err) ||
        !json_member_count(object, "interval_ns", UINT64_MAX, &interval_ns, err) ||
        !json_member_get(object, "intervals", JSON_ARRAY, &intervals, err)) {
        return false;
    }
    if (!timeline_restore_length(timeline, interval_ns)) {
        return json_member_wrong(err, "interval_ns", "a length that intervals can have");
    }
    for (size_t i = 0; i < json_array_size(intervals); i++) {
        if (!read_interval(json_array_get(intervals, i), timeline, err)) {
            return err_prefix(err, key);
        }
    }
    return true;
}
