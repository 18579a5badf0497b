/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several results made one. What a merge cannot know it does not hide: whether the boxes' clocks
 * agreed is for whoever set them; what it sees (another target, a gap) becomes a note of the
 * result. The trap: rates of a merged result are not count by duration; summary.c works them out of
 * the parts, which therefore have to be complete.
 */
#include "lather/measure/merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"
#include "lather/measure/merge_steps.h"

/* The counts of a timeline's cells hold 2^52: sources beyond could not be added. */
static const uint64_t ANSWERS_MOST = 1ULL << 51;

static int by_start(const void *a, const void *b)
{
    const struct merge_source *left = a;
    const struct merge_source *right = b;
    if (left->summary->wall_start_ns != right->summary->wall_start_ns) {
        return left->summary->wall_start_ns < right->summary->wall_start_ns ? -1 : 1;
    }
    return strcmp(left->name, right->name);
}

static bool check_sources(const struct merge_source *sources, size_t count, struct err *err)
{
    uint64_t answers = 0;
    for (size_t i = 0; i < count; i++) {
        struct timeline_figures figures;
        timeline_totals(sources[i].summary->tally->timeline, &figures);
        if (figures.answers > ANSWERS_MOST - answers) {
            return err_set(err, ERR_LIMIT, "%.200s: too many requests to be added up",
                           sources[i].name);
        }
        answers += figures.answers;
    }
    return true;
}

static uint64_t end_of(uint64_t start_ns, uint64_t duration_ns)
{
    return duration_ns < UINT64_MAX - start_ns ? start_ns + duration_ns : UINT64_MAX;
}

/* --- parts ----------------------------------------------------------------------------------- */

/* A merged source brings its own parts along. */
static bool add_parts(struct summary *into, const struct summary *from, const char *name,
                      struct err *err)
{
    const struct traffic *traffic = &from->tally->traffic;
    const struct summary_part whole = {
        .name = (char *)name,
        .wall_start_ns = from->wall_start_ns,
        .duration_ns = from->duration_ns > 0 ? from->duration_ns : 1,
        .started = from->tally->started,
        .finished = from->tally->finished,
        .bytes_sent = traffic->bytes_sent,
        .bytes_received = traffic->bytes_received,
    };
    const struct summary_part *parts = from->part_count > 0 ? from->parts : &whole;
    size_t count = from->part_count > 0 ? from->part_count : 1;
    for (size_t i = 0; i < count; i++) {
        if (!summary_add_part(into, &parts[i])) {
            return err_set(err, ERR_LIMIT, "more than %d results in one", SUMMARY_PARTS_CEILING);
        }
    }
    return true;
}

static int by_start_of_part(const void *a, const void *b)
{
    const struct summary_part *left = a;
    const struct summary_part *right = b;
    if (left->wall_start_ns != right->wall_start_ns) {
        return left->wall_start_ns < right->wall_start_ns ? -1 : 1;
    }
    return strcmp(left->name, right->name);
}

/* Names each time in which nothing ran, between the first start and the last end. */
static void note_gaps(struct summary *summary)
{
    uint64_t end_ns = 0;
    char text[UNITS_TEXT_SIZE];
    for (size_t i = 0; i < summary->part_count; i++) {
        const struct summary_part *part = &summary->parts[i];
        uint64_t part_end_ns = end_of(part->wall_start_ns, part->duration_ns);
        if (i > 0 && part->wall_start_ns > end_ns) {
            summary_note(summary,
                         "a gap: none of the boxes ran in the %s before %s began; rates are of the "
                         "whole time, gaps included",
                         units_format_duration(part->wall_start_ns - end_ns, text), part->name);
        }
        end_ns = part_end_ns > end_ns ? part_end_ns : end_ns;
    }
}

/* Parts in order of their start: no two boxes agree to the nanosecond, so it is one result. */
static void note_same_result_twice(struct summary *summary)
{
    for (size_t i = 1; i < summary->part_count; i++) {
        const struct summary_part *part = &summary->parts[i];
        const struct summary_part *before = &summary->parts[i - 1];
        if (part->bytes_sent > 0 && part->wall_start_ns == before->wall_start_ns &&
            part->duration_ns == before->duration_ns && part->finished == before->finished &&
            part->bytes_sent == before->bytes_sent &&
            part->bytes_received == before->bytes_received) {
            summary_note(summary,
                         "%s and %s are the same result, which is counted twice: leave one out (a "
                         "merged result has its parts in it)",
                         before->name, part->name);
        }
    }
}

