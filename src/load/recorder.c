/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the end of an exchange to the books. Judging is kept apart from measuring: by the time an
 * answer comes here its times are fixed and the slot's next request may be on its way, so nothing
 * done here is in anybody's latency, except as loop lag, which is measured. Answers equal to the
 * last good one are decided by a comparison; all others wait for recorder_judge_one.
 */
#include "lather/load/recorder.h"

#include <stdlib.h>

#include "lather/base/calendar.h"
#include "lather/net/cause.h"
#include "lather/soap/bodies.h"
#include "lather/soap/judge.h"

struct recorder {
    const struct plan *plan;
    atomic_uint_least64_t *document_bytes;
    struct judge **judges; /* by message; those of the same expectations share one */
    struct tally *tally;
    struct message_tally *messages; /* NULL: there is one, and the tally is its */
    struct recorder_place queue;    /* head of the ring of places with an unjudged answer */
    struct failure_files *files;    /* the run's; NULL: failures are not saved */
    uint64_t run_start_ns;
    struct recorder_first first;
    struct sample_log *samples; /* NULL: they are not kept */
};

/* What was found about an exchange. */
struct finding {
    struct verdict verdict;
    bool length_differs; /* the mismatch is --same-length's */
};

struct recorder *recorder_new(const struct plan *plan, atomic_uint_least64_t *document_bytes,
                              struct failure_files *files)
{
    struct recorder *recorder = check_calloc(1, sizeof(*recorder));
    recorder->plan = plan;
    recorder->document_bytes = document_bytes;
    recorder->files = files;
    recorder->judges = check_calloc(plan->message_count, sizeof(struct judge *));
    recorder->tally = tally_new();
    if (plan->message_count > 1) {
        recorder->messages = check_calloc(plan->message_count, sizeof(*recorder->messages));
    } else {
        recorder->judges[0] = judge_new(plan->messages[0].expect);
    }
    if (plan->keep_samples) {
        recorder->samples = sample_log_new();
    }
    recorder->queue.next = &recorder->queue;
    recorder->queue.previous = &recorder->queue;
    return recorder;
}

/* The message before this one whose answers are judged alike; itself when there is none. */
static size_t recorder_alike(const struct recorder *recorder, size_t message)
{
    const struct plan_message *messages = recorder->plan->messages;
    for (size_t i = 0; i < message; i++) {
        if (messages[i].expect == messages[message].expect) {
            return i;
        }
    }
    return message;
}

static void recorder_free_messages(struct recorder *recorder)
{
    for (size_t i = 0; i < recorder->plan->message_count; i++) {
        if (recorder_alike(recorder, i) == i) {
            judge_free(recorder->judges[i]);
        }
        if (recorder->messages != NULL) {
            message_tally_deinit(&recorder->messages[i]);
        }
    }
    free(recorder->judges);
    free(recorder->messages);
}

void recorder_free(struct recorder *recorder)
{
    if (recorder == NULL) {
        return;
    }
    recorder_free_messages(recorder);
    tally_free(recorder->tally);
    free(recorder->first.server_software);
    sample_log_free(recorder->samples);
    free(recorder);
}

bool recorder_wants_body(const struct recorder *recorder)
{
    const struct plan *plan = recorder->plan;
    for (size_t i = 0; i < plan->message_count; i++) {
        if (plan->messages[i].expect->validate != VALIDATE_OFF) {
            return true;
        }
    }
    return false;
}

/* --- one message of several ------------------------------------------------------------------- */

struct traffic *recorder_start_message(struct recorder *recorder, uint32_t message)
{
    if (recorder->judges[message] == NULL) {
        const size_t alike = recorder_alike(recorder, message);
        if (recorder->judges[alike] == NULL) {
            recorder->judges[alike] = judge_new(recorder->plan->messages[message].expect);
        }
        recorder->judges[message] = recorder->judges[alike];
    }
    recorder->messages[message].started++;
    return &recorder->messages[message].traffic;
}

void recorder_end(struct recorder *recorder)
{
    for (size_t i = 0; recorder->messages != NULL && i < recorder->plan->message_count; i++) {
        traffic_merge(&recorder->tally->traffic, &recorder->messages[i].traffic);
    }
}

const struct message_tally *recorder_messages(const struct recorder *recorder)
{
    return recorder->messages;
}

void recorder_add_bodies(const struct recorder *recorder, struct bodies *all)
{
    for (size_t i = 0; i < recorder->plan->message_count; i++) {
        const struct judge *judge = recorder->judges[i];
        const bool is_first = recorder_alike(recorder, i) == i;
        if (judge != NULL && is_first && judge_bodies(judge) != NULL) {
            bodies_merge(all, judge_bodies(judge));
        }
    }
}

/* --- what it holds ---------------------------------------------------------------------------- */

struct tally *recorder_tally(struct recorder *recorder)
{
    return recorder->tally;
}

const struct recorder_first *recorder_first(const struct recorder *recorder)
{
    return &recorder->first;
}

