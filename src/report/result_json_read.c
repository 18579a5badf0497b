/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A summary from the JSON that result_json_write made. The file may come from another box, an older
 * lather or a hand that edited it, so every member is looked at: kind, size, and at the end whether
 * the books balance, as figures that cannot be right must not be printed again. Reading stops at
 * the first member that is wrong and names it.
 */
#include "lather/report/result_json_read.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "lather/report/clean.h"
#include "lather/report/result_fields.h"
#include "lather/report/result_json.h"

/* More than any machine runs; only to keep a forged file from asking for memory. */
enum { WORKERS_CEILING = 65536, MESSAGES_CEILING = 65536 };

static bool wrong(struct err *err, const char *key, const char *must_be)
{
    return err_set(err, ERR_FORMAT, "\"%s\" is missing or is not %s", key, must_be);
}

static bool get_member(const json_t *object, const char *key, json_type type, json_t **member,
                       struct err *err)
{
    *member = json_object_get(object, key);
    if (*member == NULL || json_typeof(*member) != type) {
        return wrong(err, key, type == JSON_OBJECT ? "an object" : "a list");
    }
    return true;
}

static struct str text_of(const json_t *json)
{
    return str_of(json_string_value(json), json_string_length(json));
}

/* A whole number, or digits where it was above 2^63 - 1. */
static bool count_of(const json_t *json, uint64_t *count)
{
    if (json_is_integer(json) && json_integer_value(json) >= 0) {
        *count = (uint64_t)json_integer_value(json);
        return true;
    }
    return json_is_string(json) && str_to_u64(text_of(json), count);
}

static bool get_count(const json_t *object, const char *key, uint64_t most, uint64_t *count,
                      struct err *err)
{
    if (!count_of(json_object_get(object, key), count) || *count > most) {
        return wrong(err, key, "a whole number in its range");
    }
    return true;
}

static bool get_text(const json_t *object, const char *key, struct str *text, struct err *err)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_string(member)) {
        return wrong(err, key, "a string");
    }
    *text = text_of(member);
    return true;
}

static bool get_wide(const json_t *object, const char *key, struct wide *value, struct err *err)
{
    struct str digits;
    if (!get_text(object, key, &digits, err)) {
        return false;
    }
    return wide_parse(digits, value) || wrong(err, key, "a string of decimal digits");
}

static bool read_count_field(const json_t *object, void *place, const struct result_field *field,
                             struct err *err)
{
    uint64_t most = UINT64_MAX;
    uint64_t count;
    if (field->kind == RESULT_FIELDS_COUNT32) {
        most = UINT32_MAX;
    } else if (field->kind == RESULT_FIELDS_COUNT16) {
        most = UINT16_MAX;
    }
    if (field->kind == RESULT_FIELDS_LATER64 && json_object_get(object, field->key) == NULL) {
        count = 0;
    } else if (!get_count(object, field->key, most, &count, err)) {
        return false;
    }
    if (field->kind == RESULT_FIELDS_COUNT64 || field->kind == RESULT_FIELDS_LATER64) {
        memcpy(place, &count, sizeof count);
    } else if (field->kind == RESULT_FIELDS_COUNT32) {
        memcpy(place, &(uint32_t){(uint32_t)count}, sizeof(uint32_t));
    } else {
        memcpy(place, &(uint16_t){(uint16_t)count}, sizeof(uint16_t));
    }
    return true;
}

static bool read_field(const json_t *object, void *base, const struct result_field *field,
                       struct err *err)
{
    char *place = (char *)base + field->offset;
    if (field->kind == RESULT_FIELDS_YES_NO) {
        const json_t *member = json_object_get(object, field->key);
        if (!json_is_boolean(member)) {
            return wrong(err, field->key, "true or false");
        }
        memcpy(place, &(bool){json_is_true(member)}, sizeof(bool));
        return true;
    }
    if (field->kind == RESULT_FIELDS_LATER_TEXT && json_object_get(object, field->key) == NULL) {
        return true;
    }
    if (field->kind == RESULT_FIELDS_TEXT || field->kind == RESULT_FIELDS_LATER_TEXT) {
        struct str text;
        if (!get_text(object, field->key, &text, err)) {
            return false;
        }
        summary_set_text((char **)(void *)place, text);
        return true;
    }
    return read_count_field(object, place, field, err);
}