static void note_overlap(struct summary *summary)
{
    uint64_t overlap_ns = summary_overlap_ns(summary);
    char overlap[UNITS_TEXT_SIZE];
    char whole[UNITS_TEXT_SIZE];
    if (overlap_ns == 0) {
        note_gaps(summary);
        summary_note(summary, "the boxes never ran all at the same time: rates are all requests by "
                              "the whole time, not what they reach together");
    } else if (overlap_ns < summary->duration_ns / 10 * 9) {
        summary_note(summary,
                     "all boxes ran at the same time for %s of %s only; rates are the sums of "
                     "each one's own, which they reached together in that time",
                     units_format_duration(overlap_ns, overlap),
                     units_format_duration(summary->duration_ns, whole));
    }
}

/* --- plans ----------------------------------------------------------------------------------- */

static void note_text(struct summary *into, const char *what, const char *a, const char *b,
                      const char *name)
{
    if (strcmp(a, b) != 0) {
        summary_note(into, "%s of %.100s is another %s: \"%.150s\", not \"%.150s\"", "the result",
                     name, what, b, a);
    }
}

static void note_number(struct summary *into, const char *what, uint64_t a, uint64_t b,
                        const char *name)
{
    if (a != b) {
        summary_note(into,
                     "the result of %.100s was made with another %s: %" PRIu64 ", not %" PRIu64,
                     name, what, b, a);
    }
}

static void note_differences(struct summary *into, const struct summary *from, const char *name)
{
    const struct summary_plan *a = &into->plan;
    const struct summary_plan *b = &from->plan;
    note_text(into, "target", a->url, b->url, name);
    note_text(into, "method", a->method, b->method, name);
    note_text(into, "SOAP action", a->soap_action, b->soap_action, name);
    note_text(into, "content type", a->content_type, b->content_type, name);
    note_text(into, "kind of validation", a->validate, b->validate, name);
    note_number(into, "size of the message", a->body_bytes, b->body_bytes, name);
    note_number(into, "-k (keep-alive)", a->keep_alive, b->keep_alive, name);
    note_number(into, "timeout (ns)", a->timeout_ns, b->timeout_ns, name);
}

static bool are_alike_sessions(const struct summary_plan *a, const struct summary_plan *b)
{
    return a->sessions > 0 && b->sessions > 0 && a->session_calls == b->session_calls &&
           a->session_think_ns == b->session_think_ns && a->session_burst == b->session_burst;
}

static void merge_plan(struct summary_plan *into, const struct summary_plan *from)
{
    into->concurrency += from->concurrency;
    into->threads += from->threads;
    into->requests =
        into->requests == 0 || from->requests == 0 ? 0 : into->requests + from->requests;
    into->rate_micro_per_s += from->rate_micro_per_s;
    /* sessions of other kinds are no sum */
    into->sessions = are_alike_sessions(into, from) ? into->sessions + from->sessions : 0;
    into->time_limit_ns =
        from->time_limit_ns > into->time_limit_ns ? from->time_limit_ns : into->time_limit_ns;
    if (into->percentiles[0] == '\0') {
        summary_set_text(&into->percentiles, str_from(from->percentiles));
    }
}

/* --- the rest -------------------------------------------------------------------------------- */

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void merge_health(struct summary_health *into, const struct summary_health *from)
{
    size_t count = into->worker_count + from->worker_count;
    into->workers = check_realloc(into->workers, (count + 1) * sizeof *into->workers);
    if (from->worker_count > 0) {
        memcpy(into->workers + into->worker_count, from->workers,
               from->worker_count * sizeof *from->workers);
    }
    into->worker_count = count;
    histogram_merge(into->loop_lag, from->loop_lag);
    into->process_cpu_ns += from->process_cpu_ns;
    into->in_flight_peak += from->in_flight_peak;
    into->tail_ns = from->tail_ns > into->tail_ns ? from->tail_ns : into->tail_ns;
    into->peak_memory_bytes = from->peak_memory_bytes > into->peak_memory_bytes
                                  ? from->peak_memory_bytes
                                  : into->peak_memory_bytes;
    into->ephemeral_ports = from->ephemeral_ports < into->ephemeral_ports ? from->ephemeral_ports
                                                                          : into->ephemeral_ports;
    into->cpu_share_warning = into->cpu_share_warning || from->cpu_share_warning;
    into->loop_lag_warning = into->loop_lag_warning || from->loop_lag_warning;
}