struct sample_log *recorder_take_samples(struct recorder *recorder)
{
    struct sample_log *samples = recorder->samples;
    recorder->samples = NULL;
    return samples;
}

/* --- counting ------------------------------------------------------------------------------- */

static void recorder_keep_times(struct recorder *recorder, const struct sample *sample)
{
    sample_log_add(recorder->samples, &(struct sample_times){
                                          .start_ns = sample->start_ns,
                                          .connect_ns = sample->connect_ns,
                                          .total_ns = sample->total_ns,
                                          .waiting_ns = sample->waiting_ns,
                                      });
}

void recorder_start(struct recorder *recorder, uint64_t start_ns)
{
    recorder->run_start_ns = start_ns;
}

/* Its own books tell a worker when a kind is complete, so that the lock is taken a few times only.
 */
static void recorder_save(struct recorder *recorder, const struct exchange *exchange,
                          const struct sample *sample, const struct group_key *why)
{
    struct group_key kind = *why;
    kind.outcome = sample->outcome;
    kind.status = sample->status;
    const uint64_t seen = groups_count_of(recorder->tally->failures, &kind);
    if (seen > 0 && seen <= recorder->plan->save_failures_most) {
        failure_files_save(recorder->files, &kind, exchange, recorder->run_start_ns);
    }
}

/* One that is not ok, with what it has in common with others. */
static void recorder_count_why(struct recorder *recorder, const struct exchange *exchange,
                               const struct sample *sample, const struct verdict *verdict)
{
    struct group_key why = {
        .code = verdict->fault_code,
        .subcodes = verdict->fault_subcodes,
        .detail = verdict->fault_detail,
        .reason = verdict->reason,
    };
    if (recorder->messages != NULL) {
        why.message = str_from(recorder->plan->messages[exchange->message].name);
    }
    tally_add(recorder->tally, sample, &why);
    if (recorder->files != NULL && outcome_is_failure(sample->outcome)) {
        recorder_save(recorder, exchange, sample, &why);
    }
}

/* Every exchange ends here, once. */
static void recorder_count(struct recorder *recorder, const struct exchange *exchange,
                           const struct finding *finding)
{
    const struct verdict *verdict = &finding->verdict;
    const bool answered = exchange->end == TRANSPORT_END_ANSWERED;
    const bool waited = exchange->sent_ns != 0 && exchange->first_byte_ns > exchange->sent_ns;
    const struct sample sample = {
        .start_ns = exchange->start_ns,
        .connect_ns = exchange->connect_ns,
        .waiting_ns = waited ? exchange->first_byte_ns - exchange->sent_ns : 0,
        .response_ns = exchange->due_ns != 0 ? exchange->end_ns - exchange->due_ns : 0,
        .total_ns = exchange->end_ns - exchange->start_ns,
        .auth_ns = exchange->auth_ns,
        .body_bytes = exchange->answer.body_bytes,
        .outcome = verdict->outcome,
        .step = verdict->step,
        .status = answered ? exchange->answer.status : 0,
        .authenticated = exchange->auth_legs > 0,
        .connected = exchange->opened,
        .length_differs = finding->length_differs,
        .judged = verdict->judged,
        .relates_absent = verdict->relation == RELATION_ABSENT,
        .charset_contradicts = verdict->charset_contradicts,
        .media_contradicts = verdict->media_contradicts,
    };
    if (recorder->messages != NULL) {
        message_tally_add(&recorder->messages[exchange->message], &sample);
    }
    if (sample.outcome == OUTCOME_OK) {
        tally_add(recorder->tally, &sample, NULL);
    } else {
        recorder_count_why(recorder, exchange, &sample, verdict);
    }
    if (recorder->samples != NULL && answered) {
        recorder_keep_times(recorder, &sample);
    }
}

/* The run's document length is that of the first good answer, whichever worker gets it. */
static void recorder_compare_length(struct recorder *recorder, const struct exchange *exchange,
                                    struct finding *finding)
{
    const uint64_t bytes = exchange->answer.body_bytes;
    atomic_uint_least64_t *document_bytes = &recorder->document_bytes[exchange->message];
    uint64_t first = atomic_load_explicit(document_bytes, memory_order_relaxed);
    if (first == UINT64_MAX && atomic_compare_exchange_strong(document_bytes, &first, bytes)) {
        return;
    }
    if (first != bytes && recorder->plan->same_length) {
        finding->verdict.outcome = OUTCOME_MISMATCH;
        finding->verdict.step = STEP_LENGTH;
        finding->verdict.reason =
            STR("the length is not that of the first good answer (--same-length)");
        finding->length_differs = true;
    }
}

/* A verdict with what to do about it, when the exchange tells more than the answer's judge knows.
 */
static void recorder_count_hinted(struct recorder *recorder, const struct exchange *exchange,
                                  struct finding *finding)
{
    struct buf reason;
    buf_init(&reason);
    buf_printf(&reason, "%.*s: %s", STR_ARG(finding->verdict.reason), exchange->hint);
    finding->verdict.reason = buf_view(&reason);
    recorder_count(recorder, exchange, finding);
    buf_deinit(&reason);
}

