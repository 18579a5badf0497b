/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A summary as JSON. Whole numbers are written whole (those above 2^63 - 1, which JSON readers do
 * not take, as strings of digits), times in nanoseconds; what can be worked out is written too, for
 * people, under "figures", and ignored by the reader. One line a member, as a histogram has
 * thousands of buckets and the rest is read by eyes. The reader is in result_json_read.c.
 */
#include "lather/report/result_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "lather/base/clock.h"
#include "lather/report/clean.h"
#include "lather/report/result_fields.h"

/* Takes the value; that it is there and fits is checked, as a result without it would be a lie. */
static void put(json_t *object, const char *key, json_t *value)
{
    CHECK(json_object_set_new(object, key, value) == 0);
}

static void append(json_t *array, json_t *value)
{
    CHECK(json_array_append_new(array, value) == 0);
}

static json_t *json_of_text(struct str text)
{
    struct buf clean;
    buf_init(&clean);
    clean_utf8(&clean, text);
    json_t *json = json_stringn(clean.len > 0 ? clean.data : "", clean.len);
    buf_deinit(&clean);
    return json;
}

static json_t *json_of_wide(const struct wide *value)
{
    struct buf digits;
    buf_init(&digits);
    wide_format(value, &digits);
    json_t *json = json_stringn(digits.data, digits.len);
    buf_deinit(&digits);
    return json;
}

static json_t *json_of_count(uint64_t count)
{
    if (count <= INT64_MAX) {
        return json_integer((json_int_t)count);
    }
    struct wide wide = wide_from_u64(count);
    return json_of_wide(&wide);
}

static void put_count(json_t *object, const char *key, uint64_t count)
{
    put(object, key, json_of_count(count));
}

static void put_real(json_t *object, const char *key, double value)
{
    put(object, key, json_real(value));
}

static json_t *json_of_field(const void *base, const struct result_field *field)
{
    const char *place = (const char *)base + field->offset;
    uint64_t count64;
    uint32_t count32;
    uint16_t count16;
    bool yes;
    char *text;
    switch (field->kind) {
    case RESULT_FIELDS_COUNT64:
    case RESULT_FIELDS_LATER64:
        memcpy(&count64, place, sizeof count64);
        return json_of_count(count64);
    case RESULT_FIELDS_COUNT32:
        memcpy(&count32, place, sizeof count32);
        return json_of_count(count32);
    case RESULT_FIELDS_COUNT16:
        memcpy(&count16, place, sizeof count16);
        return json_of_count(count16);
    case RESULT_FIELDS_YES_NO:
        memcpy(&yes, place, sizeof yes);
        return json_boolean(yes);
    case RESULT_FIELDS_TEXT:
    case RESULT_FIELDS_LATER_TEXT:
        memcpy(&text, place, sizeof text);
        return json_of_text(str_from(text));
    case RESULT_FIELDS_COUNT:
        break;
    }
    return NULL;
}

static json_t *json_of_table(const void *base, const struct result_fields *table)
{
    json_t *object = json_object();
    for (const struct result_field *field = table->fields; field->key != NULL; field++) {
        put(object, field->key, json_of_field(base, field));
    }
    return object;
}