static bool has(char *const *texts, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(texts[i], text) == 0) {
            return true;
        }
    }
    return false;
}

/* Each sentence and each condition once. */
static void merge_texts(struct summary *into, const struct summary *from)
{
    for (size_t i = 0; i < from->note_count; i++) {
        if (!has(into->notes, into->note_count, from->notes[i])) {
            summary_note(into, "%s", from->notes[i]);
        }
    }
    for (size_t i = 0; i < from->condition_count; i++) {
        if (!has(into->conditions, into->condition_count, from->conditions[i]) &&
            !summary_add_condition(into, str_from(from->conditions[i]), NULL)) {
            summary_note(into,
                         "there were more conditions than there is room for: \"%.100s\" is "
                         "not judged",
                         from->conditions[i]);
        }
    }
}

static const struct summary_message *message_named(const struct summary *summary, const char *name)
{
    for (size_t i = 0; i < summary->message_count; i++) {
        if (strcmp(summary->messages[i].name, name) == 0) {
            return &summary->messages[i];
        }
    }
    return NULL;
}

static void take_message(struct summary *into, const struct summary_message *from)
{
    struct summary_message *added = (struct summary_message *)message_named(into, from->name);
    if (added == NULL) {
        added = summary_add_message(into);
        summary_set_text(&added->name, str_from(from->name));
        summary_set_text(&added->method, str_from(from->method));
        summary_set_text(&added->path, str_from(from->path));
        summary_set_text(&added->soap_action, str_from(from->soap_action));
        added->weight = from->weight;
        added->body_bytes = from->body_bytes;
    }
    message_tally_merge(&added->tally, &from->tally);
}

/*
 * Messages are the same by their names. A result of one message has no line for it: then there is
 * nothing to tell the messages of the whole by, and it has none.
 */
static void merge_messages(struct summary *into, const struct summary *from, const char *name)
{
    if (into->message_count == 0 && from->message_count == 0) {
        return;
    }
    if (into->message_count == 0 || from->message_count == 0) {
        summary_note(into,
                     "only some of the results have several messages: there are no lines for "
                     "messages (%.150s)",
                     name);
        summary_forget_messages(into);
        return;
    }
    for (size_t i = 0; i < from->message_count; i++) {
        take_message(into, &from->messages[i]);
    }
}

/* An interrupt of one is one of all; of the other ends the first box's stands. */
static enum run_end end_of_both(enum run_end a, enum run_end b)
{
    if (a == RUN_END_INTERRUPTED || b == RUN_END_INTERRUPTED) {
        return RUN_END_INTERRUPTED;
    }
    if (a == RUN_END_UNREACHABLE) {
        return b;
    }
    return a;
}

static void take_first_answer(struct summary *into, const struct summary *from)
{
    if (!into->document_known && from->document_known) {
        into->document_known = true;
        into->document_bytes = from->document_bytes;
        summary_set_text(&into->server_software, str_from(from->server_software));
    }
}

static void merge_warmup(struct summary_warmup *into, const struct summary_warmup *from)
{
    into->finished += from->finished;
    into->failed += from->failed;
    into->cut += from->cut;
    into->requests_sent_whole += from->requests_sent_whole;
    into->requests_sent_again += from->requests_sent_again;
    into->requests_lost_maybe += from->requests_lost_maybe;
    into->auth_legs += from->auth_legs;
    into->connections_opened += from->connections_opened;
    into->bytes_sent += from->bytes_sent;
    into->bytes_received += from->bytes_received;
    into->duration_ns = greater(into->duration_ns, from->duration_ns);
}

