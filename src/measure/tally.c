/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The books of a run: exact counters, and histograms of times. It decides nothing about a request;
 * the sample comes with its outcome. The trap: a counter says in its comment which set it is a
 * subset of, and tally_check holds it to that in release builds too, so a new counter needs both.
 */
#include "lather/measure/tally.h"

#include <inttypes.h>
#include <stdlib.h>

struct tally *tally_new(void)
{
    struct tally *tally = check_calloc(1, sizeof *tally);
    tally->total = histogram_new();
    tally->connect = histogram_new();
    tally->response = histogram_new();
    tally->processing = histogram_new();
    tally->waiting = histogram_new();
    tally->failed = histogram_new();
    tally->opened = histogram_new();
    tally->auth = histogram_new();
    tally->failures = groups_new();
    tally->timeline = timeline_new();
    tally->responses = timeline_new();
    return tally;
}

void tally_free(struct tally *tally)
{
    if (tally == NULL) {
        return;
    }
    histogram_free(tally->total);
    histogram_free(tally->connect);
    histogram_free(tally->response);
    histogram_free(tally->processing);
    histogram_free(tally->waiting);
    histogram_free(tally->failed);
    histogram_free(tally->opened);
    histogram_free(tally->auth);
    groups_free(tally->failures);
    timeline_free(tally->timeline);
    timeline_free(tally->responses);
    free(tally);
}

void tally_begin(struct tally *tally, uint64_t start_ns)
{
    timeline_set_start(tally->timeline, start_ns);
    timeline_set_start(tally->responses, start_ns);
}

static void add_answer(struct tally *tally, const struct sample *sample)
{
    CHECK(sample->status < TALLY_STATUS_COUNT);
    CHECK(sample->connect_ns <= sample->total_ns && sample->waiting_ns <= sample->total_ns);
    tally->statuses[sample->status]++;
    tally->body_bytes += sample->body_bytes;
    histogram_add(tally->total, sample->total_ns);
    histogram_add(tally->connect, sample->connect_ns);
    if (sample->response_ns != 0) {
        histogram_add(tally->response, sample->response_ns);
    }
    histogram_add(tally->processing, sample->total_ns - sample->connect_ns);
    histogram_add(tally->waiting, sample->waiting_ns);
}

static void add_ok(struct tally *tally, uint64_t body_bytes)
{
    if (tally->outcomes[OUTCOME_OK] == 1 || body_bytes < tally->body_bytes_min) {
        tally->body_bytes_min = body_bytes;
    }
    if (body_bytes > tally->body_bytes_max) {
        tally->body_bytes_max = body_bytes;
    }
}

static void add_failure(struct tally *tally, const struct sample *sample,
                        const struct group_key *why)
{
    struct group_key key = {0};
    if (why != NULL) {
        key = *why;
    }
    key.outcome = sample->outcome;
    key.status = sample->status;
    groups_add(tally->failures, &key);
    tally->length_mismatches += sample->length_differs;
    if (sample->status != 0 && sample->step != STEP_NONE) {
        tally->steps[sample->step]++;
    }
}

static void add_to_timeline(struct tally *tally, const struct sample *sample)
{
    const bool answered = sample->status != 0;
    struct timeline_sample point = {
        .end_ns = sample->start_ns + sample->total_ns,
        .total_ns = sample->total_ns,
        .body_bytes = answered ? sample->body_bytes : 0,
        .answered = answered,
        .failed = outcome_is_failure(sample->outcome),
    };
    timeline_add(tally->timeline, &point);
    if (sample->response_ns != 0) {
        point.total_ns = sample->response_ns;
        timeline_add(tally->responses, &point);
    }
}

void tally_add(struct tally *tally, const struct sample *sample, const struct group_key *why)
{
    enum outcome outcome = sample->outcome;
    CHECK((unsigned)outcome < OUTCOME_COUNT);
    tally->outcomes[outcome]++;
    if (sample->connected) {
        histogram_add(tally->opened, sample->connect_ns);
    }
    if (sample->authenticated) {
        histogram_add(tally->auth, sample->auth_ns);
    }
    if (outcome == OUTCOME_CUT) {
        return;
    }
    tally->finished++;
    add_to_timeline(tally, sample);
    tally->judged += sample->judged;
    tally->relates_absent += sample->relates_absent;
    tally->charset_contradictions += sample->charset_contradicts;
    tally->media_contradictions += sample->media_contradicts;
    if (sample->status != 0) {
        add_answer(tally, sample);
    } else {
        histogram_add(tally->failed, sample->total_ns);
    }
    if (outcome == OUTCOME_OK) {
        add_ok(tally, sample->body_bytes);
    } else {
        add_failure(tally, sample, why);
    }
}