static json_t *json_of_run(const struct summary *summary)
{
    char started_at[32] = "";
    time_t seconds = (time_t)(summary->wall_start_ns / NS_PER_S);
    struct tm utc;
    if (gmtime_r(&seconds, &utc) != NULL) {
        (void)strftime(started_at, sizeof started_at, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    json_t *object = json_of_table(summary, &result_fields_run);
    put(object, "end", json_string(run_end_name(summary->end)));
    put(object, "started_at", json_string(started_at));
    return object;
}

static json_t *json_of_figures(const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    json_t *object = json_object();
    put_count(object, "complete_requests", tally->finished);
    put_count(object, "failed_requests", tally_failed(tally));
    put_count(object, "failed_connect", tally_bracket(tally, OUTCOME_BRACKET_CONNECT));
    put_count(object, "failed_receive", tally_bracket(tally, OUTCOME_BRACKET_RECEIVE));
    put_count(object, "failed_length", tally_bracket(tally, OUTCOME_BRACKET_LENGTH));
    put_count(object, "failed_exceptions", tally_bracket(tally, OUTCOME_BRACKET_EXCEPTIONS));
    put_count(object, "answers", tally_answers(tally));
    put_count(object, "non_2xx_responses", tally_non_2xx(tally));
    put_count(object, "slowest_band", summary_slowest_band(summary));
    put_real(object, "duration_s", (double)summary->duration_ns / (double)NS_PER_S);
    put_real(object, "requests_per_s", summary_requests_per_s(summary));
    put_real(object, "time_per_request_ms", summary_time_per_request_ms(summary));
    put_real(object, "time_per_request_across_ms", summary_time_per_request_across_ms(summary));
    put_real(object, "received_kb_per_s", summary_received_kb_per_s(summary));
    put_real(object, "sent_kb_per_s", summary_sent_kb_per_s(summary));
    put_real(object, "total_kb_per_s", summary_total_kb_per_s(summary));
    put_real(object, "cpu_us_per_request", summary_cpu_us_per_request(summary));
    put(object, "client_was_limit", json_boolean(summary_client_was_limit(summary)));
    return object;
}

static json_t *json_of_outcomes(const uint64_t outcomes[OUTCOME_COUNT])
{
    json_t *object = json_object();
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        put_count(object, outcome_name((enum outcome)i), outcomes[i]);
    }
    return object;
}

static json_t *json_of_checks(const struct tally *tally)
{
    json_t *object = json_object();
    for (size_t i = STEP_NONE + 1; i < STEP_COUNT; i++) {
        if (tally->steps[i] > 0) {
            put_count(object, step_name((enum step)i), tally->steps[i]);
        }
    }
    return object;
}

static json_t *json_of_statuses(const struct tally *tally)
{
    json_t *object = json_object();
    for (size_t i = 0; i < TALLY_STATUS_COUNT; i++) {
        if (tally->statuses[i] > 0) {
            char key[8];
            (void)snprintf(key, sizeof key, "%zu", i);
            put_count(object, key, tally->statuses[i]);
        }
    }
    return object;
}

/* Those of both text tables, and what was asked for besides. */
static json_t *json_of_percentiles(const struct histogram *histogram, const char *asked)
{
    static const char *const always = "50,66,75,80,90,95,98,99,99.9,99.99,100";
    const char *const lists[] = {always, asked};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct percentiles percentiles;
        if (lists[i][0] == '\0') {
            continue;
        }
        bool is_read = percentiles_parse(str_from(lists[i]), &percentiles, NULL);
        CHECK(is_read);
        for (size_t j = 0; j < percentiles.count; j++) {
            put_count(object, percentiles.at[j].label + 1,
                      histogram_percentile(histogram, percentiles.at[j].percent));
        }
    }
    return object;
}

static json_t *json_of_histogram(const struct histogram *histogram, const char *asked)
{
    struct histogram_exact exact;
    histogram_exact_get(histogram, &exact);
    json_t *object = json_object();
    put_count(object, "count", histogram_count(histogram));
    put_count(object, "min_ns", exact.min);
    put_count(object, "max_ns", exact.max);
    put_real(object, "mean_ns", histogram_mean(histogram));
    put_real(object, "deviation_ns", histogram_deviation(histogram));
    put(object, "percentiles_ns", json_of_percentiles(histogram, asked));
    put(object, "sum_ns", json_of_wide(&exact.sum));
    put(object, "squares_ns2", json_of_wide(&exact.squares));
    json_t *buckets = json_array();
    struct histogram_bucket bucket;
    for (uint32_t cursor = 0; histogram_next(histogram, &cursor, &bucket);) {
        json_t *pair = json_array();
        append(pair, json_of_count(bucket.low));
        append(pair, json_of_count(bucket.count));
        append(buckets, pair);
    }
    put(object, "buckets_ns", buckets);
    return object;
}