static void merge_one(struct summary *into, const struct summary *from, const char *name)
{
    uint64_t shift_ns = from->wall_start_ns - into->wall_start_ns;
    uint64_t into_end_ns = end_of(into->wall_start_ns, into->duration_ns);
    uint64_t from_end_ns = end_of(from->wall_start_ns, from->duration_ns);
    note_differences(into, from, name);
    tally_merge_later(into->tally, from->tally, shift_ns);
    merge_plan(&into->plan, &from->plan);
    merge_health(&into->health, &from->health);
    merge_messages(into, from, name);
    merge_texts(into, from);
    into->end = end_of_both(into->end, from->end);
    into->duration_ns =
        (from_end_ns > into_end_ns ? from_end_ns : into_end_ns) - into->wall_start_ns;
    into->not_started += from->not_started;
    into->sessions_begun += from->sessions_begun;
    into->unbalanced = into->unbalanced || from->unbalanced;
    into->backlog_peak += from->backlog_peak;
    into->backlog_end += from->backlog_end;
    into->achieved_micro_per_s += from->achieved_micro_per_s;
    into->lateness_ns =
        from->lateness_ns > into->lateness_ns ? from->lateness_ns : into->lateness_ns;
    take_first_answer(into, from);
    merge_warmup(&into->warmup, &from->warmup);
    merge_steps(into, from, name, shift_ns);
    if (into->distinct_bodies != from->distinct_bodies || from->distinct_bodies > 1) {
        into->distinct_bodies = 0; /* whether they were the same ones cannot be known */
    }
}

static void check_books(struct summary *summary)
{
    struct err imbalance;
    if (!summary->unbalanced && (!tally_check(summary->tally, &imbalance) ||
                                 !summary_check_messages(summary, &imbalance))) {
        summary->unbalanced = true;
        summary_note(summary, "DO NOT TRUST THIS REPORT: its books do not balance (%s)",
                     imbalance.text);
    }
}

void merge_stretch(struct summary *into, const struct summary *from, uint64_t shift_ns)
{
    struct summary_health *health = &into->health;
    const size_t workers = health->worker_count;
    struct traffic *traffic = &into->tally->traffic;
    const uint64_t peak = greater(traffic->connections_peak, from->tally->traffic.connections_peak);
    tally_merge_later(into->tally, from->tally, shift_ns);
    traffic->connections_peak = peak;
    merge_health(health, &from->health);
    /* the same threads again, one after the other */
    for (size_t i = 0; i < from->health.worker_count && i < workers; i++) {
        health->workers[i].requests += from->health.workers[i].requests;
        health->workers[i].cpu_ns += from->health.workers[i].cpu_ns;
        health->workers[i].wall_ns += from->health.workers[i].wall_ns;
    }
    health->worker_count = workers;
    health->in_flight_peak =
        greater(health->in_flight_peak - from->health.in_flight_peak, from->health.in_flight_peak);
    for (size_t i = 0; i < from->message_count; i++) {
        take_message(into, &from->messages[i]);
    }
    merge_texts(into, from);
    into->end = from->end; /* what the run ended by */
    into->duration_ns = greater(into->duration_ns, shift_ns + from->duration_ns);
    into->not_started += from->not_started;
    into->sessions_begun += from->sessions_begun;
    into->unbalanced = into->unbalanced || from->unbalanced;
    into->backlog_peak = greater(into->backlog_peak, from->backlog_peak);
    into->backlog_end = from->backlog_end;
    into->lateness_ns = from->lateness_ns;
    take_first_answer(into, from);
    if (into->distinct_bodies != from->distinct_bodies || from->distinct_bodies > 1) {
        into->distinct_bodies = 0;
    }
}

bool merge_results(struct merge_source *sources, size_t count, struct err *err)
{
    CHECK(count > 0);
    if (!check_sources(sources, count, err)) {
        return false;
    }
    qsort(sources, count, sizeof *sources, by_start);
    struct summary *into = sources[0].summary;
    if (into->part_count == 0 && !add_parts(into, into, sources[0].name, err)) {
        return false;
    }
    for (size_t i = 1; i < count; i++) {
        if (!add_parts(into, sources[i].summary, sources[i].name, err)) {
            return false;
        }
        merge_one(into, sources[i].summary, sources[i].name);
    }
    qsort(into->parts, into->part_count, sizeof *into->parts, by_start_of_part);
    note_same_result_twice(into);
    note_overlap(into);
    check_books(into);
    return true;
}