static void recorder_count_answer(struct recorder *recorder, const struct exchange *exchange,
                                  struct finding *finding)
{
    if (finding->verdict.outcome == OUTCOME_OK) {
        recorder_compare_length(recorder, exchange, finding);
    } else if (exchange->hint != NULL) {
        recorder_count_hinted(recorder, exchange, finding);
        return;
    }
    recorder_count(recorder, exchange, finding);
}

static void recorder_count_failure(struct recorder *recorder, struct exchange *exchange)
{
    char text[CAUSE_TEXT_SIZE];
    if (exchange->stream != NULL) {
        judge_stream_drop(exchange->stream);
        exchange->stream = NULL;
    }
    const struct finding finding = {
        .verdict = {.outcome = cause_outcome(exchange->end, exchange->error),
                    .reason = str_from(cause_format(exchange, text))},
    };
    recorder_count(recorder, exchange, &finding);
}

/* --- judging -------------------------------------------------------------------------------- */

static inline struct answer recorder_view(const struct exchange *exchange)
{
    struct answer answer = exchange_answer(exchange);
    answer.message_id = exchange->message_id;
    answer.message = exchange->message;
    answer.elapsed_ns = exchange->end_ns - exchange->start_ns;
    return answer;
}

void recorder_stream(struct recorder *recorder, struct exchange *exchange, struct str bytes)
{
    if (exchange->stream == NULL) {
        const struct answer head = recorder_view(exchange);
        exchange->stream = judge_stream_begin(recorder->judges[exchange->message], &head);
    }
    judge_stream_feed(exchange->stream, bytes);
}

static void recorder_judge(struct recorder *recorder, struct exchange *exchange)
{
    struct finding finding = {.length_differs = false};
    if (exchange->stream != NULL) {
        judge_stream_set_elapsed(exchange->stream, exchange->end_ns - exchange->start_ns);
        judge_stream_end(exchange->stream, &finding.verdict);
        exchange->stream = NULL;
    } else {
        const struct answer answer = recorder_view(exchange);
        judge_answer(recorder->judges[exchange->message], &answer, &finding.verdict);
    }
    recorder_count_answer(recorder, exchange, &finding);
}

bool recorder_has_unjudged(const struct recorder *recorder)
{
    return recorder->queue.next != &recorder->queue;
}

static void recorder_push(struct recorder *recorder, struct recorder_place *place,
                          struct exchange *exchange)
{
    place->unjudged = exchange;
    place->next = &recorder->queue;
    place->previous = recorder->queue.previous;
    place->previous->next = place;
    recorder->queue.previous = place;
}

static void recorder_judge_place(struct recorder *recorder, struct recorder_place *place)
{
    struct exchange *exchange = place->unjudged;
    place->unjudged = NULL;
    place->previous->next = place->next;
    place->next->previous = place->previous;
    recorder_judge(recorder, exchange);
}

void recorder_judge_one(struct recorder *recorder)
{
    recorder_judge_place(recorder, recorder->queue.next);
}

/* --- taking --------------------------------------------------------------------------------- */

static void recorder_note_first(struct recorder *recorder, const struct exchange *exchange)
{
    const struct str server = http1_answer_field(&exchange->answer, HTTP1_FIELD_SERVER);
    size_t len = 0;
    while (len < server.len && (unsigned char)server.data[len] > ' ') {
        len++;
    }
    const struct str date = http1_answer_field(&exchange->answer, HTTP1_FIELD_DATE);
    uint64_t date_s = 0;
    if (!calendar_parse_http(date, &date_s)) {
        date_s = 0;
    }
    recorder->first = (struct recorder_first){
        .answered = true,
        .end_ns = exchange->end_ns,
        .body_bytes = exchange->answer.body_bytes,
        .server_date_s = date_s,
        .server_software = str_dup(str_slice(server, 0, len)),
    };
}

void recorder_take(struct recorder *recorder, struct recorder_place *place,
                   struct exchange *exchange)
{
    /* Whatever came of this exchange: the one before it is the next to be used again. */
    if (place->unjudged != NULL) {
        recorder_judge_place(recorder, place);
    }
    if (exchange->end != TRANSPORT_END_ANSWERED) {
        recorder_count_failure(recorder, exchange);
        return;
    }
    if (!recorder->first.answered) {
        recorder_note_first(recorder, exchange);
    }
    struct judge *judge = recorder->judges[exchange->message];
    if (exchange->stream != NULL || !judge_wants_body(judge)) {
        recorder_judge(recorder, exchange);
        return;
    }
    const struct answer answer = recorder_view(exchange);
    if (judge_is_last_good(judge, &answer)) {
        struct finding finding = {.length_differs = false};
        judge_repeat(judge, &answer, &finding.verdict);
        recorder_count_answer(recorder, exchange, &finding);
        return;
    }
    exchange_keep_body(exchange);
    recorder_push(recorder, place, exchange);
}
