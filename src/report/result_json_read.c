/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A summary from the JSON that result_json_write made. The file may come from another box, an older
 * lather or a hand that edited it, so every member is looked at: kind, size, and at the end whether
 * the books balance, as figures that cannot be right must not be printed again. Reading stops at
 * the first member that is wrong and names it.
 */
#include "lather/report/result_json_read.h"

#include <stdlib.h>

#include <jansson.h>

#include "lather/report/clean.h"
#include "lather/report/json_member.h"
#include "lather/report/result_fields.h"
#include "lather/report/result_json.h"
#include "lather/report/result_times.h"

/* More than any machine runs; only to keep a forged file from asking for memory. */
enum { WORKERS_CEILING = 65536, MESSAGES_CEILING = 65536 };

static bool read_run(const json_t *root, struct summary *summary, struct err *err)
{
    json_t *run;
    struct str end;
    if (!json_member_table(root, summary, &result_fields_run, &run, err) ||
        !json_member_text(run, "end", &end, err)) {
        return false;
    }
    return run_end_parse(end, &summary->end) ||
           json_member_wrong(err, "end", "a known end of a run");
}

static bool read_outcomes(const json_t *root, uint64_t counts[OUTCOME_COUNT], struct err *err)
{
    json_t *outcomes;
    if (!json_member_get(root, "outcomes", JSON_OBJECT, &outcomes, err)) {
        return false;
    }
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        if (!json_member_count(outcomes, outcome_name((enum outcome)i), UINT64_MAX, &counts[i],
                               err)) {
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
    if (!json_member_get(root, "statuses", JSON_OBJECT, &statuses, err)) {
        return false;
    }
    json_object_foreach(statuses, key, member)
    {
        uint64_t status;
        if (!str_to_u64(str_from(key), &status) || status >= TALLY_STATUS_COUNT ||
            !json_member_count_of(member, &tally->statuses[status])) {
            (void)json_member_wrong(err, key, "a status with its count");
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
        return json_member_wrong(err, "checks", "an object");
    }
    json_object_foreach(checks, key, member)
    {
        enum step step;
        if (!step_parse(str_from(key), &step) || step == STEP_NONE ||
            !json_member_count_of(member, &tally->steps[step])) {
            (void)json_member_wrong(err, key, "a check with its count");
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
    if (!json_member_text(object, "outcome", &outcome, err) ||
        !json_member_count(object, "status", TALLY_STATUS_COUNT - 1, &status, err) ||
        !json_member_count(object, "count", UINT64_MAX, &count, err) ||
        !json_member_text(object, "code", &key.code, err) ||
        !json_member_text(object, "subcodes", &key.subcodes, err) ||
        !json_member_text(object, "detail", &key.detail, err) ||
        !json_member_text(object, "reason", &key.reason, err)) {
        return false;
    }
    /* Results of older versions know of no messages. */
    key.message = json_member_text_of(json_object_get(object, "message"));
    if (!outcome_parse(outcome, &key.outcome) || !outcome_is_failure(key.outcome)) {
        return json_member_wrong(err, "outcome", "a failure");
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
    if (!json_member_get(root, "failures", JSON_OBJECT, &object, err) ||
        !json_member_get(object, "groups", JSON_ARRAY, &groups, err) ||
        !json_member_count(object, "overflow", UINT64_MAX, &overflow, err)) {
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

static bool read_message(const json_t *object, struct summary_message *message, struct err *err)
{
    struct message_tally *tally = &message->tally;
    tally->total = histogram_new();
    return json_member_fields(object, message, &result_fields_message, err) &&
           read_outcomes(object, tally->outcomes, err) &&
           result_times_histogram(object, "total", tally->total, err);
}

/* Results of older versions have none, and those with one message. */
static bool read_messages(const json_t *root, struct summary *summary, struct err *err)
{
    const json_t *messages = json_object_get(root, result_fields_message.key);
    if (messages != NULL &&
        (!json_is_array(messages) || json_array_size(messages) > MESSAGES_CEILING)) {
        return json_member_wrong(err, result_fields_message.key, "a list of a sane length");
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
    return json_member_get(root, "times", JSON_OBJECT, &times, err) &&
           result_times_histogram(times, "total", tally->total, err) &&
           result_times_histogram(times, "connect", tally->connect, err) &&
           result_times_histogram(times, "response", tally->response, err) &&
           result_times_histogram(times, "processing", tally->processing, err) &&
           result_times_histogram(times, "waiting", tally->waiting, err) &&
           result_times_histogram(times, "failed", tally->failed, err) &&
           result_times_histogram(times, "opened", tally->opened, err) &&
           result_times_histogram(times, "auth", tally->auth, err) &&
           result_times_histogram(times, "loop_lag", summary->health.loop_lag, err);
}

static bool read_health(const json_t *root, struct summary_health *health, struct err *err)
{
    json_t *object;
    json_t *workers;
    if (!json_member_table(root, health, &result_fields_health, &object, err) ||
        !json_member_get(object, result_fields_worker.key, JSON_ARRAY, &workers, err)) {
        return false;
    }
    size_t count = json_array_size(workers);
    if (count > WORKERS_CEILING) {
        return json_member_wrong(err, result_fields_worker.key, "a list of a sane length");
    }
    health->workers = check_calloc(count, sizeof *health->workers);
    health->worker_count = count;
    for (size_t i = 0; i < count; i++) {
        if (!json_member_fields(json_array_get(workers, i), &health->workers[i],
                                &result_fields_worker, err)) {
            return false;
        }
    }
    return true;
}

static bool read_notes(const json_t *root, struct summary *summary, struct err *err)
{
    json_t *notes;
    if (!json_member_get(root, "notes", JSON_ARRAY, &notes, err)) {
        return false;
    }
    if (json_array_size(notes) > SUMMARY_NOTES_CEILING) {
        return json_member_wrong(err, "notes", "a list of a sane length");
    }
    for (size_t i = 0; i < json_array_size(notes); i++) {
        const json_t *note = json_array_get(notes, i);
        if (!json_is_string(note)) {
            return json_member_wrong(err, "notes", "a list of strings");
        }
        summary->notes[summary->note_count++] = str_dup(json_member_text_of(note));
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
    if (!json_member_get(root, "conditions", JSON_ARRAY, &conditions, err)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(conditions); i++) {
        struct str text;
        if (!json_member_text(json_array_get(conditions, i), "condition", &text, err) ||
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
    if (!json_member_get(root, result_fields_part.key, JSON_ARRAY, &parts, err)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(parts); i++) {
        struct summary_part part = {.name = str_dup(STR(""))};
        bool is_good =
            json_member_fields(json_array_get(parts, i), &part, &result_fields_part, err) &&
            ((part.duration_ns > 0 && summary_add_part(summary, &part)) ||
             json_member_wrong(err, result_fields_part.key, "a list of a sane length"));
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
    if (!json_member_text(root, "schema", &schema, err)) {
        return err_prefix(err, "not a result of lather");
    }
    if (!str_equals(schema, STR(RESULT_JSON_SCHEMA))) {
        return err_set(err, ERR_FORMAT,
                       "its schema is \"%.*s\", this lather reads \"" RESULT_JSON_SCHEMA "\"",
                       (int)(schema.len < 64 ? schema.len : 64), schema.data);
    }
    return true;
}

/* Older results have no histograms of a step. */
static bool read_step(const json_t *object, uint64_t finished, struct summary_step *step,
                      struct err *err)
{
    if (!json_member_fields(object, step, &result_fields_step, err)) {
        return false;
    }
    if (json_object_get(object, "total") == NULL) {
        return true;
    }
    step->total = histogram_new();
    step->response = histogram_new();
    return result_times_histogram(object, "total", step->total, err) &&
           result_times_histogram(object, "response", step->response, err) &&
           ((histogram_count(step->total) <= finished &&
             histogram_count(step->response) <= finished) ||
            json_member_wrong(err, result_fields_step.key, "a list of parts of the whole"));
}

/* Older results have neither. */
static bool read_stretches(const json_t *root, struct summary *summary, struct err *err)
{
    json_t *steps;
    json_t *warmup;
    if (json_object_get(root, result_fields_warmup.key) != NULL &&
        !json_member_table(root, &summary->warmup, &result_fields_warmup, &warmup, err)) {
        return false;
    }
    if (json_object_get(root, result_fields_step.key) == NULL) {
        return true;
    }
    if (!json_member_get(root, result_fields_step.key, JSON_ARRAY, &steps, err)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(steps); i++) {
        struct summary_step step = {.verdict = str_dup(STR(""))};
        bool is_good = read_step(json_array_get(steps, i), summary->tally->finished, &step, err) &&
                       (summary_add_step(summary, &step) ||
                        json_member_wrong(err, result_fields_step.key, "a list of a sane length"));
        free(step.verdict);
        histogram_free(step.total);
        histogram_free(step.response);
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
           json_member_table(root, &summary->plan, &result_fields_plan, &object, err) &&
           check_percentiles(summary, err) && read_run(root, summary, err) &&
           json_member_table(root, tally, &result_fields_counts, &object, err) &&
           read_outcomes(root, tally->outcomes, err) && read_statuses(root, tally, err) &&
           read_checks(root, tally, err) && read_failures(root, tally->failures, err) &&
           json_member_table(root, &tally->traffic, &result_fields_traffic, &object, err) &&
           json_member_table(root, &summary->tls, &result_fields_tls, &object, err) &&
           read_health(root, &summary->health, err) && read_notes(root, summary, err) &&
           read_parts(root, summary, err) && read_stretches(root, summary, err) &&
           read_conditions(root, summary, err) && read_times(root, summary, err) &&
           read_messages(root, summary, err) &&
           result_times_timeline(root, "timeline", tally->timeline, err) &&
           result_times_timeline(root, "response_timeline", tally->responses, err) &&
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
    if (str_starts_with(text, STR("\xEF\xBB\xBF"))) { /* saved anew by an editor */
        text = str_slice(text, 3, text.len);
    }
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