static bool read_fields(const json_t *object, void *base, const struct result_fields *table,
                        struct err *err)
{
    for (const struct result_field *field = table->fields; field->key != NULL; field++) {
        if (!read_field(object, base, field, err)) {
            return err_prefix(err, table->key);
        }
    }
    return true;
}

/* The object that holds the table's members, then the members. */
static bool read_table(const json_t *root, void *base, const struct result_fields *table,
                       json_t **object, struct err *err)
{
    return get_member(root, table->key, JSON_OBJECT, object, err) &&
           read_fields(*object, base, table, err);
}

static bool read_run(const json_t *root, struct summary *summary, struct err *err)
{
    json_t *run;
    struct str end;
    if (!read_table(root, summary, &result_fields_run, &run, err) ||
        !get_text(run, "end", &end, err)) {
        return false;
    }
    return run_end_parse(end, &summary->end) || wrong(err, "end", "a known end of a run");
}

static bool read_outcomes(const json_t *root, uint64_t counts[OUTCOME_COUNT], struct err *err)
{
    json_t *outcomes;
    if (!get_member(root, "outcomes", JSON_OBJECT, &outcomes, err)) {
        return false;
    }
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        if (!get_count(outcomes, outcome_name((enum outcome)i), UINT64_MAX, &counts[i], err)) {
            return err_prefix(err, "outcomes");
        }
    }
    return true;
}

static bool read_statuses(const json_t *root, struct tally *tally, struct err *err)
{
    json_t *statuses;
    const char *key;
    json_t *member;
    if (!get_member(root, "statuses", JSON_OBJECT, &statuses, err)) {
        return false;
    }
    json_object_foreach(statuses, key, member)
    {
        uint64_t status;
        if (!str_to_u64(str_from(key), &status) || status >= TALLY_STATUS_COUNT ||
            !count_of(member, &tally->statuses[status])) {
            (void)wrong(err, key, "a status with its count");
            return err_prefix(err, "statuses");
        }
    }
    return true;
}

/* Results of older versions have none. */
static bool read_checks(const json_t *root, struct tally *tally, struct err *err)
{
    json_t *checks = json_object_get(root, "checks");
    const char *key;
    json_t *member;
    if (checks != NULL && !json_is_object(checks)) {
        return wrong(err, "checks", "an object");
    }
    json_object_foreach(checks, key, member)
    {
        enum step step;
        if (!step_parse(str_from(key), &step) || step == STEP_NONE ||
            !count_of(member, &tally->steps[step])) {
            (void)wrong(err, key, "a check with its count");
            return err_prefix(err, "checks");
        }
    }
    return true;
}

static bool read_group(const json_t *object, struct groups *failures, struct err *err)
{
    struct group_key key;
    struct str outcome;
    uint64_t status;
    uint64_t count;
    if (!get_text(object, "outcome", &outcome, err) ||
        !get_count(object, "status", TALLY_STATUS_COUNT - 1, &status, err) ||
        !get_count(object, "count", UINT64_MAX, &count, err) ||
        !get_text(object, "code", &key.code, err) ||
        !get_text(object, "subcodes", &key.subcodes, err) ||
        !get_text(object, "detail", &key.detail, err) ||
        !get_text(object, "reason", &key.reason, err)) {
        return false;
    }
    /* Results of older versions know of no messages. */
    key.message = text_of(json_object_get(object, "message"));
    if (!outcome_parse(outcome, &key.outcome) || !outcome_is_failure(key.outcome)) {
        return wrong(err, "outcome", "a failure");
    }
    key.status = (uint16_t)status;
    groups_add_count(failures, &key, count);
    return true;
}

static bool read_failures(const json_t *root, struct groups *failures, struct err *err)
{
    json_t *object;
    json_t *groups;
    uint64_t overflow;
    if (!get_member(root, "failures", JSON_OBJECT, &object, err) ||
        !get_member(object, "groups", JSON_ARRAY, &groups, err) ||
        !get_count(object, "overflow", UINT64_MAX, &overflow, err)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(groups); i++) {
        if (!read_group(json_array_get(groups, i), failures, err)) {
            return err_prefix(err, "failures");
        }
    }
    groups_add_overflow(failures, overflow);
    return true;
}