/* An interval's grains, as the buckets of the histograms are written. */
static json_t *json_of_grains(const struct timeline *timeline, size_t index)
{
    json_t *grains = json_array();
    struct histogram_bucket bucket;
    for (uint32_t cursor = 0; timeline_next(timeline, index, &cursor, &bucket);) {
        json_t *pair = json_array();
        append(pair, json_of_count(bucket.low));
        append(pair, json_of_count(bucket.count));
        append(grains, pair);
    }
    return grains;
}

static json_t *json_of_timeline(const struct timeline *timeline)
{
    json_t *intervals = json_array();
    for (size_t i = 0; i < timeline_count(timeline); i++) {
        struct timeline_figures figures;
        timeline_at(timeline, i, &figures);
        if (figures.finished == 0) {
            continue;
        }
        json_t *interval = json_object();
        put_count(interval, "at", i);
        put_count(interval, "finished", figures.finished);
        put_count(interval, "failed", figures.failed);
        put_count(interval, "answers", figures.answers);
        put_count(interval, "body_bytes", figures.body_bytes);
        put_count(interval, "max_ns", figures.max_ns);
        put(interval, "sum_ns", json_of_wide(&figures.sum_ns));
        put(interval, "buckets_ns", json_of_grains(timeline, i));
        append(intervals, interval);
    }
    json_t *object = json_object();
    put_count(object, "interval_ns", timeline_interval_ns(timeline));
    put(object, "intervals", intervals);
    return object;
}

static json_t *json_of_failures(const struct groups *failures)
{
    json_t *groups = json_array();
    for (size_t i = 0; i < groups_size(failures); i++) {
        const struct group *group = groups_at(failures, i);
        json_t *object = json_object();
        put_count(object, "count", group->count);
        put(object, "outcome", json_string(outcome_name(group->key.outcome)));
        put_count(object, "status", group->key.status);
        put(object, "code", json_of_text(group->key.code));
        put(object, "subcodes", json_of_text(group->key.subcodes));
        put(object, "detail", json_of_text(group->key.detail));
        put(object, "reason", json_of_text(group->key.reason));
        put(object, "message", json_of_text(group->key.message));
        append(groups, object);
    }
    json_t *object = json_object();
    put(object, "groups", groups);
    put_count(object, "overflow", groups_overflow(failures));
    return object;
}

static json_t *json_of_health(const struct summary_health *health)
{
    json_t *object = json_of_table(health, &result_fields_health);
    json_t *workers = json_array();
    for (size_t i = 0; i < health->worker_count; i++) {
        json_t *worker = json_of_table(&health->workers[i], &result_fields_worker);
        put_real(worker, "cpu_share", summary_worker_cpu_share(&health->workers[i]));
        append(workers, worker);
    }
    put(object, result_fields_worker.key, workers);
    return object;
}

static json_t *json_of_notes(const struct summary *summary)
{
    json_t *notes = json_array();
    for (size_t i = 0; i < summary->note_count; i++) {
        append(notes, json_of_text(str_from(summary->notes[i])));
    }
    return notes;
}

static json_t *json_of_conditions(const struct summary *summary)
{
    json_t *conditions = json_array();
    for (size_t i = 0; i < summary->condition_count; i++) {
        struct condition_verdict verdict;
        json_t *object = json_object();
        put(object, "condition", json_of_text(str_from(summary->conditions[i])));
        put(object, "holds", json_boolean(summary_judge_condition(summary, i, &verdict)));
        put(object, "found", json_string(verdict.found));
        append(conditions, object);
    }
    return conditions;
}

/* An array of structures, bytes apart, that a table is of. */
static json_t *json_of_list(const void *first, size_t count, size_t bytes,
                            const struct result_fields *table)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        append(list, json_of_table((const char *)first + i * bytes, table));
    }
    return list;
}

static json_t *json_of_messages(const struct summary *summary)
{
    json_t *messages = json_array();
    struct histogram *nothing = histogram_new();
    for (size_t i = 0; i < summary->message_count; i++) {
        const struct summary_message *message = &summary->messages[i];
        const struct histogram *total = message->tally.total;
        json_t *object = json_of_table(message, &result_fields_message);
        put(object, "outcomes", json_of_outcomes(message->tally.outcomes));
        put(object, "total",
            json_of_histogram(total != NULL ? total : nothing, summary->plan.percentiles));
        append(messages, object);
    }
    histogram_free(nothing);
    return messages;
}

