/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one request of `lather check`. It is a run of one request, by the same way as any other run,
 * so that proxies, authentication and TLS are tried as they will be used. The answer is judged here
 * once more, as a run counts faults by their masked reasons and here their own words are wanted.
 * The trap: what is called while the run goes on is on the worker's thread.
 */
#include "lather/cli/check_send.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lather/base/clock.h"
#include "lather/base/csv.h"
#include "lather/base/units.h"
#include "lather/cli/check_lines.h"
#include "lather/cli/console.h"
#include "lather/cli/trace.h"
#include "lather/cli/verdict_text.h"
#include "lather/load/run.h"
#include "lather/load/secret_mask.h"
#include "lather/net/cause.h"
#include "lather/soap/hint.h"
#include "lather/soap/judge.h"
#include "lather/soap/template_builder.h"
#include "lather/soap/template_source.h"

/* Clocks of one network agree to a second, and a Date has no parts of one. */
enum { SKEW_NOTED_S = 2 };

/* ---- the request */

static struct template *freeze(const struct template *template,
                               const struct template_values *values, size_t pieces,
                               struct buf *request)
{
    size_t head_bytes = 0;
    size_t bytes = 0;
    struct str *parts = check_malloc(pieces * sizeof *parts);
    (void)template_pieces(template, values, parts, &head_bytes, &bytes);
    free(parts);
    template_append(template, values, request);

    struct template_builder *builder = template_builder_new(NULL);
    const struct str message_id = template_message_id(template, values);
    template_builder_add_literal(builder, str_slice(buf_view(request), 0, head_bytes));
    template_builder_begin_body(builder);
    template_builder_add_literal(builder, str_slice(buf_view(request), head_bytes, bytes));
    if (message_id.len > 0) {
        template_builder_set_message_id(builder, message_id);
    }
    return template_builder_finish(builder);
}

bool check_send_make(struct plan *plan, struct buf *request, struct err *err)
{
    struct template *template = plan->messages[0].template;
    struct template_source *source = template_source_new(&(struct template_source_options){
        .workers = 1,
        .seed = plan->seed,
        .rows = plan->data != NULL ? csv_row_count(plan->data) : 0,
        .order = plan->data_order,
        .clock_offset = plan->clock_offset,
    });
    struct template_values *values = template_values_new(template_values_bytes(template));
    const bool is_made = template_fill(template, source, values) == TEMPLATE_FILLED;
    if (is_made) {
        plan->messages[0].template =
            freeze(template, values, template_piece_count(template), request);
        template_free(template);
    } else {
        (void)err_set(err, ERR_USAGE, "--data: there is no row for a request");
    }
    template_values_free(values);
    template_source_free(source);
    return is_made;
}

void check_send_mask(const struct plan *plan, struct str request, struct buf *masked)
{
    struct secret_mask *mask = secret_mask_new(plan->secrets, plan->secret_count);
    (void)secret_mask_append(mask, request, masked);
    secret_mask_free(mask);
}

/* ---- the answer */

/* The one exchange; written on the worker's thread, read when it has ended. */
struct sending {
    const struct plan *plan;
    struct trace trace;
    struct str sent;  /* which message and how long, if it goes out */
    struct buf lines; /* what is to be said about it and the answer */
};

static void on_trace(void *context, enum run_trace direction, struct str bytes)
{
    struct sending *sending = context;
    if (sending->trace.verbosity >= 2) {
        trace_print(&sending->trace, direction, bytes);
    }
}

/* The status line as it came; interim answers may stand in front of it. */
static struct str status_line(const struct exchange *exchange)
{
    struct str heads = buf_view(&exchange->answer.lines);
    struct str head = heads;
    size_t end;
    while ((end = str_find(heads, STR("\r\n\r\n"))) != SIZE_MAX && heads.len > end + 4) {
        heads = str_slice(heads, end + 4, heads.len);
        head = heads;
    }
    struct str line;
    struct str rest;
    (void)str_split(head, '\n', &line, &rest);
    return str_trim(line);
}

/* A run's words would be "closed": here somebody waits for the one answer, and has enough of it. */
static const char *cause_of(const struct exchange *exchange, char text[CAUSE_TEXT_SIZE])
{
    return exchange->end == TRANSPORT_END_CUT ? "given up: the check was interrupted"
                                              : cause_format(exchange, text);
}

