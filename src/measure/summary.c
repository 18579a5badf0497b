/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run as plain values, and the figures derived from them, so that every report prints the same
 * ones. It knows no living run and formats nothing but notes. The trap: a derived figure is 0 where
 * it has no meaning (no time, no request), so whoever prints it asks first whether to print at all.
 */
#include "lather/measure/summary.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/clock.h"

static const char *const end_names[RUN_END_COUNT] = {
    [RUN_END_DONE] = "done",
    [RUN_END_TIME] = "time limit",
    [RUN_END_INTERRUPTED] = "interrupted",
    [RUN_END_UNREACHABLE] = "unreachable",
    [RUN_END_ROWS] = "rows",
};

const char *run_end_name(enum run_end end)
{
    CHECK((unsigned)end < RUN_END_COUNT);
    return end_names[end];
}

bool run_end_parse(struct str name, enum run_end *end)
{
    for (size_t i = 0; i < RUN_END_COUNT; i++) {
        if (str_equals(name, str_from(end_names[i]))) {
            *end = (enum run_end)i;
            return true;
        }
    }
    return false;
}

/* Every string of a summary, for what is done to all of them. */
static void each_string(struct summary *summary, void (*visit)(char **string))
{
    struct summary_plan *plan = &summary->plan;
    struct summary_tls *tls = &summary->tls;
    char **const strings[] = {
        &plan->method,      &plan->url,          &plan->host,
        &plan->path,        &plan->content_type, &plan->soap_version,
        &plan->soap_action, &plan->validate,     &plan->command_line,
        &plan->percentiles, &plan->transport,    &plan->auth_scheme,
        &plan->proxy,       &plan->find_rate,    &summary->server_software,
        &tls->server_name,  &tls->protocol,      &tls->cipher,
        &tls->temp_key,     &tls->subject,       &tls->issuer,
    };
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        visit(strings[i]);
    }
}

static void make_empty(char **string)
{
    *string = str_dup(STR(""));
}

static void free_string(char **string)
{
    free(*string);
}

struct summary *summary_new(void)
{
    struct summary *summary = check_calloc(1, sizeof *summary);
    each_string(summary, make_empty);
    summary->tally = tally_new();
    summary->health.loop_lag = histogram_new();
    return summary;
}

void summary_forget_messages(struct summary *summary)
{
    for (size_t i = 0; i < summary->message_count; i++) {
        struct summary_message *message = &summary->messages[i];
        free(message->name);
        free(message->method);
        free(message->path);
        free(message->soap_action);
        message_tally_deinit(&message->tally);
    }
    free(summary->messages);
    summary->messages = NULL;
    summary->message_count = 0;
}

void summary_free(struct summary *summary)
{
    if (summary == NULL) {
        return;
    }
    each_string(summary, free_string);
    tally_free(summary->tally);
    histogram_free(summary->health.loop_lag);
    free(summary->health.workers);
    for (size_t i = 0; i < summary->note_count; i++) {
        free(summary->notes[i]);
    }
    summary_forget_conditions(summary);
    for (size_t i = 0; i < summary->part_count; i++) {
        free(summary->parts[i].name);
    }
    free(summary->parts);
    summary_forget_messages(summary);
    summary_forget_steps(summary);
    free(summary->steps);
    free(summary);
}

void summary_set_text(char **string, struct str text)
{
    free(*string);
    *string = str_dup(text);
}