static json_t *json_of_steps(const struct summary *summary)
{
    json_t *steps = json_array();
    for (size_t i = 0; i < summary->step_count; i++) {
        const struct summary_step *step = &summary->steps[i];
        json_t *object = json_of_table(step, &result_fields_step);
        if (step->total != NULL) {
            put(object, "total", json_of_histogram(step->total, summary->plan.percentiles));
            put(object, "response", json_of_histogram(step->response, summary->plan.percentiles));
        }
        append(steps, object);
    }
    return steps;
}

/* One member on a line of its own; takes the value. */
static void write_member(struct buf *out, const char *key, json_t *value, const char *end)
{
    CHECK(value != NULL);
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    CHECK(text != NULL);
    buf_printf(out, "\"%s\": ", key);
    buf_append_str(out, str_from(text));
    buf_append_str(out, str_from(end));
    free(text);
    json_decref(value);
}

void result_json_write(struct buf *out, const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    const char *asked = summary->plan.percentiles;
    json_t *times = json_object();
    put(times, "total", json_of_histogram(tally->total, asked));
    put(times, "connect", json_of_histogram(tally->connect, asked));
    put(times, "response", json_of_histogram(tally->response, asked));
    put(times, "processing", json_of_histogram(tally->processing, asked));
    put(times, "waiting", json_of_histogram(tally->waiting, asked));
    put(times, "failed", json_of_histogram(tally->failed, asked));
    put(times, "opened", json_of_histogram(tally->opened, asked));
    put(times, "auth", json_of_histogram(tally->auth, asked));
    put(times, "loop_lag", json_of_histogram(summary->health.loop_lag, asked));
    buf_append_str(out, STR("{\n"));
    write_member(out, "schema", json_string(RESULT_JSON_SCHEMA), ",\n");
    write_member(out, "lather_version", json_string(LATHER_VERSION), ",\n");
    write_member(out, result_fields_plan.key, json_of_table(&summary->plan, &result_fields_plan),
                 ",\n");
    write_member(out, result_fields_run.key, json_of_run(summary), ",\n");
    write_member(out, "figures", json_of_figures(summary), ",\n");
    write_member(out, result_fields_counts.key, json_of_table(tally, &result_fields_counts), ",\n");
    write_member(out, "outcomes", json_of_outcomes(tally->outcomes), ",\n");
    write_member(out, "statuses", json_of_statuses(tally), ",\n");
    write_member(out, "checks", json_of_checks(tally), ",\n");
    write_member(out, "failures", json_of_failures(tally->failures), ",\n");
    write_member(out, result_fields_traffic.key,
                 json_of_table(&tally->traffic, &result_fields_traffic), ",\n");
    write_member(out, result_fields_tls.key, json_of_table(&summary->tls, &result_fields_tls),
                 ",\n");
    write_member(out, result_fields_health.key, json_of_health(&summary->health), ",\n");
    write_member(out, result_fields_part.key,
                 json_of_list(summary->parts, summary->part_count, sizeof *summary->parts,
                              &result_fields_part),
                 ",\n");
    write_member(out, result_fields_message.key, json_of_messages(summary), ",\n");
    write_member(out, result_fields_warmup.key,
                 json_of_table(&summary->warmup, &result_fields_warmup), ",\n");
    write_member(out, result_fields_step.key, json_of_steps(summary), ",\n");
    write_member(out, "conditions", json_of_conditions(summary), ",\n");
    write_member(out, "notes", json_of_notes(summary), ",\n");
    write_member(out, "times", times, ",\n");
    write_member(out, "timeline", json_of_timeline(tally->timeline), ",\n");
    write_member(out, "response_timeline", json_of_timeline(tally->responses), "\n");
    buf_append_str(out, STR("}\n"));
}