/* A connect that failed on the way to a proxy says nothing about the service. */
static void append_peer(const struct sending *sending, const struct exchange *exchange,
                        struct buf *text)
{
    const struct proxy *proxy = &sending->plan->way.proxy;
    const bool is_of_system = exchange->error != 0 && exchange->hint == NULL;
    if (exchange->end == TRANSPORT_END_CONNECT && is_of_system && proxy->kind != PROXY_KIND_NONE) {
        buf_append_str(text, STR(", on the way to the proxy "));
        proxy_format(proxy, text);
    }
}

/* Nothing has gone out when there was no connection for it, or TLS failed on it before. */
static void tell_sent(const struct sending *sending, struct buf *out,
                      const struct exchange *exchange)
{
    char cause[CAUSE_TEXT_SIZE];
    if (exchange->sent_ns != 0 || (exchange->opened && exchange->end != TRANSPORT_END_TLS)) {
        check_lines_add(out, CHECK_INDENT_WHOLE, STR("sent"), sending->sent);
    } else {
        struct buf text;
        buf_init(&text);
        buf_append_str(&text, str_from(cause_of(exchange, cause)));
        append_peer(sending, exchange, &text);
        check_lines_printf(out, CHECK_INDENT_WHOLE, "sent", "nothing (%s)", text.data);
        buf_deinit(&text);
    }
}

static void tell_answer(struct buf *out, const struct exchange *exchange)
{
    char cause[CAUSE_TEXT_SIZE];
    char duration[UNITS_TEXT_SIZE];
    const struct str type = http1_answer_field(&exchange->answer, HTTP1_FIELD_CONTENT_TYPE);
    (void)units_format_duration(exchange->end_ns - exchange->start_ns, duration);
    if (exchange->end != TRANSPORT_END_ANSWERED) {
        check_lines_printf(out, CHECK_INDENT_WHOLE, "answer", "none: %s, after %s",
                           cause_of(exchange, cause), duration);
        return;
    }
    check_lines_printf(out, CHECK_INDENT_WHOLE, "answer", "%.*s, %.*s, %" PRIu64 " bytes, after %s",
                       STR_ARG(status_line(exchange)),
                       STR_ARG(type.len > 0 ? type : STR("no content type")),
                       exchange->answer.body_bytes, duration);
}

static void tell_hint(struct buf *out, const struct plan_message *sent,
                      const struct exchange *exchange, const struct verdict *verdict)
{
    const struct hint_facts facts = {
        .status = exchange->answer.status,
        .code = verdict->fault_code,
        .subcodes = verdict->fault_subcodes,
        .reason = verdict->fault_code.len > 0 ? verdict->fault_reason : verdict->reason,
        .sent_type = str_from(sent->content_type),
        .sent_utf16 = sent->body_is_utf16,
    };
    struct buf hint;
    buf_init(&hint);
    if (exchange->hint == NULL && outcome_is_failure(verdict->outcome) &&
        hint_append(&facts, &hint)) {
        check_lines_add(out, CHECK_INDENT_WHOLE, STR("hint"), buf_view(&hint));
    }
    if (exchange->hint != NULL) {
        check_lines_add(out, CHECK_INDENT_WHOLE, STR("hint"), str_from(exchange->hint));
    }
    buf_deinit(&hint);
}

static void tell_verdict(struct buf *out, const struct plan_message *sent,
                         const struct exchange *exchange, const struct verdict *verdict)
{
    struct buf text;
    buf_init(&text);
    verdict_text_append(&text, verdict);
    check_lines_add(out, CHECK_INDENT_WHOLE, STR("verdict"), buf_view(&text));
    if (verdict->fault_detail.len > 0) {
        check_lines_add(out, CHECK_INDENT_WHOLE, STR("detail"), verdict->fault_detail);
    }
    tell_hint(out, sent, exchange, verdict);
    buf_deinit(&text);
}

static void on_ended(void *context, const struct exchange *exchange)
{
    struct sending *sending = context;
    const struct expect *expect = sending->plan->messages[0].expect;
    char cause[CAUSE_TEXT_SIZE];
    struct verdict verdict = {.outcome = cause_outcome(exchange->end, exchange->error)};
    struct judge *judge = NULL;
    tell_sent(sending, &sending->lines, exchange);
    tell_answer(&sending->lines, exchange);
    if (exchange->end != TRANSPORT_END_ANSWERED) {
        verdict.reason = str_from(cause_of(exchange, cause));
    } else if (exchange->body.len == exchange->answer.body_bytes ||
               expect->validate == VALIDATE_OFF) {
        struct answer answer = exchange_answer(exchange);
        answer.message_id = exchange->message_id;
        answer.elapsed_ns = exchange->end_ns - exchange->start_ns;
        judge = judge_new(expect);
        judge_answer(judge, &answer, &verdict);
    } else {
        return; /* too large to be looked at twice: the run's own verdict will do */
    }
    tell_verdict(&sending->lines, &sending->plan->messages[0], exchange, &verdict);
    judge_free(judge);
}