void traffic_merge(struct traffic *into, const struct traffic *from)
{
    into->connections_opened += from->connections_opened;
    into->connections_failed += from->connections_failed;
    into->connections_reopened += from->connections_reopened;
    into->connections_peak += from->connections_peak;
    into->requests_sent_whole += from->requests_sent_whole;
    into->requests_sent_again += from->requests_sent_again;
    into->requests_sent_partly += from->requests_sent_partly;
    into->requests_lost_maybe += from->requests_lost_maybe;
    into->bytes_sent += from->bytes_sent;
    into->bytes_received += from->bytes_received;
    into->write_errors += from->write_errors;
    into->interim_answers += from->interim_answers;
    into->answers_on_kept += from->answers_on_kept;
    into->connections_strayed += from->connections_strayed;
    into->stray_bytes += from->stray_bytes;
    into->name_lookups += from->name_lookups;
    into->name_lookups_ns += from->name_lookups_ns;
    into->auth_handshakes += from->auth_handshakes;
    into->auth_legs += from->auth_legs;
    into->tls_full += from->tls_full;
    into->tls_resumed += from->tls_resumed;
    into->tls_full_ns += from->tls_full_ns;
    into->tls_resumed_ns += from->tls_resumed_ns;
    into->tls_failed += from->tls_failed;
}

static void merge_ok(struct tally *into, const struct tally *from)
{
    if (from->outcomes[OUTCOME_OK] == 0) {
        return;
    }
    if (into->outcomes[OUTCOME_OK] == 0 || from->body_bytes_min < into->body_bytes_min) {
        into->body_bytes_min = from->body_bytes_min;
    }
    if (from->body_bytes_max > into->body_bytes_max) {
        into->body_bytes_max = from->body_bytes_max;
    }
}

void tally_merge(struct tally *into, const struct tally *from)
{
    tally_merge_later(into, from, 0);
}

/* To the nearest interval of the one added. */
static void merge_timeline(struct timeline *into, const struct timeline *from, uint64_t shift_ns)
{
    const uint64_t interval_ns = timeline_interval_ns(from);
    timeline_merge(into, from,
                   shift_ns / interval_ns + (shift_ns % interval_ns >= interval_ns / 2));
}

void tally_merge_later(struct tally *into, const struct tally *from, uint64_t shift_ns)
{
    merge_ok(into, from); /* before the outcomes are added: it looks for the first ok */
    into->started += from->started;
    into->finished += from->finished;
    into->relates_absent += from->relates_absent;
    into->charset_contradictions += from->charset_contradictions;
    into->media_contradictions += from->media_contradictions;
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        into->outcomes[i] += from->outcomes[i];
    }
    for (size_t i = 0; i < TALLY_STATUS_COUNT; i++) {
        into->statuses[i] += from->statuses[i];
    }
    for (size_t i = 0; i < STEP_COUNT; i++) {
        into->steps[i] += from->steps[i];
    }
    into->length_mismatches += from->length_mismatches;
    into->judged += from->judged;
    into->body_bytes += from->body_bytes;
    histogram_merge(into->total, from->total);
    histogram_merge(into->connect, from->connect);
    histogram_merge(into->response, from->response);
    histogram_merge(into->processing, from->processing);
    histogram_merge(into->waiting, from->waiting);
    histogram_merge(into->failed, from->failed);
    histogram_merge(into->opened, from->opened);
    histogram_merge(into->auth, from->auth);
    groups_merge(into->failures, from->failures);
    merge_timeline(into->timeline, from->timeline, shift_ns);
    merge_timeline(into->responses, from->responses, shift_ns);
    traffic_merge(&into->traffic, &from->traffic);
}

/* One line of the books. */
struct page {
    const char *what;
    uint64_t said;
    const char *must_be; /* "=" or "<=" */
    const char *of_what;
    uint64_t set;
};

static bool balances(const struct page *page)
{
    return page->must_be[0] == '<' ? page->said <= page->set : page->said == page->set;
}

static uint64_t sum_outcomes(const struct tally *tally, bool (*counts)(enum outcome))
{
    uint64_t sum = 0;
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        sum += counts((enum outcome)i) ? tally->outcomes[i] : 0;
    }
    return sum;
}

static bool is_finished(enum outcome outcome)
{
    return outcome != OUTCOME_CUT;
}

static uint64_t sum_statuses(const struct tally *tally)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < TALLY_STATUS_COUNT; i++) {
        sum += tally->statuses[i];
    }
    return sum;
}

static uint64_t sum_steps(const struct tally *tally)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < STEP_COUNT; i++) {
        sum += tally->steps[i];
    }
    return sum;
}

/* A result of an older lather has no timeline, and so none that could contradict the counts. */
static void timeline_to_check(const struct tally *tally, struct timeline_figures *figures)
{
    if (timeline_count(tally->timeline) > 0) {
        timeline_totals(tally->timeline, figures);
        return;
    }
    *figures = (struct timeline_figures){.finished = tally->finished,
                                         .failed = tally_failed(tally),
                                         .answers = tally_answers(tally),
                                         .body_bytes = tally->body_bytes};
}