PRINTF_LIKE(1, 0) static char *format_text(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    CHECK(len >= 0);
    char *text = check_malloc((size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, arguments);
    return text;
}

void summary_note(struct summary *summary, const char *format, ...)
{
    if (summary->note_count == SUMMARY_NOTES_CEILING) {
        return;
    }
    if (summary->note_count == SUMMARY_NOTES_CEILING - 1) {
        summary->notes[summary->note_count++] =
            str_dup(STR("There was more to note than there is room for."));
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    summary->notes[summary->note_count++] = format_text(format, arguments);
    va_end(arguments);
}

bool summary_add_condition(struct summary *summary, struct str text, struct err *err)
{
    struct condition condition;
    if (!condition_parse(text, &condition, err)) {
        return false;
    }
    if (summary->condition_count == SUMMARY_CONDITIONS_CEILING) {
        return err_set(err, ERR_USAGE, "more than %d conditions: leave some out",
                       SUMMARY_CONDITIONS_CEILING);
    }
    summary->conditions[summary->condition_count++] = str_dup(text);
    return true;
}

void summary_forget_conditions(struct summary *summary)
{
    for (size_t i = 0; i < summary->condition_count; i++) {
        free(summary->conditions[i]);
    }
    summary->condition_count = 0;
}

bool summary_judge_condition(const struct summary *summary, size_t index,
                             struct condition_verdict *verdict)
{
    struct condition condition;
    CHECK(index < summary->condition_count);
    bool is_read = condition_parse(str_from(summary->conditions[index]), &condition, NULL);
    CHECK(is_read);
    condition_judge(&condition, summary->tally, summary_requests_per_s(summary), verdict);
    return verdict->holds;
}

bool summary_condition_holds(const struct summary *summary)
{
    for (size_t i = 0; i < summary->condition_count; i++) {
        struct condition_verdict verdict;
        if (summary_judge_condition(summary, i, &verdict)) {
            return true;
        }
    }
    return false;
}

bool summary_is_search(const struct summary *summary)
{
    return summary->plan.find_rate[0] != '\0' && summary->step_count > 0 &&
           summary->condition_count == 0;
}

void summary_percentiles(const struct summary *summary, const char *otherwise,
                         struct percentiles *percentiles)
{
    const char *list = summary->plan.percentiles;
    bool is_read =
        percentiles_parse(str_from(list[0] != '\0' ? list : otherwise), percentiles, NULL);
    CHECK(is_read);
}

bool summary_client_was_limit(const struct summary *summary)
{
    return summary->health.cpu_share_warning || summary->health.loop_lag_warning;
}

static double seconds(const struct summary *summary)
{
    return (double)summary->duration_ns / (double)NS_PER_S;
}

bool summary_add_part(struct summary *summary, const struct summary_part *part)
{
    if (summary->part_count == SUMMARY_PARTS_CEILING) {
        return false;
    }
    summary->parts =
        check_realloc(summary->parts, (summary->part_count + 1) * sizeof *summary->parts);
    struct summary_part *added = &summary->parts[summary->part_count++];
    *added = *part;
    added->name = str_dup(str_from(part->name));
    return true;
}

struct summary_message *summary_add_message(struct summary *summary)
{
    summary->messages =
        check_realloc(summary->messages, (summary->message_count + 1) * sizeof *summary->messages);
    struct summary_message *added = &summary->messages[summary->message_count++];
    *added = (struct summary_message){.weight = 1};
    make_empty(&added->name);
    make_empty(&added->method);
    make_empty(&added->path);
    make_empty(&added->soap_action);
    return added;
}

/* A figure of the messages together, and what it must be. */
struct page {
    const char *what;
    uint64_t said;
    uint64_t whole;
};

static bool all_balance(const struct page *pages, size_t count, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (pages[i].said != pages[i].whole) {
            return err_set(err, ERR_FORMAT,
                           "the books do not balance: the messages have %" PRIu64
                           " %s together, the whole has %" PRIu64,
                           pages[i].said, pages[i].what, pages[i].whole);
        }
    }
    return true;
}

bool summary_check_messages(const struct summary *summary, struct err *err)
{
    const struct tally *whole = summary->tally;
    struct message_tally sum = {.started = 0};
    if (summary->message_count == 0) {
        return true;
    }
    for (size_t i = 0; i < summary->message_count; i++) {
        message_tally_merge(&sum, &summary->messages[i].tally);
    }
    const uint64_t answers = sum.total == NULL ? 0 : histogram_count(sum.total);
    const struct page pages[] = {
        {"requests started", sum.started, whole->started},
        {"requests finished", sum.finished, whole->finished},
        {"answers", answers, histogram_count(whole->total)},
        {"bytes of bodies", sum.body_bytes, whole->body_bytes},
        {"bytes sent", sum.traffic.bytes_sent, whole->traffic.bytes_sent},
        {"requests sent whole", sum.traffic.requests_sent_whole,
         whole->traffic.requests_sent_whole},
    };
    bool is_good = all_balance(pages, sizeof pages / sizeof *pages, err);
    for (size_t i = 0; i < OUTCOME_COUNT && is_good; i++) {
        const struct page page = {outcome_name((enum outcome)i), sum.outcomes[i],
                                  whole->outcomes[i]};
        is_good = all_balance(&page, 1, err);
    }
    if (is_good && sum.traffic.bytes_received > whole->traffic.bytes_received) {
        is_good =
            err_set(err, ERR_FORMAT,
                    "the books do not balance: the messages have more bytes received together "
                    "than the whole");
    }
    message_tally_deinit(&sum);
    return is_good;
}

static struct histogram *copy_histogram(const struct histogram *histogram)
{
    struct histogram *copy = NULL;
    if (histogram != NULL) {
        copy = histogram_new();
        histogram_merge(copy, histogram);
    }
    return copy;
}

bool summary_add_step(struct summary *summary, const struct summary_step *step)
{
    if (summary->step_count == SUMMARY_STEPS_CEILING) {
        return false;
    }
    summary->steps =
        check_realloc(summary->steps, (summary->step_count + 1) * sizeof *summary->steps);
    struct summary_step *added = &summary->steps[summary->step_count++];
    *added = *step;
    added->verdict = str_dup(str_from(step->verdict));
    added->total = copy_histogram(step->total);
    added->response = copy_histogram(step->response);
    return true;
}

void summary_forget_steps(struct summary *summary)
{
    for (size_t i = 0; i < summary->step_count; i++) {
        free(summary->steps[i].verdict);
        histogram_free(summary->steps[i].total);
        histogram_free(summary->steps[i].response);
    }
    summary->step_count = 0;
}

bool summary_rate_reached(const struct summary *summary)
{
    const bool is_timed = summary->end == RUN_END_TIME;
    return summary->backlog_end <= 1 + summary->tally->started / 50 &&
           (is_timed || summary->lateness_ns <= summary->duration_ns / 50);
}

bool summary_server_ahead(const struct summary *summary, int64_t *seconds)
{
    const int64_t ahead_s =
        (int64_t)summary->server_date_s - (int64_t)(summary->server_date_at_ns / NS_PER_S);
    *seconds = ahead_s >= -1 && ahead_s <= 1 ? 0 : ahead_s;
    return summary->server_date_s != 0;
}

uint64_t summary_overlap_ns(const struct summary *summary)
{
    uint64_t latest_start_ns = 0;
    uint64_t earliest_end_ns = summary->part_count == 0 ? 0 : UINT64_MAX;
    for (size_t i = 0; i < summary->part_count; i++) {
        const struct summary_part *part = &summary->parts[i];
        uint64_t end_ns = part->duration_ns < UINT64_MAX - part->wall_start_ns
                              ? part->wall_start_ns + part->duration_ns
                              : UINT64_MAX;
        latest_start_ns =
            part->wall_start_ns > latest_start_ns ? part->wall_start_ns : latest_start_ns;
        earliest_end_ns = end_ns < earliest_end_ns ? end_ns : earliest_end_ns;
    }
    return earliest_end_ns > latest_start_ns ? earliest_end_ns - latest_start_ns : 0;
}

/*
 * Of boxes that ran at the same time, what they did together is the sum of what each did in its own
 * time; one that began later or ended earlier would else make all look slower.
 */
static double per_second(const struct summary *summary, uint64_t whole, size_t of_part)
{
    if (summary_overlap_ns(summary) == 0) {
        return summary->duration_ns == 0 ? 0 : (double)whole / seconds(summary);
    }
    double sum = 0;
    for (size_t i = 0; i < summary->part_count; i++) {
        uint64_t amount;
        memcpy(&amount, (const char *)&summary->parts[i] + of_part, sizeof amount);
        sum += (double)amount * (double)NS_PER_S / (double)summary->parts[i].duration_ns;
    }
    return sum;
}

double summary_requests_per_s(const struct summary *summary)
{
    return per_second(summary, summary->tally->finished, offsetof(struct summary_part, finished));
}

double summary_time_per_request_ms(const struct summary *summary)
{
    return summary_time_per_request_across_ms(summary) * (double)summary->plan.concurrency;
}

double summary_time_per_request_across_ms(const struct summary *summary)
{
    double rate_per_s = summary_requests_per_s(summary);
    return rate_per_s > 0 ? 1e3 / rate_per_s : 0;
}

double summary_received_kb_per_s(const struct summary *summary)
{
    return per_second(summary, summary->tally->traffic.bytes_received,
                      offsetof(struct summary_part, bytes_received)) /
           1024;
}

double summary_sent_kb_per_s(const struct summary *summary)
{
    return per_second(summary, summary->tally->traffic.bytes_sent,
                      offsetof(struct summary_part, bytes_sent)) /
           1024;
}

double summary_total_kb_per_s(const struct summary *summary)
{
    return summary_received_kb_per_s(summary) + summary_sent_kb_per_s(summary);
}

double summary_cpu_us_per_request(const struct summary *summary)
{
    if (summary->tally->finished == 0) {
        return 0;
    }
    return (double)summary->health.process_cpu_ns / 1e3 / (double)summary->tally->finished;
}

uint64_t summary_slowest_band(const struct summary *summary)
{
    const struct histogram *total = summary->tally->total;
    return histogram_count_between(total, histogram_max(total) / 2 + 1, UINT64_MAX);
}

double summary_worker_cpu_share(const struct summary_worker *worker)
{
    return worker->wall_ns == 0 ? 0 : (double)worker->cpu_ns / (double)worker->wall_ns;
}