static bool read_buckets(const json_t *object, struct histogram *histogram, struct err *err)
{
    json_t *buckets;
    if (!get_member(object, "buckets_ns", JSON_ARRAY, &buckets, err)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(buckets); i++) {
        const json_t *pair = json_array_get(buckets, i);
        uint64_t value;
        uint64_t count;
        if (json_array_size(pair) != 2 || !count_of(json_array_get(pair, 0), &value) ||
            !count_of(json_array_get(pair, 1), &count) ||
            !histogram_restore_bucket(histogram, value, count)) {
            return wrong(err, "buckets_ns", "a list of pairs [ns, count]");
        }
    }
    return true;
}

static bool read_histogram(const json_t *times, const char *key, struct histogram *histogram,
                           struct err *err)
{
    json_t *object;
    struct histogram_exact exact;
    uint64_t count;
    if (!get_member(times, key, JSON_OBJECT, &object, err)) {
        return false;
    }
    if (!read_buckets(object, histogram, err) ||
        !get_count(object, "count", UINT64_MAX, &count, err) ||
        !get_count(object, "min_ns", UINT64_MAX, &exact.min, err) ||
        !get_count(object, "max_ns", UINT64_MAX, &exact.max, err) ||
        !get_wide(object, "sum_ns", &exact.sum, err) ||
        !get_wide(object, "squares_ns2", &exact.squares, err)) {
        return err_prefix(err, key);
    }
    if (count != histogram_count(histogram) || !histogram_restore_exact(histogram, &exact)) {
        return err_set(err, ERR_FORMAT, "%s: the buckets and the figures beside them disagree",
                       key);
    }
    return true;
}

static bool read_message(const json_t *object, struct summary_message *message, struct err *err)
{
    struct message_tally *tally = &message->tally;
    tally->total = histogram_new();
    return read_fields(object, message, &result_fields_message, err) &&
           read_outcomes(object, tally->outcomes, err) &&
           read_histogram(object, "total", tally->total, err);
}

/* Results of older versions have none, and those with one message. */
static bool read_messages(const json_t *root, struct summary *summary, struct err *err)
{
    const json_t *messages = json_object_get(root, result_fields_message.key);
    if (messages != NULL &&
        (!json_is_array(messages) || json_array_size(messages) > MESSAGES_CEILING)) {
        return wrong(err, result_fields_message.key, "a list of a sane length");
    }
    for (size_t i = 0; i < json_array_size(messages); i++) {
        if (!read_message(json_array_get(messages, i), summary_add_message(summary), err)) {
            return err_prefix(err, result_fields_message.key);
        }
    }
    return true;
}

static bool read_times(const json_t *root, struct summary *summary, struct err *err)
{
    struct tally *tally = summary->tally;
    json_t *times;
    return get_member(root, "times", JSON_OBJECT, &times, err) &&
           read_histogram(times, "total", tally->total, err) &&
           read_histogram(times, "connect", tally->connect, err) &&
           read_histogram(times, "response", tally->response, err) &&
           read_histogram(times, "processing", tally->processing, err) &&
           read_histogram(times, "waiting", tally->waiting, err) &&
           read_histogram(times, "failed", tally->failed, err) &&
           read_histogram(times, "opened", tally->opened, err) &&
           read_histogram(times, "auth", tally->auth, err) &&
           read_histogram(times, "loop_lag", summary->health.loop_lag, err);
}

static bool read_grains(const json_t *object, struct timeline *timeline, struct err *err)
{
    json_t *grains;
    if (!get_member(object, "buckets_ns", JSON_ARRAY, &grains, err)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(grains); i++) {
        const json_t *pair = json_array_get(grains, i);
        uint64_t value;
        uint64_t count;
        if (json_array_size(pair) != 2 || !count_of(json_array_get(pair, 0), &value) ||
            !count_of(json_array_get(pair, 1), &count) ||
            !timeline_restore_grain(timeline, value, count)) {
            return wrong(err, "buckets_ns", "a list of pairs [ns, count]");
        }
    }
    return true;
}

/* Intervals in which nothing ended are not written. */
static bool skip_to(const json_t *object, struct timeline *timeline, struct err *err)
{
    static const struct timeline_figures nothing;
    uint64_t at;
    if (!get_count(object, "at", TIMELINE_CEILING - 1, &at, err)) {
        return false;
    }
    while (timeline_count(timeline) < at) {
        if (!timeline_restore_figures(timeline, &nothing)) {
            return wrong(err, "at", "the number of an interval");
        }
    }
    return timeline_count(timeline) == at || wrong(err, "at", "above the one before");
}