/* Of an answer that was judged as it streamed by. */
static void tell_counted(struct buf *out, const struct summary *summary)
{
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        if (summary->tally->outcomes[i] > 0) {
            check_lines_add(out, CHECK_INDENT_WHOLE, STR("verdict"),
                            str_from(outcome_name((enum outcome)i)));
        }
    }
    for (size_t i = 0; i < groups_size(summary->tally->failures); i++) {
        const struct group_key *key = &groups_at(summary->tally->failures, i)->key;
        check_lines_printf(out, CHECK_INDENT_WHOLE, "reason", "%.*s%s%.*s", STR_ARG(key->code),
                           key->code.len > 0 ? ": " : "", STR_ARG(key->reason));
    }
}

static void tell_clock(struct buf *out, const struct summary *summary)
{
    if (summary->server_date_s == 0) {
        return;
    }
    const int64_t skew =
        (int64_t)summary->server_date_s - (int64_t)(summary->server_date_at_ns / NS_PER_S);
    if (skew < SKEW_NOTED_S && skew > -SKEW_NOTED_S) {
        check_lines_add(out, CHECK_INDENT_WHOLE, STR("clock"),
                        STR("the server's and this one agree to the second"));
        return;
    }
    check_lines_printf(out, CHECK_INDENT_WHOLE, "clock",
                       "the server's is %" PRId64 " s %s this one (its Date); --clock-offset "
                       "%+" PRId64 "s writes moments by it",
                       skew < 0 ? -skew : skew, skew < 0 ? "behind" : "ahead of", skew);
}

static void tell_tls(struct buf *out, const struct summary *summary)
{
    const struct summary_tls *tls = &summary->tls;
    if (tls->used && tls->protocol[0] != '\0') {
        check_lines_printf(out, CHECK_INDENT_WHOLE, "tls", "%s, %s, certificate of %s%s",
                           tls->protocol, tls->cipher, tls->subject,
                           tls->verified ? "" : ", not verified");
    }
}

static void on_noted(void *context, const struct buf *notes)
{
    (void)context;
    console_notes(notes);
}

/* One request at once, whatever the load was to be; how long it may take stays. */
static void make_single(struct plan *plan)
{
    free(plan->shape.step_rates);
    free(plan->shape.find_rate);
    free(plan->save_failures_folder);
    plan->shape = (struct plan_shape){0};
    plan->sessions = (struct plan_sessions){0};
    plan->save_failures_folder = NULL;
    plan->requests = 1;
    plan->concurrency = 1;
    plan->threads = 1;
    plan->time_limit_ns = 0;
    plan->rate_micro_per_s = 0;
    plan->arrivals = PLAN_ARRIVALS_EVEN;
    plan->think_min_ns = 0;
    plan->think_max_ns = 0;
    plan->keep_samples = false;
    plan->verbosity = 2; /* heads are kept */
}

bool check_send(struct plan *plan, int verbosity, struct str sent, struct buf *out,
                enum exit_status *status, struct err *err)
{
    struct sending sending = {
        .plan = plan,
        .sent = sent,
        .trace = {.stream = stdout, .method = plan->messages[0].method, .verbosity = verbosity}};
    const struct run_events events = {
        .noted = on_noted, .trace = on_trace, .ended = on_ended, .context = &sending};
    struct summary *summary = NULL;
    struct sample_log *samples = NULL;
    make_single(plan);
    if (!run_load(plan, &events, &summary, &samples, err)) {
        return false;
    }
    const bool is_judged = str_find(buf_view(&sending.lines), STR("verdict:")) != SIZE_MAX;
    if (sending.lines.len == 0) {
        check_lines_add(out, CHECK_INDENT_WHOLE, STR("sent"), STR("nothing (interrupted before)"));
    }
    buf_append_str(out, buf_view(&sending.lines));
    if (!is_judged) {
        tell_counted(out, summary);
    }
    tell_clock(out, summary);
    tell_tls(out, summary);
    *status = exit_status_of(summary);
    summary_free(summary);
    buf_deinit(&sending.lines);
    return true;
}