bool tally_check(const struct tally *tally, struct err *err)
{
    const uint64_t answers = tally_answers(tally);
    const struct traffic *traffic = &tally->traffic;
    struct timeline_figures timeline;
    timeline_to_check(tally, &timeline);
    struct timeline_figures responses;
    timeline_totals(tally->responses, &responses);
    const struct page pages[] = {
        {"requests started", tally->started, "=", "finished + cut",
         tally->finished + tally->outcomes[OUTCOME_CUT]},
        {"requests finished", tally->finished, "=", "the sum of outcomes",
         sum_outcomes(tally, is_finished)},
        {"total times", histogram_count(tally->total), "=", "answers", answers},
        {"connect times", histogram_count(tally->connect), "=", "answers", answers},
        {"processing times", histogram_count(tally->processing), "=", "answers", answers},
        {"waiting times", histogram_count(tally->waiting), "=", "answers", answers},
        {"times to failure", histogram_count(tally->failed), "=", "finished - answers",
         tally->finished - answers},
        {"requests with a verdict", sum_outcomes(tally, outcome_has_answer), "<=", "answers",
         answers},
        {"failures by reason", groups_total(tally->failures), "=", "failed requests",
         tally_failed(tally)},
        {"requests of the timeline", timeline.finished, "=", "requests finished", tally->finished},
        {"failures of the timeline", timeline.failed, "=", "failed requests", tally_failed(tally)},
        {"answers of the timeline", timeline.answers, "=", "answers", answers},
        {"bytes of the timeline", timeline.body_bytes, "=", "bytes of bodies", tally->body_bytes},
        {"answers of the timeline of response times", responses.answers, "<=", "response times",
         histogram_count(tally->response)},
        {"answers refused by a check", sum_steps(tally), "<=", "answers that are not ok",
         answers - tally->outcomes[OUTCOME_OK]},
        {"length mismatches", tally->length_mismatches, "<=", "mismatches",
         tally->outcomes[OUTCOME_MISMATCH]},
        {"answers without RelatesTo", tally->relates_absent, "<=", "answers judged", tally->judged},
        {"contradictory charsets", tally->charset_contradictions, "<=", "answers judged",
         tally->judged},
        {"contradictory media types", tally->media_contradictions, "<=", "answers judged",
         tally->judged},
        {"answers judged", tally->judged, "<=", "requests finished", tally->finished},
        {"least body of an ok answer", tally->body_bytes_min, "<=", "the greatest",
         tally->body_bytes_max},
        {"connect times of opened connections", histogram_count(tally->opened),
         "<=", "connections opened", traffic->connections_opened},
        {"connections opened again", traffic->connections_reopened, "<=", "connections opened",
         traffic->connections_opened},
        {"handshake times", histogram_count(tally->auth), "<=", "authentication handshakes",
         traffic->auth_handshakes},
        {"name lookups", traffic->name_lookups, "<=", "connections opened",
         traffic->connections_opened},
        {"stray bytes", traffic->stray_bytes, "<=", "bytes received", traffic->bytes_received},
        {"TLS handshakes", traffic->tls_full + traffic->tls_resumed, "<=", "connections opened",
         traffic->connections_opened},
        {"TLS handshakes failed", traffic->tls_failed, "<=", "connections failed",
         traffic->connections_failed},
        {"requests sent again", traffic->requests_sent_again, "<=", "requests sent whole",
         traffic->requests_sent_whole},
        {"requests lost maybe", traffic->requests_lost_maybe, "<=", "requests sent whole",
         traffic->requests_sent_whole},
    };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        const struct page *page = &pages[i];
        if (!balances(page)) {
            return err_set(err, ERR_FORMAT,
                           "the books do not balance: %s is %" PRIu64 ", but %s is %" PRIu64
                           " (the first must be %s the second)",
                           page->what, page->said, page->of_what, page->set, page->must_be);
        }
    }
    return true;
}

uint64_t tally_failed(const struct tally *tally)
{
    return sum_outcomes(tally, outcome_is_failure);
}

uint64_t tally_answers(const struct tally *tally)
{
    return sum_statuses(tally);
}

uint64_t tally_bracket(const struct tally *tally, enum outcome_bracket bracket)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        sum += outcome_bracket((enum outcome)i) == bracket ? tally->outcomes[i] : 0;
    }
    if (bracket == OUTCOME_BRACKET_LENGTH) {
        sum += tally->length_mismatches;
    }
    if (bracket == OUTCOME_BRACKET_EXCEPTIONS) {
        sum -= tally->length_mismatches;
    }
    return sum;
}

uint64_t tally_non_2xx(const struct tally *tally)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < TALLY_STATUS_COUNT; i++) {
        sum += i / 100 == 2 ? 0 : tally->statuses[i];
    }
    return sum;
}