static bool read_interval(const json_t *object, struct timeline *timeline, struct err *err)
{
    struct timeline_figures figures;
    if (!skip_to(object, timeline, err) || !read_grains(object, timeline, err) ||
        !get_count(object, "finished", UINT64_MAX, &figures.finished, err) ||
        !get_count(object, "failed", UINT64_MAX, &figures.failed, err) ||
        !get_count(object, "answers", UINT64_MAX, &figures.answers, err) ||
        !get_count(object, "body_bytes", UINT64_MAX, &figures.body_bytes, err) ||
        !get_count(object, "max_ns", UINT64_MAX, &figures.max_ns, err) ||
        !get_wide(object, "sum_ns", &figures.sum_ns, err)) {
        return false;
    }
    return timeline_restore_figures(timeline, &figures) ||
           err_set(err, ERR_FORMAT, "the figures of an interval contradict each other");
}

/* Results of before there was a timeline have none. */
static bool read_timeline(const json_t *root, const char *key, struct timeline *timeline,
                          struct err *err)
{
    json_t *object;
    json_t *intervals;
    uint64_t interval_ns;
    if (json_object_get(root, key) == NULL) {
        return true;
    }
    if (!get_member(root, key, JSON_OBJECT, &object, err) ||
        !get_count(object, "interval_ns", UINT64_MAX, &interval_ns, err) ||
        !get_member(object, "intervals", JSON_ARRAY, &intervals, err)) {
        return false;
    }
    if (!timeline_restore_length(timeline, interval_ns)) {
        return wrong(err, "interval_ns", "a length that intervals can have");
    }
    for (size_t i = 0; i < json_array_size(intervals); i++) {
        if (!read_interval(json_array_get(intervals, i), timeline, err)) {
            return err_prefix(err, key);
        }
    }
    return true;
}

static bool read_health(const json_t *root, struct summary_health *health, struct err *err)
{
    json_t *object;
    json_t *workers;
    if (!read_table(root, health, &result_fields_health, &object, err) ||
        !get_member(object, result_fields_worker.key, JSON_ARRAY, &workers, err)) {
        return false;
    }
    size_t count = json_array_size(workers);
    if (count > WORKERS_CEILING) {
        return wrong(err, result_fields_worker.key, "a list of a sane length");
    }
    health->workers = check_calloc(count, sizeof *health->workers);
    health->worker_count = count;
    for (size_t i = 0; i < count; i++) {
        if (!read_fields(json_array_get(workers, i), &health->workers[i], &result_fields_worker,
                         err)) {
            return false;
        }
    }
    return true;
}

static bool read_notes(const json_t *root, struct summary *summary, struct err *err)
{
    json_t *notes;
    if (!get_member(root, "notes", JSON_ARRAY, &notes, err)) {
        return false;
    }
    if (json_array_size(notes) > SUMMARY_NOTES_CEILING) {
        return wrong(err, "notes", "a list of a sane length");
    }
    for (size_t i = 0; i < json_array_size(notes); i++) {
        const json_t *note = json_array_get(notes, i);
        if (!json_is_string(note)) {
            return wrong(err, "notes", "a list of strings");
        }
        summary->notes[summary->note_count++] = str_dup(text_of(note));
    }
    return true;
}

/* Verdicts are made again; results of before there were conditions have none. */
static bool read_conditions(const json_t *root, struct summary *summary, struct err *err)
{
    json_t *conditions;
    if (json_object_get(root, "conditions") == NULL) {
        return true;
    }
    if (!get_member(root, "conditions", JSON_ARRAY, &conditions, err)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(conditions); i++) {
        struct str text;
        if (!get_text(json_array_get(conditions, i), "condition", &text, err) ||
            !summary_add_condition(summary, text, err)) {
            return err_prefix(err, "conditions");
        }
    }
    return true;
}

/* Only merged results are made of parts. */
static bool read_parts(const json_t *root, struct summary *summary, struct err *err)
{
    json_t *parts;
    if (json_object_get(root, result_fields_part.key) == NULL) {
        return true;
    }
    if (!get_member(root, result_fields_part.key, JSON_ARRAY, &parts, err)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(parts); i++) {
        struct summary_part part = {.name = str_dup(STR(""))};
        bool is_good = read_fields(json_array_get(parts, i), &part, &result_fields_part, err) &&
                       ((part.duration_ns > 0 && summary_add_part(summary, &part)) ||
                        wrong(err, result_fields_part.key, "a list of a sane length"));
        free(part.name);
        if (!is_good) {
            return false;
        }
    }
    return true;
}

/* The list of --percentiles is a text of its own kind; without one it is empty. */
static bool check_percentiles(const struct summary *summary, struct err *err)
{
    struct percentiles percentiles;
    const char *list = summary->plan.percentiles;
    return list[0] == '\0' || percentiles_parse(str_from(list), &percentiles, err) ||
           err_prefix(err, "plan: \"percentiles\"");
}

static bool read_schema(const json_t *root, struct err *err)
{
    struct str schema;
    if (!get_text(root, "schema", &schema, err)) {
        return err_prefix(err, "not a result of lather");
    }
    if (!str_equals(schema, STR(RESULT_JSON_SCHEMA))) {
        return err_set(err, ERR_FORMAT,
                       "its schema is \"%.*s\", this lather reads \"" RESULT_JSON_SCHEMA "\"",
                       (int)(schema.len < 64 ? schema.len : 64), schema.data);
    }
    return true;
}

/* Older results have neither. */
static bool read_stretches(const json_t *root, struct summary *summary, struct err *err)
{
    json_t *steps;
    json_t *warmup;
    if (json_object_get(root, result_fields_warmup.key) != NULL &&
        !read_table(root, &summary->warmup, &result_fields_warmup, &warmup, err)) {
        return false;
    }
    if (json_object_get(root, result_fields_step.key) == NULL) {
        return true;
    }
    if (!get_member(root, result_fields_step.key, JSON_ARRAY, &steps, err)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(steps); i++) {
        struct summary_step step = {.verdict = str_dup(STR(""))};
        bool is_good = read_fields(json_array_get(steps, i), &step, &result_fields_step, err) &&
                       (summary_add_step(summary, &step) ||
                        wrong(err, result_fields_step.key, "a list of a sane length"));
        free(step.verdict);
        if (!is_good) {
            return false;
        }
    }
    return true;
}

static bool read_members(const json_t *root, struct summary *summary, struct err *err)
{
    struct tally *tally = summary->tally;
    json_t *object;
    return read_schema(root, err) &&
           read_table(root, &summary->plan, &result_fields_plan, &object, err) &&
           check_percentiles(summary, err) && read_run(root, summary, err) &&
           read_table(root, tally, &result_fields_counts, &object, err) &&
           read_outcomes(root, tally->outcomes, err) && read_statuses(root, tally, err) &&
           read_checks(root, tally, err) && read_failures(root, tally->failures, err) &&
           read_table(root, &tally->traffic, &result_fields_traffic, &object, err) &&
           read_table(root, &summary->tls, &result_fields_tls, &object, err) &&
           read_health(root, &summary->health, err) && read_notes(root, summary, err) &&
           read_parts(root, summary, err) && read_stretches(root, summary, err) &&
           read_conditions(root, summary, err) && read_times(root, summary, err) &&
           read_messages(root, summary, err) &&
           read_timeline(root, "timeline", tally->timeline, err) &&
           read_timeline(root, "response_timeline", tally->responses, err) &&
           (summary->unbalanced ||
            (tally_check(tally, err) && summary_check_messages(summary, err)));
}

/* Sentences quote the file, which may hold anything; err may be NULL. */
static bool refuse_cleanly(struct err *err)
{
    if (err != NULL) {
        struct buf clean;
        buf_init(&clean);
        clean_line(&clean, str_from(err->text));
        (void)err_set(err, ERR_FORMAT, "%s", clean.data);
        buf_deinit(&clean);
    }
    return false;
}

bool result_json_read(struct str text, struct summary **summary, struct err *err)
{
    json_error_t error;
    json_t *root =
        json_loadb(text.len > 0 ? text.data : "", text.len, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        (void)err_set(err, ERR_FORMAT, "line %d: not JSON: %s", error.line, error.text);
        return refuse_cleanly(err);
    }
    struct summary *made = summary_new();
    bool read = read_members(root, made, err);
    json_decref(root);
    if (!read) {
        summary_free(made);
        return refuse_cleanly(err);
    }
    *summary = made;
    return true;
}
